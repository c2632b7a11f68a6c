import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, chat, type Credentials, send } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { addFile, sweep } from "../support/knowledge.ts";
import {
  addExpert,
  allScopes,
  createCoach,
  createTenant,
  createUser,
  issueKey,
  operator,
  signInAnonymously,
} from "../support/project.ts";
import { startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";

/** A service, a coach with its owner, and another account. */
async function prepare(name = `Zoë ${crypto.randomUUID().slice(0, 8)}`) {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const owner = await createUser();
  const tenant = await createTenant({ requests_per_minute: 10_000, scopes: allScopes }, { name, owner_id: owner.id });
  const foreign = await createTenant({ requests_per_minute: 10_000, scopes: allScopes });
  const signedIn = { ...tenant, accessToken: owner.accessToken };
  const path = `/coaches/${tenant.coachId}`;
  const patch = (body: unknown, who: Credentials = signedIn) => ask(service, "PATCH", `${path}/settings`, who, body);
  const settings = async () => (await ask(service, "GET", `${path}/settings`, signedIn)).json;
  return handOver(stack, { service, owner, tenant, foreign, signedIn, path, name, patch, settings });
}

const invented = () => `s-${crypto.randomUUID().slice(0, 12)}`;

Deno.test("the slug of a coach", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, foreign, signedIn, path, name, patch, settings } = prepared;
  const made = (await settings()).slug as string;

  await t.step("is made of its name, and another of the same name gets another one", async () => {
    assertEquals(made, `zoe-${name.slice(4)}`);
    const { slug } = await createCoach(foreign.accountId, { name });
    assertMatch(slug!, new RegExp(`^${made}-\\w+$`));
    const arabic = await createCoach(tenant.accountId, { name: "لينا" });
    assertMatch(arabic.slug!, /^persona(-\w+)?$/);
    assertEquals((await createCoach(tenant.accountId, { is_active: false })).slug, null);
  });

  await t.step("stands for its ID wherever that is taken, for those who may reach the coach", async () => {
    const context = { coachId: made, userId: "u" };
    const { threadId } = await chat(service, tenant, { message: "Hello", context });
    const id = (reply: { json: { id: string } }) => reply.json.id;
    assertEquals(id(await ask(service, "GET", `/coaches/${made}`, tenant)), tenant.coachId);
    const list = await ask(service, "GET", `/users/u/threads?coachId=${made}&include=coach`, tenant);
    assertEquals([list.json.data[0].id, list.json.coaches[0].slug], [threadId, made]);
    assertReply(await ask(service, "GET", `/knowledge-handler?coachId=${made}`, tenant), 200);
    assertReply(await ask(service, "GET", `/coaches/${made}/questions`, signedIn), 200);
    const bearer = { headers: { Authorization: `Bearer ${tenant.apiKey}` } };
    const model = await send(service, "GET", `/openai/v1/models/${made}`, {}, undefined, bearer);
    const { id: modelId, slug } = await model.json();
    assertEquals([modelId, slug], [tenant.coachId, made]);
    const asked = { model: made, messages: [{ role: "user", content: "Hi" }] };
    assertEquals(
      (await (await send(service, "POST", "/openai/v1/chat/completions", {}, asked, bearer)).json()).object,
      "chat.completion",
    );
    assertRefused(await ask(service, "GET", `/coaches/${made}`, foreign), "coach_not_found");
    assertRefused(
      await ask(service, "POST", "/chat", foreign, { message: "Hello", context: { coachId: made } }),
      "coach_not_found",
    );
  });

  await t.step("is changed, and the former one leads to the coach for good", async () => {
    const slug = invented();
    const changed = await patch({ slug });
    assertReply(changed, 200, {
      slug,
      is_active: true,
      sources_are_open: false,
      accent_color: null,
      launcher_text: null,
    });
    for (const named of [slug, made]) {
      assertEquals((await ask(service, "GET", `/coaches/${named}`, tenant)).json.id, tenant.coachId);
    }
  });

  await t.step("cannot be that of another coach, a former one, or the ID of any coach", async () => {
    const other = await createCoach(foreign.accountId, { id: invented() });
    for (const slug of [other.slug!, other.id]) assertRefused(await patch({ slug }), "slug_taken");
    await operator.from("coach_profiles").delete().eq("id", other.id).throwOnError();
    assertRefused(await patch({ slug: other.slug! }), "slug_taken");
    const { error } = await operator.from("coach_profiles")
      .insert({ id: made, account_id: foreign.accountId, name: "A", title: "B", instructions: "C" });
    assertEquals(error?.message, "This coach id is taken");
  });

  for (const slug of ["ab", "-abc", "abc-", "Abc", "a b c", "desk", "a".repeat(41), crypto.randomUUID(), "zoë-x"]) {
    await t.step(`cannot be ${slug}`, async () => {
      const sentence =
        "slug must be 3 to 40 of a-z, 0-9 and -, begin and end with a letter or digit, and be no UUID or " +
        "reserved word";
      assertInvalid(await patch({ slug }), sentence);
    });
  }

  await t.step("is changed ten times at most", async () => {
    const before = (await settings()).slug;
    for (let changes = 1; changes < 10; changes++) assertReply(await patch({ slug: invented() }), 200);
    assertRefused(await patch({ slug: invented() }), "too_many_slugs");
    assertReply(await patch({ slug: (await settings()).slug }), 200);
    assertEquals((await ask(service, "GET", `/coaches/${before}`, tenant)).json.id, tenant.coachId);
    assertReply(await ask(service, "GET", path, tenant), 200);
  });
});

