import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertRefused, assertReply, type NewFile, upload } from "../support/client.ts";
import { clearQueue, deleteRows, namesFound, objectsOf, rowsOf, sweep, updateRow } from "../support/knowledge.ts";
import { createCoach, createTenant, createUser, operator, publishableKey, secretKey } from "../support/project.ts";
import { sampleFiles } from "../support/sample_files.ts";
import { type Service, startService } from "../support/service.ts";

const past = new Date(Date.now() - 60_000).toISOString();
const storageRefuses = (path: string) => path.startsWith("/storage/") ? "refuse" : "pass";

/** An account with files that wait to be indexed. */
async function createQueue(files: NewFile[]) {
  await using quiet = await startService({ isIndexerAsleep: true });
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const reply = await upload(quiet, tenant, tenant.coachId, files);
  assertReply(reply, 200);
  const fileIds: string[] = reply.json.uploadedFiles.map(({ fileId }: { fileId: string }) => fileId);
  return { tenant, fileIds, fileId: fileIds[0]! };
}

/** Leaves nothing to do. What other tests have left, or have had postponed, would be read and counted in a test here. */
async function emptyQueue(): Promise<void> {
  await clearQueue();
  await using service = await startService();
  await sweep(service);
}

/**
 * A service that calls `interrupt` each time a file has been claimed and is about to be read. When that returns
 * "refuse", Storage refuses the file.
 */
async function startInterrupted(interrupt: () => Promise<"refuse" | void>): Promise<Service> {
  const service = await startService();
  service.supabase.fault = async (path) => {
    const isRead = path.startsWith("/storage/") && path.includes("/object/knowledge/");
    return isRead ? await interrupt() ?? "pass" : "pass";
  };
  return service;
}

async function callIndexer(service: Service): Promise<void> {
  assertReply(await ask(service, "POST", "/indexer", {}, undefined, { headers: { apikey: secretKey } }), 202);
}

/** Requests of a sweep about what other tests have left: removed objects and responses, threads that no search finds yet. */
const leftover = /\/object\/knowledge$|\/(end_(object|response)_removals|index_threads)$/;

async function statesOf(coachId: string) {
  return (await rowsOf(coachId)).map(({ status }) => status);
}

async function passagesOf(fileId: string): Promise<string[]> {
  const { data } = await operator.from("passages").select("content").eq("file_id", fileId).order("position")
    .throwOnError();
  return data.map(({ content }) => content);
}

const count = (service: Service, path: RegExp) => service.supabase.requests.filter((each) => path.test(each)).length;

Deno.test("POST /indexer: who may call it", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const { accessToken } = await createUser();
  const call = (headers: Record<string, string>, method = "POST", path = "/indexer") =>
    ask(service, method, path, {}, undefined, { headers });

  for (
    const [name, headers] of [
      ["no key", {}],
      ["an API key", { "X-API-Key": tenant.apiKey }],
      ["an API key as apikey", { apikey: tenant.apiKey }],
      ["an API key as bearer", { Authorization: `Bearer ${tenant.apiKey}` }],
      ["the publishable key", { apikey: publishableKey }],
      ["the publishable key as bearer", { Authorization: `Bearer ${publishableKey}` }],
      ["a signed-in user", { Authorization: `Bearer ${accessToken}` }],
      ["an empty key", { apikey: "" }],
      ["the beginning of the secret key", { apikey: secretKey.slice(0, -1) }],
    ] satisfies [string, Record<string, string>][]
  ) {
    await t.step(`${name} → 401, and nothing is done`, async () => {
      assertRefused(await call(headers), "invalid_secret_key");
      assertRefused(await call(headers, "GET"), "invalid_secret_key");
      assertEquals(service.supabase.requests, []);
    });
  }
  await t.step("the secret key, as apikey or as bearer → 202 at once", async () => {
    assertReply(await call({ apikey: secretKey }), 202, { message: "Indexing has started" });
    assertReply(await call({ Authorization: `Bearer ${secretKey}` }), 202, { message: "Indexing has started" });
    await service.turns();
  });
  await t.step("a wrong method → 405, an unknown route → 404", async () => {
    const reply = await call({ apikey: secretKey }, "GET");
    assertRefused(reply, "method_not_allowed");
    assertEquals(reply.headers.get("Allow"), "POST, OPTIONS");
    assertRefused(await call({ apikey: secretKey }, "POST", "/indexer/x"), "not_found");
  });
  await t.step("no log line holds the key", async () => {
    assert((await service.logs()).length > 0);
    assertEquals(JSON.stringify(await service.logs()).includes(secretKey), false);
  });
});

