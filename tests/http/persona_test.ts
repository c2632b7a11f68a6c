import type { Database } from "../../shared/infra/db/database_types.ts";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, clientOf, type Credentials, send } from "../support/client.ts";
import { bodiesOf } from "../support/model_requests.ts";
import { createCoach, createTenant, createUser, issuePublishableKey, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";

type Update = Database["public"]["Tables"]["coach_profiles"]["Update"];

const key = { requests_per_minute: 10_000, requests_per_hour: 10_000, scopes: ["chat", "threads:read", "expert"] };
const published = {
  ...{
    name: "Ada Byron",
    title: "Mathematics Coach",
    greeting: null,
    starters: [],
    instructions: "Explain with engines.",
  },
  ...{ no_answer: null, takeover_notice: null, language: "english", picture_url: null },
};

Deno.test("the draft of a persona", async (t) => {
  await using service = await startService();
  const owner = await createUser();
  const tenant = await createTenant(key, { owner_id: owner.id });
  const { coachId } = tenant;
  const mara = { apiKey: tenant.apiKey, accessToken: owner.accessToken };
  const author = { user_id: owner.id, name: null, email: owner.email };
  const path = `/coaches/${coachId}/draft`;
  const client = clientOf(service, mara);
  const save = (body: unknown, caller: Credentials = mara) => ask(service, "PUT", path, caller, body);
  const change = (fields: Update) => operator.from("coach_profiles").update(fields).eq("id", coachId).throwOnError();
  const none = { version: 1, based_on: 1, revision: 0, saved_at: null, saved_by: null, changes: [] };

  await t.step("without one, it is what is published", async () => {
    assertEquals(await client.getDraft(coachId), { ...published, ...none });
  });
  await t.step("it has the fields that were sent; people see nothing of it", async () => {
    const { status, json } = await save({ title: " Teacher ", greeting: "Hi.\nAsk!", starters: ["Why?"] });
    const { saved_at, ...draft } = json;
    const fields = { title: "Teacher", greeting: "Hi.\nAsk!", starters: ["Why?"] };
    const changes = ["title", "greeting", "starters"];
    assertEquals(
      [status, draft],
      [200, { ...published, ...fields, ...none, revision: 1, saved_by: author, saved_at: undefined, changes }].map((
        each,
      ) => JSON.parse(JSON.stringify(each))),
    );
    assertMatch(saved_at, /^\d{4}-/);
    assertEquals(await client.getDraft(coachId), json);
    assertEquals((await client.getCoach(coachId)).title, published.title);
    assertEquals((await client.listVersions(coachId)).count, 1);
  });
  await t.step("saving replaces all of it: what is left out is as published again", async () => {
    const draft = await client.saveDraft(coachId, { no_answer: "Let me ask.", language: "german", if_revision: 1 });
    assertEquals([draft.title, draft.revision, draft.changes], [published.title, 2, ["no_answer", "language"]]);
    assertEquals((await client.saveDraft(coachId, { no_answer: null })).changes, []);
  });
  await t.step("a change that is published meanwhile shows through, unless the draft has the field", async () => {
    await client.saveDraft(coachId, { name: "Ada", title: "Teacher" });
    await change({ title: "Countess", instructions: "Explain with looms." });
    const draft = await client.getDraft(coachId);
    assertEquals([draft.title, draft.instructions, draft.changes], ["Teacher", "Explain with looms.", [
      "name",
      "title",
    ]]);
    assertEquals([draft.version, draft.based_on, draft.revision], [2, 1, 4]);
  });
  await t.step("with if_version, what was published is seen, and the draft based on it", async () => {
    assertRefused(await save({ name: "Ada", if_version: 1 }), "version_changed");
    assertEquals((await client.saveDraft(coachId, { name: "Ada" })).based_on, 1);
    assertEquals((await client.saveDraft(coachId, { name: "Ada", if_version: 2 })).based_on, 2);
  });
  await t.step("with if_revision, nobody's draft is overwritten", async () => {
    const { revision } = await client.getDraft(coachId);
    assertRefused(await save({ name: "Augusta", if_revision: revision - 1 }), "draft_changed");
    assertRefused(await save({ name: "Augusta", if_revision: 0 }), "draft_changed");
    assertEquals((await client.getDraft(coachId)).name, "Ada");
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => save({ name: `Ada ${index}`, if_revision: revision })),
    );
    assertEquals(replies.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(409)]);
  });
  await t.step("a server with a key saves it for nobody", async () => {
    assertEquals((await save({ name: "Ada" }, { apiKey: tenant.apiKey })).json.saved_by, null);
  });
  await t.step("deleted, it is what is published; a second time too, and no revision comes back", async () => {
    const { revision } = await client.getDraft(coachId);
    const deleted = { message: "Draft deleted successfully", coachId };
    assertReply(await ask(service, "DELETE", path, mara), 200, deleted);
    assertReply(await ask(service, "DELETE", path, mara), 200, deleted);
    const draft = await client.getDraft(coachId);
    assertEquals([draft.revision, draft.name, draft.saved_by, draft.changes], [0, published.name, null, []]);
    assertRefused(await save({ name: "Ada", if_revision: revision }), "draft_changed");
    assertEquals((await save({ name: "Ada", if_revision: 0 })).json.revision, revision + 1);
  });

  const long = (length: number) => "x".repeat(length + 1);
  const bad: [body: unknown, error: string][] = [
    [[], "The request body must be a JSON object"],
    [{ name: null }, "name must be a string"],
    [{ name: " \u200b" }, "name must not be blank"],
    [{ name: long(200) }, "name must be at most 200 characters long"],
    [{ title: 7 }, "title must be a string"],
    [{ title: "" }, "title must not be blank"],
    [{ greeting: " " }, "greeting must not be blank"],
    [{ greeting: long(2_000) }, "greeting must be at most 2,000 characters long"],
    [{ starters: "Why?" }, "starters must be a list of at most six questions"],
    [{ starters: Array(7).fill("Why?") }, "starters must be a list of at most six questions"],
    [{ starters: ["Why?\nHow?"] }, "Each of starters must be one line"],
    [{ starters: [null] }, "Each of starters must be a string"],
    [{ starters: [long(200)] }, "Each of starters must be at most 200 characters long"],
    [{ instructions: null }, "instructions must be a string"],
    [{ instructions: "a\0b" }, "instructions must not contain NUL characters or unpaired surrogates"],
    [{ instructions: "\ud800" }, "instructions must not contain NUL characters or unpaired surrogates"],
    [{ instructions: long(100_000) }, "instructions must be at most 100,000 characters long"],
    [{ no_answer: "" }, "no_answer must not be blank"],
    [{ takeover_notice: long(1_000) }, "takeover_notice must be at most 1,000 characters long"],
    [{ language: "klingon" }, "language must be a text search configuration of Postgres"],
    [{ language: "3748" }, "language must be a text search configuration of Postgres"],
    [{ language: "english'; drop table x" }, "language must be a text search configuration of Postgres"],
    [{ if_revision: -1 }, "if_revision must be a whole number, 0 or higher"],
    [{ if_version: "1" }, "if_version must be a whole number, 0 or higher"],
  ];
  for (const [body, error] of bad) {
    await t.step(`${JSON.stringify(body).slice(0, 40)} → 400`, async () => {
      assertInvalid(await save(body), error);
    });
  }
  await t.step("what the draft does not have cannot be set", async () => {
    const before = await client.getDraft(coachId);
    const { json } = await save({
      name: "Ada",
      picture: "x",
      picture_url: "https://example.com/",
      model: "m",
      is_active: false,
    });
    assertEquals([json.picture_url, json.changes], [null, ["name"]]);
    assertEquals(json.revision, before.revision + 1);
  });
});

