import { type BudgetedModel, openModelOfRun } from "../../../core/budgets/budgeted_models.ts";
import type { ModelEvent, Phase, ToolCall } from "../../../libs/llm/model_event.ts";
import { createAnswerText, maxKept } from "../../../libs/llm/answer_text.ts";
import { failWith } from "../../../libs/llm/failure.ts";
import { ModelError } from "../../../libs/llm/model_error.ts";
import { isObjectText } from "../../../libs/llm/read_fields.ts";
import type { ModelRequest, SaidMessage } from "../../../libs/llm/model_request.ts";
import type { UsageMeter } from "../../../libs/llm/usage_meter.ts";
import { describeError } from "../../../libs/base/log.ts";
import { askExpertTool, type PassedOn, readPassedOn, tellPassedOn } from "../prompt/ask_expert_tool.ts";
import { runToolCall } from "../prompt/create_knowledge_tool.ts";
import { usualSentences } from "../prompt/usual_sentences.ts";
import type { ModelTurn, RunContext } from "./turn.ts";
import type { Watchdog } from "./watchdog.ts";
import { ApiError, errors, usualRetryAfter } from "../../../infra/errors.ts";

/** The maximum number of requests in a turn. The model may call tools in the first two; in the last, it must answer. */
const maxRequests = 3;
/** The maximum number of tool calls in one turn. Further calls are dropped. */
const maxCalls = 8;

/** The part of a turn that is needed to ask the model. */
export type AskedTurn = Pick<ModelTurn, "request" | "language" | "noAnswer" | "storeNote">;

/**
 * Streams the model's answer to a turn as events, whose texts are shown to the person. Tools that the model calls are
 * run, and their output is sent in a further request. That request contains everything so far, because not every server
 * stores responses. The watchdog gives each request the same time.
 *
 * If the model asks the expert, the person is told that it does not know: by the model or, if that request fails or
 * returns no text, in the coach's own sentence. A model that only ever calls tools, or tools that it was not offered, has
 * the expert asked for it. A model that says nothing is asked once more.
 *
 * @param meter counts the tokens of all requests
 * @param passOn stores the question for the expert, at most one per turn; returns whether it is stored. Never rejects.
 * @throws {ModelError} when the model fails; the reason of the watchdog when that aborts.
 */
export async function* askModel(
  ctx: RunContext,
  turn: AskedTurn & Pick<ModelTurn, "allowance">,
  { model, watchdog, passOn, meter }: AskOptions,
): AsyncGenerator<ModelEvent[]> {
  const talk = new Talk(ctx, turn, model ?? await openModelOfRun(ctx.services, turn.allowance), {
    watchdog,
    passOn,
    meter,
  });
  try {
    yield* talk.run();
  } catch (error) {
    if (!talk.isExpertAsked || watchdog.isStopped()) throw error;
    ctx.log("warn", "no_answer_not_told", { reason: describeError(error) });
    talk.isTold = false;
  }
  yield talk.end();
}

/** @see askModel */
type AskOptions = {
  /** Left out: the model of the turn's run. */
  model?: BudgetedModel;
  watchdog: Watchdog;
  passOn: (passedOn: PassedOn) => Promise<boolean>;
  meter: UsageMeter;
};

/** The outcome of one request to the model. */
type Heard = {
  calls: ToolCall[];
  /** True if it called anything, even a tool that failed. */
  isCalling: boolean;
  /** True if it called a tool that it was not offered. */
  isConfused: boolean;
  said: SaidMessage[];
  /** True if it has used up the tokens of its answer. */
  isCut: boolean;
};

/** The requests of one turn, and what the person is shown of the replies. */
class Talk {
  isExpertAsked = false;
  /** True if the model has written text since the expert was asked. */
  isTold = false;
  /** True if the question that was passed on is stored. */
  #isKept = false;
  readonly #answer = createAnswerText();
  /** The phase of the text shown so far; undefined if there is none. */
  #phase: Phase | null | undefined;
  #callsLeft = maxCalls;
  /** The text that the model wrote before its last calls. */
  #preamble = "";
  /** The white space with which a message begins; null after its first words. */
  #blank: string | null = "";

  constructor(
    private readonly ctx: RunContext,
    private readonly turn: AskedTurn,
    private readonly model: BudgetedModel,
    private readonly options: AskOptions,
  ) {}

