import * as z from "zod/mini";
import type { IncomingRequest } from "../../shared/core/context.ts";
import { DatabaseError } from "../../shared/infra/db/database.ts";
import { ApiError, errors } from "../../shared/infra/errors.ts";
import { defineOperation, perform } from "../../shared/core/operation.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";

/** An operation that records its calls. */
function createOperation(verb: () => Promise<string> = () => Promise.resolve("done"), isRepeatable = false) {
  const steps: string[] = [];
  const operation = defineOperation({
    name: "tell",
    scope: "chat",
    failure: "Failed to tell",
    isRepeatable,
    input: z.object({ word: z.string("word is required") }),
    output: z.object({}),
    verb(_ctx, { word }) {
      steps.push(`verb ${word}`);
      return verb();
    },
  });
  async function tell(input: unknown, { scopes = ["chat"] } = {}) {
    const admission = {
      openDatabase: () => null,
      judge: (error: unknown, scope: string) =>
        Promise.resolve(scopes.includes(scope) ? error : errors.missingScope("chat")),
    };
    return await perform(operation, { admission } as unknown as IncomingRequest, {
      readInput() {
        steps.push("read");
        return input;
      },
      reply: (result) => `reply ${result}`,
    });
  }
  return { steps, tell };
}

Deno.test("perform", async (t) => {
  await t.step("reads the input, calls the verb with what was parsed, and replies", async () => {
    const { steps, tell } = createOperation();
    assertEquals(await tell({ word: "Hi", more: 1 }), "reply done");
    assertEquals(steps, ["read", "verb Hi"]);
  });

  await t.step("tells a caller without the scope of nothing else", async () => {
    const { steps, tell } = createOperation();
    const { status, code } = await assertRejects(() => tell({}, { scopes: ["threads:read"] }), ApiError);
    assertEquals([status, code, steps], [403, "missing_scope", ["read"]]);
  });

  await t.step("refuses input that does not fit before the verb is called", async () => {
    const { steps, tell } = createOperation();
    const { status, message } = await assertRejects(() => tell({}), ApiError);
    assertEquals([status, message, steps], [400, "word is required", ["read"]]);
  });

  const lateReply = new DOMException("x", "TimeoutError");
  const failures: [name: string, error: Error, status: number][] = [
    ["a lock that does not come", new DatabaseError("f", "55P03"), 503],
    ["a statement that takes too long", new DatabaseError("f", "57014"), 503],
    ["a deadlock", new DatabaseError("f", "40P01"), 503],
    ["no free connection", new DatabaseError("f", "PGRST003"), 503],
    ["a gateway that waits no longer", new DatabaseError("f", 504), 503],
    ["no answer in time", new DatabaseError("f", undefined, lateReply), 503],
    ["a refusal of Postgres", new DatabaseError("f", "42501"), 500],
    ["a connection that breaks", new DatabaseError("f", undefined, new TypeError("x")), 500],
    ["another time-out", lateReply, 500],
  ];
  for (const [name, error, status] of failures) {
    await t.step(`${name} → ${status} where the operation may be repeated, otherwise 500`, async () => {
      for (const isRepeatable of [true, false]) {
        const { tell } = createOperation(() => Promise.reject(error), isRepeatable);
        const failure = await assertRejects(() => tell({ word: "x" }), ApiError);
        assertEquals(failure.status, isRepeatable ? status : 500);
        assertEquals("Retry-After" in (failure.options.headers ?? {}), failure.status === 503);
      }
    });
  }

  await t.step("passes on an error of the service, and replaces every other one", async () => {
    const known = await assertRejects(
      () => createOperation(() => Promise.reject(errors.coachNotFound())).tell({ word: "x" }),
      ApiError,
    );
    assertEquals(known.code, "coach_not_found");
    const unknown = await assertRejects(
      () => createOperation(() => Promise.reject(new TypeError("x"))).tell({ word: "x" }),
      ApiError,
    );
    assertEquals([unknown.status, unknown.code, unknown.message], [500, "internal_error", "Failed to tell"]);
    assertEquals((unknown.cause as Error).name, "TypeError");
  });
});
