import { putEndFirst } from "../../shared/features/knowledge/embed_query.ts";
import { assert, assertEquals } from "../support/assert.ts";

Deno.test("of a long message, the last paragraph is embedded first", () => {
  const filler = "I was told so. ".repeat(600).trim();
  assertEquals(
    putEndFirst(`${filler}\n\nAnd: more\nof it.\n \nWhat now?\n`),
    `What now?\n\n${filler}\n\nAnd: more\nof it.`,
  );
  assertEquals(putEndFirst(filler), filler);
  assertEquals(putEndFirst("Short.\n\nWhat now?"), "Short.\n\nWhat now?");
  assert(putEndFirst("\n".repeat(32_000)).length < 10);
});
