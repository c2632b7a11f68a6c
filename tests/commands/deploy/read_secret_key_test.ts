import { readSecretKey } from "../../../supabase/commands/deploy/supabase_cli.ts";
import { assertEquals } from "../../support/assert.ts";

const masked = { type: "secret", name: "default", api_key: "sb_secret_Ab3···········" };
const readable = { type: "secret", name: "other", api_key: "sb_secret_Ab3-d_9" };
const publishable = { type: "publishable", name: "default", api_key: "sb_publishable_test" };
const anon = { type: "legacy", name: "anon", api_key: "eyJhbGciOiJIUzI1NiJ9.e30.anon" };
const serviceRole = { type: "legacy", name: "service_role", api_key: "eyJhbGciOiJIUzI1NiJ9.e30.service-role" };

const cases: Record<string, [keys: object[], found: string | null]> = {
  "a secret key that is revealed": [[publishable, readable], readable.api_key],
  "a revealed key after one that is masked": [[masked, readable], readable.api_key],
  "a key of the older kind when no other is revealed": [[masked, anon, serviceRole], serviceRole.api_key],
  "the key of the newer kind when both are revealed": [[serviceRole, readable], readable.api_key],
  "nothing when no secret key is revealed": [[publishable, anon, masked, { ...serviceRole, api_key: null }], null],
  "nothing when there are no keys": [[], null],
};

Deno.test("of a project's keys it reads", async (t) => {
  for (const [name, [keys, found]] of Object.entries(cases)) {
    await t.step(name, async () => {
      assertEquals(await readSecretKey((_, reply) => Promise.resolve(reply.parse({ keys })), "ref"), found);
    });
  }

  await t.step("nothing when the access token may not read keys", async () => {
    assertEquals(await readSecretKey(() => Promise.reject(new Error("Forbidden")), "ref"), null);
  });
});
