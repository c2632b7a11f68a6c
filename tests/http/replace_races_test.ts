import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertRefused, assertReply, chat, formOf, formWith, type NewFile, upload } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { addFile, finishIndexing, namesFound, objectsOf, rowsOf, sweep, updateRow } from "../support/knowledge.ts";
import { callTool, connect } from "../support/mcp.ts";
import { createCoach, createTenant, operator, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { storedAnswer } from "../support/turns.ts";

type Place = Pick<Tenant, "apiKey" | "coachId">;

const put = (service: Service, tenant: Place, fileId: string, file: NewFile) =>
  ask(service, "PUT", `/knowledge-handler/${fileId}?coachId=${tenant.coachId}`, tenant, formWith("file", file));

/** Sends files in place of those with the same names. */
const replace = (service: Service, tenant: Place, ...files: NewFile[]) =>
  ask(service, "POST", `/knowledge-handler?coachId=${tenant.coachId}&replace=true`, tenant, formOf(...files));

async function prepare(...files: NewFile[]) {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const quiet = stack.use(await startService({ isIndexerAsleep: true }));
  const tenant = await createTenant({ requests_per_minute: 10_000 });
  const { json } = await upload(quiet, tenant, tenant.coachId, files);
  const fileIds: string[] = json.uploadedFiles.map(({ fileId }: { fileId: string }) => fileId);
  /** Names, versions and states of the files that the list shows. */
  const listed = async () => {
    const { json } = await ask(service, "GET", `/knowledge-handler?coachId=${tenant.coachId}`, tenant);
    type Listed = Record<string, unknown>;
    return json.data.map(({ filename, version, status, pending }: Listed) => [filename, version, status, pending]);
  };
  const [fileId = ""] = fileIds;
  return handOver(stack, { service, quiet, tenant, fileIds, fileId, listed });
}

Deno.test("replacing a file while something else happens to it", async (t) => {
  await using prepared = await prepare(["guide.md", "Oats"]);
  const { service, quiet, tenant, fileId, listed } = prepared;

  await t.step("before its first version was read: the new one answers in the end", async () => {
    assertReply(await put(quiet, tenant, fileId, ["guide.md", "Barley"]), 200);
    assertEquals(await listed(), [["guide.md", 1, "queued", "queued"]]);
    await finishIndexing(service, tenant.coachId);
    assertEquals(await listed(), [["guide.md", 2, "ready", null]]);
    assertEquals([await namesFound(service, tenant, "oats"), await namesFound(service, tenant, "barley")], [[], [
      "guide.md",
    ]]);
  });
  await t.step("two new versions at once: one of them answers, and the bytes of the other go", async () => {
    const replies = await Promise.all(["Rye", "Spelt"].map((text) => put(quiet, tenant, fileId, ["guide.md", text])));
    assertEquals(replies.map(({ status }) => status), [200, 200]);
    await finishIndexing(service, tenant.coachId);
    await sweep(service);
    assertEquals(await listed(), [["guide.md", 3, "ready", null]]);
    const found = await Promise.all(["rye", "spelt", "barley"].map((word) => namesFound(service, tenant, word)));
    assertEquals([found.flat(), found[2]], [["guide.md"], []]);
    assertEquals(await objectsOf(tenant.accountId), (await rowsOf(tenant.coachId)).map((row) => row.storage_path));
  });
  await t.step("a worker killed in the middle: another continues, and nothing of it was found before", async () => {
    await put(quiet, tenant, fileId, ["guide.md", "Millet"]);
    const next = (await rowsOf(tenant.coachId)).find(({ replaces }) => replaces === fileId)!;
    const claim = crypto.randomUUID();
    await updateRow(next.id, { claim, status: "indexing", attempts: 1 });
    const step = { file_id: next.id, claim, from_position: 0, takes_next: false, reason: null as never };
    const passages = [{ content: "Half of the millet" }];
    await operator.rpc("save_indexing", { ...step, passages, status: "indexing", bookmark: { offset: 1 } })
      .throwOnError();
    assertEquals(await namesFound(service, tenant, "millet"), []);
    assertEquals(await listed(), [["guide.md", 3, "ready", "indexing"]]);
    await updateRow(next.id, { due_at: new Date(0).toISOString(), bookmark: null });
    await finishIndexing(service, tenant.coachId);
    assertEquals(await listed(), [["guide.md", 4, "ready", null]]);
    assertEquals([await namesFound(service, tenant, "millet"), await namesFound(service, tenant, "half")], [[
      "guide.md",
    ], []]);
  });
  await t.step("a worker that dies three times: the version has failed, and the old one stays", async () => {
    await put(quiet, tenant, fileId, ["guide.md", "Teff"]);
    const next = (await rowsOf(tenant.coachId)).find(({ replaces }) => replaces === fileId)!;
    await updateRow(next.id, { attempts: 3 });
    await finishIndexing(service, tenant.coachId);
    assertEquals(await listed(), [["guide.md", 4, "ready", "failed"]]);
    assertEquals(await namesFound(service, tenant, "millet"), ["guide.md"]);
    // The same again is another attempt.
    await put(quiet, tenant, fileId, ["guide.md", "Teff"]);
    await finishIndexing(service, tenant.coachId);
    assertEquals(await listed(), [["guide.md", 5, "ready", null]]);
  });
  await t.step("it is deleted while a worker reads its new version: nothing of either is left", async () => {
    await put(quiet, tenant, fileId, ["guide.md", "Emmer"]);
    await using worker = await startService();
    worker.supabase.fault = async (path) => {
      const isRead = path.startsWith("/storage/") && path.includes("/object/knowledge/");
      if (isRead) await operator.from("knowledge_files").delete().eq("id", fileId).throwOnError();
      return "pass" as const;
    };
    await sweep(worker);
    assertEquals(await rowsOf(tenant.coachId), []);
    await sweep(service);
    assertEquals([await namesFound(service, tenant, "teff emmer"), await objectsOf(tenant.accountId)], [[], []]);
  });
});

Deno.test("POST /knowledge-handler?replace=true", async (t) => {
  await using prepared = await prepare(["prices.md", "Twenty"], ["other.md", "Other"]);
  const { service, tenant, fileIds, listed } = prepared;
  const sibling = { ...tenant, coachId: (await createCoach(tenant.accountId)).id };
  await upload(service, sibling, sibling.coachId, [["prices.md", "Twenty"]]);
  const page = await addFile(tenant, "page.md", "Page");
  const { data: source } = await operator.from("knowledge_sources").insert({
    ...{ account_id: tenant.accountId, coach_id: tenant.coachId, url: "https://example.com/", kind: "page" },
    ...{ refresh: "never", due_at: null },
  }).select("id").single().throwOnError();
  await updateRow(page, { source_id: source.id });
  await finishIndexing(service, tenant.coachId);

  await t.step("a file replaces the one with its name, others are added; also if the request is repeated", async () => {
    const sent: NewFile[] = [["prices.md", "Thirty"], ["page.md", "A text of my own"]];
    const reply = await replace(service, tenant, ...sent);
    assertReply(reply, 200);
    assertEquals(reply.json.uploadedFiles[0].fileId, fileIds[0]);
    assert(reply.json.uploadedFiles[1].fileId !== page);
    await finishIndexing(service, tenant.coachId);
    const again = await replace(service, tenant, ...sent);
    assertEquals(again.json.uploadedFiles.map(({ fileId }: { fileId: string }) => fileId), [
      fileIds[0],
      reply.json.uploadedFiles[1].fileId,
    ]);
    await finishIndexing(service, tenant.coachId);
    const expected = [["other.md", 1], ["page.md", 1], ["page.md", 1], ["prices.md", 2]];
    assertEquals((await listed()).map(([name, version]: unknown[]) => [name, version]).toSorted(), expected);
  });
  await t.step("that of another coach stays", async () => {
    await finishIndexing(service, sibling.coachId);
    assertEquals(await namesFound(service, sibling, "twenty"), ["prices.md"]);
  });
  await t.step("without it, both count; then the newest is replaced", async () => {
    await upload(service, tenant, tenant.coachId, [["prices.md", "Forty"]]);
    await replace(service, tenant, ["prices.md", "Fifty"]);
    await finishIndexing(service, tenant.coachId);
    const names = await Promise.all(["thirty", "forty", "fifty"].map((word) => namesFound(service, tenant, word)));
    assertEquals(names.map(({ length }) => length), [1, 0, 1]);
  });
  await t.step("another value → 400; over MCP, the tool takes it too", async () => {
    const path = `/knowledge-handler?coachId=${tenant.coachId}&replace=yes`;
    assertRefused(
      await ask(service, "POST", path, tenant, formOf(["a.md", "a"])),
      "invalid_input",
      "replace must be true or false",
    );
    await using client = await connect(service, tenant);
    const files = [{ filename: "prices.md", text: "Sixty" }];
    const called = await callTool(client, "upload-knowledge", { coachId: tenant.coachId, files, replace: true });
    assertEquals(called.json.totalUploaded, 1);
    await finishIndexing(service, tenant.coachId);
    const names = await Promise.all(["thirty", "fifty", "sixty"].map((word) => namesFound(service, tenant, word)));
    assertEquals(names.map(({ length }) => length), [1, 0, 1]);
  });
  await t.step("an answer keeps the sources that it was given", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "It is sixty [1]." }] });
    const { messageId } = await chat(service, tenant, { message: "Sixty?", context: { coachId: tenant.coachId } });
    const before = await storedAnswer(messageId);
    assertEquals((before.sources as { quote: string }[]).map(({ quote }) => quote), ["Sixty"]);
    await replace(service, tenant, ["prices.md", "Seventy"]);
    await finishIndexing(service, tenant.coachId);
    assertEquals(await storedAnswer(messageId), before);
  });
});
