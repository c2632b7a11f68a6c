import { assertEquals } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, chat, type Credentials } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { addFile, dayIn, namesFound, searchFiles, updateRow } from "../support/knowledge.ts";
import { createTenant, createUser, issueKey, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { createHash } from "node:crypto";

const idOf = (text: string) => createHash("md5").update(text).digest("hex");

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const owner = await createUser();
  const tenant = await createTenant({ requests_per_minute: 10_000 }, { owner_id: owner.id, sources_are_open: true });
  const person = { ...await issueKey(tenant.accountId, { scopes: ["chat"], requests_per_minute: 1_000 }) };
  const fileId = await addFile(tenant, "prices.md", "Oats cost twenty.");
  const path = `/knowledge-handler/${fileId}?coachId=${tenant.coachId}`;
  const patch = (body: unknown, credentials: Credentials = tenant) => ask(service, "PATCH", path, credentials, body);
  return handOver(stack, { service, owner, tenant, person, fileId, path, patch });
}

Deno.test("PATCH /knowledge-handler/{fileId}: days", async (t) => {
  await using prepared = await prepare();
  const { service, owner, tenant, person, fileId, patch } = prepared;
  await addFile(tenant, "always.md", "Oats keep well.");
  const quoted = async () => {
    const { data } = await operator.rpc("search_passages", { coach_id: tenant.coachId, query: "oats" }).throwOnError();
    return data.map(({ filename }) => filename).toSorted();
  };
  /** What a turn over each entrance has quoted. */
  const told = async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "Twenty." }] });
    await chat(service, person, { message: "Oats?", context: { coachId: tenant.coachId, userId: "u" } });
    const completion = { model: tenant.coachId, messages: [{ role: "user", content: "Oats?" }] };
    assertReply(await ask(service, "POST", "/openai/v1/chat/completions", person, completion), 200);
    const requests = service.model.requestsOf(tenant.modelName).slice(-2);
    return requests.map((request) => JSON.stringify(request).includes("prices.md"));
  };
  const read = async (credentials: Credentials) => {
    const parts = [fileId, `${fileId}/content`, `${fileId}/passages/${idOf("Oats cost twenty.")}`];
    const replies = parts.map((part) =>
      ask(service, "GET", `/knowledge-handler/${part}?coachId=${tenant.coachId}`, credentials)
    );
    return (await Promise.all(replies)).map(({ status }) => status);
  };

  for (
    const [name, days, isValid] of [
      ["from tomorrow on", { valid_from: dayIn(1), valid_until: null }, false],
      ["until yesterday", { valid_from: null, valid_until: dayIn(-1) }, false],
      ["today alone", { valid_from: dayIn(0), valid_until: dayIn(0) }, true],
      ["in the past", { valid_from: dayIn(-9), valid_until: dayIn(-2) }, false],
      ["always", { valid_from: null, valid_until: null }, true],
    ] as const
  ) {
    await t.step(`${name}: it is ${isValid ? "" : "not "}quoted and read by people`, async () => {
      const { json } = await patch(days);
      assertEquals([json.valid_from, json.valid_until, json.is_valid_today], [
        days.valid_from,
        days.valid_until,
        isValid,
      ]);
      assertEquals(await quoted(), isValid ? ["always.md", "prices.md"] : ["always.md"]);
      assertEquals(await told(), [isValid, isValid]);
      assertEquals(await read(person), isValid ? [200, 200, 200] : [404, 404, 404]);
      // A server, and the expert, read it on all days, and find it, marked.
      assertEquals(await read(tenant), [200, 200, 200]);
      assertEquals(await read({ ...tenant, accessToken: owner.accessToken }), [200, 200, 200]);
      const found = (await searchFiles(service, tenant, "twenty")).data;
      assertEquals(found.map((file: Record<string, unknown>) => [file.fileId, file.is_valid_today]), [[
        fileId,
        isValid,
      ]]);
    });
  }
  await t.step("what is left out stays", async () => {
    await patch({ valid_until: dayIn(3) });
    const { json } = await patch({ valid_from: dayIn(-3) });
    assertEquals([json.valid_from, json.valid_until, json.filename], [dayIn(-3), dayIn(3), "prices.md"]);
  });
  await t.step("days that do not exist, or in the wrong order → 400", async () => {
    assertInvalid(await patch({ valid_from: dayIn(4) }), "valid_until must not be before valid_from");
    const sentence = "valid_until must be a day, such as 2026-12-31, or null";
    for (const valid_until of ["2026-02-30", "0000-12-31", "tomorrow", "2026-12-31T10:00:00Z", 20261231]) {
      assertInvalid(await patch({ valid_until }), sentence);
    }
    assertInvalid(await patch({}), "One of filename, valid_from and valid_until is required");
  });
});

Deno.test("PATCH /knowledge-handler/{fileId}: names", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, fileId, path, patch } = prepared;
  const stranger = await createTenant();
  await updateRow(fileId, { content_type: "text/markdown" });

  await t.step("it is found by its new name", async () => {
    assertEquals((await patch({ filename: "  Price list.md " })).json.filename, "Price list.md");
    assertEquals(await namesFound(service, tenant, "list"), ["Price list.md"]);
    assertEquals((await ask(service, "GET", path, tenant)).json.filename, "Price list.md");
  });
  await t.step("another type, no name, and one that is too long → 400", async () => {
    assertInvalid(await patch({ filename: "Price list.pdf" }), "filename must have the extension of its type");
    for (const filename of ["", " \n ", "a\u0000.md", `${"a".repeat(500)}.md`, 5]) {
      assertInvalid(await patch({ filename }), "filename must be 1 to 500 characters without line breaks");
    }
  });
  await t.step("name and bytes of another file → 409", async () => {
    const twin = await addFile(tenant, "twin.md", "Twin");
    const { data } = await operator.from("knowledge_files").select("digest").eq("id", fileId).single().throwOnError();
    await updateRow(twin, { digest: data.digest });
    assertRefused(await patch({ filename: "twin.md" }), "file_exists");
  });
  await t.step("a page of a source keeps its name → 409, but may have days", async () => {
    const { data: source } = await operator.from("knowledge_sources").insert({
      ...{ account_id: tenant.accountId, coach_id: tenant.coachId, url: "https://example.com/", kind: "page" },
      ...{ refresh: "never", due_at: null },
    }).select("id").single().throwOnError();
    await updateRow(fileId, { source_id: source.id });
    assertRefused(await patch({ filename: "Page.md" }), "file_is_page");
    assertEquals((await patch({ valid_until: dayIn(1) })).json.is_valid_today, true);
  });
  await t.step("for others it does not exist", async () => {
    assertRefused(await patch({ filename: "x.md" }, stranger), "coach_not_found");
    const own = `/knowledge-handler/${fileId}?coachId=${stranger.coachId}`;
    assertRefused(await ask(service, "PATCH", own, stranger, { filename: "x.md" }), "file_not_found");
    const { accessToken } = await createUser();
    assertRefused(await patch({ filename: "x.md" }, { ...tenant, accessToken }), "not_the_coach");
  });
});
