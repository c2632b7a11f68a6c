import { runTurn } from "../../shared/features/chat/turn/run_turn.ts";
import type { AnswerSink } from "../../shared/features/chat/answer_sinks.ts";
import type { RunningAnswer, StopReason } from "../../shared/core/answers/answer.ts";
import type { AnswerJournal } from "../../shared/core/answers/answer_journal.ts";
import type { RunContext } from "../../shared/features/chat/turn/turn.ts";
import { failWith } from "../../shared/libs/llm/failure.ts";
import { ModelError } from "../../shared/libs/llm/model_error.ts";
import type { ModelEvent, Usage } from "../../shared/libs/llm/model_event.ts";
import type { Model } from "../../shared/libs/llm/model.ts";
import { unset } from "../../shared/libs/llm/model_settings.ts";
import { timeouts } from "../../shared/infra/timeouts.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { useFakeClock } from "../support/fake_clock.ts";
import { sentenceOf } from "../support/refusals.ts";

const ended: ModelEvent = { type: "ended", usage: null };
const message: ModelEvent = { type: "message", phase: null };
const text = (text: string): ModelEvent => ({ type: "text", text });
const created = (responseId: string): ModelEvent => ({ type: "created", responseId });
const call: ModelEvent = { type: "call", call: { id: "call_1", name: "unheard_of", arguments: "{}" } };

const anyRequest = { model: null, settings: unset, instructions: "", history: [], quoted: [], input: [] };

/** Runs a turn with a model; `open` is called in place of the journal's. */
async function runWith(
  model: Pick<Model, "stream">,
  { open = () => {}, sink = { write: () => {}, end: () => {}, isOpen: () => true }, refusal = null, asked = null }: {
    open?: AnswerJournal["open"];
    sink?: AnswerSink;
    /** Why the journal does not store the end. */
    refusal?: Awaited<ReturnType<AnswerJournal["close"]>>;
    /** The model of the coach. */
    asked?: string | null;
  } = {},
): Promise<void> {
  const close = () => Promise.resolve(refusal);
  const journal: AnswerJournal = { open, close, saveNow: () => Promise.resolve(), openAnswers: 1 };
  const loadModels = () => Promise.resolve({ model: { ...model, usualName: "usual" } });
  const ctx = { services: { loadModels, journal, timeouts }, log: () => {} } as unknown as RunContext;
  const request = { ...anyRequest, model: asked };
  const head = { threadId: "thread", messageId: "message", createdAt: "2026-11-21T00:00:00.000Z" };
  const coach = { language: "english", noAnswer: null, takeoverNotice: "Wait for me.", storeNote: null };
  const turn = { ...head, ...coach, runId: "run", sources: null, allowance: null, request };
  await runTurn(ctx, turn, sink);
}

/**
 * Runs a turn whose model sends these events, one response after the other; returns the content of the journal after
 * each.
 */
async function play(...replies: (ModelEvent | Error)[][]) {
  const seen: (string | null | undefined)[] = [];
  let answer: RunningAnswer | undefined;
  const left = [...replies];
  const model: Pick<Model, "stream"> = {
    async *stream() {
      for (const event of left.shift() ?? []) {
        if (event instanceof Error) throw event;
        yield await Promise.resolve([event]);
        seen.push(answer?.responseId);
      }
    },
  };
  await runWith(model, { open: (turn) => void (answer = turn) });
  return { seen, answer: answer! };
}

Deno.test("while a turn runs, a response id is stored only if that response is the whole answer", async (t) => {
  await t.step("a single response: from its beginning", async () => {
    const { seen, answer } = await play([created("resp_1"), text("a"), text("b"), ended]);
    assertEquals(seen, Array(4).fill("resp_1"));
    assertEquals(answer.responseId, "resp_1");
  });
  await t.step("a response after text and a call: not before the end", async () => {
    const { seen, answer } = await play([created("resp_1"), message, text("a"), call, ended], [
      created("resp_2"),
      message,
      text("b"),
      ended,
    ]);
    assertEquals(seen, ["resp_1", "resp_1", "resp_1", null, null, null, null, null, null]);
    assertEquals([answer.responseId, answer.content, answer.status], ["resp_2", "a\n\nb", "complete"]);
  });
  await t.step("a response after a call without text: from its beginning", async () => {
    const { seen } = await play([created("resp_1"), call, ended], [created("resp_2"), text("b"), ended]);
    assertEquals(seen, ["resp_1", null, null, "resp_2", "resp_2", "resp_2"]);
  });
});

