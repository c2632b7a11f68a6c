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
import { isKnownTask } from "./task_templates.ts";

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
export type Task = {
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
