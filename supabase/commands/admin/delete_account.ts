import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { countOf } from "./count_user.ts";
import { id } from "./inputs.ts";
import type { Project } from "./open_project.ts";
import { readKeys } from "./read_keys.ts";
import { showHarmlessly, showJson } from "./show_harmlessly.ts";

/** Rows that one request deletes. Their messages and passages are deleted with them, within the time of a request. */
const batchSize = 20;

/** `account delete` */
export const deleteAccount = defineCommand({
  positionals: ["account id"],
  flags: ["yes"],
  input: z.strictObject({ "account id": id, yes: z.boolean().default(false) }),
  isChange: true,
  timeLimit: 180_000,
  async run({ "account id": accountId, yes }, { project, note, now }) {
    const opened = project();
    const { data: [account] } = await opened.client.from("accounts").select("id, name").eq("id", accountId)
      .throwOnError();
    if (account === undefined) throw new CommandError("Account not found");
    const counts = await countAccount(opened, accountId);
    note(`Account ${accountId} (${showHarmlessly(account.name)}) has ${describe(counts)}.`);
    if (!yes) {
      throw new CommandError(
        "Nothing was changed. To delete all of it permanently, add --yes.",
        exitCodes.calledWrongly,
      );
    }
    await deleteEverything(opened, accountId);
    await opened.wakeIndexer();
    const deleted = { account_id: accountId, name: account.name, ...counts };
    // One line that an operator can keep: nothing else tells any more that there was such an account.
    const line = { time: now().toISOString(), event: "account_deleted", ...deleted };
    note(showJson(line).replaceAll(/\n */g, " "));
    return {
      json: deleted,
      text: `Deleted account ${accountId} with ${describe(counts)}.\n` +
        "The files in Storage and the responses at the model's backend are deleted by the indexer, which has been called.",
    };
  },
});

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

function describe(counts: Counts): string {
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