Deno.test("publishing", async (t) => {
  await using service = await startService();
  const owner = await createUser();
  const tenant = await createTenant(key, { owner_id: owner.id });
  const { coachId, modelName, accountId } = tenant;
  const mara = { apiKey: tenant.apiKey, accessToken: owner.accessToken };
  const author = { user_id: owner.id, name: null, email: owner.email };
  const client = clientOf(service, mara);
  const publish = (body: unknown, caller: Credentials = mara) =>
    ask(service, "POST", `/coaches/${coachId}/publish`, caller, body);

  await t.step("without a draft, or with one that changes nothing → 409", async () => {
    assertRefused(await publish({ if_version: 1 }), "nothing_to_publish");
    await client.saveDraft(coachId, { title: published.title });
    assertRefused(await publish({ if_version: 1 }), "nothing_to_publish");
  });
  await t.step("the next answers are given by it, and keep its version", async () => {
    await client.saveDraft(coachId, { instructions: "Explain with looms.", title: "Countess" });
    const { status, json } = await publish({ if_version: 1, if_revision: 2 });
    const { published_at, ...version } = json;
    const fields = { ...published, instructions: "Explain with looms.", title: "Countess" };
    const changes = ["title", "instructions"];
    assertEquals([status, version], [200, {
      ...fields,
      version: 2,
      published_by: author,
      changes,
      restored_from: null,
    }]);
    assertMatch(published_at, /^\d{4}-/);
    assertEquals((await client.getCoach(coachId)).title, "Countess");

    const reply = await client.chat({ message: "Hi", context: { coachId } });
    for await (const _ of reply) { /* To its end. */ }
    assertMatch(JSON.stringify(bodiesOf(service, modelName).at(-1)), /Explain with looms\./);
    const { data } = await client.listMessages(reply.threadId, { include: "basis" });
    assertEquals(data.at(-1)?.basis?.coach_version, 2);
  });
  await t.step("the draft is over", async () => {
    const draft = await client.getDraft(coachId);
    assertEquals([draft.version, draft.revision, draft.changes, draft.saved_by], [2, 0, [], null]);
  });
  await t.step("if somebody has published since, or changed the draft → 409", async () => {
    await client.saveDraft(coachId, { title: "Teacher" });
    assertRefused(await publish({ if_version: 1 }), "version_changed");
    assertRefused(await publish({ if_version: 2, if_revision: 2 }), "draft_changed");
    await operator.from("coach_profiles").update({ temperature: 0.5 }).eq("id", coachId).throwOnError();
    assertRefused(await publish({ if_version: 2 }), "version_changed");
    assertEquals((await client.getCoach(coachId)).title, "Countess");
  });
  await t.step("of 32 at once, one publishes", async () => {
    const replies = await Promise.all(Array.from({ length: 32 }, () => publish({ if_version: 3 })));
    assertEquals(replies.map(({ status }) => status).toSorted(), [200, ...Array(31).fill(409)]);
    const [version, ...older] = (await client.listVersions(coachId)).data;
    assertEquals([version?.version, version?.changes, older.length], [4, ["title"], 3]);
  });
  for (
    const [body, error] of [
      [{}, "if_version is required: the version that was published when you looked"],
      [{ if_version: -1 }, "if_version must be a whole number, 0 or higher"],
      [{ if_version: 1, if_revision: 1.5 }, "if_revision must be a whole number, 0 or higher"],
    ] as const
  ) {
    await t.step(`${JSON.stringify(body)} → 400`, async () => assertInvalid(await publish(body), error));
  }
  await t.step("a persona that was never active becomes active; one that was stays as it is", async () => {
    const fresh = await createCoach(accountId, { is_active: false, owner_id: owner.id });
    assertRefused(await ask(service, "GET", `/coaches/${fresh.id}`, mara), "coach_not_found");
    await operator.from("coach_profiles").update({ temperature: 0.5 }).eq("id", fresh.id).throwOnError();
    assertEquals((await client.getDraft(fresh.id)).version, 0);
    assertEquals((await client.listVersions(fresh.id)).data, []);
    assertEquals((await client.getVersion(fresh.id, 0)).changes, []);
    const version = await client.publish(fresh.id, { if_version: 0 });
    assertEquals([version.version, version.changes], [1, []]);
    const acts = (await client.listActs(fresh.id)).data.filter(({ kind }) => kind === "coach.published");
    assertEquals(acts.map(({ subject }) => subject), ["1"]);
    assertEquals((await client.getCoach(fresh.id)).id, fresh.id);
    await client.saveDraft(fresh.id, { title: "Teacher" });
    const seenBefore = await ask(service, "POST", `/coaches/${fresh.id}/publish`, mara, { if_version: 0 });
    assertRefused(seenBefore, "version_changed");

    await operator.from("coach_profiles").update({ is_active: false }).eq("id", fresh.id).throwOnError();
    assertEquals((await client.publish(fresh.id, { if_version: 2 })).changes, ["title"]);
    assertRefused(await ask(service, "GET", `/coaches/${fresh.id}`, mara), "coach_paused");
  });
});

