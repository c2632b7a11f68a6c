import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import type { AnswerHead } from "../../core/answers/answer.ts";
import { openRun } from "../../core/budgets/budgeted_models.ts";
import type { RequestContext } from "../../core/context.ts";
import type { AnswerSink } from "../../features/chat/answer_sinks.ts";
import { readFailure } from "../../features/chat/turn/ask_model.ts";
import { createWatchdog } from "../../features/chat/turn/watchdog.ts";
import type { ModelRequest } from "../../libs/llm/model_request.ts";
import { createUsageMeter } from "../../libs/llm/usage_meter.ts";
import { requireModel } from "./get_model.ts";
import type { Conversation } from "./read_conversation.ts";

/** The most tokens of a task's output: titles, tags and queries are short. */
const maxTokens = 1_000;

/** The reply to a task, which is about to be written. It has no thread. */
export type TaskAnswer = {
  head: Pick<AnswerHead, "messageId" | "createdAt">;
  model: string;
  produce: (sink: AnswerSink) => Promise<void>;
  hasFootnotes: () => false;
  /** Stops it. */
  leave: () => Promise<void>;
};

/**
 * Returns whether a request is the application's own, such as one for a title: it says so, or its key was issued for such
 * requests and its text is that of a known one.
 */
export async function isTask(
  { admission }: RequestContext,
  { task, metadata, conversation }: {
    task: string | undefined;
    metadata: Record<string, unknown> | null | undefined;
    conversation: Conversation;
  },
): Promise<boolean> {
  if (task !== undefined || typeof metadata?.task === "string" && metadata.task.trim() !== "") return true;
  if (!isKnownTask(conversation)) return false;
  return (await admission.require()).options.includes("tasks");
}

/** A task, as a client sends it. */
type Task = {
  model: string;
  conversation: Conversation;
  /** The form of the reply. */
  format: ModelRequest["format"];
  maxOutputTokens: number | null;
  /** The user that the application names, or who is signed in; null: nobody. */
  userId: string | null;
};

/**
 * Has the model of a coach carry out a task: without the persona, its files, a thread or an open question.
 *
 * @throws 404 if the caller may not talk to such a coach, 429 where a budget does not allow it.
 */
export async function answerTask(ctx: RequestContext, task: Task): Promise<TaskAnswer> {
  const { services, log } = ctx;
  const { conversation: { application, history, question } } = task;
  const coach = await requireModel(ctx, task.model);
  const request: ModelRequest = {
    model: coach.model,
    settings: { temperature: null, reasoningEffort: null, verbosity: null, maxOutputTokens: maxTokens, store: false },
    instructions: application ?? "",
    history,
    quoted: [],
    input: [{ role: "user", content: question }],
    maxOutputTokens: task.maxOutputTokens ?? undefined,
    format: task.format,
  };
  const { model, settle } = await openRun(ctx, { coachId: task.model, userId: task.userId }, request);
  const watchdog = createWatchdog(services.timeouts.turn);
  return {
    head: { messageId: crypto.randomUUID(), createdAt: new Date().toISOString() },
    model: task.model,
    hasFootnotes: () => false,
    leave: () => Promise.resolve(watchdog.abort()),
    async produce(sink) {
      const meter = createUsageMeter();
      let isCut: true | undefined;
      try {
        watchdog.expect(services.timeouts.firstChunk);
        meter.begin(request);
        for await (const events of model.stream(request, watchdog.signal, log)) {
          watchdog.expect(services.timeouts.betweenChunks);
          meter.read(events);
          const pieces: string[] = [];
          for (const event of events) {
            if (event.type === "text") pieces.push(event.text);
            if (event.type === "ended") isCut = event.isCut;
          }
          if (pieces.length > 0) sink.write(pieces);
        }
        const usage = meter.total();
        await settle(usage);
        sink.end({ status: "complete", usage, isCut });
      } catch (error) {
        if (!watchdog.signal.aborted) meter.fail();
        await settle(meter.total());
        const failure = readFailure(error, watchdog.signal.aborted);
        log("error", "task", { code: failure.code });
        sink.end({ status: "failed" }, failure);
      } finally {
        watchdog.stop();
      }
    },
  };
}

const JsonSchema = z.object({
  name: z.string(),
  description: z.optional(z.string()),
  schema: z.record(z.string(), z.unknown()),
  strict: z.nullish(z.boolean()),
});

/**
 * The form of a reply, as the Responses API has it or, with its fields in `json_schema`, chat completions.
 *
 * @param param the field that it was sent in
 * @throws 400 for one that does not exist.
 */
export function readFormat(
  format: { type: string; json_schema?: unknown } | null | undefined,
  param: string,
): ModelRequest["format"] {
  if (!format || format.type === "text") return undefined;
  if (format.type === "json_object") return { type: "json_object" };
  const schema = JsonSchema.safeParse(format.json_schema ?? format);
  if (format.type !== "json_schema" || !schema.success) {
    throw errors.invalidInput(`${param} must be text, json_object or json_schema`, param);
  }
  return { type: "json_schema", ...schema.data };
}