Deno.test("the settings of a coach", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, foreign, signedIn, path, patch, settings } = prepared;
  const versions = async () => (await ask(service, "GET", `${path}/versions`, signedIn)).json.count;

  await t.step("are read by editors and changed by owners", async () => {
    const [editor, answerer] = [await createUser(), await createUser()];
    await addExpert(tenant.coachId, editor, "editor");
    await addExpert(tenant.coachId, answerer, "answerer");
    const as = ({ accessToken }: { accessToken: string }) => ({ ...tenant, accessToken });
    assertReply(await ask(service, "GET", `${path}/settings`, as(editor)), 200);
    assertRefused(await ask(service, "GET", `${path}/settings`, as(answerer)), "role_not_sufficient");
    assertRefused(await patch({ is_active: false }, as(editor)), "role_not_sufficient");
    assertRefused(await patch({ is_active: false }, foreign), "coach_not_found");
    assertEquals((await settings()).is_active, true);
  });

  await t.step("color and text of the launcher are shown to visitors, and count up no version", async () => {
    const before = await versions();
    const given = { accent_color: "#0A7D5C", launcher_text: " Ask  Zoë ", sources_are_open: true };
    assertReply(await patch(given), 200);
    const shown = (await ask(service, "GET", path, tenant)).json;
    assertEquals([shown.accent_color, shown.launcher_text, shown.sources_are_open], ["#0a7d5c", "Ask  Zoë", true]);
    for (const wrong of ["red", "#12", 5]) {
      assertInvalid(await patch({ accent_color: wrong }), "accent_color must be a color such as #0a7d5c, or null");
    }
    for (const wrong of ["", "a\nb", "x".repeat(61)]) {
      assertInvalid(await patch({ launcher_text: wrong }), "launcher_text must be one line of 1 to 60 characters");
    }
    assertReply(await patch({ accent_color: null }), 200);
    assertEquals([await versions(), (await settings()).launcher_text], [before, "Ask  Zoë"]);
  });

  await t.step("a pause: nobody can talk to the coach, threads stay, and publishing leaves it alone", async () => {
    const { threadId } = await chat(service, tenant, {
      message: "Hello",
      context: { coachId: tenant.coachId, userId: "u" },
    });
    assertReply(await patch({ is_active: false }), 200);
    assertRefused(await ask(service, "GET", path, tenant), "coach_paused");
    const question = { message: "Still there?", context: { coachId: tenant.coachId, userId: "u" } };
    assertRefused(await ask(service, "POST", "/chat", tenant, question), "coach_paused");
    assertRefused(
      await ask(service, "POST", "/chat", tenant, {
        message: "And here?",
        thread_id: threadId,
        context: { userId: "u" },
      }),
      "coach_paused",
    );
    assertEquals((await ask(service, "GET", `/threads/${threadId}/messages`, tenant)).json.count, 2);
    assertReply(await ask(service, "PUT", `${path}/draft`, signedIn, { title: "New" }), 200);
    const { version } = (await ask(service, "GET", `${path}/draft`, signedIn)).json;
    assertReply(await ask(service, "POST", `${path}/publish`, signedIn, { if_version: version }), 200);
    assertEquals((await settings()).is_active, false);
    assertReply(await patch({ is_active: true }), 200);
    assertReply(await ask(service, "POST", "/chat", tenant, question), 200);
  });

  await t.step("one that was never published has no slug and cannot be made active", async () => {
    const { id } = await createCoach(tenant.accountId, { is_active: false });
    const put = (body: unknown) => ask(service, "PATCH", `/coaches/${id}/settings`, tenant, body);
    assertRefused(await put({ is_active: true }), "not_published");
    assertRefused(await put({ slug: invented() }), "not_published");
    assertRefused(await ask(service, "GET", `/coaches/${id}`, tenant), "coach_not_found");
    assertReply(await ask(service, "PUT", `/coaches/${id}/draft`, tenant, { title: "Now" }), 200);
    assertReply(await ask(service, "POST", `/coaches/${id}/publish`, tenant, { if_version: 1 }), 200);
    const { slug, is_active } = (await ask(service, "GET", `/coaches/${id}/settings`, tenant)).json;
    assert(is_active);
    assertMatch(slug, /^ada-byron/);
  });
});

