import { readEnv } from "../../shared/infra/env.ts";
import { timeouts } from "../../shared/infra/timeouts.ts";
import { createServices } from "../../shared/core/services.ts";
import { assertEquals } from "../support/assert.ts";

const variables: Record<string, string> = {
  SUPABASE_URL: "http://supabase.invalid",
  SUPABASE_SERVICE_ROLE_KEY: "sb_secret_1",
};

function limitsWith(more: Record<string, string>) {
  return createServices(readEnv((name) => ({ ...variables, ...more })[name])).timeouts;
}

Deno.test("createServices: TURN_SECONDS limits only turns", () => {
  assertEquals(limitsWith({ TURN_SECONDS: "70" }), { ...timeouts, turn: 70_000 });
  assertEquals(limitsWith({}), timeouts);
});
