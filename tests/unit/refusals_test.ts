import { type ApiError, errorCodes, errors } from "../../shared/infra/errors.ts";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { isOpen, type Refusal, refusals, remedyOf, told } from "../support/refusals.ts";

/** Of messages that the MCP server refuses; `tests/http/error_codes_test.ts` has them. */
const ofMcp = [
  "invalid_message",
  "too_many_values",
  "not_acceptable",
  "unsupported_media_type",
  "unknown_method",
  "unknown_tool",
];

Deno.test("codes are unique, all have the same form, and each is in the tests' table", () => {
  assertEquals(new Set(errorCodes).size, errorCodes.length);
  for (const code of errorCodes) assertMatch(code, /^[a-z]+(?:_[a-z]+)*$/);
  const inTable = refusals.map((refusal) => refusal.split("/")[0]!);
  assertEquals(new Set<string>(errorCodes), new Set([...inTable, ...ofMcp]));
});

/** What a client is told, in the form of the table. */
function shownBy(
  { status, code, message, options: { fields = {}, details, headers = {}, remedy } }: ApiError,
): unknown[] {
  const waits = "retryAfter" in fields && "Retry-After" in headers;
  return [status, code, message, fields.message ?? null, details ?? null, waits, remedy ?? null];
}

Deno.test("every error has a row with its status, code, sentence and further fields, and every row an error", () => {
  const made = Object.entries(errors).filter(([name]) => name !== "coachRequired")
    .map(([, make]) => (make as (what: unknown) => ApiError)("{}"));
  made.push(errors.budgetExhausted());
  const rows = refusals.map((refusal: Refusal) => {
    const { status, code, error, fields, waits } = told(refusal, isOpen(refusal) ? "{}" : undefined);
    return [status, code, error, fields.message ?? null, fields.details ?? null, waits, remedyOf(refusal) ?? null];
  });
  const sorted = (all: unknown[][]) => [...new Set(all.map((each) => JSON.stringify(each)))].toSorted();
  assertEquals(sorted(made.map(shownBy)), sorted(rows));
  assert(rows.length > 70);
});
