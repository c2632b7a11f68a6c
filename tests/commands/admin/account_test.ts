import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { ask, assertRefused } from "../../support/client.ts";
import { objectsOf, sweep, uploadAndIndex } from "../../support/knowledge.ts";
import { createTenant, createUser, operator, type Tenant } from "../../support/project.ts";
import { serve } from "../../support/serve.ts";
import { projectVariable, type Service, startService } from "../../support/service.ts";
import { countThreads, talk } from "../../support/turns.ts";
import { runAdmin } from "./run_admin.ts";

/** An account with some of everything, and how the command describes that. */
async function fill(service: Service) {
  const tenant = await createTenant();
  const { accountId, coachId } = tenant;
  const turns = [await talk(service, tenant, "u"), await talk(service, tenant, "u"), await talk(service, tenant, "v")];
  await uploadAndIndex(service, tenant, ["a.md", "Ships rest in the harbour."], ["b.md", "A heron waits."]);
  const pinned = { account_id: accountId, coach_id: coachId, question: "When should I fast?", answer: "Never." };
  await operator.from("pinned_answers").insert(pinned).throwOnError();
  const source = {
    account_id: accountId,
    coach_id: coachId,
    url: "https://example.com/",
    kind: "page",
    refresh: "never",
  };
  await operator.from("knowledge_sources").insert({ ...source, due_at: null }).throwOnError();
  const has =
    "1 coach, 3 threads, 6 messages, 2 files, 1 web source, 1 pinned answer, 0 open questions, 1 key and 0 token issuers";
  return { tenant, turns, has };
}

async function countRows({ accountId, coachId }: Tenant): Promise<number[]> {
  const ofAccount = ["coach_profiles", "threads", "knowledge_files", "pinned_answers"] as const;
  const passages = await operator.from("passages").select("id").eq("coach_id", coachId).throwOnError();
  const others = await Promise.all(
    ofAccount.map((table) => operator.from(table).select("id").eq("account_id", accountId).throwOnError()),
  );
  return [...others, passages].map(({ data }) => data.length);
}

Deno.test("npm run admin -- account delete", async (t) => {
  await using service = await startService();
  const env = { BASE_URL: service.supabase.url };
  const [one, other] = [await fill(service), await fill(service)];
  const { accountId } = one.tenant;
  const remove = (...args: string[]) => runAdmin(["account", "delete", accountId, ...args], { env, answer: true });

  await t.step("without --yes says what would be deleted, asks nothing and changes nothing", async () => {
    const run = await remove();
    assertEquals([run.code, run.said, run.questions], [2, "", []]);
    assertEquals(run.noted.split("\n").slice(1), [
      `Account ${accountId} (Test) has ${one.has}.`,
      "Nothing was changed. To delete all of it permanently, add --yes.",
    ]);
    assertEquals(await countRows(one.tenant), [1, 3, 2, 1, 2]);
  });

  await t.step("ends the keys first; after an interruption it can be called again", async () => {
    service.supabase.fault = (path) => path === "/rest/v1/knowledge_files" ? "refuse" : "pass";
    // The counts are asked for first.
    const counted = await remove("--yes");
    assertEquals([counted.code, await countRows(one.tenant)], [1, [1, 3, 2, 1, 2]]);
    let asked = 0;
    service.supabase.fault = (path) => path === "/rest/v1/knowledge_files" && ++asked > 1 ? "refuse" : "pass";
    const run = await remove("--yes");
    service.supabase.fault = "pass";
    assertEquals([run.code, await countRows(one.tenant)], [1, [1, 0, 2, 1, 2]]);
    assertRefused(await ask(service, "GET", "/users/u/threads", one.tenant), "invalid_api_key");
  });

  await t.step("with --yes deletes everything, also in Storage and at the model's backend", async () => {
    const calls = () => service.supabase.requests.filter((path) => path === "/functions/v1/indexer").length;
    const before = calls();
    const run = await remove("--yes", "--json");
    assertEquals(calls(), before + 1);
    assertEquals([run.code, run.questions], [0, []], run.noted);
    const { name, coaches, threads, files, keys, ...rest } = run.json();
    assertEquals([name, coaches, threads, files, keys, rest.account_id], ["Test", 1, 0, 2, 1, accountId]);
    assertEquals(await countRows(one.tenant), [0, 0, 0, 0, 0]);
    await service.turns();
    // The sweep also removes what other tests have left behind.
    await sweep(service);
    assertEquals(await objectsOf(accountId), []);
    assertEquals(one.turns.filter(({ responseId }) => !service.model.removals.includes(responseId)), []);
    const accounts = (await runAdmin(["account", "list", "--json"])).json() as { id: string }[];
    assertEquals(accounts.filter(({ id }) => id === accountId), []);
    const again = await remove("--yes");
    assertEquals([again.code, again.said, again.noted.split("\n").at(-1)], [1, "", "Account not found"]);
  });

  await t.step("leaves a line that says what was deleted and when", async () => {
    const third = await fill(service);
    await operator.from("accounts").update({ name: "A\u202e\nB" }).eq("id", third.tenant.accountId).throwOnError();
    const run = await runAdmin(["account", "delete", third.tenant.accountId, "--yes"], { env });
    const line = run.noted.split("\n").find((line) => line.startsWith("{")) ?? "{}";
    const { time, event, account_id, name, messages } = JSON.parse(line);
    assertEquals([event, account_id, name, messages], ["account_deleted", third.tenant.accountId, "A\u202e\nB", 6]);
    assert(Math.abs(Date.parse(time) - Date.now()) < 60_000 && !line.includes("\u202e"), line);
    assertMatch(run.said, new RegExp(`^Deleted account ${third.tenant.accountId} with ${third.has}\\.\n`));
  });

  await t.step("touches no other account", async () => {
    const { tenant, turns } = other;
    assertEquals(await countRows(tenant), [1, 3, 2, 1, 2]);
    assertEquals([await countThreads(service, tenant, "u"), (await objectsOf(tenant.accountId)).length], [2, 2]);
    assertEquals(turns.filter(({ responseId }) => service.model.removals.includes(responseId)), []);
    const found = await ask(service, "GET", `/knowledge-handler?coachId=${tenant.coachId}&search=heron`, tenant);
    assertEquals(found.json.data.map(({ filename }: { filename: string }) => filename), ["b.md"]);
  });
});

