import { z } from "zod";
import { refuse } from "../command_error.ts";
import { anAccount, defineCommand, defineList, flag, id, option, text, wholeNumber } from "./command.ts";
import type { Project } from "./open_project.ts";
import { readAll, readKeys, requireRow } from "./read_rows.ts";
import { countOf, formatFields, formatTime, showHarmlessly, showJson } from "./terminal_text.ts";

const createdAccount = z.looseObject({ id: z.string(), name: z.string() });
const stored = z.object({ account_id: z.string(), retention_days: z.nullable(z.number()), threads: z.number() });
const Named = z.nullable(z.object({ user_id: z.string(), email: z.nullable(z.string()) }));
const Acts = z.array(z.object({
  id: z.number(),
  kind: z.string(),
  coach_id: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  subject_user: Named,
  by: z.enum(["expert", "server", "operator"]),
  user: Named,
  user_id: z.nullable(z.string()),
  api_key_id: z.nullable(z.string()),
  created_at: z.string(),
}));
const pageSize = 1_000;

/** Rows that one request deletes. Their messages and passages are deleted with them, within the time of a request. */
const batchSize = 20;

/** `npm run admin -- account …` */
export const accountCommands = {
  create: defineCommand({
    about: "Creates an account.",
    args: { name: text },
    isChange: true,
    async run({ name }, { project }) {
      const { data } = await project().client.rpc("create_account", { name: name.trim() }).throwOnError();
      const account = createdAccount.parse(data);
      return { json: account, text: formatFields({ id: account.id, name: account.name }) };
    },
  }),

  list: defineList({
    about: "Lists the accounts.",
    none: "There are no accounts yet.",
    // Not all columns: the key of an account is never shown.
    read: ({ client }) => readAll(() => client.from("accounts").select("id, name, retention_days, created_at")),
    show: ({ id, name, retention_days, created_at }) => {
      return { id, name, "days kept": retention_days, created: formatTime(created_at) };
    },
  }),

  retention: defineCommand({
    about: `Erases threads in which nobody has written for some days: see supabase/docs/operating.md. It does not wait
      for a confirmation, but for an hour.`,
    options: {
      account: anAccount,
      days: option(
        "N",
        text.transform((value) => value === "none" ? undefined : Number(value)).refine(
          (days) => days === undefined || Number.isInteger(days) && days >= 1 && days <= 3650,
          "is neither a whole number from 1 to 3650 nor none",
        ),
        `how long threads are kept after their last message, 1 to 3650; none: until somebody deletes them. The first
        threads are erased an hour later.`,
      ),
    },
    isChange: true,
    async run({ account, days }, { project }) {
      const { data } = await project().client.rpc("set_retention", { account_id: account, days }).throwOnError();
      const { retention_days: kept, threads } = stored.parse(data);
      return {
        json: data,
        text: kept === null
          ? "Threads are kept until somebody deletes them."
          : `Threads are kept for ${countOf(kept, "day")} after their last message. ${
            countOf(threads, "thread")
          } with no ` +
            "newer message will be erased from an hour from now on, for good. Until then, --days none prevents it.",
      };
    },
  }),

  history: defineList({
    about: "Shows who did what in the last year: experts, servers with a key, and operators. The newest comes first.",
    options: { account: anAccount, limit: option("N", wholeNumber(1).default(100), "how many acts are shown") },
    none: "Nothing was done in the last year.",
    async read({ client }, { account, limit }) {
      const acts: z.output<typeof Acts> = [];
      while (acts.length < limit) {
        const most = Math.min(limit - acts.length, pageSize);
        const page = { account_id: account, most, before: acts.at(-1)?.id };
        const { data } = await client.rpc("list_account_acts", page).throwOnError();
        const read = Acts.parse(data);
        acts.push(...read);
        if (read.length < most) break;
      }
      return acts;
    },
    show: ({ created_at, by, user, user_id, api_key_id, kind: what, subject, subject_user, coach_id: coach }) => ({
      time: formatTime(created_at),
      by: by === "expert" ? user?.email ?? user_id : by === "server" ? `key ${api_key_id}` : by,
      ...{ what, to: subject_user?.email ?? subject, coach },
    }),
  }),

  delete: defineCommand({
    about:
      `Deletes an account with everything that belongs to it: coaches, conversations, files, keys and usage counts. It
      cannot be undone. Its keys end first; if it is interrupted, run it again.`,
    args: { "account id": id },
    options: { yes: flag("delete; without it, what would be deleted is only shown") },
    isChange: true,
    timeLimit: 180_000,
    async run({ "account id": accountId, yes }, { project, note, now }) {
      const opened = project();
      const account = await requireRow("Account", opened.client.from("accounts").select("name").eq("id", accountId));
      const counts = await countAccount(opened, accountId);
      note(`Account ${accountId} (${showHarmlessly(account.name)}) has ${describeCounts(counts)}.`);
      if (!yes) refuse("Nothing was changed. To delete all of it permanently, add --yes.");
      await deleteEverything(opened, accountId);
      await opened.wakeIndexer();
      const deleted = { account_id: accountId, name: account.name, ...counts };
      // One line that an operator can keep: nothing else tells any more that there was such an account.
      const line = { time: now().toISOString(), event: "account_deleted", ...deleted };
      note(showJson(line).replaceAll(/\n */g, " "));
      return {
        json: deleted,
        text: `Deleted account ${accountId} with ${describeCounts(counts)}.\n` +
          "The files in Storage and the responses at the model's backend are deleted by the indexer, which has been called.",
      };
    },
  }),
};

