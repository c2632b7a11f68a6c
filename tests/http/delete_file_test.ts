import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, type Credentials, upload } from "../support/client.ts";
import { objectsOf, rowsOf, sweep } from "../support/knowledge.ts";
import { createCoach, createTenant, createUser, issueKey, operator, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";

/** Uploads a file, has it indexed and returns its id. */
async function addFile(service: Service, tenant: Tenant, name = "harbour.txt", coachId = tenant.coachId) {
  const reply = await upload(service, tenant, coachId, [[name, `Ships rest in the harbour of ${name}.`]]);
  assertReply(reply, 200);
  await service.turns();
  return reply.json.uploadedFiles[0].fileId as string;
}

function remove(service: Service, credentials: Credentials, coachId: string, fileId: string) {
  return ask(service, "DELETE", `/knowledge-handler/${fileId}?coachId=${coachId}`, credentials);
}

async function namesFound(service: Service, tenant: Tenant): Promise<string[]> {
  const reply = await ask(service, "GET", `/knowledge-handler?coachId=${tenant.coachId}&search=ships`, tenant);
  return reply.json.data.map(({ filename }: { filename: string }) => filename);
}

async function countPassages(fileId: string): Promise<number | null> {
  return (await operator.from("passages").select("id", { count: "exact" }).eq("file_id", fileId).throwOnError()).count;
}

Deno.test("DELETE /knowledge-handler/{fileId}", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });

  await t.step("the file is gone when the reply arrives: row, passages and object; others stay", async () => {
    const fileId = await addFile(service, tenant);
    const kept = await addFile(service, tenant, "kept.txt");
    assertEquals((await objectsOf(tenant.accountId)).length, 2);
    assertEquals(await countPassages(fileId), 1);

    assertReply(await remove(service, tenant, tenant.coachId, fileId), 200, {
      message: "File deleted successfully",
      fileId,
    });
    const rows = await rowsOf(tenant.coachId);
    assertEquals(rows.map(({ id }) => id), [kept]);
    assertEquals(await objectsOf(tenant.accountId), [rows[0]?.storage_path]);
    assertEquals([await countPassages(fileId), await countPassages(kept)], [0, 1]);
    assertEquals(await namesFound(service, tenant), ["kept.txt"]);
  });

  await t.step("a second time → 404", async () => {
    const fileId = await addFile(service, tenant);
    assertReply(await remove(service, tenant, tenant.coachId, fileId), 200);
    assertRefused(await remove(service, tenant, tenant.coachId, fileId), "file_not_found");
  });

  await t.step("twice at the same moment: one 200, one 404", async () => {
    const fileId = await addFile(service, tenant);
    const replies = await Promise.all([1, 2].map(() => remove(service, tenant, tenant.coachId, fileId)));
    assertEquals(replies.map(({ status }) => status).toSorted(), [200, 404]);
  });

  for (
    const fileId of [
      crypto.randomUUID(),
      "00000000-0000-0000-0000-000000000000",
      "x",
      "1",
      "%27%3B--",
      "%00",
      "%E0%A4",
      "..%2F..%2Fx",
      "a".repeat(3_000),
    ]
  ) {
    await t.step(`an unknown file → 404: ${fileId.slice(0, 40)}`, async () => {
      assertRefused(await remove(service, tenant, tenant.coachId, fileId), "file_not_found");
    });
  }

  await t.step("the id in upper case is the same id", async () => {
    const fileId = await addFile(service, tenant);
    assertReply(await remove(service, tenant, tenant.coachId, fileId.toUpperCase()), 200);
  });

  await t.step("a blank id → 400; no id → 405", async () => {
    assertInvalid(await remove(service, tenant, tenant.coachId, "%20"), "fileId is required in path");
    const reply = await ask(service, "DELETE", `/knowledge-handler?coachId=${tenant.coachId}`, tenant);
    assertRefused(reply, "method_not_allowed");
  });

  await t.step("no coachId → 400", async () => {
    for (const query of ["", "?coachId=", "?coachId=%20"]) {
      const reply = await ask(service, "DELETE", `/knowledge-handler/${crypto.randomUUID()}${query}`, tenant);
      assertInvalid(reply, "coachId is required");
    }
  });

  await t.step("another coach's file, an unknown coach, another account: 404, and the file stays", async () => {
    const fileId = await addFile(service, tenant);
    const other = await createCoach(tenant.accountId);
    const stranger = await createTenant();
    assertRefused(await remove(service, tenant, other.id, fileId), "file_not_found");
    assertRefused(await remove(service, tenant, "unknown", fileId), "coach_not_found");
    assertRefused(await remove(service, stranger, stranger.coachId, fileId), "file_not_found");
    assertRefused(await remove(service, stranger, tenant.coachId, fileId), "coach_not_found");
    assertEquals(await countPassages(fileId), 1);
    const row = (await rowsOf(tenant.coachId)).find(({ id }) => id === fileId);
    assert((await objectsOf(tenant.accountId)).includes(row!.storage_path));
  });

  await t.step("a key without knowledge:write → 403, and the file stays", async () => {
    const fileId = await addFile(service, tenant, "scope.txt");
    const { apiKey } = await issueKey(tenant.accountId, { scopes: ["knowledge:read", "chat", "threads:read"] });
    assertRefused(await remove(service, { apiKey }, tenant.coachId, fileId), "missing_scope", "knowledge:write");
    assertEquals(await countPassages(fileId), 1);
  });
});

