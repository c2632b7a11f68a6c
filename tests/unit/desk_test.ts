import { compareWords, joinChanges } from "../../shared/clients/page/desk/parts/show_words.ts";
import { formatUser } from "../../shared/clients/page/desk/format.ts";
import { linkTo, readRoute } from "../../shared/clients/page/desk/route.ts";
import { coalesce } from "../../shared/clients/page/desk/state/coalesce.ts";
import { RepeatKey } from "../../shared/clients/page/desk/state/work.ts";
import { fillDays } from "../../shared/clients/page/desk/usage/days.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("a place in the desk is what its address says", async (t) => {
  for (
    const [hash, panel, id, filters] of [
      ["", "overview", null, ""],
      ["#", "overview", null, ""],
      ["#questions", "questions", null, ""],
      ["#usage", "usage", null, ""],
      ["#questions/answered", "questions", "answered", ""],
      ["#conversations/a%2Fb?search=x+%26+y&down=1", "conversations", "a/b", "search=x+%26+y&down=1"],
      ["#answers/%", "answers", "%", ""],
      ["#elsewhere/1", "overview", null, ""],
    ] as const
  ) {
    await t.step(hash || "nothing", () => {
      const route = readRoute(hash);
      assertEquals([route.panel, route.id, route.filters.toString()], [panel, id, filters]);
    });
  }
  await t.step("and the other way round, without empty filters", () => {
    const hash = linkTo("conversations", "a/b", [["search", "x & y"], ["from", ""]]);
    assertEquals(hash, "#conversations/a%2Fb?search=x+%26+y");
    assertEquals(readRoute(hash).filters.get("search"), "x & y");
    assertEquals(linkTo("try"), "#try");
  });
});

Deno.test("people are told apart by the end of their ids: the beginning of one may be the time", () => {
  assertEquals(formatUser("01a207ab-cc07-75ee-8482-5574aca2c63f"), "Person c63f");
  assertEquals(formatUser("01a207ac-0d11-7a02-9b6f-0f6c1de0a9d4"), "Person a9d4");
  assertEquals(formatUser("anonymous-01a207ab-cc07-75ee-8482-5574aca2c63f"), "Person c63f");
  assertEquals(formatUser("ann"), "ann");
});

Deno.test("what changes between two texts, word by word", () => {
  assertEquals(compareWords("a week old", "a day old"), [
    { is: "same", value: "a " },
    { is: "removed", value: "week" },
    { is: "added", value: "day" },
    { is: "same", value: " old" },
  ]);
  assertEquals(compareWords("我喜欢猫", "我喜欢狗").map(({ is }) => is), ["same", "removed", "added"]);
  assertEquals(compareWords("same", "same"), [{ is: "same", value: "same" }]);
  for (const [before, after] of [["", "new"], ["old", ""], ["a\n\nb", "a b"], ["<b>x</b>", "<b>y</b>"]] as const) {
    const stretches = compareWords(before, after);
    const without = (gone: string) => stretches.filter(({ is }) => is !== gone).map(({ value }) => value).join("");
    assertEquals([without("added"), without("removed")], [before, after]);
  }
});

Deno.test("days on which nothing happened are among the days", () => {
  const data = [{
    cached_tokens: 2,
    cost_micro_usd: 9,
    day: "2026-02-28",
    estimated_turns: 1,
    feedback_down: 1,
    feedback_up: 2,
    input_tokens: 3,
    output_tokens: 4,
    people: 5,
    questions_opened: 6,
    reasoning_tokens: 3,
    turns: 7,
    unpriced_turns: 0,
  }];
  const days = fillDays({ from: "2026-02-27", to: "2026-03-01", data });
  assertEquals(days.map(({ day, turns }) => [day, turns]), [["2026-02-27", 0], ["2026-02-28", 7], ["2026-03-01", 0]]);
  assertEquals(fillDays({ from: "2026-03-01", to: "2026-03-01", data: [] }).length, 1);
});

Deno.test("calls that come close together are one", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  const { promise: again, resolve: calledAgain } = Promise.withResolvers<void>();
  const ask = coalesce(async () => {
    calls++;
    if (calls === 1) {
      await promise;
      throw new Error("It fails, and goes on");
    }
    calledAgain();
  }, 0);
  for (let time = 0; time < 5; time++) ask();
  assertEquals(calls, 1);
  resolve();
  await again;
  assertEquals(calls, 2);
  // The pause that begins now is the last thing that it waits for.
  await new Promise((resolve) => setTimeout(resolve, 0));
});

Deno.test("a request that is repeated keeps its key, another one has its own", () => {
  const keys = new RepeatKey();
  const first = keys.of({ content: "a" });
  assertEquals(keys.of({ content: "a" }), first);
  const second = keys.of({ content: "b" });
  keys.done();
  const third = keys.of({ content: "b" });
  assertEquals(new Set([first, second, third]).size, 3);
});

Deno.test("changes that stand close together are one", () => {
  const join = (before: string, after: string) =>
    joinChanges(compareWords(before, after)).map(({ is, value }) => `${is} ${value}`);
  assertEquals(join("Answer in at most five sentences.", "Answer in one word."), [
    "same Answer in ",
    "removed at most five sentences",
    "added one word",
    "same .",
  ]);
  // Lines stay apart, and so do changes with a word between them.
  assertEquals(join("a\nb", "c\nd"), ["removed a", "added c", "same \n", "removed b", "added d"]);
  assertEquals(join("a word b", "c word d"), ["removed a", "added c", "same  word ", "removed b", "added d"]);
});
