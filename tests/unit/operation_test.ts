import { assertEquals, assertRejects } from "deno-std/assert/mod.js";
import * as z from "zod/mini";
import type { RequestContext } from "../../shared/context.ts";
import { ApiError, errors } from "../../shared/errors.ts";
import { defineOperation, perform } from "../../shared/operation.ts";

/** An operation that records what is done. */
function createOperation(verb: () => Promise<string> = () => Promise.resolve("done")) {
  const steps: string[] = [];
  const operation = defineOperation({
    name: "tell",
    scope: "chat",
    failure: "Failed to tell",
    errors: () => [],
    input: () => Promise.resolve(z.object({ word: z.string("word is required") })),
    output: () => Promise.resolve(z.object({})),
    verb: () =>
      Promise.resolve((_ctx: RequestContext, { word }: { word: string }) => {
        steps.push(`verb ${word}`);
        return verb();
      }),
  });
  async function tell(input: unknown, { scopes = ["chat"], loading = Promise.resolve() } = {}) {
    return await perform(operation, { caller: { scopes } } as RequestContext, async () => {
      await loading;
      return {
        readInput() {
          steps.push("read");
          return input;
        },
        reply: (result) => `reply ${result}`,
      };
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

  await t.step("refuses a caller without the scope before anything is read", async () => {
    const { steps, tell } = createOperation();
    const { status, code } = await assertRejects(() => tell({}, { scopes: ["threads:read"] }), ApiError);
    assertEquals([status, code, steps], [403, "missing_scope", []]);
  });

  await t.step("calls no verb whose reply could not be loaded", async () => {
    const { steps, tell } = createOperation();
    const loading = Promise.reject(new TypeError("x"));
    const { status, message } = await assertRejects(() => tell({ word: "Hi" }, { loading }), ApiError);
    assertEquals([status, message, steps], [500, "Failed to tell", []]);
  });

  await t.step("refuses input that does not fit before the verb is called", async () => {
    const { steps, tell } = createOperation();
    const { status, message } = await assertRejects(() => tell({}), ApiError);
    assertEquals([status, message, steps], [400, "word is required", ["read"]]);
  });

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