Deno.test("DELETE /knowledge-handler/{fileId}: with a bearer token only the coach's own user", async () => {
  await using service = await startService();
  const owner = await createUser();
  const tenant = await createTenant({}, { owner_id: owner.id });
  const { accessToken } = await createUser();
  const fileId = await addFile(service, tenant);
  assertRefused(await remove(service, { ...tenant, accessToken }, tenant.coachId, fileId), "not_the_coach");
  // The refusal does not tell whether a file exists.
  assertRefused(
    await remove(service, { ...tenant, accessToken }, tenant.coachId, crypto.randomUUID()),
    "not_the_coach",
  );
  assertEquals(await countPassages(fileId), 1);
  assertReply(await remove(service, { ...tenant, accessToken: owner.accessToken }, tenant.coachId, fileId), 200);
  assertEquals(await rowsOf(tenant.coachId), []);
});

for (const fault of ["refuse", "hang"] as const) {
  Deno.test(`DELETE /knowledge-handler/{fileId} while a backend ${fault}s`, async (t) => {
    await using service = await startService({ timeouts: { storage: 300, database: 500 } });
    const tenant = await createTenant();
    const fileId = await addFile(service, tenant);

    const failures = { refuse: ["internal_error", "Failed to delete file"], hang: ["unavailable"] } as const;
    const [refusal, what] = failures[fault];
    await t.step(`Postgres: ${refusal}, and everything is still there`, async () => {
      service.supabase.fault = (path) => path.endsWith("/delete_knowledge_file") ? fault : "pass";
      const reply = await remove(service, tenant, tenant.coachId, fileId);
      assertRefused(reply, refusal, what);
      assertEquals(reply.headers.get("Retry-After"), fault === "hang" ? "5" : null);
      assertEquals(await countPassages(fileId), 1);
      assertEquals((await objectsOf(tenant.accountId)).length, 1);
    });

    await t.step("the search index: the file is deleted nevertheless, and the next sweep goes on", async () => {
      const gone = await addFile(service, tenant, "gone.txt");
      const calls = () => service.supabase.requests.filter((path) => path.endsWith("/unindex_passages")).length;
      service.supabase.fault = (path) => path.endsWith("/unindex_passages") ? fault : "pass";
      service.supabase.requests.length = 0;
      assertReply(await remove(service, tenant, tenant.coachId, gone), 200);
      await service.turns();
      assertEquals(calls(), 1);
      assertEquals(await namesFound(service, tenant), ["harbour.txt"]);
      service.supabase.fault = "pass";
      await sweep(service);
      assertEquals(calls(), 2);
      await sweep(service);
      assertEquals(calls(), 2);
    });

    await t.step("Storage: the file is deleted nevertheless, and the next sweep removes the object", async () => {
      service.supabase.fault = (path) => path.startsWith("/storage/") ? fault : "pass";
      assertReply(await remove(service, tenant, tenant.coachId, fileId), 200);
      assertEquals([await rowsOf(tenant.coachId), await countPassages(fileId)], [[], 0]);
      assertEquals(await namesFound(service, tenant), []);
      assertEquals((await objectsOf(tenant.accountId)).length, 1);
      service.supabase.fault = "pass";
      await sweep(service);
      assertEquals(await objectsOf(tenant.accountId), []);
    });
  });
}
