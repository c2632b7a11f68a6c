import { assertEquals } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, clientOf } from "../support/client.ts";
import { ownerOf, rolesOf } from "../support/invitations.ts";
import {
  addExpert,
  createCoach,
  createTenant,
  createUser,
  issueKey,
  issuePublishableKey,
  operator,
} from "../support/project.ts";
import { startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";
const limits = { requests_per_minute: 10_000, requests_per_hour: 10_000 };

Deno.test("the experts of a coach", async (t) => {
  await using service = await startService();
  const [owner, editor, answerer, stranger] = await Promise.all(Array.from({ length: 4 }, () => createUser()));
  const tenant = await createTenant(limits, { owner_id: owner!.id });
  const { coachId } = tenant;
  await addExpert(coachId, editor!, "editor");
  await addExpert(coachId, answerer!, "answerer");
  const as = (user?: { accessToken: string }) => ({ apiKey: tenant.apiKey, accessToken: user?.accessToken });
  const path = `/coaches/${coachId}/experts`;

  await t.step("each of them sees all, and who they are themselves", async () => {
    for (const user of [owner, editor, answerer]) {
      const { data, count } = await clientOf(service, as(user)).listExperts(coachId);
      assertEquals(data.map(({ user_id, email, role, is_you }) => [user_id, email, role, is_you]), [
        [owner!.id, owner!.email, "owner", user === owner],
        [editor!.id, editor!.email, "editor", user === editor],
        [answerer!.id, answerer!.email, "answerer", user === answerer],
      ]);
      assertEquals(count, 3);
    }
    const server = await issueKey(tenant.accountId, { scopes: ["expert"] });
    const { json } = await ask(service, "GET", path, server);
    assertEquals(json.data.map(({ is_you }: { is_you: boolean }) => is_you), [false, false, false]);
  });

  await t.step("page by page", async () => {
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const query: string = new URLSearchParams({ limit: "2", ...(cursor && { cursor }) }).toString();
      const { json } = await ask(service, "GET", `${path}?${query}`, as(owner));
      seen.push(...json.data.map(({ user_id }: { user_id: string }) => user_id));
      cursor = json.next_cursor;
    } while (cursor);
    assertEquals(seen, [owner!.id, editor!.id, answerer!.id]);
  });

  await t.step("owners change roles, also their own if another owner is left", async () => {
    assertRefused(await ask(service, "PATCH", `${path}/me`, as(owner), { role: "editor" }), "last_owner");
    const { user_id, role } = (await ask(service, "PATCH", `${path}/${editor!.id}`, as(owner), { role: "owner" })).json;
    assertEquals([user_id, role], [editor!.id, "owner"]);
    assertReply(await ask(service, "PATCH", `${path}/me`, as(owner), { role: "answerer" }), 200);
    assertEquals(await ownerOf(coachId), editor!.id);
    assertReply(await ask(service, "PATCH", `${path}/me`, as(owner), { role: "owner" }), 403);
    assertReply(await ask(service, "PATCH", `${path}/${owner!.id}`, as(editor), { role: "owner" }), 200);
    assertInvalid(
      await ask(service, "PATCH", `${path}/${owner!.id}`, as(owner), { role: "king" }),
      "role must be owner, editor or answerer",
    );
    for (const unknown of [stranger!.id, crypto.randomUUID(), "x", "%00"]) {
      const reply = await ask(service, "PATCH", `${path}/${unknown}`, as(owner), { role: "editor" });
      assertRefused(reply, "expert_not_found");
    }
    assertEquals(await rolesOf(coachId), { [owner!.id]: "owner", [editor!.id]: "owner", [answerer!.id]: "answerer" });
  });

  await t.step("owners remove anyone, others only themselves", async () => {
    assertReply(await ask(service, "DELETE", `${path}/${owner!.id}`, as(answerer)), 403);
    assertReply(await ask(service, "DELETE", `${path}/me`, as(stranger)), 403);
    const removed = { message: "Expert removed successfully", userId: answerer!.id };
    assertReply(await ask(service, "DELETE", `${path}/me`, as(answerer)), 200, removed);
    assertReply(await ask(service, "GET", path, as(answerer)), 403);
    await addExpert(coachId, answerer!, "answerer");
    assertEquals(await clientOf(service, as(owner)).removeExpert(coachId, answerer!.id), removed);
    assertRefused(await ask(service, "DELETE", `${path}/${answerer!.id}`, as(owner)), "expert_not_found");
  });

  await t.step("the last owner stays, whoever asks", async () => {
    assertReply(await ask(service, "DELETE", `${path}/me`, as(editor)), 200);
    await addExpert(coachId, answerer!, "answerer");
    const server = await issueKey(tenant.accountId, { scopes: ["expert"] });
    assertRefused(await ask(service, "DELETE", `${path}/me`, as(owner)), "last_owner");
    assertRefused(await ask(service, "DELETE", `${path}/${owner!.id}`, server), "last_owner");
    assertRefused(await ask(service, "DELETE", `${path}/me`, server), "sign_in_first");
    assertEquals(await ownerOf(coachId), owner!.id);
  });
});