Deno.test("an answer says which model writes it, from its beginning", async () => {
  for (const [asked, name] of [[null, "usual"], ["owl-2", "owl-2"]] as const) {
    let answer: RunningAnswer | undefined;
    const seen: unknown[] = [];
    const model: Pick<Model, "stream"> = {
      async *stream() {
        seen.push(answer?.model);
        yield await Promise.resolve([text("Hello"), ended]);
      },
    };
    await runWith(model, { open: (turn) => void (answer = turn), asked });
    assertEquals([...seen, answer?.model], [name, name]);
  }
});

const usageOf = (tokens: number): Usage => ({
  freshInput: tokens,
  cachedInput: tokens,
  visibleOutput: tokens,
  reasoning: tokens,
});

Deno.test("the tokens of all requests of a turn are counted together", async (t) => {
  const callsFirst = [created("resp_1"), call];
  const speaks = [created("resp_2"), text("b")];

  await t.step("as the server reports them", async () => {
    const { answer } = await play([...callsFirst, { type: "ended", usage: usageOf(3) }], [
      ...speaks,
      { type: "ended", usage: usageOf(4) },
    ]);
    assertEquals(answer.usage, { ...usageOf(7), isEstimated: false });
  });
  await t.step("with an estimate of those that it does not report", async () => {
    const { answer } = await play([...callsFirst, ended], [...speaks, { type: "ended", usage: usageOf(4) }]);
    assertEquals(answer.usage?.isEstimated, true);
    assert(answer.usage!.freshInput > 4 && answer.usage!.visibleOutput > 4);
    assertEquals([answer.usage!.cachedInput, answer.usage!.reasoning], [4, 4]);
  });
  await t.step("a turn that nobody was asked for has none", async () => {
    const failure = new ModelError(failWith("unreachable"), anyRequest);
    const { answer } = await play([failure]);
    assertEquals([answer.status, answer.usage], ["failed", null]);
  });
  await t.step("a turn that fails after some text has what came until then", async () => {
    const failure = new ModelError(failWith("stream_cut"), anyRequest);
    const { answer } = await play([text("One two three four"), failure]);
    assertEquals([answer.status, answer.usage?.isEstimated], ["failed", true]);
    assert(answer.usage!.visibleOutput >= 4);
  });
});

Deno.test("every event is a sign of life", async (t) => {
  const second = 1_000;
  /** Returns true if the turn times out when the given milliseconds pass before each event. */
  async function isGivenUp(...waits: [number, ModelEvent][]): Promise<boolean> {
    using clock = useFakeClock();
    let isAborted = false;
    const model: Pick<Model, "stream"> = {
      async *stream(_request, signal) {
        for (const [milliseconds, event] of waits.splice(0)) {
          clock.tick(milliseconds);
          isAborted ||= signal.aborted;
          yield await Promise.resolve([event]);
        }
        yield [text("end"), ended];
      },
    };
    await runWith(model);
    return isAborted;
  }
  const start: [number, ModelEvent] = [0, text("a")];
  const alive: ModelEvent = { type: "alive" };
  for (
    const [name, waits, expected] of [
      ["a model that thinks for 120 s, then speaks", Array(6).fill([20 * second, alive]), false],
      ["a pause of 100 s within an answer, in which it thinks", [start, ...Array(5).fill([20 * second, alive])], false],
      ["silence of 31 s after a text", [start, [31 * second, alive]], true],
      ["silence of 31 s after a thought", [start, [29 * second, alive], [31 * second, alive]], true],
      ["silence of 31 s after the first thought", [[59 * second, alive], [31 * second, alive]], true],
      ["a first event after 59 s", [[59 * second, text("a")]], false],
      ["a first event after 61 s", [[61 * second, text("a")]], true],
      ["a reply in one piece after 130 s", [[0, { type: "unstreamed" }], [130 * second, text("a")]], false],
      ["a reply in one piece after 141 s", [[0, { type: "unstreamed" }], [141 * second, text("a")]], true],
    ] as [string, [number, ModelEvent][], boolean][]
  ) {
    await t.step(name, async () => assertEquals(await isGivenUp(...waits), expected));
  }
});

