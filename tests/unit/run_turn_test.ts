import { assertEquals } from "deno-std/assert/mod.js";
import { runTurn } from "../../shared/chat/turn/run_turn.ts";
import type { AnswerSink } from "../../shared/chat/answer_sink.ts";
import type { RunningAnswer, StopReason } from "../../shared/answers/answer.ts";
import type { AnswerJournal } from "../../shared/answers/answer_journal.ts";
import type { RequestContext } from "../../shared/context.ts";
import type { ModelEvent } from "../../shared/llm/event_reader.ts";
import type { Model } from "../../shared/llm/model.ts";
import { timeouts } from "../../shared/timeouts.ts";
import { useFakeClock } from "../support/fake_clock.ts";

const ended: ModelEvent = { type: "ended", usage: null };
const text = (text: string): ModelEvent => ({ type: "text", text });
const created = (responseId: string): ModelEvent => ({ type: "created", responseId });
const call: ModelEvent = { type: "call", call: { id: "call_1", name: "unheard_of", arguments: "{}" } };

/** Runs a turn with a model; `open` is shown what the journal is. */
async function runWith(
  model: Pick<Model, "stream">,
  { open = () => {}, sink = { write: () => {}, end: () => {}, isOpen: () => true }, isKept = true }: {
    open?: AnswerJournal["open"];
    sink?: AnswerSink;
    isKept?: boolean;
  } = {},
): Promise<void> {
  const close = () => Promise.resolve(isKept);
  const journal: AnswerJournal = { open, close, saveNow: () => Promise.resolve(), openAnswers: 1 };
  const ctx = { services: { model, journal, timeouts }, log: () => {} } as unknown as RequestContext;
  const request = { model: null, instructions: "", input: [], temperature: null };
  const head = { threadId: "thread", messageId: "message", createdAt: "2026-11-21T00:00:00.000Z" };
  const turn = { ...head, runId: "run", coachId: "coach", sources: null, request };
  await runTurn(ctx, turn, sink);
}

/** Runs a turn whose model speaks these events, one reply after the other; what the journal held after each of them. */
async function play(...replies: ModelEvent[][]) {
  const seen: (string | null | undefined)[] = [];
  let answer: RunningAnswer | undefined;
  const left = [...replies];
  const model: Pick<Model, "stream"> = {
    async *stream() {
      for (const event of left.shift() ?? []) {
        yield await Promise.resolve([event]);
        seen.push(answer?.responseId);
      }
    },
  };
  await runWith(model, { open: (turn) => void (answer = turn) });
  return { seen, answer: answer! };
}

Deno.test("while a turn runs, its response is named only where it is the whole answer", async (t) => {
  await t.step("an only response, from its beginning", async () => {
    const { seen, answer } = await play([created("resp_1"), text("a"), text("b"), ended]);
    assertEquals(seen, Array(4).fill("resp_1"));
    assertEquals(answer.responseId, "resp_1");
  });
  await t.step("one that goes on after text and a call: not before the end", async () => {
    const { seen, answer } = await play([created("resp_1"), text("a"), call, ended], [
      created("resp_2"),
      text("b"),
      ended,
    ]);
    assertEquals(seen, ["resp_1", "resp_1", null, null, null, null, null]);
    assertEquals([answer.responseId, answer.content, answer.status], ["resp_2", "a\n\nb", "complete"]);
  });
  await t.step("one that goes on after a call alone", async () => {
    const { seen } = await play([created("resp_1"), call, ended], [created("resp_2"), text("b"), ended]);
    assertEquals(seen, ["resp_1", null, null, "resp_2", "resp_2", "resp_2"]);
  });
});

Deno.test("the tokens of all requests of a turn are counted together, as far as Postgres can hold them", async (t) => {
  const cases: [string, (number | null)[], number | undefined][] = [
    ["two requests", [3, 4], 7],
    ["one that tells nothing", [null, 4], 4],
    ["none that tells anything", [null, null], undefined],
    ["more than an integer", [2 ** 31 - 1, 5], 2 ** 31 - 1],
  ];
  for (const [name, [first, second], sum] of cases) {
    await t.step(name, async () => {
      const end = (tokens: number | null | undefined): ModelEvent => ({
        type: "ended",
        usage: tokens ? { inputTokens: tokens, outputTokens: tokens } : null,
      });
      const { answer } = await play([created("resp_1"), call, end(first)], [
        created("resp_2"),
        text("b"),
        end(second),
      ]);
      assertEquals([answer.inputTokens, answer.outputTokens], [sum, sum]);
    });
  }
});

Deno.test("arguments of a call that arrive are a sign of life", async (t) => {
  const second = 1_000;
  /** Whether the turn is given up when so many milliseconds pass before each of its events. */
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
  const calling: ModelEvent = { type: "calling" };
  for (
    const [name, waits, expected] of [
      ["arguments that take 100 s", [start, ...Array(5).fill([20 * second, calling])], false],
      ["silence of 31 s after a text", [start, [31 * second, calling]], true],
      ["silence of 31 s within the arguments", [start, [29 * second, calling], [31 * second, calling]], true],
      ["a first event after 59 s", [[59 * second, text("a")]], false],
    ] as [string, [number, ModelEvent][], boolean][]
  ) {
    await t.step(name, async () => assertEquals(await isGivenUp(...waits), expected));
  }
});

Deno.test("a turn that is told to end", async (t) => {
  /** Plays events, tells the turn to end after them, and then what follows; how it ended, for journal and sink. */
  async function endAfter(reason: StopReason, events: ModelEvent[], { isCutOff = true, isKept = true } = {}) {
    let end = (_reason: StopReason) => {};
    let answer: RunningAnswer | undefined;
    const failures: (string | undefined)[] = [];
    const model: Pick<Model, "stream"> = {
      async *stream(_request, signal) {
        for (const event of events) yield await Promise.resolve([event]);
        end(reason);
        // As a request does that is cut off.
        if (isCutOff) signal.throwIfAborted();
        yield [ended];
      },
    };
    await runWith(model, {
      open: (turn, endTurn) => [answer, end] = [turn, endTurn],
      sink: { write: () => {}, end: (_ending, failure) => void failures.push(failure?.message), isOpen: () => true },
      isKept,
    });
    return [answer?.status, answer?.content, answer?.error, failures];
  }
  const said = [created("resp_1"), text("So "), text("far")];
  const failed = "The answer has failed";

  await t.step("because somebody stops it, keeps what was said, and is no failure", async () => {
    assertEquals(await endAfter("stopped", said), ["stopped", "So far", null, [undefined]]);
  });
  await t.step("before its first word, is no failure either", async () => {
    assertEquals(await endAfter("stopped", []), ["stopped", "", null, [undefined]]);
  });
  await t.step("when it had ended already, is complete", async () => {
    assertEquals(await endAfter("stopped", said, { isCutOff: false }), ["complete", "So far", null, [undefined]]);
  });
  await t.step("because its answer is another's now, is a failure: nobody may take it for the whole", async () => {
    assertEquals(await endAfter("lost", said), ["failed", "So far", failed, [failed]]);
  });
  await t.step("and one whose end is not taken, is a failure too", async () => {
    const outcome = await endAfter("lost", said, { isCutOff: false, isKept: false });
    assertEquals(outcome, ["complete", "So far", null, [failed]]);
  });
});
