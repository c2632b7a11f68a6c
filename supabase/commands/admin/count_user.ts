import { CommandError } from "../command_error.ts";
import type { Project } from "./open_project.ts";
import { showHarmlessly } from "./show_harmlessly.ts";

/** A user of an account. */
type UserOfAccount = { accountId: string; userId: string };

/** Counts a user's threads and messages. @throws {CommandError} when there are none. */
export async function countUser({ client }: Project, user: UserOfAccount) {
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
export function refuseUnknownUser({ accountId, userId }: UserOfAccount): never {
  throw new CommandError(`Nothing is stored for user ${showHarmlessly(userId)} in account ${accountId}.`);
}

/** Numbers of threads and messages, in words. */
export function describeCounts({ threads, messages }: { threads: number; messages: number }): string {
  return `${countOf(threads, "thread")} with ${countOf(messages, "message")}`;
}

/** A number with its noun. */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
