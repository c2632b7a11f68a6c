import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, clientOf } from "../support/client.ts";
import { accept, invite, inviteToOwnCoach, ownerOf, rolesOf } from "../support/invitations.ts";
import {
  addExpert,
  createCoach,
  createTenant,
  createUser,
  issueKey,
  issuePublishableKey,
  operator,
  signInAnonymously,
} from "../support/project.ts";
import { startService } from "../support/service.ts";

const limits = { requests_per_minute: 10_000, requests_per_hour: 10_000 };

Deno.test("an invitation makes one person an expert", async (t) => {
  await using service = await startService({ env: { DESK_URL: "https://desk.example.com/" } });
  await using withoutDesk = await startService();
  const [owner, editor, guest] = await Promise.all(Array.from({ length: 3 }, () => createUser()));
  const tenant = await createTenant({}, { owner_id: owner!.id });
  await addExpert(tenant.coachId, editor!, "editor");
  const { coachId } = tenant;
  const { publishableKey } = await issuePublishableKey(tenant.accountId, limits);
  const as = (user: { accessToken: string }) => ({ publishableKey, accessToken: user.accessToken });
  const list = async () => (await ask(service, "GET", `/coaches/${coachId}/invitations`, as(owner!))).json.data;

  await t.step("the token is shown once, with the link to the desk", async () => {
    const body = { role: "answerer", email: "jon@example.com" };
    const made = await ask(service, "POST", `/coaches/${coachId}/invitations`, as(owner!), body);
    assertReply(made, 200);
    const { token, url, ...invitation } = made.json;
    assertMatch(token, /^hi_inv_[0-9A-Za-z]{40}$/);
    assertEquals(url, `https://desk.example.com/#invitation=${token}`);
    assertEquals([invitation.role, invitation.email], ["answerer", "jon@example.com"]);
    assertEquals(Date.parse(invitation.expires_at) - Date.parse(invitation.created_at) > 6.9 * 86_400_000, true);
    assertEquals(await list(), [invitation]);
    assertEquals((await invite(withoutDesk, as(owner!), coachId, "editor")).url, null);
    const typed = await clientOf(service, { ...tenant, accessToken: owner!.accessToken }).listInvitations(coachId);
    const other = await createCoach(tenant.accountId, { owner_id: owner!.id });
    for (const { id } of typed.data) {
      const elsewhere = await ask(service, "DELETE", `/coaches/${other.id}/invitations/${id}`, as(owner!));
      assertRefused(elsewhere, "invitation_not_found");
      const path = `/coaches/${coachId}/invitations/${id}`;
      assertReply(await ask(service, "DELETE", path, as(owner!)), 200, {
        message: "Invitation deleted successfully",
        invitationId: id,
      });
      assertRefused(await ask(service, "DELETE", path, as(owner!)), "invitation_not_found");
    }
    assertRefused(await accept(service, as(guest!), token), "invitation_not_found");
    assertEquals(await list(), []);
  });

  await t.step("a preview says what it is for and leaves it as it is; accepting it uses it up", async () => {
    const { token } = await invite(service, as(owner!), coachId, "answerer");
    const client = clientOf(service, { ...tenant, accessToken: guest!.accessToken });
    const preview = await client.previewInvitation(token);
    assertEquals([preview.role, preview.coach, preview.invited_by], [
      "answerer",
      { name: "Ada Byron", title: "Mathematics Coach" },
      owner!.email,
    ]);
    assertReply(await ask(service, "GET", `/coaches/${coachId}/questions`, as(guest!)), 403);
    assertEquals(await client.acceptInvitation({ token }), { coach_id: coachId, role: "answerer", is_new: false });
    assertReply(await ask(service, "GET", `/coaches/${coachId}/questions`, as(guest!)), 200);
    assertRefused(await accept(service, as(guest!), token), "invitation_not_found");
    assertRefused(await accept(service, as(await createUser()), token), "invitation_not_found");
    assertRefused(
      await ask(service, "POST", "/coaches/invitations/preview", as(guest!), { token }),
      "invitation_not_found",
    );
    assertEquals(await list(), []);
  });

  await t.step("a higher role replaces a lower one, a lower one nothing; the invitation is used up", async () => {
    for (
      const [user, role, then] of [[guest, "editor", "editor"], [guest, "answerer", "editor"], [
        owner,
        "answerer",
        "owner",
      ]] as const
    ) {
      const { token } = await invite(service, as(owner!), coachId, role);
      assertReply(await accept(service, as(user!), token), 200, { coach_id: coachId, role: then, is_new: false });
      assertRefused(await accept(service, as(user!), token), "invitation_not_found");
    }
    assertEquals(await rolesOf(coachId), { [owner!.id]: "owner", [editor!.id]: "editor", [guest!.id]: "editor" });
    assertEquals(await ownerOf(coachId), owner!.id);
  });

  await t.step("of two people who open it at once, one becomes an expert", async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => createUser()));
    const { token } = await invite(service, as(owner!), coachId, "answerer");
    const statuses = await Promise.all(people.map(async (each) => (await accept(service, as(each), token)).status));
    assertEquals(statuses.toSorted(), [200, 404, 404, 404]);
    const roles = await rolesOf(coachId);
    assertEquals(people.map(({ id }) => roles[id]).filter((role) => role !== undefined), ["answerer"]);
  });

  await t.step("a coach has at most 50 that are open", async () => {
    const { id } = await createCoach(tenant.accountId, { owner_id: owner!.id });
    for (let made = 0; made < 50; made++) assert((await invite(service, as(owner!), id, "answerer")).token);
    const reply = await ask(service, "POST", `/coaches/${id}/invitations`, as(owner!), { role: "answerer" });
    assertRefused(reply, "too_many_invitations");
  });
});