Deno.test("the states of an uploaded file", async (t) => {
  await emptyQueue();
  await using service = await startService();

  await t.step("it is listed as queued until it is indexed; then it is found by its content", async () => {
    const { tenant } = await createQueue([["notes.txt", "Zeppelins need helium."]]);
    const list = `/knowledge-handler?coachId=${tenant.coachId}`;
    assertEquals((await ask(service, "GET", list, tenant)).json.data[0].status, "queued");
    assertEquals(await namesFound(service, tenant, "helium"), []);
    await sweep(service);
    assertEquals((await ask(service, "GET", list, tenant)).json.data[0].status, "ready");
    assertEquals(await namesFound(service, tenant, "helium"), ["notes.txt"]);
    const [row] = await rowsOf(tenant.coachId);
    assertEquals([row?.error, row?.attempts, row?.due_at, row?.claim, row?.bookmark], [null, 0, null, null, null]);
  });

  await t.step("a file of white space ends as empty, and is found only by its name", async () => {
    const { tenant, fileId } = await createQueue([["blank page.txt", " \n\t \r\n "]]);
    await sweep(service);
    assertEquals(await statesOf(tenant.coachId), ["empty"]);
    assertEquals(await passagesOf(fileId), []);
    assertEquals(await namesFound(service, tenant, "blank"), ["blank page.txt"]);
  });

  await t.step("images and videos end as empty without being read, with a reason, and are found by name", async () => {
    const { tenant } = await createQueue([["harbour.png", sampleFiles.png], ["harbour.mp4", sampleFiles.mp4]]);
    service.supabase.requests.length = 0;
    await sweep(service);
    assertEquals(count(service, /^\/storage\//), 0);
    const rows = await rowsOf(tenant.coachId);
    assertEquals(rows.map(({ status, error, due_at }) => [status, error, due_at]), [
      [
        "empty",
        "Only the file name can be searched: images cannot be read on this service yet. Ask whoever runs it to set OPENAI_VISION_MODEL",
        null,
      ],
      [
        "empty",
        "Only the file name can be searched: videos cannot be read on this service yet. Ask whoever runs it to set OPENAI_TRANSCRIPTION_MODEL",
        null,
      ],
    ]);
    assertEquals((await namesFound(service, tenant, "harbour")).toSorted(), ["harbour.mp4", "harbour.png"]);
  });

  await t.step("indexing a file costs four requests, each further one two; then they are compared", async () => {
    for (const [files, expected] of [[1, 4], [4, 10]] as const) {
      await emptyQueue();
      const { tenant } = await createQueue(
        Array.from({ length: files }, (_, index): NewFile => [`${index}.txt`, `Words ${index}`]),
      );
      service.supabase.requests.length = 0;
      await sweep(service);
      const all = service.supabase.requests.filter((path) => !leftover.test(path));
      const requests = all.filter((path) => !path.endsWith("_comparison"));
      assertEquals(requests.length, expected, all.join("\n"));
      assertEquals(all.length - requests.length, 1 + files, all.join("\n"));
      assertEquals(await statesOf(tenant.coachId), Array(files).fill("ready"));
    }
  });

  await t.step("with nothing to do, a sweep is one request", async () => {
    await emptyQueue();
    service.supabase.requests.length = 0;
    await sweep(service);
    assertEquals(service.supabase.requests.filter((path) => !leftover.test(path)), ["/rest/v1/rpc/take_indexing_work"]);
  });
});

Deno.test("a failing file is tried three times", async (t) => {
  await emptyQueue();

  for (const [fault, options] of [["refuse", {}], ["hang", { timeouts: { storage: 300 } }]] as const) {
    await t.step(`Storage ${fault}s: queued again with the reason; the third time failed with the reason`, async () => {
      await using service = await startService(options);
      const { tenant, fileId } = await createQueue([["a.txt", "Words"]]);
      service.supabase.fault = (path) => path.startsWith("/storage/") ? fault : "pass";
      for (const attempt of [1, 2]) {
        await sweep(service);
        const [row] = await rowsOf(tenant.coachId);
        assertEquals([row?.status, row?.attempts, row?.claim], ["queued", attempt, null]);
        assertMatch(row?.error ?? "", /StorageError/);
        assert(Date.parse(row?.due_at ?? "") > Date.now(), row?.due_at ?? "due never");
        // The file is not due yet, so a sweep leaves it alone.
        service.supabase.requests.length = 0;
        await sweep(service);
        assertEquals(count(service, new RegExp(tenant.accountId)), 0);
        await updateRow(fileId, { due_at: past });
      }
      await sweep(service);
      const [row] = await rowsOf(tenant.coachId);
      assertEquals([row?.status, row?.due_at, row?.claim], ["failed", null, null]);
      assertMatch(row?.error ?? "", /StorageError/);
      const { json } = await ask(service, "GET", `/knowledge-handler?coachId=${tenant.coachId}`, tenant);
      assertEquals(json.data[0].status, "failed");
    });
  }

  await using service = await startService();
  await t.step("a sweep whose time is up aborts its call, and the file is queued again", async () => {
    await using hasty = await startService({ timeouts: { sweepCalls: 300 } });
    const { tenant } = await createQueue([["a.txt", "Words"]]);
    hasty.supabase.fault = (path) => path.startsWith("/storage/") ? "hang" : "pass";
    await sweep(hasty);
    const [row] = await rowsOf(tenant.coachId);
    assertEquals([row?.status, row?.attempts, row?.claim], ["queued", 1, null]);
    assertMatch(row?.error ?? "", /StorageError/);
    await deleteRows(tenant.coachId);
  });

  await t.step("when Storage is back, the next try indexes the file and clears the reason", async () => {
    const { tenant, fileId } = await createQueue([["a.txt", "Words"]]);
    service.supabase.fault = storageRefuses;
    await sweep(service);
    service.supabase.fault = "pass";
    await updateRow(fileId, { due_at: past });
    await sweep(service);
    const [row] = await rowsOf(tenant.coachId);
    assertEquals([row?.status, row?.error, row?.attempts, row?.due_at], ["ready", null, 0, null]);
    assertEquals(await passagesOf(fileId), ["Words"]);
  });

  await t.step("a file whose object is gone fails, and the same sweep still indexes other files", async () => {
    const { tenant, fileId } = await createQueue([["gone.txt", "Gone"], ["here.txt", "Here"]]);
    const [gone] = await rowsOf(tenant.coachId);
    await operator.storage.from("knowledge").remove([gone!.storage_path]);
    await sweep(service);
    assertEquals(await statesOf(tenant.coachId), ["queued", "ready"]);
    for (const _ of [2, 3]) {
      await updateRow(fileId, { due_at: past });
      await sweep(service);
    }
    assertEquals(await statesOf(tenant.coachId), ["failed", "ready"]);
  });

  await t.step("when Postgres cannot save, the claim expires and the file is taken again", async () => {
    const { tenant, fileId } = await createQueue([["a.txt", "Words"]]);
    service.supabase.fault = (path) => /\/(save|postpone)_indexing$/.test(path) ? "refuse" : "pass";
    await sweep(service);
    const [row] = await rowsOf(tenant.coachId);
    assertEquals([row?.status, row?.attempts], ["indexing", 1]);
    assert(Date.parse(row?.due_at ?? "") > Date.now());
    service.supabase.fault = "pass";
    await sweep(service);
    assertEquals(await statesOf(tenant.coachId), ["indexing"]);
    await updateRow(fileId, { due_at: past });
    await sweep(service);
    assertEquals(await statesOf(tenant.coachId), ["ready"]);
    assertEquals(await passagesOf(fileId), ["Words"]);
  });

  await t.step("when Postgres does not answer, the call for a sweep still gets its 202", async () => {
    service.supabase.fault = "refuse";
    await sweep(service);
    service.supabase.fault = "pass";
    assertEquals((await service.logs()).at(-1)?.event, "sweep_failed");
  });
});

Deno.test("no file is lost when a worker is killed", async (t) => {
  await emptyQueue();
  await using service = await startService();
  const claimed = { status: "indexing", claim: crypto.randomUUID() };

  await t.step("before its claim expires, the file is left alone", async () => {
    const { tenant, fileId } = await createQueue([["a.txt", "Words"]]);
    await updateRow(fileId, { ...claimed, attempts: 1, due_at: new Date(Date.now() + 60_000).toISOString() });
    await sweep(service);
    assertEquals(await statesOf(tenant.coachId), ["indexing"]);
    await deleteRows(tenant.coachId);
  });
  await t.step("afterwards the file is taken again", async () => {
    for (const attempts of [1, 2]) {
      const { tenant, fileId } = await createQueue([["a.txt", "Words"]]);
      await updateRow(fileId, { ...claimed, attempts, due_at: past });
      await sweep(service);
      assertEquals(await statesOf(tenant.coachId), ["ready"]);
      assertEquals(await passagesOf(fileId), ["Words"]);
    }
  });
  await t.step("before it expires, files of other accounts come first, however long these were due", async () => {
    await clearQueue();
    const files = ["killer.txt", "next.txt", "last.txt"].map((name): NewFile => [name, "Words"]);
    const { fileIds: [killer, ...waiting] } = await createQueue(files);
    const other = await createQueue([["other.txt", "Words"]]);
    await updateRow(killer!, { ...claimed, attempts: 1, due_at: new Date(Date.now() + 60_000).toISOString() });
    for (const id of waiting) await updateRow(id, { due_at: past });
    const before = (await service.logs()).length;
    await sweep(service);
    const indexed = (await service.logs()).slice(before).filter(({ event }) => event === "indexed");
    assertEquals(indexed.map(({ file_id }) => file_id), [other.fileId, ...waiting]);
    await clearQueue();
  });
  await t.step("after the third time the file is failed, and not read again", async () => {
    const { tenant, fileId } = await createQueue([["killer.txt", "Words"], ["next.txt", "Words"]]);
    await updateRow(fileId, { ...claimed, attempts: 3, due_at: past });
    const [killer] = await rowsOf(tenant.coachId);
    service.supabase.requests.length = 0;
    await sweep(service);
    assertEquals(service.supabase.requests.filter((path) => path.endsWith(killer!.storage_path)), []);
    const [failed, next] = await rowsOf(tenant.coachId);
    assertEquals([failed?.status, failed?.error, failed?.due_at, failed?.claim], [
      "failed",
      "Reading the file takes more time or memory than a function has",
      null,
      null,
    ]);
    assertEquals(next?.status, "ready");
    assertEquals(await passagesOf(fileId), []);
  });
});

Deno.test("a worker that loses its claim while it reads a file saves nothing", async (t) => {
  await emptyQueue();
  await t.step("another worker has taken the file", async () => {
    const { tenant, fileId } = await createQueue([["a.txt", "Words"]]);
    const claim = crypto.randomUUID();
    const inAMinute = new Date(Date.now() + 60_000).toISOString();
    await using service = await startInterrupted(() => updateRow(fileId, { claim, due_at: inAMinute }));
    await sweep(service);
    const [row] = await rowsOf(tenant.coachId);
    assertEquals([row?.status, row?.claim], ["indexing", claim]);
    assertEquals(await passagesOf(fileId), []);
    await deleteRows(tenant.coachId);
  });

  await t.step("another worker has taken the file, and Storage fails as well", async () => {
    const { tenant, fileId } = await createQueue([["a.txt", "Words"]]);
    const claim = crypto.randomUUID();
    const inAMinute = new Date(Date.now() + 60_000).toISOString();
    await using service = await startInterrupted(async () => {
      await updateRow(fileId, { claim, due_at: inAMinute });
      return "refuse";
    });
    await sweep(service);
    const [row] = await rowsOf(tenant.coachId);
    assertEquals([row?.status, row?.claim, row?.error], ["indexing", claim, null]);
    await deleteRows(tenant.coachId);
  });

  await t.step("the file's row was deleted: no passages, no error, and the next file is indexed", async () => {
    const { tenant, fileIds } = await createQueue([["a.txt", "Zeppelins"], ["b.txt", "Balloons"]]);
    let deletions = 0;
    await using service: Service = await startInterrupted(async () => {
      if (deletions++ > 0) return;
      // Deletes only the row, as an operator does; the object is still there.
      await operator.from("knowledge_files").delete().eq("id", fileIds[0]!).throwOnError();
    });
    await sweep(service);
    assertEquals(await statesOf(tenant.coachId), ["ready"]);
    assertEquals(await passagesOf(fileIds[0]!), []);
    assertEquals(await passagesOf(fileIds[1]!), ["Balloons"]);
    assertEquals((await service.logs()).filter(({ level }) => level !== "info"), []);
    await sweep(service);
    assertEquals((await objectsOf(tenant.accountId)).length, 1);
  });

  await t.step("the file and its object were deleted over HTTP: no passages, no error", async () => {
    const { tenant, fileId } = await createQueue([["a.txt", "Zeppelins"]]);
    const path = `/knowledge-handler/${fileId}?coachId=${tenant.coachId}`;
    await using service: Service = await startInterrupted(async () => {
      assertReply(await ask(service, "DELETE", path, tenant), 200);
    });
    await sweep(service);
    assertEquals(await rowsOf(tenant.coachId), []);
    assertEquals(await passagesOf(fileId), []);
    assertEquals((await service.logs()).filter(({ level }) => level === "error"), []);
    assertEquals(await namesFound(service, tenant, "zeppelins"), []);
  });

  await t.step("the coach's language was changed: the file is read again in the new language", async () => {
    const { tenant } = await createQueue([["a.txt", "Die Häuser am Hafen"]]);
    let reads = 0;
    await using service = await startInterrupted(async () => {
      if (reads++ > 0) return;
      await operator.from("coach_profiles").update({ language: "german" }).eq("id", tenant.coachId).throwOnError();
    });
    await sweep(service);
    assertEquals(reads, 2);
    assertEquals(await statesOf(tenant.coachId), ["ready"]);
    assertEquals(await namesFound(service, tenant, "Haus"), ["a.txt"]);
  });
});

Deno.test("sweeps", async (t) => {
  await emptyQueue();
  const files = Array.from({ length: 5 }, (_, index): NewFile => [`${index}.txt`, `Words ${index}`]);

  await t.step("two at the same time index every file once", async () => {
    await using service = await startService();
    const { tenant, fileIds } = await createQueue(files);
    await Promise.all([sweep(service), sweep(service)]);
    assertEquals(await statesOf(tenant.coachId), Array(5).fill("ready"));
    const indexed = (await service.logs()).filter(({ event }) => event === "indexed").map(({ file_id }) =>
      file_id as string
    );
    assertEquals(indexed.toSorted(), fileIds.toSorted());
    assertEquals(count(service, new RegExp(`^/storage/.*${tenant.accountId}`)), 5);
  });

  await t.step("three calls at the same time are one sweep, which also takes files that arrive meanwhile", async () => {
    await clearQueue();
    const { tenant, fileIds } = await createQueue(files);
    const begun = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    let atOnce = 0;
    let most = 0;
    await using service = await startInterrupted(async () => {
      begun.resolve();
      most = Math.max(most, ++atOnce);
      await answered.promise;
      atOnce--;
    });
    await callIndexer(service);
    await begun.promise;
    const late = await createQueue([["late.txt", "Words"]]);
    await Promise.all([callIndexer(service), callIndexer(service)]);
    answered.resolve();
    await service.turns();
    assertEquals([await statesOf(tenant.coachId), await statesOf(late.tenant.coachId)], [
      Array(5).fill("ready"),
      ["ready"],
    ]);
    const indexed = (await service.logs()).filter(({ event }) => event === "indexed").map(({ file_id }) =>
      file_id as string
    );
    assertEquals(indexed.toSorted(), [...fileIds, late.fileId].toSorted());
    assertEquals(most, 1);
    assertEquals(count(service, /\/take_indexing_work$/), 2);
    assertEquals(count(service, /\/functions\/v1\/indexer$/), 0);
  });

  for (
    const [what, options] of [
      ["have little time", { timeouts: { indexing: 0 } }],
      ["run in an isolate whose start used up the time", { loadingTime: 60_000 }],
    ] as const
  ) {
    await t.step(`that ${what} take one file each, and call the next until all is done`, async () => {
      await clearQueue();
      await using service = await startService(options);
      const { tenant } = await createQueue(files);
      await sweep(service);
      assertEquals(await statesOf(tenant.coachId), Array(5).fill("ready"));
      // The last call finds nothing.
      assertEquals(count(service, /\/take_indexing_work$/), 6);
      assertEquals(count(service, /\/functions\/v1\/indexer$/), 5);
    });
  }

  await t.step("take the files of all accounts, longest due first", async () => {
    await clearQueue();
    await using service = await startService();
    const first = await createQueue([["a.txt", "Words"]]);
    const second = await createQueue([["b.txt", "Words"]]);
    await updateRow(second.fileId, { due_at: past });
    await sweep(service);
    const indexed = (await service.logs()).filter(({ event }) => event === "indexed").map(({ file_id }) => file_id);
    assertEquals(indexed, [second.fileId, first.fileId]);
  });
});

Deno.test("changing a coach's language has its files indexed again, and no others", async () => {
  await using service = await startService();
  const { tenant } = await createQueue([["a.txt", "Die Krankenversicherung am Hafen"], ["b.png", sampleFiles.png]]);
  const other = await createCoach(tenant.accountId);
  await upload(service, tenant, other.id, [["c.txt", "Other words"]]);
  await sweep(service);
  assertEquals(await namesFound(service, tenant, "Versicherung"), []);

  await operator.from("coach_profiles").update({ language: "german" }).eq("id", tenant.coachId).throwOnError();
  // What is ready answers while it is read again.
  assertEquals(await statesOf(tenant.coachId), ["ready", "queued", "queued"]);
  assertEquals(await statesOf(other.id), ["ready"]);
  await sweep(service);
  assertEquals((await statesOf(tenant.coachId)).toSorted(), ["empty", "ready"]);
  assertEquals(await namesFound(service, tenant, "Versicherung"), ["a.txt"]);
});
