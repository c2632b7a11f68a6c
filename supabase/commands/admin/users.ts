import { z } from "zod";
import { pooledMap } from "../../../shared/libs/base/std/async.ts";
import { CommandError, exitCodes, refuse } from "../command_error.ts";
import { anAccount, anOutput, atMost, defineCommand, flag, text } from "./command.ts";
import type { Project } from "./open_project.ts";
import { readAll, readEmail, requireAccount } from "./read_rows.ts";
import { countOf, formatFields, formatRows, formatTime, showHarmlessly, showJson } from "./terminal_text.ts";
import { writeOutput } from "./text_files.ts";

const threadColumns = "id, coach_id, title, created_at, updated_at, has_down, needs_reply_at" as const;
const exported = z.looseObject({ threads: z.array(z.looseObject({ messages: z.array(z.unknown()) })) });
const erased = z.object({ threads: z.number(), messages: z.number(), responses: z.number() });

/** `npm run admin -- user …` */
export const userCommands = {
  list: defineCommand({
    about: "Shows the users who were active last, with the email addresses that Auth knows.",
    options: { account: anAccount, limit: atMost(1_000, 50) },
    async run({ account, limit }, { project, note }) {
      const opened = project();
      await requireAccount(opened, account);
      // Users are known by their threads alone.
      const threads = await readAll(
        () => opened.client.from("threads").select("id, user_id, created_at, updated_at"),
        account,
      );
      const users = [...Map.groupBy(threads, ({ user_id }) => user_id)].map(([user_id, own]) => ({
        user_id,
        threads: own.length,
        first_at: own[0]!.created_at,
        last_at: own.map(({ updated_at }) => updated_at).reduce((one, other) => laterOf(one, other)),
      })).toSorted((one, other) => Date.parse(other.last_at) - Date.parse(one.last_at));
      if (users.length === 0) note("There are no users yet.");
      if (users.length > limit) note(`These are the last ${limit} of ${users.length}. To see more, raise --limit.`);
      const shown = await Array.fromAsync(
        pooledMap(8, users.slice(0, limit), async (user) => {
          return { ...user, email: await readEmail(opened, user.user_id) };
        }),
      );
      const text = formatRows(shown, ({ last_at, threads, email, user_id: user }) => {
        return { "last active": formatTime(last_at), threads, email, user };
      });
      return { json: shown, text };
    },
  }),

  show: defineCommand({
    about: "Shows a user of an account, with the threads.",
    args: { "user id": text },
    options: { account: anAccount },
    async run({ "user id": userId, account: accountId }, { project }) {
      const opened = project();
      await requireAccount(opened, accountId);
      const { messages } = await countUser(opened, { accountId, userId });
      const threads = await readAll(
        () => opened.client.from("threads").select(threadColumns).eq("user_id", userId),
        accountId,
      );
      const newest = threads.toSorted((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at));
      const user = {
        user_id: userId,
        account_id: accountId,
        threads: threads.length,
        messages,
        coach_ids: [...new Set(newest.map(({ coach_id }) => coach_id))],
        first_at: threads[0]?.created_at ?? null,
        last_at: newest[0]?.updated_at ?? null,
      };
      const fields = formatFields({
        user: userId,
        account: accountId,
        coaches: user.coach_ids.join(","),
        threads: user.threads,
        messages,
        "first active": formatTime(user.first_at),
        "last active": formatTime(user.last_at),
      });
      const table = formatRows(newest, ({ id: thread, updated_at, has_down: down, title }) => {
        return { thread, updated: formatTime(updated_at), down, title };
      });
      return { json: { ...user, data: newest }, text: `${fields}\n\n${table}` };
    },
  }),

  export: defineCommand({
    about: "Writes the user's threads and messages in one account as JSON.",
    args: { "user id": text },
    options: { account: anAccount, output: anOutput },
    timeLimit: 180_000,
    async run({ "user id": userId, account: accountId, output }, { project, folder }) {
      const { data } = await project().client.rpc("export_user", { account_id: accountId, user_id: userId })
        .throwOnError();
      const { threads } = exported.parse(data);
      if (threads.length === 0) refuseUnknownUser({ accountId, userId });
      const json = showJson(data);
      if (output === undefined) return { json: data, text: json };
      await writeOutput(folder, output, `${json}\n`);
      const messages = threads.reduce((sum, thread) => sum + thread.messages.length, 0);
      const counts = { threads: threads.length, messages };
      return { json: { output, ...counts }, text: `Wrote ${describeCounts(counts)} to ${showHarmlessly(output)}.` };
    },
  }),

  erase: defineCommand({
    about:
      `Erases the user's threads and messages in one account, and what the model's server has stored of them. The usage
      counts and the user's login are kept.`,
    args: { "user id": text },
    options: { account: anAccount, yes: flag("skip the confirmation") },
    isChange: true,
    timeLimit: 180_000,
    async run({ "user id": userId, account: accountId, yes }, { project, note, confirm }) {
      if (!yes && confirm === null) {
        refuse("There is no terminal for the confirmation. To erase without one, add --yes.");
      }
      const opened = project();
      await requireAccount(opened, accountId);
      const counts = await countUser(opened, { accountId, userId });
      const shownUser = `user ${showHarmlessly(userId)} in account ${accountId}`;
      note(`Stored for ${shownUser}: ${describeCounts(counts)}.`);
      if (!yes && !await confirm!("Erase them permanently?")) {
        throw new CommandError("Nothing was changed.", exitCodes.declined);
      }
      const { data } = await opened.client.rpc("erase_user", { account_id: accountId, user_id: userId }).throwOnError();
      const { responses, ...gone } = erased.parse(data);
      if (responses > 0) await opened.wakeIndexer();
      note(
        "The usage counts of this user are kept. If the user has a login, delete it in the dashboard under " +
          "Authentication.",
      );
      return {
        json: { account_id: accountId, user_id: userId, ...gone, responses },
        text: `Erased ${describeCounts(gone)} for ${shownUser}.\n` +
          `${countOf(responses, "response")} will also be deleted at the model's backend.`,
      };
    },
  }),
};

function laterOf(one: string, other: string): string {
  return Date.parse(one) < Date.parse(other) ? other : one;
}

type UserOfAccount = { accountId: string; userId: string };

/** Counts a user's threads and messages. @throws {CommandError} when there are none. */
async function countUser({ client }: Project, user: UserOfAccount) {
  const { accountId, userId } = user;
  const [threads, messages] = await Promise.all([
    client.from("threads").select("id", { count: "exact" }).eq("account_id", accountId).eq("user_id", userId)
      .limit(1).throwOnError(),
    client.from("messages").select("id, threads!inner(id)", { count: "exact" }).eq("threads.account_id", accountId)
      .eq("threads.user_id", userId).limit(1).throwOnError(),
  ]);
  if (!threads.count) refuseUnknownUser(user);
  return { threads: threads.count, messages: messages.count ?? 0 };
}

/** Fails for a user without stored data: a mistyped ID must not look like success. */
function refuseUnknownUser({ accountId, userId }: UserOfAccount): never {
  throw new CommandError(`Nothing is stored for user ${showHarmlessly(userId)} in account ${accountId}.`);
}

function describeCounts({ threads, messages }: { threads: number; messages: number }): string {
  return `${countOf(threads, "thread")} with ${countOf(messages, "message")}`;
}
