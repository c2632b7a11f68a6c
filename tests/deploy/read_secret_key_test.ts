import { assertEquals } from "deno-std/assert/mod.js";
import { readSecretKey } from "../../supabase/deploy/read_secret_key.ts";

const masked = { type: "secret", name: "default", api_key: "sb_secret_Ab3···········" };
const readable = { type: "secret", name: "other", api_key: "sb_secret_Ab3-d_9" };
const publishable = { type: "publishable", name: "default", api_key: "sb_publishable_test" };
const anon = { type: "legacy", name: "anon", api_key: "eyJhbGciOiJIUzI1NiJ9.e30.anon" };
const serviceRole = { type: "legacy", name: "service_role", api_key: "eyJhbGciOiJIUzI1NiJ9.e30.service-role" };

const cases: Record<string, [keys: object[], found: string | null]> = {
  "a secret key that is revealed": [[publishable, readable], readable.api_key],
  "one that is revealed, behind one that is not": [[masked, readable], readable.api_key],
  "the older kind, where no other is revealed": [[masked, anon, serviceRole], serviceRole.api_key],
  "the newer kind, where both are": [[serviceRole, readable], readable.api_key],
  "nothing where none is revealed": [[publishable, anon, masked, { ...serviceRole, api_key: null }], null],
  "nothing where there is none": [[], null],
};

Deno.test("of a project's keys it reads", async (t) => {
  for (const [name, [keys, found]] of Object.entries(cases)) {
    await t.step(name, async () => {
      assertEquals(await readSecretKey((_, reply) => Promise.resolve(reply.parse({ keys })), "ref"), found);
    });
  }

  await t.step("nothing where the access token may not", async () => {
    assertEquals(await readSecretKey(() => Promise.reject(new Error("Forbidden")), "ref"), null);
  });
});