Deno.test("the versions of a persona", async (t) => {
  await using service = await startService();
  const owner = await createUser();
  const tenant = await createTenant(key, { owner_id: owner.id });
  const { coachId } = tenant;
  const mara = { apiKey: tenant.apiKey, accessToken: owner.accessToken };
  const client = clientOf(service, mara);
  const change = (fields: Update) => operator.from("coach_profiles").update(fields).eq("id", coachId).throwOnError();
  const restore = (version: number | string, body?: unknown) =>
    ask(service, "POST", `/coaches/${coachId}/versions/${version}/restore`, mara, body);

  await t.step("changes of operators are versions, too, with what they changed", async () => {
    await change({ model: tenant.modelName, temperature: 1, title: "Countess" });
    await change({ title: "Countess" });
    await client.saveDraft(coachId, { greeting: "Hello." });
    await client.publish(coachId, { if_version: 2 });
    const { data, count } = await client.listVersions(coachId);
    const author = { user_id: owner.id, name: null, email: owner.email };
    assertEquals(count, 3);
    assertEquals(data.map(({ published_at: _, ...version }) => version), [
      { version: 3, published_by: author, changes: ["greeting"], restored_from: null },
      { version: 2, published_by: null, changes: ["title", "temperature"], restored_from: null },
      { version: 1, published_by: null, changes: [], restored_from: null },
    ]);
  });
  await t.step("in pages", async () => {
    const first = await client.listVersions(coachId, { limit: 2 });
    assertEquals([first.data.map(({ version }) => version), first.count], [[3, 2], 2]);
    const second = await client.listVersions(coachId, { limit: 2, cursor: first.next_cursor! });
    assertEquals([second.data.map(({ version }) => version), second.next_cursor], [[1], null]);
  });
  await t.step("one of them, as it was", async () => {
    const { published_at: _, ...version } = await client.getVersion(coachId, 1);
    assertEquals(version, { ...published, version: 1, published_by: null, changes: [], restored_from: null });
    const { title, greeting } = await client.getVersion(coachId, 3);
    assertEquals([title, greeting], ["Countess", "Hello."]);
  });
  for (const version of [4, 0, "01", "1.0", "x", "99999999999999999999"]) {
    await t.step(`no version ${version} → 404`, async () => {
      const path = `/coaches/${coachId}/versions/${version}`;
      assertRefused(await ask(service, "GET", path, mara), "version_not_found");
      assertRefused(await restore(version), "version_not_found");
    });
  }
  await t.step("restored: a new version with the old persona; settings of operators and the draft stay", async () => {
    await client.saveDraft(coachId, { title: "Teacher" });
    // Without a body, as with an empty object.
    const { status, json } = await restore(1);
    assertEquals(status, 200);
    assertEquals([json.version, json.restored_from, json.changes], [4, 1, ["title", "greeting"]]);
    assertEquals([json.title, json.greeting, json.published_by?.user_id], [published.title, null, owner.id]);
    const { data } = await operator.from("coach_profiles").select("title,temperature,version").eq("id", coachId)
      .single()
      .throwOnError();
    assertEquals(data, { title: published.title, temperature: 1, version: 4 });
    const draft = await client.getDraft(coachId);
    assertEquals([draft.title, draft.changes, draft.based_on, draft.version], ["Teacher", ["title"], 3, 4]);
  });
  await t.step("the same again, or when somebody has published since → 409", async () => {
    assertRefused(await restore(1, {}), "nothing_to_publish");
    assertRefused(await restore(3, { if_version: 3 }), "version_changed");
    const replies = await Promise.all(Array.from({ length: 8 }, () => restore(3, { if_version: 4 })));
    assertEquals(replies.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(409)]);
    assertEquals((await client.getCoach(coachId)).title, "Countess");
  });
  await t.step("an erased expert is named by none of them", async () => {
    assertRefused(await ask(service, "DELETE", "/users/me", mara), "missing_scope", "threads:write");
    await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: owner.id }).throwOnError();
    const { data } = await clientOf(service, tenant).listVersions(coachId);
    assertEquals(data.filter(({ published_by }) => published_by !== null), []);
    assertEquals((await clientOf(service, tenant).getDraft(coachId)).saved_by, null);
  });
});

