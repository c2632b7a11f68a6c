/// <reference lib="dom" />
import { EventKind } from "../../shared/features/events/fields.ts";
import { WaitingCounts } from "../../shared/clients/page/desk/state/coach_feed.ts";
import { assertEquals } from "../support/assert.ts";
import { useFakeClock } from "../support/fake_clock.ts";

type Desk = ConstructorParameters<typeof WaitingCounts>[0];
type Listener = Parameters<Desk["watch"]>[0];

Deno.test("what waits is counted again when it may have changed, and only that", async () => {
  using clock = useFakeClock();
  const counted: string[] = [];
  let tell: Listener = () => {};
  const list = (what: string) => () => (counted.push(what), Promise.resolve({ data: [what] }));
  const desk = {
    client: { listQuestions: list("questions"), listConversations: list("conversations") },
    coach: { id: "owl" },
    watch: (listener: Listener) => (tell = listener, () => {}),
  } as unknown as Desk;
  const counts = new WaitingCounts(desk);
  const hear = async (kind: string) => {
    counted.length = 0;
    tell({ kind } as Parameters<Listener>[0]);
    // What is counted at once, and then the pause until the next time.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    clock.tick(5_000);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    return counted.join(" ");
  };
  // Nobody waits yet, so that no answer ends a wait.
  assertEquals(await hear("message.completed"), "");
  assertEquals(await hear("watching"), "questions conversations");
  assertEquals([counts.questions, counts.conversations], [1, 1]);
  const ofQuestions = EventKind.options.filter((kind) => kind.startsWith("question."));
  assertEquals(ofQuestions.length, 2);
  for (const kind of ofQuestions) assertEquals(await hear(kind), "questions");
  assertEquals(await hear("thread.needs_expert"), "conversations");
  assertEquals(await hear("takeover.ended"), "conversations");
  assertEquals(await hear("message.completed"), "conversations");
  assertEquals(await hear("message.begun"), "");
  assertEquals(await hear("missed"), "questions conversations");
});