Deno.test("an owner who erases themselves", async (t) => {
  await using service = await startService();
  const [owner, second] = [await createUser(), await createUser()];
  const tenant = await createTenant(limits, { owner_id: owner.id });
  const { coachId } = tenant;
  const as = ({ accessToken }: { accessToken: string }) => ({ apiKey: tenant.apiKey, accessToken });
  const { threadId } = await storeAnswer(tenant, { content: "Said", status: "complete", user_id: owner.id });
  const threads = async () =>
    (await operator.from("threads").select("id").eq("id", threadId).throwOnError()).data.length;

  await t.step("is refused while no other owner is there, and nothing is deleted", async () => {
    await addExpert(coachId, second, "editor");
    const reply = await ask(service, "DELETE", "/users/me", as(owner));
    assertRefused(reply, "last_owner");
    assertEquals([reply.headers.get("X-Error-Code"), await threads()], ["last_owner", 1]);
    assertEquals(await rolesOf(coachId), { [owner.id]: "owner", [second.id]: "editor" });
  });

  await t.step("goes once there is one, who takes the place in owner_id", async () => {
    await operator.from("coach_experts").update({ role: "owner" }).eq("coach_id", coachId).eq("user_id", second.id)
      .throwOnError();
    for (let times = 0; times < 2; times++) assertReply(await ask(service, "DELETE", "/users/me", as(owner)), 200);
    assertEquals([await threads(), await ownerOf(coachId)], [0, second.id]);
    assertEquals(await rolesOf(coachId), { [second.id]: "owner" });
    assertReply(await ask(service, "GET", `/coaches/${coachId}/questions`, as(owner)), 403);
  });

  await t.step("what another account does with the same user is its own", async () => {
    const foreign = await createTenant({}, { owner_id: second.id });
    await addExpert(coachId, owner, "owner");
    assertReply(await ask(service, "DELETE", "/users/me", as(second)), 200);
    assertEquals([await ownerOf(coachId), await ownerOf(foreign.coachId)], [owner.id, second.id]);
  });

  for (
    const [how, request] of Object.entries({ leave: `/coaches/${coachId}/experts/me`, "erase themselves": "/users/me" })
  ) {
    await t.step(`of two owners who ${how} at once, one stays`, async () => {
      for (let times = 0; times < 3; times++) {
        const pair = [await createUser(), await createUser()];
        await operator.from("coach_experts").delete().eq("coach_id", coachId).throwOnError();
        for (const user of pair) await addExpert(coachId, user, "owner");
        const replies = await Promise.all(pair.map((user) => ask(service, "DELETE", request, as(user))));
        assertEquals(replies.map(({ status }) => status).toSorted(), [200, 409], JSON.stringify(replies));
        const left = pair[replies.findIndex(({ status }) => status === 409)]!.id;
        assertEquals([await rolesOf(coachId), await ownerOf(coachId)], [{ [left]: "owner" }, left]);
      }
    });
  }
});

Deno.test("GET /users/{userId}/coaches", async (t) => {
  await using service = await startService();
  const [user, other] = [await createUser(), await createUser()];
  const tenant = await createTenant(limits, { owner_id: user.id, name: "Zoe" });
  const asleep = await createCoach(tenant.accountId, { name: "Bea", is_active: false });
  const same = await createCoach(tenant.accountId, { name: "Bea", owner_id: other.id });
  const foreign = await createTenant({}, { owner_id: user.id });
  await addExpert(asleep.id, user, "answerer");
  await addExpert(same.id, user, "editor");
  const as = ({ apiKey }: { apiKey: string }, { accessToken } = user) => ({ apiKey, accessToken });
  const listed = (reply: { json: { data: Record<string, unknown>[] } }) =>
    reply.json.data.map(({ id, role, is_active }) => [id, role, is_active]);
  const beas = [[asleep.id, "answerer", false], [same.id, "editor", true]].toSorted();
  const all = [...beas, [tenant.coachId, "owner", true]];

  await t.step("lists the coaches whose expert the user is, inactive ones too, by name", async () => {
    for (const name of ["me", user.id]) {
      assertEquals(listed(await ask(service, "GET", `/users/${name}/coaches`, as(tenant))), all);
    }
    const { data } = await clientOf(service, as(tenant, other)).listOwnCoaches("me");
    assertEquals(data.map(({ id, role, is_ai }) => [id, role, is_ai]), [[same.id, "owner", true]]);
  });

  await t.step("page by page", async () => {
    const first = await ask(service, "GET", "/users/me/coaches?limit=1", as(tenant));
    assertEquals(listed(first), all.slice(0, 1));
    const rest = await ask(service, "GET", `/users/me/coaches?cursor=${first.json.next_cursor}`, as(tenant));
    assertEquals([listed(rest), rest.json.next_cursor], [all.slice(1), null]);
  });

  await t.step("only those that the key reaches", async () => {
    assertEquals(listed(await ask(service, "GET", "/users/me/coaches", as(foreign))), [[
      foreign.coachId,
      "owner",
      true,
    ]]);
    const bound = await issueKey(tenant.accountId, { coach_ids: [same.id] });
    assertEquals(listed(await ask(service, "GET", "/users/me/coaches", as(bound))), [[same.id, "editor", true]]);
    const { publishableKey } = await issuePublishableKey(tenant.accountId);
    const page = { publishableKey, accessToken: user.accessToken };
    assertEquals(listed(await ask(service, "GET", "/users/me/coaches", page)), all);
  });

  await t.step("a server names the user, a user nobody else", async () => {
    const server = await issueKey(tenant.accountId, { scopes: ["expert"] });
    assertEquals(listed(await ask(service, "GET", `/users/${user.id}/coaches`, server)), all);
    for (const unknown of ["me", crypto.randomUUID(), "user-1", "%00"]) {
      assertEquals((await ask(service, "GET", `/users/${unknown}/coaches`, server)).json.data, []);
    }
    assertReply(await ask(service, "GET", `/users/${user.id}/coaches`, as(tenant, other)), 403);
    assertReply(await ask(service, "GET", "/users/me/coaches", tenant), 403);
  });
});