Deno.test("npm run admin -- user list and user show", async (t) => {
  await using service = await startService();
  const { tenant, turns } = await fill(service);
  const account = ["--account", tenant.accountId];
  await fill(service);
  const hostile = "e\x1b[2J\u202e";
  await operator.from("threads").insert({ account_id: tenant.accountId, coach_id: tenant.coachId, user_id: hostile })
    .throwOnError();

  await t.step("list has the users of one account, the last active first", async () => {
    const users = (await runAdmin(["user", "list", ...account, "--json"])).json() as Record<string, unknown>[];
    assertEquals(users.map(({ user_id, threads }) => [user_id, threads]), [[hostile, 1], ["v", 1], ["u", 2]]);
    const { said, noted } = await runAdmin(["user", "list", ...account]);
    assertEquals([said.split("\n").length, noted], [4, ""]);
    assertMatch(
      said,
      /^last active +threads +email +user\n.* 1 {2}- +e\\u\{1b\}\[2J\\u\{202e\}\n.* 1 {2}- +v\n.* 2 {2}- +u$/,
    );
  });

  await t.step("list has the address of a user that Auth knows", async () => {
    const { accountId, coachId } = await createTenant();
    const { id, email } = await createUser();
    await operator.from("threads").insert({ account_id: accountId, coach_id: coachId, user_id: id }).throwOnError();
    // The tests' own Auth tells no addresses.
    await using project = serve(async (request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname === `/auth/v1/admin/users/${id}`) return Response.json({ id, email });
      return await fetch(projectVariable("SUPABASE_URL") + pathname + search, { headers: request.headers });
    });
    const list = (...more: string[]) =>
      runAdmin(["user", "list", "--account", accountId, ...more], { env: { BASE_URL: project.url } });
    assertEquals((await list("--json")).json().map((user: { email: string }) => user.email), [email]);
    assertEquals((await list()).said.endsWith(`${email}  ${id}`), true);
    assertEquals((await runAdmin(["user", "list", "--account", accountId, "--json"])).json()[0].email, null);
  });

  await t.step("list shows no more than --limit, and says so", async () => {
    const run = await runAdmin(["user", "list", ...account, "--limit", "2"]);
    assertEquals(run.said.split("\n").length, 3);
    assertEquals(run.noted, "These are the last 2 of 3. To see more, raise --limit.");
    const { accountId } = await createTenant();
    const empty = await runAdmin(["user", "list", "--account", accountId]);
    assertEquals([empty.code, empty.said, empty.noted], [0, "", "There are no users yet."]);
  });

  await t.step("show has what is stored of a user in one account, without messages", async () => {
    for (const [i, { threadId }] of turns.slice(0, 2).entries()) {
      await operator.from("threads").update({ created_at: `2026-01-0${1 + i}` }).eq("id", threadId).throwOnError();
    }
    const { data, ...user } = (await runAdmin(["user", "show", "u", ...account, "--json"])).json();
    assertEquals(Date.parse(user.first_at), Date.UTC(2026, 0, 1));
    assertEquals([user.user_id, user.threads, user.messages, user.coach_ids], ["u", 2, 4, [tenant.coachId]]);
    assert(Date.parse(user.first_at) <= Date.parse(user.last_at));
    assertEquals(data.length, 2);
    const { said } = await runAdmin(["user", "show", "u", ...account]);
    assertMatch(
      said,
      /^user +u\naccount +.*\ncoaches +.*\nthreads +2\nmessages +4\nfirst active +.*Z\nlast active +.*Z\n\nthread /,
    );
    assert(!said.includes("Well."), said);
  });

  await t.step("a user of whom nothing is stored, and an unknown account, are refused", async () => {
    const missing = await runAdmin(["user", "show", "w", ...account]);
    const sentence = `Nothing is stored for user w in account ${tenant.accountId}.`;
    assertEquals([missing.code, missing.said, missing.noted], [1, "", sentence]);
    const unknown = "00000000-0000-4000-8000-00000000dead";
    for (const args of [["list"], ["show", "u"]]) {
      const run = await runAdmin(["user", ...args, "--account", unknown]);
      assertEquals([run.code, run.said, run.noted], [1, "", "Account not found"]);
    }
  });
});
