import { createProgressLine } from "../../../supabase/platform/progress_line.ts";
import { assertEquals } from "../../support/assert.ts";

/** A line at a terminal of so many columns, or none; and all that was written to it. */
function prepare(columns: number | null) {
  let [written, seconds] = ["", 0];
  const ticking = new Set<() => void>();
  const line = createProgressLine({
    write: (text) => void (written += text),
    columns: () => columns,
    now: () => seconds * 1_000,
    everySecond(act) {
      ticking.add(act);
      return () => void ticking.delete(act);
    },
  });
  const pass = (count: number) => {
    for (let second = 0; second < count; second++) {
      seconds++;
      for (const act of ticking) act();
    }
  };
  /** The lines as the terminal shows them: each from where it was cleared for the last time. */
  const shown = () => written.split("\n").map((text) => text.split("\r\x1b[K").at(-1));
  return { line, pass, shown, written: () => written, ticking };
}

Deno.test("a line of progress", async (t) => {
  await t.step("moves at a terminal, and stays as it was begun when it ends", () => {
    const { line, pass, shown, ticking } = prepare(80);
    line.begin("Fetching");
    assertEquals(shown(), ["… Fetching"]);
    pass(2);
    assertEquals(shown(), ["… Fetching – 2 s"]);
    line.tell("3 of 10");
    assertEquals(shown(), ["… Fetching – 3 of 10, 2 s"]);
    line.begin("Starting");
    assertEquals(shown(), ["… Fetching", "… Starting"]);
    pass(1);
    assertEquals(shown(), ["… Fetching", "… Starting – 1 s"]);
    line.end();
    line.end();
    line.tell("too late");
    assertEquals([shown(), ticking.size], [["… Fetching", "… Starting", ""], 0]);
  });
  await t.step("is never wrapped while it moves", () => {
    const { line, pass, shown } = prepare(20);
    line.begin("Starting the functions");
    assertEquals(shown(), ["… Starting the fun…"]);
    pass(10);
    assertEquals(shown(), ["… Starting… – 10 s"]);
    line.end();
    assertEquals(shown(), ["… Starting the functions", ""]);
  });
  await t.step("elsewhere is one line, without anything that moves", () => {
    const { line, pass, written, ticking } = prepare(null);
    line.begin("Fetching");
    line.tell("3 of 10");
    pass(2);
    line.end();
    assertEquals([written(), ticking.size], ["… Fetching\n", 0]);
  });
});