Deno.test("nobody else can use an invitation", async (t) => {
  await using service = await startService();
  const [owner, guest] = [await createUser(), await createUser()];
  const tenant = await createTenant({}, { owner_id: owner.id });
  const foreign = await createTenant();
  const { coachId } = tenant;
  const withKey = ({ apiKey }: { apiKey: string }) => ({ apiKey, accessToken: guest.accessToken });
  const asOwner = { apiKey: tenant.apiKey, accessToken: owner.accessToken };
  const used: string[] = [];
  const newToken = async (id = coachId) => {
    const { token } = await invite(service, asOwner, id, "editor");
    used.push(token);
    return token;
  };

  await t.step("a forged token, and one that is no token at all", async () => {
    const token = await newToken();
    for (
      const forged of [
        `${token.slice(0, -1)}${token.endsWith("0") ? 1 : 0}`,
        token.toLowerCase(),
        `${token} `,
        "x",
        "\u0000",
      ]
    ) {
      assertRefused(await accept(service, withKey(tenant), forged), "invitation_not_found");
      assertRefused(
        await ask(service, "POST", "/coaches/invitations/preview", withKey(tenant), { token: forged }),
        "invitation_not_found",
      );
    }
    assertInvalid(await accept(service, withKey(tenant), ""), "token is required");
  });

  await t.step("with a key of another account, or one that is bound to other coaches", async () => {
    const token = await newToken();
    const other = await createCoach(tenant.accountId);
    const bound = await issueKey(tenant.accountId, { coach_ids: [other.id] });
    for (const key of [foreign, bound]) {
      assertRefused(await accept(service, withKey(key), token), "invitation_not_found");
    }
    const own = await inviteToOwnCoach(tenant.accountId);
    used.push(own.token);
    assertRefused(
      await accept(service, withKey(bound), own.token, { name: "Jon", title: "Gardener" }),
      "invitation_not_found",
    );
    assertReply(await accept(service, withKey(tenant), token), 200);
    await operator.from("coach_experts").delete().eq("coach_id", coachId).eq("user_id", guest.id).throwOnError();
  });

  await t.step("of an owner who is none any more: nobody comes back by a link of their own", async () => {
    const former = await createUser();
    const path = `/coaches/${coachId}/experts/${former.id}`;
    for (const [method, body] of [["DELETE", undefined], ["PATCH", { role: "editor" }]] as const) {
      await addExpert(coachId, former, "owner");
      const asFormer = { apiKey: tenant.apiKey, accessToken: former.accessToken };
      const { token } = await invite(service, asFormer, coachId, "owner");
      used.push(token);
      assertReply(await ask(service, method, path, asOwner, body), 200);
      for (const credentials of [asFormer, withKey(tenant)]) {
        assertRefused(
          await ask(service, "POST", "/coaches/invitations/preview", credentials, { token }),
          "invitation_not_found",
        );
        assertRefused(await accept(service, credentials, token), "invitation_not_found");
      }
      const { data } = (await ask(service, "GET", `/coaches/${coachId}/invitations`, asOwner)).json;
      assertEquals(data.filter(({ role }: { role: string }) => role === "owner"), []);
    }
    await operator.from("coach_experts").delete().eq("coach_id", coachId).eq("user_id", former.id).throwOnError();
  });

  await t.step("of a coach that was deleted", async () => {
    const { id } = await createCoach(tenant.accountId, { owner_id: owner.id });
    const token = await newToken(id);
    await operator.from("coach_profiles").delete().eq("id", id).throwOnError();
    assertRefused(await accept(service, withKey(tenant), token), "invitation_not_found");
  });

  await t.step("a server without a user, or a visitor; and the invitation is not used up by that", async () => {
    const token = await newToken();
    const server = await issueKey(tenant.accountId, { scopes: ["expert"] });
    assertRefused(await accept(service, server, token), "sign_in_first");
    const { publishableKey } = await issuePublishableKey(tenant.accountId);
    const visitor = await signInAnonymously();
    for (const credentials of [{ publishableKey, ...visitor }, { apiKey: tenant.apiKey, ...visitor }]) {
      const reply = await accept(service, credentials, token);
      assertRefused(reply, "permanent_user_required");
    }
    assertReply(await accept(service, withKey(tenant), token), 200);
    assertEquals(Object.keys(await rolesOf(coachId)).toSorted(), [guest.id, owner.id].toSorted());
  });

  await t.step("no token is in the log", async () => {
    const log = JSON.stringify(await service.logs());
    assertEquals(used.filter((token) => log.includes(token)), []);
  });
});

