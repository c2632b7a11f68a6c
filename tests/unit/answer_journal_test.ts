import { assertEquals, assertRejects } from "deno-std/assert/mod.js";
import { type AnswerState, createAnswerJournal, type RunningAnswer } from "../../shared/answers/answer_journal.ts";
import { type Database, DatabaseError } from "../../shared/db/database.ts";
import { useFakeClock } from "../support/fake_clock.ts";

/** A database that notes what it is told to save, and answers when and how the test says. */
function createNotes() {
  const calls: AnswerState[][] = [];
  let answer: () => Promise<unknown> = () => Promise.resolve([]);
  const database: Database = {
    call(_name, args) {
      calls.push(structuredClone((args as { turns: AnswerState[] }).turns));
      return answer();
    },
    callForBytes: () => Promise.reject(new Error("Not asked")),
  };
  return { calls, database, answerWith: (next: typeof answer) => answer = next };
}

const newTurn = (): RunningAnswer => ({
  message_id: crypto.randomUUID(),
  run_id: crypto.randomUUID(),
  content: "",
  status: "streaming",
});
const silent = () => {};

/** Lets what is due happen, promises included. */
async function pass(clock: { tick(milliseconds: number): void | Promise<void> }, milliseconds: number) {
  await clock.tick(milliseconds);
  for (let round = 0; round < 10; round++) await Promise.resolve();
}

