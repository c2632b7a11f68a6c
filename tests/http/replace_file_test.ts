import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, formWith, type NewFile, upload } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import {
  addFile,
  finishIndexing,
  namesFound,
  objectsOf,
  rowsOf,
  searchFiles,
  sweep,
  updateRow,
} from "../support/knowledge.ts";
import { createCoach, createTenant, operator, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { createHash } from "node:crypto";

const idOf = (text: string) => createHash("md5").update(text).digest("hex");

/** Words enough for a passage of its own. */
const filler = (word: string) => Array.from({ length: 60 }, (_, i) => `The ${word} line ${i}.`).join(" ");

const put = (service: Service, tenant: Pick<Tenant, "apiKey" | "coachId">, fileId: string, file: NewFile) =>
  ask(service, "PUT", `/knowledge-handler/${fileId}?coachId=${tenant.coachId}`, tenant, formWith("file", file));

const stateOf = async (service: Service, tenant: Tenant, fileId: string) => {
  const { json } = await ask(service, "GET", `/knowledge-handler/${fileId}?coachId=${tenant.coachId}`, tenant);
  return [json.filename, json.version, json.status, json.pending, json.error];
};

const changesOf = (service: Service, credentials: Tenant, coachId: string, fileId: string) =>
  ask(service, "GET", `/knowledge-handler/${fileId}/changes?coachId=${coachId}`, credentials);

/** A service whose indexer sleeps, one that indexes, and a coach with a file that has been read. */
async function prepare(content: NewFile[1] = "Drink 25 grams of oats.\n") {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const quiet = stack.use(await startService({ isIndexerAsleep: true }));
  const tenant = await createTenant({ requests_per_minute: 10_000 });
  const { json } = await upload(service, tenant, tenant.coachId, [["guide.md", content]]);
  await finishIndexing(service, tenant.coachId);
  return handOver(stack, { service, quiet, tenant, fileId: json.uploadedFiles[0].fileId as string });
}

Deno.test("PUT /knowledge-handler/{fileId}: the old version answers until the new one is ready", async (t) => {
  const [old, fresh] = ["Drink 25 grams of oats.", "Drink 35 cups of barley."].map((drink) =>
    `${drink} ${filler("first")}`
  ) as [string, string];
  const rest = `\n\n# Rest\n\n${filler("second")}`;
  await using prepared = await prepare(old + rest);
  const { service, quiet, tenant, fileId } = prepared;
  const other = await createTenant({ requests_per_minute: 1_000 });
  const [before] = await rowsOf(tenant.coachId);

  await t.step("the reply and the list show the old version, and that a new one waits", async () => {
    const reply = await put(quiet, tenant, fileId, ["new guide.md", fresh + rest]);
    assertReply(reply, 200);
    const { fileId: id, filename, version, status, pending, error } = reply.json;
    assertEquals([id, filename, version, status, pending, error], [fileId, "guide.md", 1, "ready", "queued", null]);
    const list = await ask(quiet, "GET", `/knowledge-handler?coachId=${tenant.coachId}`, tenant);
    assertEquals([list.json.total, list.json.data[0].fileId, list.json.data[0].pending], [1, fileId, "queued"]);
  });
  await t.step("searches, turns and the reader have the old version", async () => {
    // A worker was killed after it had stored the first passages of the new one.
    const [, next] = await rowsOf(tenant.coachId);
    await updateRow(next!.id, { bookmark: {} });
    await operator.rpc("store_passages", {
      file_id: next!.id,
      from_position: 0,
      passages: [{ content: fresh }],
    }).throwOnError();
    assertEquals(await namesFound(quiet, tenant, "oats"), ["guide.md"]);
    assertEquals(await namesFound(quiet, tenant, "barley"), []);
    assertEquals(await namesFound(quiet, tenant, "new"), []);
    const { data } = await operator.rpc("search_passages", {
      coach_id: tenant.coachId,
      query: "Drink cups of barley or oats?",
    })
      .throwOnError();
    assertEquals(data.map(({ content }) => content), [old]);
    for (const path of [next!.id, `${next!.id}/content`, `${next!.id}/changes`]) {
      const reply = await ask(quiet, "GET", `/knowledge-handler/${path}?coachId=${tenant.coachId}`, tenant);
      assertRefused(reply, "file_not_found");
    }
    assertRefused(await put(quiet, tenant, next!.id, ["x.md", "x"]), "file_not_found");
    const removed = await ask(quiet, "DELETE", `/knowledge-handler/${next!.id}?coachId=${tenant.coachId}`, tenant);
    assertRefused(removed, "file_not_found");
    await updateRow(next!.id, { bookmark: null });
  });
  await t.step("once it is ready, it takes the place: same id, next version, new name; the old bytes go", async () => {
    await finishIndexing(service, tenant.coachId);
    assertEquals(await stateOf(service, tenant, fileId), ["new guide.md", 2, "ready", null, null]);
    assertEquals(await namesFound(service, tenant, "barley"), ["new guide.md"]);
    assertEquals(await namesFound(service, tenant, "oats"), []);
    await sweep(service);
    const rows = await rowsOf(tenant.coachId);
    assertEquals(rows.map(({ id }) => id), [fileId]);
    assert(rows[0]!.storage_path !== before!.storage_path);
    assertEquals(await objectsOf(tenant.accountId), [rows[0]!.storage_path]);
  });
  await t.step("its changes say what came, went and stayed; to nobody else", async () => {
    const reply = await changesOf(service, tenant, tenant.coachId, fileId);
    assertReply(reply, 200);
    const [change] = reply.json.data;
    const texts = (passages: { content: string }[]) => passages.map(({ content }) => content);
    assertEquals([reply.json.count, change.version, change.counts], [1, 2, { came: 1, went: 1, stayed: 1 }]);
    assertEquals([texts(change.came), texts(change.went)], [[fresh], [old]]);
    assertEquals(change.stayed.length, 1);
    const passage = (id: string) =>
      ask(service, "GET", `/knowledge-handler/${fileId}/passages/${id}?coachId=${tenant.coachId}`, tenant);
    assertReply(await passage(change.stayed[0]), 200);
    assertRefused(await passage(idOf(old)), "passage_not_found/gone");
    assertRefused(await changesOf(service, other, tenant.coachId, fileId), "coach_not_found");
    assertRefused(await changesOf(service, other, other.coachId, fileId), "file_not_found");
  });
  await t.step("another account cannot replace it", async () => {
    assertRefused(await put(service, { ...other, coachId: tenant.coachId }, fileId, ["x.md", "x"]), "coach_not_found");
    assertRefused(await put(service, other, fileId, ["x.md", "x"]), "file_not_found");
    assertEquals(await objectsOf(other.accountId), []);
  });
});

Deno.test("PUT /knowledge-handler/{fileId}: what is not replaced", async (t) => {
  await using prepared = await prepare();
  const { service, quiet, tenant, fileId } = prepared;
  const untouched = ["guide.md", 1, "ready", null, null];

  await t.step("the same bytes change nothing, whatever their name", async () => {
    for (const name of ["guide.md", "other.md"]) {
      assertReply(await put(service, tenant, fileId, [name, "Drink 25 grams of oats.\n"]), 200);
      assertEquals(await stateOf(service, tenant, fileId), untouched);
    }
    assertEquals((await rowsOf(tenant.coachId)).length, 1);
  });
  await t.step("a file that is not accepted → 400 with the sentence, and nothing is stored", async () => {
    assertInvalid(await put(service, tenant, fileId, ["guide.pdf", "no PDF"]), "The content is not that of a PDF file");
    assertInvalid(await put(service, tenant, fileId, ["guide.md", ""]), "The file is empty");
    const path = `/knowledge-handler/${fileId}?coachId=${tenant.coachId}`;
    assertInvalid(await ask(service, "PUT", path, tenant, formWith("files", ["a.md", "a"])), "file is required");
    const both = formWith("file", ["a.md", "a"], ["b.md", "b"]);
    assertEquals((await ask(service, "PUT", path, tenant, both)).json.error, "At most 1 files can be uploaded at once");
    assertEquals(await stateOf(service, tenant, fileId), untouched);
    await sweep(service);
    assertEquals((await objectsOf(tenant.accountId)).length, 1);
  });
  await t.step("a page of a source, and what another file is already → 409", async () => {
    const page = await addFile(tenant, "page.md", "A page");
    const { data: source } = await operator.from("knowledge_sources").insert({
      account_id: tenant.accountId,
      coach_id: tenant.coachId,
      url: "https://example.com/",
      kind: "page",
      refresh: "never",
      due_at: null,
    }).select("id").single().throwOnError();
    await updateRow(page, { source_id: source.id });
    assertRefused(await put(service, tenant, page, ["page.md", "Another"]), "file_is_page");
    await upload(service, tenant, tenant.coachId, [["twin.md", "The same words"]]);
    assertRefused(await put(service, tenant, fileId, ["twin.md", "The same words"]), "file_exists");
    await sweep(service);
    assertEquals((await objectsOf(tenant.accountId)).length, 2);
  });
  await t.step("a version that cannot be read leaves the old one; another one may follow, or the old one", async () => {
    for (
      const [name, content, error] of [["guide.pdf", "%PDF-1.4 broken", /./], ["guide.md", "  \n ", /No text/]] as const
    ) {
      assertReply(await put(service, tenant, fileId, [name, content]), 200);
      await finishIndexing(service, tenant.coachId);
      const [, version, status, pending, reason] = await stateOf(service, tenant, fileId);
      assertEquals([version, status, pending, error.test(reason)], [1, "ready", "failed", true]);
      assertEquals((await searchFiles(service, tenant, "oats")).data[0]?.fileId, fileId);
    }
    assertReply(await put(service, tenant, fileId, ["guide.md", "Drink 25 grams of oats.\n"]), 200);
    assertEquals(await stateOf(service, tenant, fileId), untouched);
    assertReply(await put(service, tenant, fileId, ["guide.md", "Rye"]), 200);
    await finishIndexing(service, tenant.coachId);
    assertEquals(await stateOf(service, tenant, fileId), ["guide.md", 2, "ready", null, null]);
    await sweep(service);
    assertEquals((await objectsOf(tenant.accountId)).length, 2);
  });
  await t.step("deleting a file whose new version waits deletes both", async () => {
    const reply = await put(quiet, tenant, fileId, ["guide.md", "Spelt"]);
    assertEquals(reply.json.pending, "queued");
    assertReply(await ask(quiet, "DELETE", `/knowledge-handler/${fileId}?coachId=${tenant.coachId}`, tenant), 200);
    assertEquals((await rowsOf(tenant.coachId)).map(({ name }) => name), ["page.md", "twin.md"]);
    await sweep(service);
    assertEquals(await namesFound(service, tenant, "spelt rye"), []);
    assertEquals((await objectsOf(tenant.accountId)).length, 1);
  });
  await t.step("in another coach of the account, it does not exist", async () => {
    const { id: coachId } = await createCoach(tenant.accountId);
    const [twin] = (await rowsOf(tenant.coachId)).filter(({ name }) => name === "twin.md");
    assertRefused(await put(service, { ...tenant, coachId }, twin!.id, ["x.md", "x"]), "file_not_found");
  });
});

Deno.test("reindex: all of a file answers until it has been read again", async () => {
  // So long that it is stored in several batches.
  const lines = Array.from({ length: 70 }, (_, i) => `Line ${i}. ${filler("many")}`);
  await using prepared = await prepare(["The oats begin.", ...lines, "The barley ends."].join("\n\n"));
  const { service, tenant, fileId } = prepared;
  const [before] = await rowsOf(tenant.coachId);
  assertEquals((await operator.rpc("reindex_file", { file_id: fileId }).throwOnError()).data, { files: 1 });
  assertEquals(await stateOf(service, tenant, fileId), ["guide.md", 1, "ready", "queued", null]);
  await using worker = await startService();
  const seen: unknown[] = [];
  worker.supabase.fault = async (path) => {
    if (path.includes("save_indexing")) {
      const { data } = await operator.rpc("search_passages", { coach_id: tenant.coachId, query: "oats barley" })
        .throwOnError();
      seen.push([await namesFound(service, tenant, "barley"), data.length]);
    }
    return "pass" as const;
  };
  await finishIndexing(worker, tenant.coachId);
  assert(seen.length > 1);
  assertEquals(seen, seen.map(() => [["guide.md"], 2]));
  assertEquals(await stateOf(service, tenant, fileId), ["guide.md", 1, "ready", null, null]);
  await sweep(service);
  const [after, ...others] = await rowsOf(tenant.coachId);
  assertEquals([after!.id, after!.storage_path, others], [fileId, before!.storage_path, []]);
  assertEquals(await objectsOf(tenant.accountId), [before!.storage_path]);
  assertEquals((await changesOf(service, tenant, tenant.coachId, fileId)).json.count, 0);
});
