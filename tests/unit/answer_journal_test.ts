import type { AnswerState, RunningAnswer, SaveRemark, StopReason } from "../../shared/core/answers/answer.ts";
import { createAnswerJournal, type SaveAnswers } from "../../shared/core/answers/answer_journal.ts";
import { DatabaseError, unreadableReply } from "../../shared/infra/db/database.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";
import { useFakeClock } from "../support/fake_clock.ts";

/** A store that records what is saved, and replies when and how the test decides. */
function createRecorder() {
  const calls: AnswerState[][] = [];
  let answer: () => Promise<SaveRemark[]> = () => Promise.resolve([]);
  const save: SaveAnswers = (answers) => {
    calls.push(structuredClone(answers));
    return answer();
  };
  return { calls, save, answerWith: (next: typeof answer) => answer = next };
}

const newTurn = (): RunningAnswer => ({
  messageId: crypto.randomUUID(),
  runId: crypto.randomUUID(),
  content: "",
  status: "streaming",
});
const silent = () => {};

/** Runs all timers that are due, and the promises after them. */
async function pass(clock: { tick(milliseconds: number): void | Promise<void> }, milliseconds: number) {
  await clock.tick(milliseconds);
  for (let round = 0; round < 10; round++) await Promise.resolve();
}

Deno.test("createAnswerJournal", async (t) => {
  await t.step("saves all open turns in one statement a second, with their text only when it has changed", async () => {
    using clock = useFakeClock();
    const { calls, save } = createRecorder();
    const journal = createAnswerJournal(save, silent);
    const [one, other, quiet] = [newTurn(), newTurn(), newTurn()];
    for (const turn of [one, other, quiet]) journal.open(turn, silent);
    const saved = () => calls.splice(0).map((turns) => turns.map(({ messageId, content }) => [messageId, content]));
    one.content = "text";
    other.responseId = "resp_1";
    await pass(clock, 1_000);
    assertEquals(saved(), [[[one.messageId, "text"], [other.messageId, ""], [quiet.messageId, undefined]]]);
    await pass(clock, 1_000);
    assertEquals(saved(), [[one, other, quiet].map(({ messageId }) => [messageId, undefined])]);
    for (const turn of [one, other, quiet]) await journal.close(turn);
  });

  await t.step("changes of response ids, tokens and phase are saved too, without the text that is saved", async () => {
    using clock = useFakeClock();
    const { calls, save } = createRecorder();
    const journal = createAnswerJournal(save, silent);
    const turn = newTurn();
    journal.open(turn, silent);
    Object.assign(turn, { content: "text", responseId: "resp_1" });
    await pass(clock, 1_000);
    Object.assign(turn, { responseId: null, otherResponseIds: ["resp_1"] });
    await pass(clock, 1_000);
    turn.usage = { freshInput: 5, cachedInput: 0, visibleOutput: 0, reasoning: 0, isEstimated: false };
    await pass(clock, 1_000);
    await pass(clock, 1_000);
    turn.phase = "final_answer";
    await pass(clock, 1_000);
    await pass(clock, 1_000);
    const saved = calls.map(([saved]) => [saved?.contentFrom, saved?.content]);
    assertEquals(saved, [[0, "text"], [4, ""], [4, ""], [undefined, undefined], [4, ""], [undefined, undefined]]);
    await journal.close(turn);
  });

  await t.step("ends the turns that Postgres names, and no others", async () => {
    using clock = useFakeClock();
    const { save, answerWith } = createRecorder();
    const journal = createAnswerJournal(save, silent);
    const [one, other] = [newTurn(), newTurn()];
    const ended: string[][] = [];
    for (const turn of [one, other]) journal.open(turn, (reason) => ended.push([turn.messageId, reason]));
    answerWith(() => Promise.resolve([{ messageId: other.messageId, reason: "lost" }]));
    await pass(clock, 1_000);
    assertEquals(ended, [[other.messageId, "lost"]]);
    answerWith(() => Promise.resolve([]));
    for (const turn of [one, other]) await journal.close(turn);
  });

  await t.step("what Postgres says of a save that came after the end of its turn ends nothing", async () => {
    using clock = useFakeClock();
    const { save, answerWith } = createRecorder();
    const journal = createAnswerJournal(save, silent);
    const turn = newTurn();
    const ended: StopReason[] = [];
    journal.open(turn, (reason) => ended.push(reason));
    const late = Promise.withResolvers<SaveRemark[]>();
    answerWith(() => late.promise);
    await pass(clock, 1_000);
    answerWith(() => Promise.resolve([]));
    turn.status = "complete";
    await journal.close(turn);
    late.resolve([{ messageId: turn.messageId, reason: "lost" }]);
    for (let round = 0; round < 10; round++) await Promise.resolve();
    assertEquals(ended, []);
  });

  await t.step("never runs two saves at the same time, and repeats a save that failed", async () => {
    using clock = useFakeClock();
    const { calls, save, answerWith } = createRecorder();
    const lines: string[] = [];
    const journal = createAnswerJournal(save, (level, event) => lines.push(`${level} ${event}`));
    const turn = newTurn();
    journal.open(turn, silent);
    turn.content = "text";
    const slow = Promise.withResolvers<SaveRemark[]>();
    answerWith(() => slow.promise);
    for (let second = 0; second < 5; second++) await pass(clock, 1_000);
    assertEquals(calls.length, 1);
    answerWith(() => Promise.resolve([]));
    slow.reject(new DatabaseError("save_turns", 503));
    await pass(clock, 0);
    assertEquals(lines, ["warn progress_not_saved"]);
    assertEquals(calls.length, 2);
    await journal.close(turn);
  });

  await t.step("text that arrives during a save is saved right after it", async () => {
    using clock = useFakeClock();
    const { calls, save, answerWith } = createRecorder();
    const journal = createAnswerJournal(save, silent);
    const turn = newTurn();
    journal.open(turn, silent);
    turn.content = "a";
    const slow = Promise.withResolvers<SaveRemark[]>();
    answerWith(() => slow.promise);
    await pass(clock, 1_000);
    turn.content = "ab";
    await pass(clock, 1_500);
    assertEquals(calls.length, 1);
    answerWith(() => Promise.resolve([]));
    slow.resolve([]);
    await pass(clock, 0);
    assertEquals(calls.map(([saved]) => [saved?.contentFrom, saved?.content]), [[0, "a"], [1, "b"]]);
    await journal.close(turn);
  });

  await t.step(
    "each save begins where Postgres has confirmed the text, in characters, and cuts none in half",
    async () => {
      using clock = useFakeClock();
      const { calls, save, answerWith } = createRecorder();
      const journal = createAnswerJournal(save, silent);
      const turn = newTurn();
      journal.open(turn, silent);
      const saved = () => calls.splice(0).map(([saved]) => [saved?.contentFrom, saved?.content]);
      turn.content = "a😀b\ud83d";
      await pass(clock, 1_000);
      await pass(clock, 1_000);
      turn.content += "\ude00";
      await pass(clock, 1_000);
      assertEquals(saved(), [[0, "a😀b"], [undefined, undefined], [3, "😀"]]);
      turn.content += "c";
      answerWith(() => Promise.reject(new DatabaseError("save_turns", 503)));
      await pass(clock, 1_000);
      turn.content += "d";
      await pass(clock, 1_000);
      answerWith(() => Promise.resolve([]));
      turn.content += "e";
      await pass(clock, 1_000);
      turn.content += "f";
      await journal.close(turn);
      assertEquals(saved(), [[4, "c"], [4, "cd"], [4, "cde"], [7, "f"]]);
    },
  );
});

