import { z } from "zod";
import { Source } from "../../../shared/core/answers/stored_answer.ts";
import { CommandError } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { formatFields, formatTime } from "./format_table.ts";
import { id } from "./inputs.ts";
import { readAllByOffset } from "./read_all.ts";
import { showHarmlessly } from "./show_harmlessly.ts";

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

/** `thread show` */
export const showThread = defineCommand({
  positionals: ["thread id"],
  input: z.strictObject({ "thread id": id }),
  isChange: false,
  async run({ "thread id": threadId }, { project }) {
    const { client } = project();
    const { data: [thread] } = await client.from("threads").select(threadColumns).eq("id", threadId).throwOnError();
    if (thread === undefined) throw new CommandError("Thread not found");
    const rows = await readAllByOffset(
      ({ from, to }) =>
        client.from("messages").select(messageColumns).eq("thread_id", threadId).order("created_at").order("sequence")
          .range(from, to).throwOnError(),
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
});

/** Formats a message; below an answer, what it was based on. */
function formatMessage(message: Message): string {
  const author = message.role === "assistant" ? message.is_by_expert ? "expert" : "ai" : message.role;
  const state = message.status === "complete"
    ? ""
    : ` (${message.status}${message.error_code ? `: ${message.error_code}` : ""})`;
  const said = message.content.split("\n").map((line) => `  ${showHarmlessly(line)}`.trimEnd());
  return [`${formatTime(message.created_at)}  ${author}${state}  ${message.id}`, ...said, ...describeBasis(message)]
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