Deno.test("createAnswerJournal", async (t) => {
  await t.step("saves all open turns in one statement a second, and of the text only what has changed", async () => {
    using clock = useFakeClock();
    const { calls, database } = createNotes();
    const journal = createAnswerJournal(database, silent);
    const [one, other, quiet] = [newTurn(), newTurn(), newTurn()];
    for (const turn of [one, other, quiet]) journal.open(turn, silent);
    const saved = () => calls.splice(0).map((turns) => turns.map(({ message_id, content }) => [message_id, content]));
    one.content = "text";
    other.response_id = "resp_1";
    await pass(clock, 1_000);
    assertEquals(saved(), [[[one.message_id, "text"], [other.message_id, ""], [quiet.message_id, undefined]]]);
    await pass(clock, 1_000);
    assertEquals(saved(), [[one, other, quiet].map(({ message_id }) => [message_id, undefined])]);
    for (const turn of [one, other, quiet]) await journal.close(turn);
  });

  await t.step("a response that becomes one of the others, and tokens, are saved with the text", async () => {
    using clock = useFakeClock();
    const { calls, database } = createNotes();
    const journal = createAnswerJournal(database, silent);
    const turn = newTurn();
    journal.open(turn, silent);
    Object.assign(turn, { content: "text", response_id: "resp_1" });
    await pass(clock, 1_000);
    Object.assign(turn, { response_id: null, other_response_ids: ["resp_1"] });
    await pass(clock, 1_000);
    turn.input_tokens = 5;
    await pass(clock, 1_000);
    await pass(clock, 1_000);
    assertEquals(calls.map(([saved]) => saved?.content), ["text", "text", "text", undefined]);
    await journal.close(turn);
  });

  await t.step("ends the turns that Postgres names, and no other", async () => {
    using clock = useFakeClock();
    const { database, answerWith } = createNotes();
    const journal = createAnswerJournal(database, silent);
    const [one, other] = [newTurn(), newTurn()];
    const ended: string[][] = [];
    for (const turn of [one, other]) journal.open(turn, (reason) => ended.push([turn.message_id, reason]));
    answerWith(() => Promise.resolve([{ message_id: other.message_id, reason: "lost" }]));
    await pass(clock, 1_000);
    assertEquals(ended, [[other.message_id, "lost"]]);
    answerWith(() => Promise.resolve([]));
    for (const turn of [one, other]) await journal.close(turn);
  });

  await t.step("never saves twice at once, and saves again what could not be saved", async () => {
    using clock = useFakeClock();
    const { calls, database, answerWith } = createNotes();
    const lines: string[] = [];
    const journal = createAnswerJournal(database, (level, event) => lines.push(`${level} ${event}`));
    const turn = newTurn();
    journal.open(turn, silent);
    turn.content = "text";
    const slow = Promise.withResolvers<unknown>();
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

  await t.step("what came while a save was under way is saved right after it", async () => {
    using clock = useFakeClock();
    const { calls, database, answerWith } = createNotes();
    const journal = createAnswerJournal(database, silent);
    const turn = newTurn();
    journal.open(turn, silent);
    turn.content = "a";
    const slow = Promise.withResolvers<unknown>();
    answerWith(() => slow.promise);
    await pass(clock, 1_000);
    turn.content = "ab";
    await pass(clock, 1_500);
    assertEquals(calls.length, 1);
    answerWith(() => Promise.resolve([]));
    slow.resolve([]);
    await pass(clock, 0);
    assertEquals(calls.map(([saved]) => saved?.content), ["a", "ab"]);
    await journal.close(turn);
  });

  await t.step("asked to, saves at once; while a save is under way, once more right after it", async () => {
    using clock = useFakeClock();
    const { calls, database, answerWith } = createNotes();
    const journal = createAnswerJournal(database, silent);
    const turns = [newTurn(), newTurn()];
    for (const turn of turns) journal.open(turn, silent);
    assertEquals(journal.openAnswers, 2);
    const slow = Promise.withResolvers<unknown>();
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

  await t.step("a closed turn is saved whole, and leaves no timer", async () => {
    using clock = useFakeClock();
    const { calls, database } = createNotes();
    const journal = createAnswerJournal(database, silent);
    const turn = newTurn();
    journal.open(turn, silent);
    Object.assign(turn, { content: "whole", status: "complete" });
    await journal.close(turn);
    assertEquals(calls, [[turn]]);
    assertEquals(clock.timers, 0);
  });

  await t.step("sources go with the first save and with the end, not with those between", async () => {
    using clock = useFakeClock();
    const { calls, database, answerWith } = createNotes();
    const journal = createAnswerJournal(database, silent);
    const source = { fileId: "f", filename: "a.md", page: null, heading: null, quote: "Tea.", score: 1 };
    const turn = { ...newTurn(), sources: [source] };
    journal.open(turn, silent);
    turn.content = "a";
    answerWith(() => Promise.reject(new DatabaseError("save_turns", 503)));
    await pass(clock, 1_000);
    answerWith(() => Promise.resolve([]));
    await pass(clock, 1_000);
    turn.content = "ab";
    await pass(clock, 1_000);
    await journal.close(turn);
    const saved = calls.map(([turn]) => [turn?.content, turn?.sources]);
    assertEquals(saved, [["a", [source]], ["a", [source]], ["ab", undefined], ["ab", [source]]]);
  });

  await t.step("an end that cannot be saved is tried again until patience is over", async () => {
    using clock = useFakeClock();
    const { calls, database, answerWith } = createNotes();
    const journal = createAnswerJournal(database, silent, { patience: 30_000 });
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

  await t.step("tells whether an end was taken", async () => {
    const { database, answerWith } = createNotes();
    const journal = createAnswerJournal(database, silent);
    const taken = [];
    for (const reasons of [[], ["stopped"], ["lost"]]) {
      const turn = newTurn();
      answerWith(() => Promise.resolve(reasons.map((reason) => ({ message_id: turn.message_id, reason }))));
      taken.push(await journal.close(turn));
    }
    assertEquals(taken, [true, true, false]);
  });

  await t.step("an end that Postgres will never take is not tried again", async () => {
    const { calls, database, answerWith } = createNotes();
    const journal = createAnswerJournal(database, silent);
    const turn = newTurn();
    journal.open(turn, silent);
    answerWith(() => Promise.reject(new DatabaseError("save_turns", "22P05")));
    await assertRejects(() => journal.close(turn), DatabaseError);
    assertEquals(calls.length, 1);
  });
});