Deno.test("the draft and the versions of a persona are its experts'", async (t) => {
  await using service = await startService();
  const owner = await createUser();
  const stranger = await createUser();
  const tenant = await createTenant(key, { owner_id: owner.id });
  const foreign = await createTenant(key, { owner_id: stranger.id });
  const sibling = await createCoach(tenant.accountId);
  const { coachId } = tenant;
  const client = clientOf(service, tenant);
  await client.saveDraft(coachId, { title: "Countess" });
  await operator.from("coach_profiles").update({ name: "Augusta" }).eq("id", coachId).throwOnError();
  const before = [await client.getDraft(coachId), await client.listVersions(coachId)];
  const picture = new Uint8Array([1, 2, 3]);
  const requests: [method: string, path: string, body?: unknown][] = [
    ["GET", "draft"],
    ["PUT", "draft", { title: "Thief" }],
    ["DELETE", "draft"],
    ["DELETE", "picture"],
    ["POST", "publish", { if_version: 2 }],
    ["GET", "versions"],
    ["GET", "versions/1"],
    ["POST", "versions/1/restore", {}],
  ];
  const { publishableKey } = await issuePublishableKey(tenant.accountId);
  const bound = await issuePublishableKey(tenant.accountId, { coach_ids: [sibling.id] });
  const callers: [name: string, credentials: Credentials, status: number][] = [
    ["another user of the account", { apiKey: tenant.apiKey, accessToken: stranger.accessToken }, 403],
    ["another user with a publishable key", { publishableKey, accessToken: stranger.accessToken }, 403],
    [
      "the expert with a key of another coach",
      { publishableKey: bound.publishableKey, accessToken: owner.accessToken },
      404,
    ],
    ["another account", foreign, 404],
    ["the expert with a key of another account", { apiKey: foreign.apiKey, accessToken: owner.accessToken }, 404],
  ];
  for (const [name, credentials, status] of callers) {
    await t.step(`${name} → ${status}, and nothing has changed`, async () => {
      for (const [method, path, body] of requests) {
        const reply = await ask(service, method, `/coaches/${coachId}/${path}`, credentials, body);
        assertEquals([path, reply.status], [path, status]);
      }
      assertEquals([await client.getDraft(coachId), await client.listVersions(coachId)], before);
    });
  }
  await t.step("a key without the scope → 403", async () => {
    const chat = await createTenant({ scopes: ["chat"] });
    for (const [method, path, body] of requests) {
      const reply = await ask(service, method, `/coaches/${chat.coachId}/${path}`, chat, body);
      assertEquals([path, reply.status, reply.headers.get("X-Error-Code")], [path, 403, "missing_scope"]);
    }
  });
  await t.step("the expert with a publishable key: all of it, and browsers may ask", async () => {
    const page = { publishableKey, accessToken: owner.accessToken };
    const path = `/coaches/${coachId}`;
    assertEquals((await ask(service, "GET", `${path}/draft`, page)).json.title, "Countess");
    const version = await ask(service, "POST", `${path}/publish`, page, { if_version: 2 });
    assertEquals([version.status, version.json.published_by.user_id], [200, owner.id]);
    for (const [path_, methods] of [["draft", "GET, PUT, DELETE, OPTIONS"], ["picture", "PUT, DELETE, OPTIONS"]]) {
      const { headers } = await send(service, "OPTIONS", `${path}/${path_}`, {});
      assertEquals(headers.get("Access-Control-Allow-Methods"), methods);
      assertEquals(headers.get("Access-Control-Allow-Headers"), "authorization, x-client-info, apikey, content-type");
    }
  });
  await t.step("a picture that is none is refused before anything is looked up", async () => {
    for (const caller of [tenant, foreign]) {
      const reply = await ask(service, "PUT", `/coaches/${coachId}/picture`, caller, picture, {
        headers: { "Content-Type": "image/png" },
      });
      assertInvalid(reply, "The picture must be a PNG, JPEG or WebP image");
    }
    assert((await client.getDraft(coachId)).picture_url === null);
  });
});
