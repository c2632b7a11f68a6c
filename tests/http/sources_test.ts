import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, type Credentials } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { fileRow, objectsOf, rowsOf, storePassages } from "../support/knowledge.ts";
import { pageOrigin } from "../support/page_origin.ts";
import { createTenant, createUser, issueKey, issuePublishableKey, operator, type Tenant } from "../support/project.ts";
import { startService } from "../support/service.ts";

const day = 24 * 60 * 60 * 1_000;
const page = { url: "https://example.com/about", kind: "page", refresh: "never" };

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const owner = await createUser();
  const tenant = await createTenant({ requests_per_minute: 1_000 }, { owner_id: owner.id });
  const stranger = await createTenant({ requests_per_minute: 1_000 });
  const call = (method: string, path = "", body?: unknown, credentials: Credentials = tenant) => {
    const separator = path.includes("?") ? "&" : "?";
    return ask(
      service,
      method,
      `/knowledge-handler/sources${path}${separator}coachId=${tenant.coachId}`,
      credentials,
      body,
    );
  };
  const add = async (body: object = {}) => {
    const reply = await call("POST", "", { ...page, ...body });
    assertReply(reply, 200);
    return reply.json;
  };
  return handOver(stack, { service, owner, tenant, stranger, call, add });
}

/** Leaves nothing that another test would fetch. */
async function cleanUp({ tenant, stranger }: { tenant: Tenant; stranger: Tenant }) {
  for (const { coachId } of [tenant, stranger]) {
    await operator.from("knowledge_sources").delete().eq("coach_id", coachId).throwOnError();
  }
}

/** Adds files as if they were pages of a source. */
async function addPages(tenant: Tenant, sourceId: string, ...names: string[]) {
  for (const name of names) {
    const row = { ...fileRow(tenant, name), source_id: sourceId, source_url: `https://example.com/${name}` };
    await operator.from("knowledge_files").insert(row).throwOnError();
    await storePassages(row.id, [{ content: `The text of ${name}` }]);
  }
}

