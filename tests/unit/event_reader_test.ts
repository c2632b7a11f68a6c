import { createEventReader, type Watched } from "../../shared/core/events/event_reader.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("a user may have 20 streams, and the servers of an account 100", async () => {
  for (const [userId, most] of [["u", 20], [null, 100]] as const) {
    const reader = createEventReader(() => Promise.reject(), { interval: 0, patience: Infinity });
    const watched = { accountId: "a", userId } as Watched;
    const leave = [];
    while (reader.hasRoom(watched) && leave.length <= 1_000) {
      leave.push(reader.follow({ watched, since: 0, receive() {}, end() {} }));
    }
    assertEquals(leave.length, most);
    assertEquals(reader.hasRoom({ ...watched, accountId: "b" }), true);
    assertEquals(reader.hasRoom({ ...watched, userId: userId === null ? "u" : null } as Watched), true);
    leave[0]!();
    assertEquals(reader.hasRoom(watched), true);
    for (const end of leave) end();
  }
  // The readers find nobody, and stop.
  await new Promise((resolve) => setTimeout(resolve));
});

Deno.test("one call reads what all followers have missed, and each gets what has happened since its own moment", async () => {
  const events = [3, 7].map((at) => ({ id: at, at, kind: "message.begun", data: {} }));
  const asked: number[] = [];
  const reader = createEventReader((watched, since) => {
    asked.push(since);
    return Promise.resolve({ since: 9, events: watched.map(() => events) });
  }, { interval: 0, patience: Infinity });
  const received = await Promise.all([5, 2].map((since) =>
    new Promise((resolve) => {
      const receive = (found: unknown) => resolve([found, leave()]);
      const leave = reader.follow({ watched: {} as Watched, since, receive, end() {} });
    })
  ));
  assertEquals([asked[0], received], [2, [[[events[1]], undefined], [events, undefined]]]);
});