Deno.test("a turn that must end early", async (t) => {
  /**
   * Sends events, ends the turn early, then sends the end of the response; returns the outcome for journal and sink.
   */
  async function endAfter(
    reason: StopReason,
    events: ModelEvent[],
    { isCutOff = true, refusal = null }: { isCutOff?: boolean; refusal?: "lost" | null } = {},
  ) {
    let end = (_reason: StopReason) => {};
    let answer: RunningAnswer | undefined;
    const failures: (string | undefined)[] = [];
    const model: Pick<Model, "stream"> = {
      async *stream(_request, signal) {
        for (const event of events) yield await Promise.resolve([event]);
        end(reason);
        // An aborted request throws here.
        if (isCutOff) signal.throwIfAborted();
        yield [ended];
      },
    };
    await runWith(model, {
      open: (turn, endTurn) => [answer, end] = [turn, endTurn],
      sink: { write: () => {}, end: (_ending, failure) => void failures.push(failure?.message), isOpen: () => true },
      refusal,
    });
    return [answer?.status, answer?.content, answer?.error, failures];
  }
  const said = [created("resp_1"), text("So "), text("far")];
  const failed = sentenceOf("answer_failed");

  await t.step("when it is stopped, its text stays, and it has not failed", async () => {
    assertEquals(await endAfter("stopped", said), ["stopped", "So far", null, [undefined]]);
  });
  await t.step("when it is stopped before its first text, it has not failed either", async () => {
    assertEquals(await endAfter("stopped", []), ["stopped", "", null, [undefined]]);
  });
  await t.step("when its response had already ended, it is complete", async () => {
    assertEquals(await endAfter("stopped", said, { isCutOff: false }), ["complete", "So far", null, [undefined]]);
  });
  await t.step(
    "when another run has taken over its answer, it has failed, so that its text is not taken as whole",
    async () => {
      assertEquals(await endAfter("lost", said), ["failed", "So far", failed, [failed]]);
    },
  );
  await t.step("when its end is not accepted, its stream fails too", async () => {
    const outcome = await endAfter("lost", said, { isCutOff: false, refusal: "lost" });
    assertEquals(outcome, ["complete", "So far", null, [failed]]);
  });
});

Deno.test("a run whose answer the expert gives", async (t) => {
  async function end(events: ModelEvent[], reason: StopReason | null) {
    const written: string[] = [];
    const ends: unknown[] = [];
    let stop = (_reason: StopReason) => {};
    await runWith({
      async *stream(_request, signal) {
        yield await Promise.resolve(events);
        if (reason !== null) stop(reason);
        signal.throwIfAborted();
      },
    }, {
      open: (_answer, end) => void (stop = end),
      refusal: "taken_over",
      sink: {
        write: (pieces) => void written.push(...pieces),
        end: ({ status }, failure) => void ends.push([status, failure?.code]),
        isOpen: () => true,
      },
    });
    return { written, ends };
  }

  await t.step("says so where it has said nothing yet, and ends well", async () => {
    assertEquals(await end([], "taken_over"), { written: ["Wait for me."], ends: [["waiting", undefined]] });
  });
  await t.step("also where it learns that only when it stores its end", async () => {
    assertEquals(await end([text("Well")], null), { written: ["Well"], ends: [["waiting", undefined]] });
  });
  await t.step("also where its model says nothing", async () => {
    assertEquals((await end([], null)).ends, [["waiting", undefined]]);
  });
});