  async *run(): AsyncGenerator<ModelEvent[]> {
    const { watchdog } = this.options;
    let request = this.turn.request;
    for (let asked = 1;; asked++) {
      const isLast = asked === maxRequests;
      const heard = yield* this.#listen(request);
      // A run that was stopped stores nothing more.
      if (heard.isCalling) watchdog.signal.throwIfAborted();
      const isMute = this.#phase === undefined && !this.isExpertAsked &&
        heard.said.every(({ content }) => content.trim() === "");
      if (!heard.isCalling && isMute && asked === 1) {
        this.ctx.log("warn", "model_says_nothing", { reason: heard.isCut ? "length" : "stop" });
        continue;
      }
      const isStuck = isLast || heard.calls.length === 0;
      const asking = heard.calls.filter((call) => this.#asksExpert(call));
      const isLost = isStuck && heard.isCalling && (isMute || heard.isConfused);
      if (isLost || asking.length > 0) await this.#askExpert(readPassedOn(asking));
      if (isStuck) return;
      request = await this.#reply(request, heard, asked + 1 === maxRequests);
    }
  }

  /** Streams the reply to one request. */
  async *#listen(request: ModelRequest): AsyncGenerator<ModelEvent[], Heard> {
    const { watchdog, meter } = this.options;
    const { timeouts } = this.ctx.services;
    const heard: Heard = { calls: [], isCalling: false, isConfused: false, said: [], isCut: false };
    const echo = createEchoFilter(this.#preamble);
    watchdog.expect(timeouts.firstChunk);
    meter.begin(request);
    try {
      for await (const events of this.model.stream(request, watchdog.signal, this.ctx.log)) {
        watchdog.expect(events[0]?.type === "unstreamed" ? timeouts.turn : timeouts.betweenChunks);
        meter.read(events);
        const shown: ModelEvent[] = [];
        for (const event of events) this.#hear(event, { heard, echo, shown });
        yield shown;
      }
    } catch (error) {
      if (!watchdog.signal.aborted) meter.fail();
      throw error;
    }
    this.#preamble = heard.said.map(({ content }) => content).join("");
    return heard;
  }

  /** Reads an event of a reply, and adds what is shown of it. */
  #hear(event: ModelEvent, { heard, echo, shown }: { heard: Heard; echo: EchoFilter; shown: ModelEvent[] }): void {
    // Text between the call and its output would be a guess.
    if (isWords(event) && heard.calls.some((call) => this.#asksExpert(call))) return;
    if (event.type === "message") {
      heard.said.push({ role: "assistant", content: "", phase: event.phase });
      this.#answer.read(event);
      this.#blank = "";
    } else if (event.type === "text") {
      const message = heard.said.at(-1);
      if (message && message.content.length < maxKept) message.content += event.text;
      this.#show(echo.read(event.text), shown);
    } else {
      if (event.type === "call") this.#note(event.call, heard);
      if (event.type === "ended") {
        heard.isCut = event.isCut === true;
        this.#show(echo.end(), shown);
      }
      shown.push(event);
    }
  }

  #note(call: ToolCall, heard: Heard): void {
    heard.isCalling = true;
    heard.isConfused ||= !this.turn.request.tools?.some(({ name }) => name === call.name);
    if (heard.calls.length < this.#callsLeft) heard.calls.push(call);
  }

  /** Runs the calls, and writes the next request with their output. */
  async #reply(request: ModelRequest, { calls, said }: Heard, isLast: boolean): Promise<ModelRequest> {
    const { noAnswer, storeNote, request: { tools = [] } } = this.turn;
    // Everything that a tool calls has its own time limit.
    this.options.watchdog.expect(this.ctx.services.timeouts.turn);
    this.#callsLeft -= calls.length;
    const input = [...request.input, ...said.filter(({ content }) => content.trim() !== "")];
    // One message of the model, then the outputs: some servers sign or explain only the first of several calls.
    for (const { id, name, arguments: written, kept } of calls) {
      input.push({ type: "function_call", call_id: id, name, arguments: asObject(written), kept });
    }
    for (const call of calls) {
      const output = this.#asksExpert(call)
        ? tellPassedOn(noAnswer, this.#isKept)
        : await runToolCall(call, storeNote, this.ctx.log);
      input.push({ type: "function_call_output", call_id: call.id, output });
    }
    const hasToolsLeft = !this.isExpertAsked || tools.some(({ name }) => name !== askExpertTool.name);
    const mustAnswer = isLast || this.#callsLeft === 0 || !hasToolsLeft;
    const next: ModelRequest = { ...this.turn.request, input };
    return mustAnswer && next.tools ? { ...next, toolChoice: "none" } : next;
  }

  #asksExpert({ name }: Pick<ToolCall, "name">): boolean {
    return name === askExpertTool.name && this.turn.request.tools?.includes(askExpertTool) === true;
  }

  async #askExpert(passedOn: PassedOn): Promise<void> {
    if (this.isExpertAsked || !this.#asksExpert(askExpertTool)) return;
    this.isExpertAsked = true;
    // Everything that storing it calls has its own time limit.
    this.options.watchdog.expect(this.ctx.services.timeouts.turn);
    this.#isKept = await this.options.passOn(passedOn);
  }

  /**
   * Returns what is still to be shown: the coach's own sentence, if the expert was asked and the model has not said so.
   *
   * @throws {ModelError} if nothing was said at all.
   */
  end(): ModelEvent[] {
    const shown: ModelEvent[] = [];
    if (this.isExpertAsked && !this.isTold) {
      const { noAnswer, language } = this.turn;
      this.#answer.read({ type: "message", phase: null });
      this.#blank = "";
      this.#show(noAnswer ?? usualSentences(language).noAnswer, shown);
    }
    this.#add(this.#answer.end(), shown);
    if (this.#phase === undefined) throw new ModelError(failWith("no_text"), this.turn.request);
    return shown;
  }

  /** Shows a text of the model, unless it is part of a commentary. White space alone is nothing said. */
  #show(piece: string, shown: ModelEvent[]): void {
    const text = (this.#blank ?? "") + piece;
    if (this.#blank !== null) this.#blank = text.trim() === "" && text.length < maxKept ? text : null;
    if (text === "" || this.#blank !== null) return;
    const added = this.#answer.read({ type: "text", text });
    this.#add(added, shown);
    this.isTold ||= this.isExpertAsked && added.trim() !== "";
  }

  /** Adds a text, and its phase if that has changed. */
  #add(text: string, shown: ModelEvent[]): void {
    if (text === "") return;
    const { phase } = this.#answer;
    if (this.#phase !== phase) shown.push({ type: "message", phase: this.#phase = phase });
    shown.push({ type: "text", text });
  }
}

function isWords({ type }: ModelEvent): boolean {
  return type === "message" || type === "text";
}

/** The arguments of a call, which some servers only take back as a JSON object. */
function asObject(written: string): string {
  return isObjectText(written) ? written : "{}";
}

type EchoFilter = { read(text: string): string; end(): string };

/** Holds a text back as long as it only repeats an earlier one: some models say the same before each of their calls. */
function createEchoFilter(earlier: string): EchoFilter {
  let held = "";
  let isNew = earlier.trim() === "";
  return {
    read(text) {
      if (isNew) return text;
      held += text;
      if (earlier.startsWith(held)) return "";
      isNew = true;
      return held;
    },
    end: () => isNew || held.trim() === earlier.trim() ? "" : held,
  };
}

/** The longest wait that clients are asked for, in seconds: so long they would have waited for a first word. */
const maxRetryAfter = 60;

/** Returns the error that the client sees when a model fails. */
export function readFailure(error: unknown, isTimeout: boolean): ApiError {
  if (isTimeout) return errors.modelTimedOut(error);
  if (error instanceof ModelError) return toApiError(error);
  return error instanceof ApiError ? error : errors.modelUnavailable(error);
}

/** Maps the model's error to one that tells the client what to do. */
function toApiError(error: ModelError): ApiError {
  switch (error.kind) {
    case "refused":
      return errors.modelRefused(error);
    case "too_long":
      return errors.messageTooLong(error);
    case "busy": {
      const retryAfter = Math.ceil(error.failure.retryAfter ?? usualRetryAfter);
      return errors.modelBusy(Math.min(Math.max(retryAfter, 1), maxRetryAfter), error);
    }
    case "misconfigured":
      return errors.modelMisconfigured(error);
    case "unavailable":
      return errors.modelUnavailable(error);
  }
}
