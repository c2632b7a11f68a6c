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
