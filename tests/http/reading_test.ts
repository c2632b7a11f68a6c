import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, clientOf, type Credentials } from "../support/client.ts";
import { addFile, rowsOf, storePassages, updateRow, uploadAndIndex } from "../support/knowledge.ts";
import { createCoach, createTenant, createUser, issueKey, issuePublishableKey, operator } from "../support/project.ts";
import type { Refusal } from "../support/refusals.ts";
import { sentences } from "../support/sample_documents.ts";
import { type Service, startService } from "../support/service.ts";
import { createHash } from "node:crypto";

const idOf = (text: string) => createHash("md5").update(text).digest("hex");

const read = (service: Service, credentials: Credentials, path: string, coachId: string, more = "") =>
  ask(service, "GET", `/knowledge-handler/${path}?coachId=${encodeURIComponent(coachId)}${more}`, credentials);

/** The three ways to read a file with a passage "Two". */
const parts = (fileId: string) => [fileId, `${fileId}/content`, `${fileId}/passages/${idOf("Two")}`];

Deno.test("reading a file again: who may", async (t) => {
  await using service = await startService();
  const owner = await createUser();
  const visitor = await createUser();
  const key = { requests_per_minute: 10_000 };
  const closed = await createTenant(key, { owner_id: owner.id });
  const open = await createCoach(closed.accountId, { owner_id: owner.id, sources_are_open: true });
  const asleep = await createCoach(closed.accountId, { owner_id: owner.id, sources_are_open: true, is_active: false });
  const stranger = await createTenant(key);
  const page = await issuePublishableKey(closed.accountId, { requests_per_minute: 10_000 });
  const quiet = await issuePublishableKey(closed.accountId, { scopes: ["threads:read"] });
  const withScopes = (...scopes: string[]) => issueKey(closed.accountId, { ...key, scopes });
  const as = ({ accessToken }: { accessToken: string }, { publishableKey }: { publishableKey: string }) => ({
    publishableKey,
    accessToken,
  });

  const callers: Record<string, { credentials: Credentials; closed: number; open: number; asleep: number }> = {
    "a key with knowledge:read": {
      credentials: await withScopes("knowledge:read"),
      ...{ closed: 200, open: 200, asleep: 200 },
    },
    "a key with chat alone": { credentials: await withScopes("chat"), closed: 403, open: 200, asleep: 403 },
    "a key with chat alone, for a user": {
      credentials: { ...await withScopes("chat"), accessToken: visitor.accessToken },
      ...{ closed: 403, open: 200, asleep: 403 },
    },
    "a key with every other scope": {
      credentials: await withScopes("threads:read", "threads:write", "knowledge:write", "expert"),
      ...{ closed: 403, open: 403, asleep: 403 },
    },
    "the expert on a page": { credentials: as(owner, page), closed: 200, open: 200, asleep: 200 },
    "a visitor of a page": { credentials: as(visitor, page), closed: 403, open: 200, asleep: 403 },
    "a visitor of a page that has no chat": { credentials: as(visitor, quiet), closed: 403, open: 403, asleep: 403 },
    "a page without a user": {
      credentials: { publishableKey: page.publishableKey },
      closed: 401,
      open: 401,
      asleep: 401,
    },
    "nobody": { credentials: {}, closed: 401, open: 401, asleep: 401 },
    "another account": { credentials: stranger, closed: 404, open: 404, asleep: 404 },
  };
  const refusals: Record<number, [Refusal, what?: string] | undefined> = {
    401: ["sign_in_first"],
    403: ["missing_scope", "knowledge:read"],
    404: ["coach_not_found"],
  };
  for (const [name, coachId] of [["closed", closed.coachId], ["open", open.id], ["asleep", asleep.id]] as const) {
    const place = { accountId: closed.accountId, coachId };
    const fileId = await addFile(place, "a.md", "One", "Two", "Three");
    for (const [caller, { credentials, ...expected }] of Object.entries(callers)) {
      await t.step(`${caller}, sources ${name} → ${expected[name]}`, async () => {
        for (const path of parts(fileId)) {
          const reply = await read(service, credentials, path, coachId);
          assertEquals(reply.status, expected[name], reply.text);
          const refusal: [Refusal, what?: string] | undefined = caller === "nobody"
            ? ["missing_api_key"]
            : refusals[reply.status];
          if (refusal !== undefined) assertRefused(reply, ...refusal);
        }
        // The refusal comes first, whether the file exists or not.
        const unknown = await read(service, credentials, crypto.randomUUID(), coachId);
        assertEquals(unknown.status, expected[name] === 200 ? 404 : expected[name]);
      });
    }
  }

  await t.step("a key that is bound to another coach → 404", async () => {
    const bound = await issueKey(closed.accountId, { coach_ids: [closed.coachId] });
    const fileId = await addFile({ accountId: closed.accountId, coachId: open.id }, "b.md", "One", "Two");
    for (const path of parts(fileId)) {
      assertRefused(await read(service, bound, path, open.id), "coach_not_found");
    }
  });

  await t.step("open sources do not open the list of files, nor the file of another coach", async () => {
    const reply = await ask(service, "GET", `/knowledge-handler?coachId=${open.id}`, as(visitor, page));
    assertRefused(reply, "missing_scope", "knowledge:read");
    const secret = await addFile({ accountId: closed.accountId, coachId: closed.coachId }, "c.md", "One", "Two");
    for (const path of parts(secret)) {
      assertRefused(await read(service, as(visitor, page), path, open.id), "file_not_found");
    }
    const foreign = await addFile({ accountId: stranger.accountId, coachId: stranger.coachId }, "d.md", "Two");
    for (const path of parts(foreign)) {
      assertRefused(await read(service, closed, path, closed.coachId), "file_not_found");
    }
  });

  await t.step("closing takes effect with the next request", async () => {
    const fileId = await addFile({ accountId: closed.accountId, coachId: open.id }, "e.md", "One", "Two");
    const set = (sources_are_open: boolean) =>
      operator.from("coach_profiles").update({ sources_are_open }).eq("id", open.id).throwOnError();
    await set(false);
    for (const path of parts(fileId)) assertEquals((await read(service, as(visitor, page), path, open.id)).status, 403);
    const coach = await ask(service, "GET", `/coaches/${open.id}`, as(visitor, page));
    assertEquals(coach.json.sources_are_open, false);
    await set(true);
    for (const path of parts(fileId)) assertEquals((await read(service, as(visitor, page), path, open.id)).status, 200);
    const { json } = await ask(service, "GET", "/coaches", as(visitor, page));
    const listed = json.data.find(({ id }: { id: string }) => id === open.id);
    assertEquals(listed.sources_are_open, true);
  });
});

