import {
  formatFields,
  formatTable,
  formatTime,
  showHarmlessly,
} from "../../../supabase/commands/admin/terminal_text.ts";
import { assertEquals } from "../../support/assert.ts";

Deno.test("formatTable aligns texts to the left and numbers to the right", () => {
  assertEquals(
    formatTable(["name", "turns", "coach"], [["Ada", 5, null], ["Grace Hopper", 1_200, "x"], ["Zoë", 0, undefined]]),
    [
      "name          turns  coach",
      "Ada               5  -",
      "Grace Hopper   1200  x",
      "Zoë               0  -",
    ].join("\n"),
  );
});

Deno.test("formatTable shortens the last cells of a table that is too wide", () => {
  const table = ["id  name", "1   Ada", "2   Gr…"].join("\n");
  assertEquals(
    formatTable(["id", "name"], [["1", "Ada"], ["2", "Grace"]], 8),
    ["id  name", "1   Ada", "2   Gra…"].join("\n"),
  );
  assertEquals(formatTable(["id", "x"], [["1", "Ada"], ["2", "Grace"]], 7), table.replace("name", "x"));
});

Deno.test("formatTable puts each row on one line", () => {
  const table = formatTable(["id", "name"], [["1", "a\nb\r\u2028c\u0085"], ["2", "\x1b]0;title\x07"]]);
  assertEquals(table.split(/[\n\r\u2028\u0085]/).length, 3);
  // deno-lint-ignore no-control-regex
  assertEquals(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/.test(table), false);
});

Deno.test("formatFields leaves out fields without a value", () => {
  assertEquals(formatFields({ id: "1", greeting: null, "history limit": 0 }), "id             1\nhistory limit  0");
});

Deno.test("showHarmlessly escapes invisible characters, and keeps all others", () => {
  assertEquals(showHarmlessly("Zoë 漢字 👍 \\n"), "Zoë 漢字 👍 \\n");
  assertEquals(
    showHarmlessly("a\tb\u202e\u2066\u200b\ufeff\ud800"),
    "a\\u{9}b\\u{202e}\\u{2066}\\u{200b}\\u{feff}\\u{d800}",
  );
});

Deno.test("formatTime shows times of Postgres and PostgREST in UTC", () => {
  assertEquals(formatTime("2026-11-22 04:02:59.91+00"), "2026-11-22T04:02:59Z");
  assertEquals(formatTime("2026-11-22T04:02:59.918273+02:00"), "2026-11-22T02:02:59Z");
  assertEquals(formatTime(null), null);
});