/** Refuses a form of the reply that a persona does not have. @throws 400 that names the field. */
export function requireText(format: { type: string } | null | undefined, param: string): void {
  if (!format || format.type === "text") return;
  throw errors.invalidInput(`${param} must be text: a persona answers in its own words`, param);
}

/** A text with which a chat interface asks for something of its own: how it begins, and what must follow. */
type Template = { begins: string; holds?: string; ends?: string };

/** The end of a chat that is quoted. */
const quoted = { ends: "</chat_history>" };

/**
 * Texts of requests in one message, as their defaults in the sources of the interfaces begin. An operator can replace them
 * there: then only a header tells. "### Task:" alone says nothing, since Open WebUI puts it before questions, too.
 */
const templates: Template[] = [
  // Open WebUI: titles of chats and of notes, tags, questions to go on with, searches, images, and what stays of a chat that
  // has become too long; the older ones last.
  { begins: "### Task:\nGenerate a concise title summarizing the chat history", ...quoted },
  { begins: "### Task:\nGenerate a concise, 3-5 word title", ...quoted },
  {
    begins: "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the content in the content's",
    ends: "</content>",
  },
  { begins: "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history", ...quoted },
  { begins: "### Task:\nSuggest 3-5 relevant follow-up questions", ...quoted },
  { begins: "### Task:\nAnalyze the chat history to determine the necessity of generating search queries", ...quoted },
  { begins: "### Task:\nGenerate a detailed prompt for a", ...quoted },
  {
    begins: "### Task:\nSummarize the conversation history that will be compacted out of the active chat context.",
    holds: "### Messages Being Compacted:",
  },
  { begins: "### Task:\nYou are an autocompletion system.", holds: "<text>", ends: "#### Output:" },
  { begins: "Your task is to reflect the speaker's likely facial expression", holds: "Message: ```" },
  { begins: "You have been provided with a set of responses from various models", holds: "Responses from models:" },
  { begins: "Create a concise, 3-5 word title with an emoji as a title for the chat history", ...quoted },
  { begins: "Create a concise, 3-5 word title with an emoji as a title for the prompt", holds: "\nPrompt: " },
  { begins: "Create a concise, 3-5 word phrase as a header for the following query, strictly adhering to" },
  { begins: "Assess the need for a web search based on the current question", holds: "Current Question:" },
  // LibreChat: titles and summaries.
  { begins: "Provide a concise, 5-word-or-less title for the conversation", holds: "\nConversation:\n" },
  { begins: "Analyze this conversation and provide:\n1. The detected language", holds: "\nUser: " },
  { begins: "Please generate a concise, 5-word-or-less title for the conversation", holds: "||>User:" },
  { begins: "Detect user language and write in the same language an extremely concise title", holds: "||>User:" },
  { begins: "Summarize the conversation by integrating new lines into the current summary", holds: "New lines:" },
  // Chatbox and Continue.
  { begins: "Based on the chat history, give this conversation a name.", holds: "Here's the conversation:" },
];

const isCheckpoint = { holds: "Only the checkpoint, don't respond to me or continue the conversation." };

/** Texts that may end a conversation, which they ask to summarize instead of going on: LibreChat's. */
const endings: Template[] = [
  { begins: "Hold on, before you continue I need you to write me a checkpoint of everything so far.", ...isCheckpoint },
  { begins: "Hold on again, update your checkpoint.", ...isCheckpoint },
  { begins: "Write a checkpoint of everything so far. This checkpoint replaces the messages above", ...isCheckpoint },
  { begins: "Update the checkpoint. Merge the new messages into the existing checkpoint", ...isCheckpoint },
];

/** The same, where the text is the system prompt and the message quotes the chat. */
const systemTemplates: Template[] = [
  // Open WebUI: the choice of a tool.
  { begins: "Available Tools:", holds: "Your task is to choose and return the correct tool(s)" },
  // LibreChat: what to remember of a user.
  { begins: "Use the `set_memory` tool to save important information about the user" },
  // LibreChat: headers of what an agent does, and of what a model thinks.
  { begins: "Write a short label describing what this block of agent activity accomplished." },
  { begins: "Summarize what this phase of an agent run accomplished." },
  { begins: "Write a short orientation title for a user-visible reasoning step in a chat UI." },
  // LobeChat: titles, summaries and searches.
  { begins: "You are a professional conversation summarizer. Generate a concise title" },
  { begins: "You're an assistant who's good at extracting key takeaways from conversations" },
  { begins: "Given the following conversation and a follow-up question, rephrase the follow up question" },
  // Cherry Studio: titles.
  {
    begins: "You are an assistant skilled in conversation. You need to summarize the user's conversation into a title",
  },
];

/** Returns whether a request has the text of a well-known task. Most of them have no conversation before it. */
function isKnownTask({ application, history, question }: Conversation): boolean {
  if (fitsAny(endings, question)) return true;
  if (history.length > 0) return false;
  return fitsAny(templates, question) || application !== null && fitsAny(systemTemplates, application);
}

function fitsAny(templates: Template[], text: string): boolean {
  const trimmed = text.trim().replaceAll("\r\n", "\n");
  return templates.some(({ begins, holds = "", ends = "" }) =>
    trimmed.startsWith(begins) && trimmed.includes(holds) && trimmed.endsWith(ends)
  );
}