Deno.test("GET /knowledge-handler/{fileId}", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });

  await t.step("a file with its sections: runs of one heading, otherwise of one page", async () => {
    const place = (content: string, heading: string | undefined, page?: number) => ({ content, heading, page });
    const fileId = await addFile(
      tenant,
      "Sleep.pdf",
      place("One", "Rooms", 1),
      place("Two", "Rooms", 2),
      place("Three", undefined, 2),
      place("Four", undefined, 2),
      place("Five", undefined, 3),
      place("Six", "Rooms", 3),
    );
    const { json } = await read(service, tenant, fileId, tenant.coachId);
    const { uploadedAt, ...rest } = json;
    assertMatch(uploadedAt, /Z$/);
    const section = (heading: string | null, page: number, first: string, position: number, passages: number) => ({
      heading,
      page,
      passage_id: idOf(first),
      position,
      passages,
    });
    assertEquals(rest, {
      fileId,
      filename: "Sleep.pdf",
      size: 1_000,
      contentType: "text/plain",
      category: "documents",
      version: 1,
      status: "ready",
      pending: null,
      error: null,
      warning: null,
      valid_from: null,
      valid_until: null,
      is_valid_today: true,
      source_id: null,
      source_url: null,
      fetched_at: null,
      is_text: false,
      title: null,
      passages: 6,
      sections: [
        section("Rooms", 1, "One", 0, 2),
        section(null, 2, "Three", 2, 2),
        section(null, 3, "Five", 4, 1),
        section("Rooms", 3, "Six", 5, 1),
      ],
    });
    assertEquals(await clientOf(service, tenant).getFile(tenant.coachId, fileId), json);
  });

  await t.step("a page that was fetched, a file without passages, one with very many sections", async () => {
    const fetched = await addFile(tenant, "page.md", "One");
    await updateRow(fetched, { source_url: "https://example.org/a", fetched_at: "2026-01-02T03:04:05.006Z" });
    const { json } = await read(service, tenant, fetched, tenant.coachId);
    assertEquals([json.source_url, json.fetched_at], ["https://example.org/a", "2026-01-02T03:04:05.006Z"]);
    const passages = await read(service, tenant, `${fetched}/passages/${idOf("One")}`, tenant.coachId);
    assertEquals([passages.json.source_url, passages.json.fetched_at], [json.source_url, json.fetched_at]);
    const empty = (await read(service, tenant, await addFile(tenant, "empty.md"), tenant.coachId)).json;
    assertEquals([empty.passages, empty.sections], [0, []]);
    const many = Array.from({ length: 1_100 }, (_, i) => ({ content: `Text ${i}`, heading: `Part ${i}` }));
    const long = (await read(service, tenant, await addFile(tenant, "long.md", ...many), tenant.coachId)).json;
    assertEquals([long.passages, long.sections.length, long.sections[999].position], [1_100, 1_000, 999]);
  });

  await t.step("a file that could not be read has its error, and its original", async () => {
    const failed = await addFile(tenant, "failed.pdf");
    await updateRow(failed, { status: "failed", error: "The file is damaged" });
    const { json } = await read(service, tenant, failed, tenant.coachId);
    assertEquals([json.status, json.error, json.sections], ["failed", "The file is damaged", []]);
    assertReply(await read(service, tenant, `${failed}/content`, tenant.coachId), 200);
  });

  await t.step("no coachId → 400, a blank id → 400, ids that cannot exist → 404", async () => {
    assertInvalid(
      await ask(service, "GET", `/knowledge-handler/${crypto.randomUUID()}`, tenant),
      "coachId is required",
    );
    assertInvalid(await read(service, tenant, "%20", tenant.coachId), "fileId is required in path");
    for (const fileId of ["x", "..%2Fx", "%00", "originals", "a".repeat(3_000)]) {
      for (const path of parts(fileId)) {
        if (fileId === "originals" && path.endsWith("/content")) continue;
        assertRefused(await read(service, tenant, path, tenant.coachId), "file_not_found");
      }
    }
  });
});