Deno.test("createAnswerJournal: gaps, and saving at once and at the end", async (t) => {
  await t.step("where Postgres finds a gap, the whole text is saved, and the run goes on", async () => {
    using clock = useFakeClock();
    const { calls, save, answerWith } = createRecorder();
    const journal = createAnswerJournal(save, silent);
    const turn = newTurn();
    const ended: StopReason[] = [];
    journal.open(turn, (reason) => ended.push(reason));
    const gap = () => {
      // Once: the whole text fits.
      answerWith(() => Promise.resolve([]));
      return Promise.resolve([{ messageId: turn.messageId, reason: "gap" as const }]);
    };
    turn.content = "a";
    await pass(clock, 1_000);
    turn.content = "ab";
    answerWith(gap);
    await pass(clock, 1_000);
    await pass(clock, 1_000);
    turn.content = "abc";
    answerWith(gap);
    assertEquals(await journal.close(turn), null);
    const saved = calls.map(([saved]) => [saved?.contentFrom, saved?.content]);
    assertEquals(saved, [[0, "a"], [1, "b"], [0, "ab"], [2, "c"], [0, "abc"]]);
    assertEquals(ended, []);
  });

  await t.step("saveNow saves at once; during a save, once more right after it", async () => {
    using clock = useFakeClock();
    const { calls, save, answerWith } = createRecorder();
    const journal = createAnswerJournal(save, silent);
    const turns = [newTurn(), newTurn()];
    for (const turn of turns) journal.open(turn, silent);
    assertEquals(journal.openAnswers, 2);
    const slow = Promise.withResolvers<SaveRemark[]>();
    answerWith(() => slow.promise);
    turns[0]!.content = "a";
    const first = journal.saveNow();
    turns[1]!.content = "b";
    const second = journal.saveNow();
    slow.resolve([]);
    await first;
    answerWith(() => Promise.reject(new DatabaseError("save_turns", 503)));
    await second;
    assertEquals(calls.map((saved) => saved.map(({ content }) => content)), [["a", undefined], [undefined, "b"]]);
    for (const turn of turns) {
      answerWith(() => Promise.resolve([]));
      await journal.close(turn);
    }
    calls.length = 0;
    await journal.saveNow();
    assertEquals([journal.openAnswers, calls, clock.timers], [0, [], 0]);
  });

  await t.step("a closed turn is saved completely, and leaves no timer", async () => {
    using clock = useFakeClock();
    const { calls, save } = createRecorder();
    const journal = createAnswerJournal(save, silent);
    const turn = newTurn();
    journal.open(turn, silent);
    Object.assign(turn, { content: "whole", status: "complete" });
    await journal.close(turn);
    assertEquals(calls, [[{ ...turn, contentFrom: 0 }]]);
    assertEquals(clock.timers, 0);
  });

  await t.step(
    "sources are part of the first save, of those after which the text names another, and of the end",
    async () => {
      using clock = useFakeClock();
      const { calls, save, answerWith } = createRecorder();
      const journal = createAnswerJournal(save, silent);
      const source = {
        kind: "passage" as const,
        passageId: "p",
        ...{ fileId: "f", file_id: "f", filename: "a.md", source_url: null, position: 0 },
        page: null,
        heading: null,
        quote: "Tea.",
        score: 1,
      };
      const cited = { ...source, number: 1 };
      const turn: RunningAnswer = { ...newTurn(), sources: [source] };
      journal.open(turn, silent);
      turn.content = "a";
      answerWith(() => Promise.reject(new DatabaseError("save_turns", 503)));
      await pass(clock, 1_000);
      answerWith(() => Promise.resolve([]));
      await pass(clock, 1_000);
      turn.content = "ab";
      await pass(clock, 1_000);
      Object.assign(turn, { content: "ab[1]", sources: [cited] });
      await pass(clock, 1_000);
      answerWith(() => Promise.resolve([{ messageId: turn.messageId, reason: "ended", sources: [] }]));
      assertEquals(await journal.close(turn), null);
      const saved = calls.map(([turn]) => [turn?.content, turn?.sources]);
      assertEquals(saved, [["a", [source]], ["a", [source]], ["b", undefined], ["[1]", [cited]], ["", [cited]]]);
      assertEquals(turn.sources, [], "as Postgres has chosen them");
    },
  );

  await t.step("saving an end is retried until the time for it is over", async () => {
    using clock = useFakeClock();
    const { calls, save, answerWith } = createRecorder();
    const journal = createAnswerJournal(save, silent, { patience: 30_000 });
    const turn = newTurn();
    journal.open(turn, silent);
    answerWith(() => Promise.reject(new DatabaseError("save_turns", 503)));
    let failure: unknown;
    const closed = journal.close(turn).catch((error) => failure = error);
    for (let second = 0; second < 29; second++) await pass(clock, 1_000);
    assertEquals(failure, undefined);
    assertEquals(calls.length > 4, true);
    for (let second = 0; second < 10; second++) await pass(clock, 1_000);
    await closed;
    assertEquals(failure instanceof DatabaseError, true);
    assertEquals(clock.timers, 0);
  });

  await t.step("closing returns why the end was not accepted", async () => {
    const { save, answerWith } = createRecorder();
    const journal = createAnswerJournal(save, silent);
    const taken = [];
    for (const reasons of [[], ["stopped"], ["taken_over"], ["lost"]] as const) {
      const turn = newTurn();
      answerWith(() => Promise.resolve(reasons.map((reason) => ({ messageId: turn.messageId, reason }))));
      taken.push(await journal.close(turn));
    }
    assertEquals(taken, [null, null, "taken_over", "lost"]);
  });

  for (
    const [what, code] of [
      ["an end that Postgres will always refuse", "22P05"],
      ["an end to which Postgres sends an unreadable reply", unreadableReply],
    ] as const
  ) {
    await t.step(`${what} is not sent again`, async () => {
      const { calls, save, answerWith } = createRecorder();
      const journal = createAnswerJournal(save, silent);
      const turn = newTurn();
      journal.open(turn, silent);
      answerWith(() => Promise.reject(new DatabaseError("save_turns", code)));
      await assertRejects(() => journal.close(turn), DatabaseError);
      assertEquals(calls.length, 1);
    });
  }
});

