import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertRefused, assertReply } from "../support/client.ts";
import { accept, invite } from "../support/invitations.ts";
import { addExpert, createTenant, createUser, issueKey, issuePublishableKey, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { runAdmin } from "../commands/admin/run_admin.ts";

/** A reply's acts as `who kind whom`. */
// deno-lint-ignore no-explicit-any
const tell = (acts: any[]) =>
  acts.map(({ by, kind, subject_user, user }) =>
    [user?.email ?? by, kind, ...subject_user === null ? [] : [subject_user.email]].join(" ")
  );

Deno.test("who did what to a coach", async (t) => {
  await using service = await startService();
  const [owner, editor, guest, stranger] = await Promise.all(Array.from({ length: 4 }, () => createUser()));
  const tenant = await createTenant({ requests_per_minute: 1_000 }, { owner_id: owner!.id });
  const foreign = await createTenant({ requests_per_minute: 1_000 }, { owner_id: stranger!.id });
  const { accountId, coachId } = tenant;
  const { publishableKey } = await issuePublishableKey(accountId, { requests_per_minute: 1_000 });
  const scopes = { scopes: ["expert"], requests_per_minute: 1_000 };
  const [server, foreignServer] = await Promise.all([accountId, foreign.accountId].map((id) => issueKey(id, scopes)));
  const as = (user: { accessToken: string }) => ({ publishableKey, accessToken: user.accessToken });
  const listOf = async (credentials: Parameters<typeof ask>[3], query = "") =>
    await ask(service, "GET", `/coaches/${coachId}/acts${query}`, credentials);
  const history = async (
    account = accountId,
  ) => (await runAdmin(["account", "history", "--account", account, "--json"]));

  await t.step("what the operator did to the coach is there, newest first", async () => {
    await addExpert(coachId, editor!, "editor");
    const { json } = await listOf(as(owner!));
    assertEquals(tell(json.data), [
      `operator expert.added ${editor!.email}`,
      "operator coach.created",
      `operator expert.added ${owner!.email}`,
    ]);
  });

  await t.step("experts are named with what they do; a server's key is, too", async () => {
    const { token } = await invite(service, as(owner!), coachId, "answerer");
    const other = await invite(service, as(owner!), coachId, "editor");
    assertReply(await ask(service, "DELETE", `/coaches/${coachId}/invitations/${other.id}`, as(owner!)), 200);
    assertReply(await accept(service, as(guest!), token), 200);
    const path = `/coaches/${coachId}/experts/${guest!.id}`;
    assertReply(await ask(service, "PATCH", path, as(owner!), { role: "editor" }), 200);
    assertReply(await ask(service, "PATCH", path, as(owner!), { role: "editor" }), 200);
    assertReply(await ask(service, "DELETE", path, { apiKey: server!.apiKey }), 200);
    const { json } = await listOf({ apiKey: server!.apiKey });
    assertEquals(tell(json.data.slice(0, 6)), [
      `server expert.removed ${guest!.email}`,
      `${owner!.email} expert.changed ${guest!.email}`,
      `${guest!.email} expert.added ${guest!.email}`,
      `${owner!.email} invitation.deleted`,
      `${owner!.email} expert.invited`,
      `${owner!.email} expert.invited`,
    ]);
    assertMatch(json.data[0].api_key_id, /^[0-9a-f-]{36}$/);
  });

  await t.step("settings, pauses and versions", async () => {
    const path = `/coaches/${coachId}`;
    for (
      const body of [{ is_active: false }, { is_active: true }, { accent_color: "#0a7d5c" }, {
        accent_color: "#0a7d5c",
      }]
    ) {
      assertReply(await ask(service, "PATCH", `${path}/settings`, as(owner!), body), 200);
    }
    const { json } = await listOf(as(owner!));
    assertEquals(tell(json.data.slice(0, 3)), [
      `${owner!.email} coach.set`,
      `${owner!.email} coach.resumed`,
      `${owner!.email} coach.paused`,
    ]);
  });

  await t.step("pages follow one another", async () => {
    const first = await listOf(as(owner!), "?limit=2");
    const second = await listOf(as(owner!), `?limit=2&cursor=${first.json.next_cursor}`);
    const all = await listOf(as(owner!));
    assertEquals([...first.json.data, ...second.json.data], all.json.data.slice(0, 4));
  });

  await t.step("only owners see it; for others there is no such coach", async () => {
    assertRefused(await listOf(as(editor!)), "role_not_sufficient");
    assertRefused(await listOf(as(guest!)), "not_the_expert");
    assertRefused(await listOf({ apiKey: foreign.apiKey, accessToken: stranger!.accessToken }), "coach_not_found");
    assertRefused(await listOf({ apiKey: foreignServer!.apiKey }), "coach_not_found");
  });

  await t.step("operators see all of an account, and nothing of another", async () => {
    const budget = ["budget", "set", "--account", accountId, "--tokens", "10000", "--period", "day", "--json"];
    const { id } = (await runAdmin(budget)).json();
    await runAdmin(["budget", "remove", id]);
    const key = (await runAdmin(["key", "issue", "--account", accountId, "--name", "Bo's own", "--json"])).json();
    await runAdmin(["key", "revoke", key.id]);
    await runAdmin(["account", "retention", "--account", accountId, "--days", "90"]);
    for (const url of ["https://hooks.example.com/", "https://hooks.example.com/b"]) {
      await operator.rpc("set_webhook", { account_id: accountId, url }).throwOnError();
    }
    const run = await history();
    const told = run.json();
    assertEquals(told.slice(0, 7).map(({ kind }: { kind: string }) => kind), [
      "webhook.set",
      "webhook.set",
      "account.retention",
      "key.revoked",
      "key.issued",
      "budget.removed",
      "budget.set",
    ]);
    assertEquals([told[3].subject, told[5].subject], [key.id, id]);
    assertEquals(told.at(-1).kind, "account.created");
    const table = await runAdmin(["account", "history", "--account", accountId, "--limit", "3"]);
    assertMatch(
      table.said,
      /^time +by +what +to +coach\n(?:.* operator +webhook\.set.*\n){2}.* operator +account\.retention +90 +-$/,
    );
    const others = JSON.stringify((await history(foreign.accountId)).json());
    assert(!others.includes(key.id) && !others.includes(owner!.id), others);
  });

  await t.step("no names, words, addresses or secrets are in it", async () => {
    // deno-lint-ignore no-explicit-any
    const text = JSON.stringify((await history()).json().map((act: any) => ({ ...act, user: 0, subject_user: 0 })));
    for (const content of ["Bo's own", "hooks.example.com", "hi_", "Ada Byron", "@"]) {
      assert(!text.includes(content), `${content} is in ${text}`);
    }
  });

  await t.step("an erased person is a keyed hash, with what they did and what was done to them", async () => {
    await operator.from("threads").insert({ account_id: accountId, coach_id: coachId, user_id: guest!.id, title: "A" })
      .throwOnError();
    await runAdmin(["user", "export", guest!.id, "--account", accountId, "--json"]);
    assert(JSON.stringify((await history()).json()).includes(guest!.id));
    await runAdmin(["user", "erase", guest!.id, "--account", accountId, "--yes"]);
    const acts = (await history()).json();
    assert(!JSON.stringify(acts).includes(guest!.id) && !JSON.stringify(acts).includes(guest!.email));
    const [erased, exported] = acts;
    assertEquals([erased.kind, exported.kind, erased.subject], ["user.erased", "user.exported", exported.subject]);
    assertMatch(erased.subject, /^[0-9a-f]{64}$/);
    // deno-lint-ignore no-explicit-any
    const accepted = acts.find(({ kind, user_id }: any) => kind === "expert.added" && user_id === erased.subject);
    assertEquals([accepted.by, accepted.user, accepted.subject], ["expert", null, erased.subject]);
  });

  await t.step("a persona that is deleted leaves what was done to it, for operators", async () => {
    const { name } = (await ask(service, "GET", `/coaches/${coachId}`, as(owner!))).json;
    assertReply(
      await ask(service, "DELETE", `/coaches/${coachId}?confirm=${encodeURIComponent(name)}`, as(owner!)),
      200,
    );
    const [deleted] = (await history()).json();
    assertEquals([deleted.kind, deleted.coach_id, deleted.user.email], ["coach.deleted", coachId, owner!.email]);
    assertRefused(await listOf(as(owner!)), "coach_not_found");
  });

  await t.step("deleting the account deletes its history", async () => {
    assertEquals((await runAdmin(["account", "delete", accountId, "--yes"])).code, 0);
    assertEquals((await operator.rpc("list_account_acts", { account_id: accountId }).throwOnError()).data, []);
  });
});
