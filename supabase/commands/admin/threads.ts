import { z } from "zod";
import { Source } from "../../../shared/core/answers/stored_answer.ts";
import { refuse } from "../command_error.ts";
import { aCoach, anAccount, atMost, defineCommand, flag, id, ifGiven, option, text } from "./command.ts";
import type { Project } from "./open_project.ts";
import { readAllByOffset, requireAccount, requireCoach, requireRow } from "./read_rows.ts";
import { formatFields, formatRows, formatTime, showHarmlessly, showLines } from "./terminal_text.ts";

const foundColumns = "id,coach_id,user_id,title,updated_at,needs_reply_at,has_down" as const;

const found = z.object({ data: z.array(z.object({ id: z.string() })) });

/** The maximum number of matches of a search, to which the other filters are then applied. */
const mostMatches = 100;
const threadColumns =
  "id,account_id,coach_id,user_id,title,created_at,updated_at,taken_over_until,needs_reply_at,has_down";
const ofAnswers = "error_code,sources,model,coach_version,revised_at,revision_id,is_by_expert";
const messageColumns = `id,created_at,role,content,status,mode,${ofAnswers},feedback(rating,comment)` as const;

const Message = z.object({
  id: z.string(),
  created_at: z.string(),
  role: z.string(),
  content: z.string(),
  status: z.string(),
  mode: z.string().nullable(),
  error_code: z.string().nullable(),
  sources: z.array(z.custom<unknown>()).nullable(),
  model: z.string().nullable(),
  coach_version: z.number().nullable(),
  revised_at: z.string().nullable(),
  revision_id: z.string().nullable(),
  is_by_expert: z.boolean(),
  feedback: z.object({ rating: z.string(), comment: z.string().nullable() }).nullable(),
});
type Message = z.infer<typeof Message>;

/** `npm run admin -- thread …` */
export const threadCommands = {
  find: defineCommand({
    about: "Finds threads of a coach or of an account, those with the latest messages first.",
    options: {
      coach: ifGiven(aCoach),
      account: ifGiven(anAccount),
      search: option(
        "WORDS",
        text.optional(),
        "words in the title or the messages, best match first; requires --coach or --user",
      ),
      user: option("ID", text.optional(), "only threads of this user"),
      down: flag("only threads with an answer that has a thumbs-down"),
      "needs-reply": flag("only threads in which somebody is waiting for the expert"),
      limit: atMost(mostMatches, 20),
    },
    async run({ coach, account, search, user, down, "needs-reply": needsReply, limit }, { project, note }) {
      if ((coach === undefined) === (account === undefined)) refuse("thread find: pass either --coach or --account.");
      if (search !== undefined && coach === undefined && user === undefined) {
        refuse("thread find: --search requires --coach or --user.");
      }
      const opened = project();
      await requireAccount(opened, account);
      const accountId = coach === undefined ? account! : await requireCoach(opened.client, coach);
      const ranked = search === undefined ? null : await searchThreads(opened, { accountId, coach, user, search });

      let query = opened.client.from("threads").select(foundColumns).eq("account_id", accountId);
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
      if (threads.length === limit) {
        note(`These are the first ${limit}; there may be more. To see more, raise --limit.`);
      }
      const shown = formatRows(threads, ({ id, updated_at, user_id, coach_id, has_down, needs_reply_at, title }) => ({
        ...{ id, updated: formatTime(updated_at), user: user_id, coach: coach_id, down: has_down },
        ...{ "needs reply since": formatTime(needs_reply_at), title },
      }));
      return { json: threads, text: shown };
    },
  }),

  show: defineCommand({
    about: "Shows the messages of a thread, and what each answer was based on.",
    args: { "thread id": id },
    async run({ "thread id": threadId }, { project }) {
      const { client } = project();
      const thread = await requireRow("Thread", client.from("threads").select(threadColumns).eq("id", threadId));
      const rows = await readAllByOffset(
        () =>
          client.from("messages").select(messageColumns).eq("thread_id", threadId).order("created_at").order(
            "sequence",
          ),
        (message) => message.id,
      );
      const messages = rows.map((row) => Message.parse(row));
      const head = formatFields({
        id: thread.id,
        title: thread.title,
        user: thread.user_id,
        coach: thread.coach_id,
        account: thread.account_id,
        updated: formatTime(thread.updated_at),
        "taken over until": formatTime(thread.taken_over_until),
        "needs reply since": formatTime(thread.needs_reply_at),
      });
      return { json: { ...thread, messages }, text: [head, ...messages.map(formatMessage)].join("\n\n") };
    },
  }),
};

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

function formatMessage(message: Message): string {
  const author = message.role === "assistant" ? message.is_by_expert ? "expert" : "ai" : message.role;
  const state = message.status === "complete"
    ? ""
    : ` (${message.status}${message.error_code ? `: ${message.error_code}` : ""})`;
  return [
    `${formatTime(message.created_at)}  ${author}${state}  ${message.id}`,
    showLines(message.content, "  "),
    ...describeBasis(message),
  ]
    .join("\n");
}

function describeBasis(message: Message): string[] {
  const lines = [
    message.mode && `mode: ${message.mode}`,
    message.model && `model: ${message.model}`,
    message.coach_version !== null && `coach version: ${message.coach_version}`,
    ...(message.sources ?? []).map(describeSource),
    message.feedback &&
    `feedback: ${message.feedback.rating}${message.feedback.comment ? `, ${message.feedback.comment}` : ""}`,
    message.revised_at && `revised: ${formatTime(message.revised_at)}, by the pinned answer ${message.revision_id}`,
  ];
  return lines.filter((line) => typeof line === "string" && line !== "").map((line) =>
    `  - ${showHarmlessly(String(line))}`
  );
}

function describeSource(stored: unknown): string {
  const { success, data: source } = Source.safeParse(stored);
  if (!success) return "source: of an unknown kind";
  if (source.kind === "pinned_answer") {
    const how = source.isWordForWord ? "word for word" : "given to the model";
    return `pinned answer ${source.pinnedAnswerId}, version ${source.version}, ${how}: ${source.question}`;
  }
  const place = source.page === null ? source.heading : `page ${source.page}`;
  return `passage ${source.passageId} of ${source.filename}${place ? `, ${place}` : ""}: "${source.quote}"`;
}
