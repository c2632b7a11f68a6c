import { assert, assertEquals, assertNotEquals } from "../support/assert.ts";
import { ask } from "../support/client.ts";
import { createTenant, operator, type Tenant } from "../support/project.ts";
import { startService } from "../support/service.ts";

const hour = 3_600_000;

type Rotated = { id: string; api_key: string; replaces: string; replaced_expires_at: string };

async function rotate(keyId: string, overlapHours?: number): Promise<Rotated> {
  const { data } = await operator.rpc("rotate_api_key", { id: keyId, overlap_hours: overlapHours }).throwOnError();
  return data as Rotated;
}

async function keysOf({ accountId }: Tenant) {
  return (await operator.rpc("list_api_keys").eq("account_id", accountId).throwOnError()).data;
}

Deno.test("rotate_api_key", async (t) => {
  await using service = await startService();
  const statusOf = async (apiKey: string, path = "/users/u/threads") =>
    (await ask(service, "GET", path, { apiKey })).status;

  await t.step("both keys work until the overlap ends", async () => {
    const tenant = await createTenant();
    const began = Date.now();
    const rotated = await rotate(tenant.keyId, 2);
    assertEquals(rotated.replaces, tenant.keyId);
    assertNotEquals(rotated.api_key, tenant.apiKey);
    assertEquals([await statusOf(tenant.apiKey), await statusOf(rotated.api_key)], [200, 200]);
    const left = Date.parse(rotated.replaced_expires_at) - began;
    assert(Math.abs(left - 2 * hour) < hour, rotated.replaced_expires_at);
    const [old, successor] = await keysOf(tenant);
    assertEquals([old?.status, old?.replaced_by, successor?.status], ["replaced", rotated.id, "active"]);
  });

  await t.step("the overlap is a day by default", async () => {
    const { keyId } = await createTenant();
    const began = Date.now();
    const left = Date.parse((await rotate(keyId)).replaced_expires_at) - began;
    assert(Math.abs(left - 24 * hour) < hour);
  });

  await t.step("without an overlap the old key is refused from the next request on", async () => {
    const tenant = await createTenant();
    const rotated = await rotate(tenant.keyId, 0);
    assertEquals([await statusOf(tenant.apiKey), await statusOf(rotated.api_key)], [401, 200]);
    assertEquals((await keysOf(tenant)).map(({ status }) => status), ["expired", "active"]);
  });

  await t.step("the new key has the account, name, scopes and limits of the old one", async () => {
    const tenant = await createTenant({ scopes: ["threads:read"], requests_per_minute: 7, requests_per_hour: 8 });
    const rotated = await rotate(tenant.keyId);
    const [old, successor] = await keysOf(tenant);
    for (
      const field of ["name", "account_id", "requests_per_minute", "requests_per_hour", "requests_per_day"] as const
    ) {
      assertEquals(successor?.[field], old?.[field]);
    }
    assertEquals(successor?.scopes, ["threads:read"]);
    assertEquals(await statusOf(rotated.api_key, `/knowledge-handler?coachId=${tenant.coachId}`), 403);
  });

  await t.step(
    "a key that never expires gets a successor that never expires; other successors live as long as the old key did",
    async () => {
      const eternal = await createTenant();
      await rotate(eternal.keyId);
      assertEquals((await keysOf(eternal))[1]?.expires_at, null);
      const mortal = await createTenant({ expires_at: new Date(Date.now() + 90 * 24 * hour).toISOString() });
      await rotate(mortal.keyId);
      const life = Date.parse((await keysOf(mortal))[1]!.expires_at) - Date.now();
      assert(Math.abs(life - 90 * 24 * hour) < hour, String(life));
    },
  );

  await t.step("an old key that expires before the overlap ends still expires then", async () => {
    const expires_at = new Date(Date.now() + hour).toISOString();
    const tenant = await createTenant({ expires_at });
    assertEquals(Date.parse((await rotate(tenant.keyId, 24)).replaced_expires_at), Date.parse(expires_at));
  });

  await t.step("a rotation refused with a sentence issues no key", async () => {
    const tenant = await createTenant();
    const revoked = await createTenant();
    await operator.rpc("revoke_api_key", { id: revoked.keyId }).throwOnError();
    const expired = await createTenant({ expires_at: new Date(Date.now() - hour).toISOString() });
    const replaced = await createTenant();
    const { id: successor } = await rotate(replaced.keyId);
    const outOfBounds = "overlap_hours must be from 0 to 8760";
    for (
      const [id, overlap_hours, sentence] of [
        [crypto.randomUUID(), 1, "API key not found"],
        [tenant.keyId, -1, outOfBounds],
        [tenant.keyId, 8761, outOfBounds],
        [revoked.keyId, 1, "This API key has ended: issue a new one"],
        [expired.keyId, 1, "This API key has ended: issue a new one"],
        [replaced.keyId, 1, `This API key was rotated before: ${successor} is its successor`],
      ] as const
    ) {
      assertEquals((await operator.rpc("rotate_api_key", { id, overlap_hours })).error?.message, sentence);
    }
    assertEquals((await keysOf(tenant)).length, 1);
    assertEquals((await keysOf(replaced)).length, 2);
  });

  await t.step("the successor can be rotated and revoked like any other key", async () => {
    const tenant = await createTenant();
    const second = await rotate(tenant.keyId, 1);
    const third = await rotate(second.id, 1);
    await operator.rpc("revoke_api_key", { id: tenant.keyId }).throwOnError();
    assertEquals(
      [await statusOf(tenant.apiKey), await statusOf(second.api_key), await statusOf(third.api_key)],
      [401, 200, 200],
    );
    assertEquals((await keysOf(tenant)).map(({ status }) => status), ["revoked", "replaced", "active"]);
  });
});