Deno.test("GET /knowledge-handler/{fileId}/passages/{passageId}", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const numbers = ["One", "Two", "Three", "Four", "Five", "Six", "Seven"];
  const fileId = await addFile(tenant, "numbers.md", ...numbers);
  const get = (text: string, more = "", file = fileId) =>
    read(service, tenant, `${file}/passages/${idOf(text)}`, tenant.coachId, more);
  const contents = (passages: { content: string }[]) => passages.map(({ content }) => content);

  const cases: [text: string, query: string, before: string[], after: string[], more: [boolean, boolean]][] = [
    ["Four", "", ["Two", "Three"], ["Five", "Six"], [true, true]],
    ["Four", "&before=0&after=0", [], [], [true, true]],
    ["Four", "&before=3&after=3", ["One", "Two", "Three"], ["Five", "Six", "Seven"], [false, false]],
    ["Four", "&before=20&after=20", ["One", "Two", "Three"], ["Five", "Six", "Seven"], [false, false]],
    ["One", "&after=1", [], ["Two"], [false, true]],
    ["Seven", "&before=1", ["Six"], [], [true, false]],
  ];
  for (const [text, query, before, after, more] of cases) {
    await t.step(`${text}${query}: the passage among its neighbors`, async () => {
      const { json } = await get(text, query);
      assertEquals(json.passage, {
        passage_id: idOf(text),
        position: numbers.indexOf(text),
        page: null,
        heading: null,
        content: text,
        repeats: 0,
      });
      assertEquals([contents(json.before), contents(json.after)], [before, after]);
      assertEquals([json.has_more_before, json.has_more_after], more);
      assertEquals([json.file_id, json.filename, json.content_type], [fileId, "numbers.md", "text/plain"]);
    });
  }

  await t.step("numbers of neighbors that do not fit → 400", async () => {
    for (const [name, value] of [["before", "-1"], ["after", "21"], ["before", "x"], ["after", "1.5"]]) {
      assertInvalid(await get("Four", `&${name}=${value}`), `${name} must be a whole number from 0 to 20`);
    }
  });

  await t.step("a text that is twice in the file: the first", async () => {
    const twice = await addFile(tenant, "twice.md", "One", "Same", "Two", "Same");
    assertEquals((await get("Same", "", twice)).json.passage.position, 1);
    // The same text in another file does not count.
    assertEquals((await get("Two", "", twice)).json.passage.position, 2);
    assertEquals((await get("Two")).json.passage.position, 1);
  });

  await t.step("a passage that is not in the file any more → 404 passage_not_found", async () => {
    const changed = await addFile(tenant, "changed.md", "Old text", "Kept text");
    assertEquals((await get("Old text", "", changed)).status, 200);
    await storePassages(changed, [{ content: "New text" }, { content: "Kept text" }]);
    const reply = await get("Old text", "", changed);
    assertRefused(reply, "passage_not_found/gone");
    // What has stayed is found, wherever it is now.
    assertEquals((await get("Kept text", "", changed)).json.passage.position, 1);
    for (const passageId of ["x", "%00", "%E0%A4", "..%2Fx", "0".repeat(32)]) {
      const other = await read(service, tenant, `${fileId}/passages/${passageId}`, tenant.coachId);
      assertRefused(other, "passage_not_found/gone");
    }
    assertReply(await read(service, tenant, `${fileId}/passages/%20`, tenant.coachId), 400);
  });

  await t.step("passages of a real file say what they repeat, and together are the file", async () => {
    const text = Array.from({ length: 12 }, (_, i) => sentences(12 + i).join(" ")).join("\n\n");
    await uploadAndIndex(service, tenant, ["Long.txt", text]);
    const row = (await rowsOf(tenant.coachId)).find(({ name }) => name === "Long.txt")!;
    const { sections } = (await read(service, tenant, row.id, tenant.coachId)).json;
    const first = await clientOf(service, tenant).getPassage(tenant.coachId, row.id, sections[0].passage_id, {
      after: 20,
    });
    const shown = [first.passage, ...first.after];
    assert(shown.length > 2 && !first.has_more_after);
    assert(shown.slice(1).every(({ repeats }) => repeats > 0), JSON.stringify(shown));
    const squeeze = (text: string) => text.replace(/\s+/g, "");
    assertEquals(squeeze(shown.map(({ content, repeats }) => content.slice(repeats)).join("")), squeeze(text));
    // The same number, whether the passage before is shown or not.
    const [, second] = shown;
    const alone = await clientOf(service, tenant).getPassage(tenant.coachId, row.id, second!.passage_id, { before: 0 });
    assertEquals(alone.passage, second!);
  });
});

Deno.test("a source of an answer names the passage that can be read", async () => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  await uploadAndIndex(service, tenant, ["Rest.md", "# Rest\n\nWalruses rest on ice floes in the afternoon."]);
  const [row] = await rowsOf(tenant.coachId);
  await updateRow(row!.id, { source_url: "https://example.org/rest" });
  service.model.script(tenant.modelName, { steps: [{ text: "On ice floes [1]." }] });
  const client = clientOf(service, tenant);
  const reply = await ask(service, "POST", "/chat", tenant, {
    message: "Where do walruses rest?",
    context: { coachId: tenant.coachId },
  }, { headers: { Accept: "application/json" } });
  const [source] = reply.json.sources;
  assertEquals(
    [source!.fileId, source!.file_id, source!.position, source!.source_url],
    [row!.id, row!.id, 0, "https://example.org/rest"],
  );
  const { passage } = await client.getPassage(tenant.coachId, String(source!.file_id), String(source!.passageId));
  assertEquals([passage.position, passage.heading], [0, "Rest"]);
  assert(passage.content.includes("ice floes"));
});