Deno.test("/knowledge-handler/sources", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, stranger, call, add } = prepared;

  await t.step("POST adds an address, queued, in its normal form", async () => {
    const source = await add({ url: "  https://EXAMPLE.com:443/about?utm_source=x#team " });
    const { id, ...rest } = source;
    assertMatch(id, /^[0-9a-f-]{36}$/);
    assertEquals(rest, {
      ...page,
      limit: 500,
      status: "queued",
      reason: null,
      pages: 0,
      failed_pages: 0,
      fetched_at: null,
      next_refresh_at: null,
    });
  });

  await t.step("the same address again is the same source, unchanged", async () => {
    const first = await add();
    assertEquals(await add({ kind: "site", refresh: "daily", limit: 3 }), first);
    assertEquals((await call("GET")).json.count, 1);
  });

  await t.step("other coaches have sources of their own", async () => {
    const path = `/knowledge-handler/sources?coachId=${stranger.coachId}`;
    const own = await ask(service, "POST", path, stranger, page);
    assertReply(own, 200);
    assert(own.json.id !== (await add()).id);
  });

  await t.step("what is not right is named: 400", async () => {
    const wrong: [body: Record<string, unknown>, error: RegExp][] = [
      [{ url: undefined }, /^url is required$/],
      [{ url: 3 }, /^url must be a string$/],
      ...[
        "",
        "example.com",
        "ftp://example.com/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://a:b@example.com/",
      ]
        .map((url): [Record<string, unknown>, RegExp] => [{ url }, /^url must be an address/]),
      [{ url: `https://example.com/${"a".repeat(2_000)}` }, /^url must be an address/],
      [{ url: "https://example.com/\0" }, /^url must be an address/],
      [{ kind: "book" }, /^kind must be page, site or feed$/],
      [{ refresh: "hourly" }, /^refresh must be never, daily or weekly$/],
      ...[0, 501, 1.5, "3"].map((limit): [Record<string, unknown>, RegExp] => [{ limit }, /^limit must be a whole/]),
    ];
    for (const [body, error] of wrong) {
      const reply = await call("POST", "", { ...page, ...body });
      assertReply(reply, 400);
      assertMatch(reply.json.error, error);
    }
    assertInvalid(await ask(service, "POST", "/knowledge-handler/sources", tenant, page), "coachId is required");
  });

  await t.step("GET lists them, newest first, whole or in pages", async () => {
    for (const name of ["b", "c", "d"]) await add({ url: `https://example.com/${name}` });
    const whole = (await call("GET")).json;
    assertEquals(whole.data.map(({ url }: { url: string }) => url.slice(20)), ["d", "c", "b", "about"]);
    assertEquals([whole.count, "next_cursor" in whole], [4, false]);
    const first = (await call("GET", "?limit=3")).json;
    const second = (await call("GET", `?limit=3&cursor=${first.next_cursor}`)).json;
    assertEquals([...first.data, ...second.data], whole.data);
    assertEquals([first.count, second.count, second.next_cursor], [3, 1, null]);
    assertReply(await call("GET", "?cursor=x"), 400);
  });

  await t.step("GET one has its failures too", async () => {
    const source = await add();
    assertEquals((await call("GET", `/${source.id}`)).json, { ...source, failures: [] });
  });

  await t.step("PATCH changes refresh and limit, and the time of the next refresh", async () => {
    const { id } = await add();
    const fetchedAt = new Date(Date.UTC(2026, 0, 1)).toISOString();
    await operator.from("knowledge_sources").update({ status: "ready", due_at: null, fetched_at: fetchedAt })
      .eq("id", id).throwOnError();
    const nextOf = async (refresh: string) => {
      const { json } = await call("PATCH", `/${id}`, { refresh });
      const { data: [row] } = await operator.from("knowledge_sources").select("due_at").eq("id", id).throwOnError();
      assertEquals(
        row!.due_at === null ? null : Date.parse(row!.due_at),
        json.next_refresh_at && Date.parse(json.next_refresh_at),
      );
      return json.next_refresh_at && Date.parse(json.next_refresh_at) - Date.parse(fetchedAt);
    };
    assertEquals([await nextOf("daily"), await nextOf("weekly"), await nextOf("never")], [day, 7 * day, null]);
    assertEquals((await call("PATCH", `/${id}`, { limit: 7 })).json.limit, 7);
    assertInvalid(await call("PATCH", `/${id}`, {}), "One of refresh and limit is required");
    assertReply(await call("PATCH", `/${id}`, { limit: 0 }), 400);
  });

  await t.step("POST refresh queues it again", async () => {
    const { id } = await add();
    const reply = await call("POST", `/${id}/refresh`);
    assertReply(reply, 200);
    assertEquals([reply.json.status, reply.json.next_refresh_at], ["queued", null]);
    const { data: [row] } = await operator.from("knowledge_sources").select("due_at").eq("id", id).throwOnError();
    assert(Date.parse(row!.due_at!) <= Date.now());
  });

  await t.step("files say which page they are, and uploaded ones that they are none", async () => {
    const { id } = await add();
    await addPages(tenant, id, "First.md");
    await operator.from("knowledge_files").insert(fileRow(tenant, "Uploaded.txt")).throwOnError();
    const { data } = (await ask(service, "GET", `/knowledge-handler?coachId=${tenant.coachId}`, tenant)).json;
    const shown = data.map((file: Record<string, unknown>) => [file.filename, file.source_id, file.source_url]);
    assertEquals(shown, [
      ["Uploaded.txt", null, null],
      ["First.md", id, "https://example.com/First.md"],
    ]);
  });

  await t.step("DELETE deletes the source with its pages' files, passages and objects, and no others", async () => {
    const { id } = await add();
    await addPages(tenant, id, "Second.md");
    const paths = (await rowsOf(tenant.coachId)).filter(({ source_id }) => source_id === id);
    const upload = new TextEncoder().encode("Text");
    const stored = `${tenant.accountId}/page/1`;
    await operator.storage.from("knowledge").upload(stored, upload, { contentType: "text/markdown" });
    await operator.from("knowledge_files").update({ storage_path: stored }).eq("id", paths[0]!.id).throwOnError();
    assertEquals(await objectsOf(tenant.accountId), [stored]);

    assertReply(await call("DELETE", `/${id}`), 200, { message: "Source deleted successfully", sourceId: id });
    await service.turns();
    assertEquals((await rowsOf(tenant.coachId)).map(({ name }) => name), ["Uploaded.txt"]);
    const found =
      (await ask(service, "GET", `/knowledge-handler?coachId=${tenant.coachId}&search=second`, tenant)).json;
    assertEquals(found.total, 0);
    assertEquals(await objectsOf(tenant.accountId), []);
    assertRefused(await call("DELETE", `/${id}`), "source_not_found");
  });

  await cleanUp(prepared);
});