/** Answers that end, and the saves of their ends, which settle when the test decides. */
function createEndings() {
  const calls: { contents: string[]; settle: PromiseWithResolvers<SaveRemark[]> }[] = [];
  const journal = createAnswerJournal((answers) => {
    const settle = Promise.withResolvers<SaveRemark[]>();
    calls.push({ contents: answers.map(({ content = "" }) => content), settle });
    return settle.promise;
  }, silent);
  const outcomes: Record<string, string> = {};
  /** Ends an answer with this text; its result is then in `outcomes`. */
  function end(content: string) {
    const turn: RunningAnswer = { ...newTurn(), content, status: "complete" };
    journal.close(turn).then(
      (reason) => outcomes[content] = reason ?? "stored",
      ({ code }) => outcomes[content] = code,
    );
    return turn;
  }
  return { journal, calls, end, outcomes, contents: () => calls.map(({ contents }) => contents) };
}

Deno.test("answers that end at the same time", async (t) => {
  await t.step("an end waits for nothing, and those that come while it is saved go together", async () => {
    using clock = useFakeClock();
    const { calls, end, outcomes, contents } = createEndings();
    end("a");
    assertEquals(contents(), [["a"]]);
    const [, lost] = [end("b"), end("c"), end("d")] as const;
    assertEquals(contents(), [["a"]]);
    calls[0]?.settle.resolve([]);
    await pass(clock, 0);
    assertEquals(contents(), [["a"], ["b", "c", "d"]]);
    assertEquals(outcomes, { a: "stored" });
    calls[1]?.settle.resolve([{ messageId: lost.messageId, reason: "lost" }]);
    await pass(clock, 0);
    assertEquals(outcomes, { a: "stored", b: "stored", c: "lost", d: "stored" });
    assertEquals(calls.length, 2);
    assertEquals(clock.timers, 0);
  });

  await t.step("a gap is about one of them: only its whole text is saved again", async () => {
    using clock = useFakeClock();
    const { calls, end, outcomes, contents } = createEndings();
    end("a");
    const [torn] = [end("b"), end("c")] as const;
    calls[0]?.settle.resolve([]);
    await pass(clock, 0);
    calls[1]?.settle.resolve([{ messageId: torn.messageId, reason: "gap" }]);
    await pass(clock, 0);
    assertEquals(contents(), [["a"], ["b", "c"], ["b"]]);
    assertEquals(outcomes, { a: "stored", c: "stored" });
    calls[2]?.settle.resolve([]);
    await pass(clock, 0);
    assertEquals(outcomes, { a: "stored", b: "stored", c: "stored" });
  });

  await t.step("one that Postgres refuses for good fails alone", async () => {
    using clock = useFakeClock();
    const { calls, end, outcomes, contents } = createEndings();
    for (const content of ["a", "b", "bad", "c"]) end(content);
    calls[0]?.settle.resolve([]);
    await pass(clock, 0);
    const refusal = new DatabaseError("save_turns", "22P05");
    calls[1]?.settle.reject(refusal);
    await pass(clock, 0);
    assertEquals(contents().slice(2), [["b"], ["bad"], ["c"]]);
    for (const { contents, settle } of calls.slice(2)) {
      if (contents[0] === "bad") settle.reject(refusal);
      else settle.resolve([]);
    }
    await pass(clock, 60_000);
    assertEquals(outcomes, { a: "stored", b: "stored", bad: "22P05", c: "stored" });
    assertEquals(calls.length, 5);
    assertEquals(clock.timers, 0);
  });

  await t.step("after a save that failed each is tried again by itself, and none is lost", async () => {
    using clock = useFakeClock();
    const { calls, end, outcomes, contents } = createEndings();
    for (const content of ["a", "b", "c"]) end(content);
    calls[0]?.settle.resolve([]);
    await pass(clock, 0);
    calls[1]?.settle.reject(new DatabaseError("save_turns", 503));
    await pass(clock, 0);
    assertEquals(outcomes, { a: "stored" });
    await pass(clock, 1_000);
    assertEquals(contents().slice(2).toSorted(), [["b"], ["c"]]);
    // Neither waits for the other.
    for (const { settle } of calls.slice(3)) settle.resolve([]);
    await pass(clock, 0);
    assertEquals(Object.keys(outcomes).length, 2);
    calls[2]?.settle.resolve([]);
    await pass(clock, 0);
    assertEquals(outcomes, { a: "stored", b: "stored", c: "stored" });
    assertEquals(clock.timers, 0);
  });

  await t.step("a slow save holds the others up for a moment only", async () => {
    using clock = useFakeClock();
    const { calls, end, outcomes, contents } = createEndings();
    end("slow");
    for (const content of ["b", "c"]) end(content);
    await pass(clock, 249);
    assertEquals(contents(), [["slow"]]);
    await pass(clock, 1);
    assertEquals(contents(), [["slow"], ["b", "c"]]);
    calls[1]?.settle.resolve([]);
    await pass(clock, 0);
    assertEquals(outcomes, { b: "stored", c: "stored" });
    calls[0]?.settle.resolve([]);
    await pass(clock, 0);
    assertEquals(outcomes, { slow: "stored", b: "stored", c: "stored" });
    assertEquals([calls.length, clock.timers], [2, 0]);
  });

  await t.step("saveNow saves those that wait, at once", async () => {
    using clock = useFakeClock();
    const { journal, calls, end, outcomes, contents } = createEndings();
    for (const content of ["slow", "b", "c"]) end(content);
    let isDone = false;
    const saved = journal.saveNow().then(() => isDone = true);
    assertEquals(contents(), [["slow"], ["b", "c"]]);
    await pass(clock, 0);
    assertEquals(isDone, false);
    calls[1]?.settle.reject(new DatabaseError("save_turns", 503));
    await saved;
    assertEquals(outcomes, {});
    for (const { settle } of calls) settle.resolve([]);
    await pass(clock, 1_000);
    for (const { settle } of calls) settle.resolve([]);
    await pass(clock, 0);
    assertEquals(outcomes, { slow: "stored", b: "stored", c: "stored" });
  });
});