Deno.test("a coach is deleted by its owner", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, foreign, signedIn, path, name, settings } = prepared;
  const { slug } = await settings();
  const stays = await createCoach(tenant.accountId, { name: "Stays" });
  const { threadId } = await storeAnswer(tenant, { content: "Said", status: "complete" });
  const kept = await storeAnswer({ ...tenant, coachId: stays.id }, { content: "Said", status: "complete" });
  await addFile(tenant, "a.txt", "Some words");
  const remove = (who: Credentials, confirm?: string, query = "") =>
    ask(service, "DELETE", `${path}${query}`, who, confirm === undefined ? undefined : { confirm });

  await t.step("with its name confirmed, by nobody else", async () => {
    assertInvalid(await remove(signedIn), "confirm is required: the published name of the coach");
    assertInvalid(await remove(signedIn, "zoe"), "confirm must be the published name of the coach");
    assertRefused(await remove(foreign, name), "coach_not_found");
    const stranger = await createUser();
    assertRefused(await remove({ ...tenant, accessToken: stranger.accessToken }, name), "not_the_expert");
    assertReply(await ask(service, "GET", path, tenant), 200);
  });

  await t.step("it is gone for everybody at once, and other coaches stay", async () => {
    const query = `?confirm=${encodeURIComponent(name)}`;
    assertReply(await remove(signedIn, undefined, query), 200, {
      message: "Coach deleted successfully",
      coachId: tenant.coachId,
    });
    assertRefused(await remove(signedIn, name), "coach_not_found");
    for (const gone of [path, `/coaches/${slug}`, `${path}/settings`, `${path}/questions`]) {
      assertRefused(await ask(service, "GET", gone, tenant), "coach_not_found");
    }
    assertRefused(await ask(service, "GET", `/threads/${threadId}/messages`, tenant), "thread_not_found");
    const { data } = (await ask(service, "GET", "/users/u/threads?limit=1", tenant)).json;
    assertEquals(data.map(({ id }: { id: string }) => id), [kept.threadId]);
    assertEquals((await ask(service, "GET", "/coaches", tenant)).json.count, 1);
  });

  await t.step("the sweep erases all that is its own, and its slug stays taken", async () => {
    await sweep(service);
    const count = async (table: "threads" | "knowledge_files" | "coach_experts", coachId: string) =>
      (await operator.from(table).select("*", { count: "exact", head: true }).eq("coach_id", coachId).throwOnError())
        .count;
    for (const table of ["threads", "knowledge_files", "coach_experts"] as const) {
      assertEquals([table, await count(table, tenant.coachId)], [table, 0]);
    }
    const { data } = await operator.from("coach_profiles").select("id").eq("account_id", tenant.accountId)
      .throwOnError();
    assertEquals([data, await count("threads", stays.id)], [[{ id: stays.id }], 1]);
    const put = await ask(service, "PATCH", `/coaches/${stays.id}/settings`, tenant, { slug });
    assertRefused(put, "slug_taken");
  });
});

Deno.test("an owner makes a further coach, where the account allows it", async (t) => {
  await using prepared = await prepare();
  const { service, owner, tenant, foreign, signedIn } = prepared;
  const make = (who: Credentials, name: unknown = "Second") => ask(service, "POST", "/coaches", who, { name });
  const allow = (accountId: string) =>
    operator.from("accounts").update({ experts_may_create: true }).eq("id", accountId).throwOnError();

  await t.step("not by default, and not strangers, visitors, editors or a bound key", async () => {
    assertRefused(await make(signedIn), "may_not_create");
    await allow(tenant.accountId);
    await allow(foreign.accountId);
    const editor = await createUser();
    await addExpert(tenant.coachId, editor, "editor");
    for (const user of [editor, await createUser(), await signInAnonymously()]) {
      assertRefused(await make({ ...tenant, accessToken: user.accessToken }), "may_not_create");
    }
    const bound = await issueKey(tenant.accountId, { scopes: allScopes, coach_ids: [tenant.coachId] });
    assertRefused(await make({ ...bound, accessToken: owner.accessToken }), "may_not_create");
    assertRefused(await make({ ...foreign, accessToken: owner.accessToken }), "may_not_create");
    assertRefused(await make(tenant), "sign_in_first");
    assertInvalid(await make(signedIn, " "), "name must be one line of 1 to 200 characters");
  });

  await t.step("it is unpublished, and the user is its owner", async () => {
    const made = await make(signedIn);
    assertReply(made, 201);
    assertEquals([made.json.name, made.json.role, made.json.is_active, made.json.slug], [
      "Second",
      "owner",
      false,
      null,
    ]);
    const own = (await ask(service, "GET", "/users/me/coaches", signedIn)).json;
    assertEquals(own.count, 2);
    const { json } = await ask(service, "GET", `/coaches/${made.json.id}/draft`, signedIn);
    assertMatch(json.instructions, /^You are Second\. Answer as Second would/);
    assertRefused(await ask(service, "GET", `/coaches/${made.json.id}`, tenant), "coach_not_found");
  });

  await t.step("at most twenty", async () => {
    for (let count = 2; count < 20; count++) assertReply(await make(signedIn), 201);
    assertRefused(await make(signedIn), "too_many_coaches");
    const { data } = (await ask(service, "GET", "/users/me/coaches", signedIn)).json;
    const last = data.at(-1);
    assertReply(await ask(service, "DELETE", `/coaches/${last.id}`, signedIn, { confirm: last.name }), 200);
    assertReply(await make(signedIn), 201);
  });
});
