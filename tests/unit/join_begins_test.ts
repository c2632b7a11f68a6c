import { type Database, DatabaseError } from "../../shared/infra/db/database.ts";
import { joinBegins } from "../../shared/infra/db/join_begins.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";

type Args = { caller: Record<string, unknown>; user_id: null; turn: Record<string, unknown> };

const turnOf = (content: string, more: object = {}): Args => ({
  caller: { key_digest: "d" },
  user_id: null,
  turn: { content, coach_id: "c", retried_id: null, ...more },
});

/** A database that answers each call when the test says so, and notes what it was asked. */
function createRecorder(replyTo: (args: Args) => unknown = ({ turn }) => ({ said: turn.content })) {
  const calls: string[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const recorded = {
    async callForBytes(name: string, args: Record<string, unknown>) {
      const turns = (name === "begin_turns" ? args.calls : [args]) as Args[];
      calls.push([name, ...turns.map(({ turn }) => String(turn.content))]);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      const replies = turns.map((args) => JSON.stringify(replyTo(args)));
      return new TextEncoder().encode(name === "begin_turns" ? `[${replies.join(",\n ")}]` : replies[0]);
    },
  };
  const database = joinBegins(recorded as unknown as Database);
  return {
    calls,
    gates,
    begin: async (args: Args): Promise<unknown> =>
      JSON.parse(new TextDecoder().decode(await database.callForBytes("begin_turn", args as never))),
  };
}

const settle = async () => {
  for (let round = 0; round < 20; round++) await Promise.resolve();
};
const names = Array.from({ length: 12 }, (_, index) => `turn ${index}`);

Deno.test("joinBegins", async (t) => {
  await t.step("two go at once, the others together, at most eight; each gets its own reply", async () => {
    const { calls, gates, begin } = createRecorder();
    const replies = names.map((name) => begin(turnOf(name)));
    assertEquals(calls, [["begin_turn", "turn 0"], ["begin_turn", "turn 1"]]);
    gates[1]!.resolve();
    await settle();
    assertEquals(calls[2], ["begin_turns", ...names.slice(2, 10)]);
    for (let gate = 0; gate < 4; gate++) {
      gates[gate]?.resolve();
      await settle();
    }
    assertEquals(calls[3], ["begin_turns", "turn 10", "turn 11"]);
    assertEquals(await Promise.all(replies), names.map((said) => ({ said })));
  });

  await t.step("what has locks of its own goes by itself", async () => {
    const { calls, gates, begin } = createRecorder();
    const unusual = [{ retried_id: "m" }, { replaces: "m" }];
    const replies = [
      ...names.slice(0, 2).map((name) => begin(turnOf(name))),
      ...unusual.map((more) => begin(turnOf("x", more))),
    ];
    const page = turnOf("page");
    page.caller.is_same_origin = false;
    replies.push(begin(page));
    assertEquals(calls.map(([name]) => name), Array(5).fill("begin_turn"));
    for (const gate of gates) gate.resolve();
    await Promise.all(replies);
  });

  await t.step(
    "what Postgres leaves to be sent by itself is, and what is like it is not sent with others again",
    async () => {
      let isFirst = true;
      const { calls, gates, begin } = createRecorder(({ turn }) => {
        const isAlone = turn.coach_id !== "c" && isFirst;
        return isAlone ? { is_alone: turn.coach_id === "slow" ? true : "once" } : { said: turn.content };
      });
      const replies = names.slice(0, 5).map((name, index) =>
        begin(turnOf(name, index < 3 ? {} : { coach_id: index === 3 ? "slow" : "usual" }))
      );
      gates[0]!.resolve();
      await settle();
      gates[2]!.resolve();
      isFirst = true;
      await settle();
      assertEquals(calls.slice(2), [
        ["begin_turns", "turn 2", "turn 3", "turn 4"],
        ["begin_turn", "turn 3"],
        ["begin_turn", "turn 4"],
      ]);
      isFirst = false;
      // Two are under way then: of the last two, what is like turn 4 waits.
      replies.push(begin(turnOf("turn 5")), begin(turnOf("turn 6", { coach_id: "usual" })));
      replies.push(begin(turnOf("turn 7", { coach_id: "slow" })));
      assertEquals(calls.slice(5), [["begin_turn", "turn 5"], ["begin_turn", "turn 7"]]);
      for (const gate of gates) gate.resolve();
      await settle();
      gates.at(-1)!.resolve();
      assertEquals(await Promise.all(replies), names.slice(0, 8).map((said) => ({ said })));
    },
  );

  await t.step(
    "a refusal is that of one; a call that fails is made again for each, unless nobody has answered",
    async () => {
      const { calls, gates, begin } = createRecorder(({ turn }) =>
        turn.content === "turn 3" ? { error_code: "PT429" } : { said: turn.content }
      );
      const failAll = async (error: Error) => {
        const replies = names.slice(0, 4).map((name) => begin(turnOf(name)));
        replies.forEach((reply) => reply.catch(() => {}));
        gates[0]!.resolve();
        await settle();
        gates[2]!.reject(error);
        await settle();
        for (const gate of gates) gate.resolve();
        return { replies, made: calls.splice(0), cleared: gates.splice(0) };
      };
      const { replies, made } = await failAll(new DatabaseError("begin_turns", "22021"));
      assertEquals(made.slice(2), [["begin_turns", "turn 2", "turn 3"], ["begin_turn", "turn 2"], [
        "begin_turn",
        "turn 3",
      ]]);
      assertEquals(await replies[2], { said: "turn 2" });
      await assertRejects(() => replies[3]!, DatabaseError, "Cannot call begin_turn");

      const lost = await failAll(new DatabaseError("begin_turns", 504));
      assertEquals(lost.made.length, 3);
      for (const reply of lost.replies.slice(2)) {
        await assertRejects(
          () => reply,
          DatabaseError,
          "Cannot call begin_turns",
        );
      }
    },
  );
});