/** The numbers that are shown of an account before it is deleted. */
const counted = {
  coaches: "coach_profiles",
  threads: "threads",
  files: "knowledge_files",
  sources: "knowledge_sources",
  pinned_answers: "pinned_answers",
  open_questions: "open_questions",
} as const;
type Counts = Record<keyof typeof counted | "messages" | "keys" | "token_issuers", number>;

async function countAccount({ client }: Project, accountId: string): Promise<Counts> {
  const countRows = async (table: typeof counted[keyof typeof counted]) =>
    (await client.from(table).select("id", { count: "exact" }).eq("account_id", accountId).limit(1).throwOnError())
      .count ?? 0;
  const [messages, keys, issuers, ...others] = await Promise.all([
    client.from("messages").select("id, threads!inner(id)", { count: "exact" }).eq("threads.account_id", accountId)
      .limit(1).throwOnError(),
    readKeys({ client }, accountId),
    client.rpc("list_token_issuers").eq("account_id", accountId).throwOnError(),
    ...Object.values(counted).map(countRows),
  ]);
  const rows = Object.fromEntries(Object.keys(counted).map((name, index) => [name, others[index]!]));
  return {
    ...rows as Record<keyof typeof counted, number>,
    messages: messages.count ?? 0,
    keys: keys.length,
    token_issuers: issuers.data.length,
  };
}

function describeCounts(counts: Counts): string {
  return [
    `${counts.coaches} ${counts.coaches === 1 ? "coach" : "coaches"}`,
    countOf(counts.threads, "thread"),
    countOf(counts.messages, "message"),
    countOf(counts.files, "file"),
    countOf(counts.sources, "web source"),
    countOf(counts.pinned_answers, "pinned answer"),
    countOf(counts.open_questions, "open question"),
    countOf(counts.keys, "key"),
    countOf(counts.token_issuers, "token issuer"),
  ].join(", ").replace(/, (?=[^,]*$)/, " and ");
}

/** Deletes an account from the outside inwards. If it is interrupted, it can be called again. */
async function deleteEverything({ client }: Project, accountId: string): Promise<void> {
  // The keys first: nobody is to add anything meanwhile.
  for (const { id, status } of await readKeys({ client }, accountId)) {
    if (status !== "revoked") await client.rpc("revoke_api_key", { id }).throwOnError();
  }
  await inBatches(client, "threads", accountId, async (ids) => {
    // In one statement: with their threads, row by row, it would take many times as long.
    await client.from("messages").delete().in("thread_id", ids).throwOnError();
    await client.from("threads").delete().in("id", ids).throwOnError();
  });
  // Before the files, of which the fetcher would add more.
  await inBatches(client, "knowledge_sources", accountId, async (ids) => {
    for (const id of ids) await client.from("knowledge_sources").delete().eq("id", id).throwOnError();
    while ((await client.rpc("unindex_passages").throwOnError()).data);
  });
  await inBatches(client, "knowledge_files", accountId, async (ids) => {
    await client.from("knowledge_files").delete().in("id", ids).throwOnError();
    // Otherwise deleting the coach would have to empty its index within one request.
    while ((await client.rpc("unindex_passages").throwOnError()).data);
  });
  await inBatches(client, "coach_profiles", accountId, async (ids) => {
    for (const id of ids) await client.from("coach_profiles").delete().eq("id", id).throwOnError();
  });
  await client.from("accounts").delete().eq("id", accountId).throwOnError();
}

/** Calls `remove` with the ids of some rows of the account, until there are none. */
async function inBatches(
  client: Project["client"],
  table: "threads" | "knowledge_sources" | "knowledge_files" | "coach_profiles",
  accountId: string,
  remove: (ids: string[]) => Promise<void>,
): Promise<void> {
  while (true) {
    const { data } = await client.from(table).select("id").eq("account_id", accountId).limit(batchSize).throwOnError();
    if (data.length === 0) return;
    await remove(data.map(({ id }) => id));
  }
}