Deno.test("an invitation without a coach makes one's own", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const [guest, other] = [await createUser(), await createUser()];
  const { publishableKey } = await issuePublishableKey(tenant.accountId, limits);
  const as = ({ accessToken }: { accessToken: string }) => ({ publishableKey, accessToken });

  await t.step("it needs a name and a title, and waits for them", async () => {
    const { token } = await inviteToOwnCoach(tenant.accountId);
    const preview = await ask(service, "POST", "/coaches/invitations/preview", as(guest), { token });
    assertEquals([preview.json.role, preview.json.coach, preview.json.invited_by], ["owner", null, null]);
    assertInvalid(await accept(service, as(guest), token), "name and title are required");
    assertReply(await accept(service, as(guest), token, { name: "Jon" }), 400);
    assertInvalid(await accept(service, as(guest), token, { name: " ", title: "Gardener" }), "name must not be blank");
    const made = await accept(service, as(guest), token, { name: " Jon Ekdal ", title: "Gardener" });
    const coachId = made.json.coach_id;
    assertReply(made, 200, { coach_id: coachId, role: "owner", is_new: true });

    const { data: [coach] } = await operator.from("coach_profiles").select().eq("id", coachId).throwOnError();
    assertEquals([coach!.account_id, coach!.owner_id, coach!.name], [tenant.accountId, guest.id, "Jon Ekdal"]);
    assertMatch(coach!.instructions, /^You are Jon Ekdal, Gardener\. Answer as Jon Ekdal would/);
    assertEquals(coach!.language, "english");
    // Its owner works with it; nobody else knows of it yet.
    assertReply(await ask(service, "GET", `/coaches/${coachId}/questions`, as(guest)), 200);
    assertReply(await ask(service, "GET", `/coaches/${coachId}`, as(other)), 404);
    const { json } = await ask(service, "GET", "/users/me/coaches", as(guest));
    assertEquals(json.data.map(({ id, role, is_active }: Record<string, unknown>) => [id, role, is_active]), [
      [coachId, "owner", false],
    ]);
  });

  await t.step("of two who open it at once, one makes a coach", async () => {
    const { token } = await inviteToOwnCoach(tenant.accountId);
    const replies = await Promise.all(
      [guest, other].map((user) => accept(service, as(user), token, { name: "Only one", title: "Gardener" })),
    );
    assertEquals(replies.map(({ status }) => status).toSorted(), [200, 404]);
    const { data } = await operator.from("coach_profiles").select("id").eq("account_id", tenant.accountId)
      .eq("name", "Only one").throwOnError();
    assertEquals(data.length, 1);
  });

  await t.step("in the language of its expert", async () => {
    const { token } = await inviteToOwnCoach(tenant.accountId);
    const named = { name: "Ben $& Sommer", title: "Gärtner", language: "german" };
    assertInvalid(
      await accept(service, as(guest), token, { ...named, language: "klingon" }),
      "language must be one of english, german, french, spanish, italian, portuguese, dutch, arabic",
    );
    const { json } = await accept(service, as(guest), token, named);
    const { data: [coach] } = await operator.from("coach_profiles").select().eq("id", json.coach_id).throwOnError();
    assertMatch(coach!.instructions, /^Du bist Ben \$& Sommer, Gärtner\. Antworte so, wie Ben \$& Sommer es /);
    assertEquals(coach!.language, "german");
  });
});
