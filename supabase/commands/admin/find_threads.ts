import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { formatTable, formatTime } from "./format_table.ts";
import { id, text, wholeNumber } from "./inputs.ts";
import type { Project } from "./open_project.ts";
import { requireAccount } from "./require_account.ts";
import { requireCoach } from "./require_coach.ts";

const columns = "id,coach_id,user_id,title,updated_at,needs_reply_at,has_down" as const;

const found = z.object({ data: z.array(z.object({ id: z.string() })) });

/** The maximum number of matches of a search, to which the other filters are then applied. */
const mostMatches = 100;

/** `thread find` */
export const findThreads = defineCommand({
  positionals: [],
  flags: ["down", "needs-reply"],
  input: z.strictObject({
    coach: text.optional(),
    account: id.optional(),
    search: text.optional(),
    user: text.optional(),
    down: z.boolean().default(false),
    "needs-reply": z.boolean().default(false),
    limit: wholeNumber(1, mostMatches).default(20),
  }),
  isChange: false,
  async run({ coach, account, search, user, down, "needs-reply": needsReply, limit }, { project, note }) {
    if ((coach === undefined) === (account === undefined)) {
      throw new CommandError("thread find: pass either --coach or --account.", exitCodes.calledWrongly);
    }
    if (search !== undefined && coach === undefined && user === undefined) {
      throw new CommandError("thread find: --search requires --coach or --user.", exitCodes.calledWrongly);
    }
    const opened = project();
    if (account !== undefined) await requireAccount(opened, account);
    const accountId = coach === undefined ? account! : await requireCoach(opened.client, coach);
    const ranked = search === undefined ? null : await searchThreads(opened, { accountId, coach, user, search });

    let query = opened.client.from("threads").select(columns).eq("account_id", accountId);
    if (coach !== undefined) query = query.eq("coach_id", coach);
    if (user !== undefined) query = query.eq("user_id", user);
    if (down) query = query.eq("has_down", true);
    if (needsReply) query = query.not("needs_reply_at", "is", null);
    if (ranked !== null) query = query.in("id", ranked);
    const { data } = await query.order("updated_at", { ascending: false }).order("id", { ascending: false })
      .limit(ranked === null ? limit : mostMatches).throwOnError();
    const threads = ranked === null
      ? data
      : data.toSorted((one, other) => ranked.indexOf(one.id) - ranked.indexOf(other.id)).slice(0, limit);
    if (threads.length === 0) note("No thread matches.");
    if (threads.length === limit) note(`These are the first ${limit}; there may be more. To see more, raise --limit.`);
    return {
      json: threads,
      text: formatTable(
        ["id", "updated", "user", "coach", "down", "needs reply since", "title"],
        threads.map((thread) => [
          thread.id,
          formatTime(thread.updated_at),
          thread.user_id,
          thread.coach_id,
          thread.has_down ? "yes" : "no",
          formatTime(thread.needs_reply_at),
          thread.title,
        ]),
      ),
    };
  },
});

/** The ids of the threads that match best, best first. */
async function searchThreads(
  { client }: Project,
  { accountId, coach, user, search }: { accountId: string; coach?: string; user?: string; search: string },
): Promise<string[]> {
  const caller = { account_id: accountId };
  const filter = { coach_id: coach, search, page_size: mostMatches };
  const { data } = user === undefined
    ? await client.rpc("list_conversations", { caller, filter }).throwOnError()
    : await client.rpc("search_threads", { caller, user_id: user, filter }).throwOnError();
  return found.parse(data).data.map(({ id }) => id);
}
