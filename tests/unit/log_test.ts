import { assertEquals } from "deno-std/assert/mod.js";
import { DatabaseError } from "../../shared/db/database.ts";
import { errors } from "../../shared/errors.ts";
import { describeError } from "../../shared/log.ts";

const told = "the diary of sk-proj-a1b2";
const withCode = (code: unknown) => Object.assign(new TypeError(told), { code });

const described: Record<string, [error: unknown, description: string]> = {
  "an error by its kind": [new TypeError(told), "TypeError"],
  "a code": [withCode("ERR_INVALID_URL"), "TypeError ERR_INVALID_URL"],
  "a code and a status": [errors.modelUnavailable(undefined), "ApiError model_unavailable 502"],
  "what was underneath": [
    errors.unavailable(new DatabaseError("f", "57014", withCode(1))),
    "ApiError unavailable 503 < DatabaseError 57014 < TypeError 1",
  ],
  "a code that is a sentence by nothing": [withCode(told), "TypeError"],
  "a code that is an object by nothing": [withCode({ key: told }), "TypeError"],
  "a code that holds a key by nothing": [withCode("sk-proj-a1b2"), "TypeError"],
  "a code that holds a token by nothing": [withCode("no:eyJhbGciOiJIUzI1NiJ9.eyJz.abc"), "TypeError"],
  "what is no error by its type": [told, "string"],
  "a cause that is no error by its type": [new Error(told, { cause: told }), "Error < string"],
};

Deno.test("an error is described without its message", async (t) => {
  for (const [what, [error, description]] of Object.entries(described)) {
    await t.step(what, () => assertEquals(describeError(error), description));
  }
});