Deno.test("/knowledge-handler/sources: who may read and write", async (t) => {
  await using prepared = await prepare();
  const { service, owner, tenant, stranger, call, add } = prepared;

  await t.step("unknown sources, and those of others, do not exist: 404", async () => {
    const path = `/knowledge-handler/sources?coachId=${stranger.coachId}`;
    const foreign = (await ask(service, "POST", path, stranger, page)).json;
    for (const id of [crypto.randomUUID(), "x", foreign.id]) {
      for (
        const [method, path, body] of [
          ["GET", `/${id}`],
          ["PATCH", `/${id}`, { refresh: "daily" }],
          ["DELETE", `/${id}`],
          ["POST", `/${id}/refresh`],
        ] as const
      ) {
        const reply = await call(method, path, body);
        assertRefused(reply, "source_not_found");
      }
    }
    for (const method of ["GET", "POST"]) {
      assertRefused(await call(method, "", method === "POST" ? page : undefined, stranger), "coach_not_found");
    }
    assertEquals((await ask(service, "GET", path, stranger)).json.data, [foreign]);
  });

  await t.step("only the coach's own user may write, with a key of a server too", async () => {
    const { id } = await add();
    const other = await createUser();
    const writes = [["POST", "", page], ["PATCH", `/${id}`, { refresh: "daily" }], ["DELETE", `/${id}`], [
      "POST",
      `/${id}/refresh`,
    ]] as const;
    for (const [method, path, body] of writes) {
      const reply = await call(method, path, body, { apiKey: tenant.apiKey, accessToken: other.accessToken });
      assertRefused(reply, "not_the_coach");
    }
    const asOwner = { apiKey: tenant.apiKey, accessToken: owner.accessToken };
    assertReply(await call("PATCH", `/${id}`, { refresh: "weekly" }, asOwner), 200);
    const reader = await issueKey(tenant.accountId, { scopes: ["knowledge:read"] });
    assertReply(await call("GET", "", undefined, reader), 200);
    for (const [method, path, body] of writes) assertReply(await call(method, path, body, reader), 403);
  });

  await t.step("a page's key serves the coach's own user, and nobody else", async () => {
    const key = await issuePublishableKey(tenant.accountId);
    const { id } = await add();
    const as = ({ accessToken }: { accessToken: string }): Credentials => ({ ...key, accessToken });
    const headers = { headers: { Origin: pageOrigin } };
    const send = (method: string, path: string, credentials: Credentials, body?: unknown) =>
      ask(service, method, `/knowledge-handler/sources${path}?coachId=${tenant.coachId}`, credentials, body, headers);
    assertReply(await send("GET", "", as(owner)), 200);
    assertReply(await send("GET", `/${id}`, as(owner)), 200);
    assertReply(await send("PATCH", `/${id}`, as(owner), { refresh: "daily" }), 200);
    const other = await createUser();
    for (const [method, path] of [["GET", ""], ["GET", `/${id}`], ["DELETE", `/${id}`]] as const) {
      assertReply(await send(method, path, as(other)), 403);
    }
  });

  await cleanUp(prepared);
});
