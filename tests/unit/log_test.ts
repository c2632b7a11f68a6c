import { DatabaseError } from "../../shared/infra/db/database.ts";
import { errors } from "../../shared/infra/errors.ts";
import { describeError } from "../../shared/libs/base/log.ts";
import { assertEquals } from "../support/assert.ts";

const secret = "the diary of sk-proj-a1b2";
const withCode = (code: unknown) => Object.assign(new TypeError(secret), { code });

const described: Record<string, [error: unknown, description: string]> = {
  "an error: its class": [new TypeError(secret), "TypeError"],
  "an error with a code: class and code": [withCode("ERR_INVALID_URL"), "TypeError ERR_INVALID_URL"],
  "an error of the service: class, code and status": [
    errors.modelUnavailable(undefined),
    "ApiError model_unavailable 502",
  ],
  "an error with causes: the same of each": [
    errors.unavailable(new DatabaseError("f", "57014", withCode(1))),
    "ApiError unavailable 503 < DatabaseError 57014 < TypeError 1",
  ],
  "a code that is a sentence: left out": [withCode(secret), "TypeError"],
  "a code that is an object: left out": [withCode({ key: secret }), "TypeError"],
  "a code that holds a key: left out": [withCode("sk-proj-a1b2"), "TypeError"],
  "a code that holds a token: left out": [withCode("no:eyJhbGciOiJIUzI1NiJ9.eyJz.abc"), "TypeError"],
  "a value that is not an error: its type": [secret, "string"],
  "a cause that is not an error: its type": [new Error(secret, { cause: secret }), "Error < string"],
};

Deno.test("an error is described without its message", async (t) => {
  for (const [what, [error, description]] of Object.entries(described)) {
    await t.step(what, () => assertEquals(describeError(error), description));
  }
});
