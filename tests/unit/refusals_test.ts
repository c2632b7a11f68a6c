import { ApiError, errorCodes } from "../../shared/base/errors.ts";
import { requireResult } from "../../shared/core/refusals.ts";
import { DatabaseError } from "../../shared/infra/db/database.ts";
import { assert, assertEquals, assertStrictEquals, assertThrows } from "../support/assert.ts";

const migrations = new URL("../../supabase/migrations/", import.meta.url);
const isErrorCode = (word: string) => (errorCodes as readonly string[]).includes(word);

Deno.test("requireResult", async (t) => {
  await t.step("passes on what is no refusal", () => {
    const list = { data: [] };
    assertStrictEquals(requireResult("list_threads", list), list);
    assertStrictEquals(requireResult("stop_turn", null), null);
  });

  await t.step("knows every refusal of SQL", async () => {
    const codes = new Set<string>();
    for await (const { name } of Deno.readDir(migrations)) {
      const sql = await Deno.readTextFile(new URL(name, migrations));
      // A code that stands in a reply, or that is the code of an error: SQL names no others.
      for (const [, code] of sql.matchAll(/['"]error['"](?:, *'|: *")([a-z_]+)['"]/g)) codes.add(code!);
      for (const [, word] of sql.matchAll(/['"]([a-z_]+)['"]/g)) if (isErrorCode(word!)) codes.add(word!);
    }
    assert(codes.size > 15);
    for (const code of codes) {
      const error = assertThrows(() => requireResult("begin_turn", { error: code }), ApiError);
      // The code of the error is that of SQL, or says that a field of the input is missing.
      assertEquals(error.code, isErrorCode(code) ? code : "invalid_input");
    }
  });

  await t.step("a refusal may have fields, and mean something else of one function", () => {
    const pinned = { error: "already_pinned", answer_id: "a" };
    assertEquals(assertThrows(() => requireResult("create_pinned_answer", pinned), ApiError).toJSON().answerId, "a");
    const notTheCoach = { error: "not_the_coach" };
    assertEquals(assertThrows(() => requireResult("begin_upload", notTheCoach), ApiError).code, "not_the_coach");
    assertEquals(assertThrows(() => requireResult("search_knowledge", notTheCoach), ApiError).code, "missing_scope");
  });

  await t.step("an unknown refusal is a reply that cannot be read", () => {
    assertThrows(() => requireResult("begin_turn", { error: "new_one" }), DatabaseError);
  });
});
