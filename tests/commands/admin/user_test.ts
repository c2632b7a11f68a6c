import { join } from "node:path";
import { proxy } from "hono/proxy";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { ask, assertReply } from "../../support/client.ts";
import { sweep } from "../../support/knowledge.ts";
import { createTenant, operator } from "../../support/project.ts";
import { serve } from "../../support/serve.ts";
import { startService } from "../../support/service.ts";
import { countThreads, storeAnswer, talk } from "../../support/turns.ts";
import { runAdmin } from "./run_admin.ts";

const unknownId = "00000000-0000-4000-8000-00000000dead";

Deno.test("npm run admin -- user erase", async (t) => {
  await using service = await startService({ losesReplies: true });
  const env = { BASE_URL: service.supabase.url };
  const [one, other] = [await createTenant(), await createTenant()];
  const erased = [await talk(service, one, "u"), await talk(service, one, "u")];
  const kept = [[other, "u", await talk(service, other, "u")], [one, "v", await talk(service, one, "v")]] as const;
  const erase = (...args: string[]) => ["user", "erase", "u", "--account", one.accountId, ...args];
  const report = `Stored for user u in account ${one.accountId}: 2 threads with 4 messages.`;

  await t.step("says how much will be erased and asks; after no, nothing has changed", async () => {
    const run = await runAdmin(erase(), { env, answer: false });
    assertEquals([run.code, run.said, run.questions], [130, "", ["Erase them permanently?"]]);
    assertEquals(run.noted, `Project ${env.BASE_URL}\n${report}\nNothing was changed.`);
    assertEquals(await countThreads(service, one, "u"), 2);
  });

  await t.step("erases a user of one account, including the responses at the model's backend", async () => {
    const calls = () => service.supabase.requests.filter((path) => path === "/functions/v1/indexer").length;
    const before = calls();
    const run = await runAdmin(erase(), { env, answer: true });
    assertEquals(run.code, 0, run.noted);
    assertEquals(
      run.said,
      `Erased 2 threads with 4 messages for user u in account ${one.accountId}.\n` +
        "2 responses will also be deleted at the model's backend.",
    );
    assertMatch(
      run.noted,
      /usage counts of this user are kept\. If the user has a login, .* in the dashboard under Authentication\.$/,
    );
    assertEquals(calls(), before + 1);
    await service.turns();
    // The sweep also removes what other tests have left behind.
    await sweep(service);
    assertEquals(erased.filter(({ responseId }) => !service.model.removals.includes(responseId)), []);
    assertEquals(await countThreads(service, one, "u"), 0);
    for (const { threadId } of erased) {
      assertReply(await ask(service, "GET", `/threads/${threadId}/messages`, one), 404);
    }
  });

  await t.step("keeps the user with the same id of another account, and other users of this one", async () => {
    for (const [tenant, userId, { threadId, responseId }] of kept) {
      assertReply(await ask(service, "GET", `/threads/${threadId}/messages`, tenant), 200);
      assertEquals(await countThreads(service, tenant, userId), 1);
      assert(!service.model.removals.includes(responseId));
    }
  });

  await t.step("keeps the usage", async () => {
    const run = await runAdmin(["usage", "--from", "2020-01-01", "--to", "2999-12-31", "--key", one.keyId, "--json"]);
    assertEquals(run.json().totals.turns, 3);
  });

  await t.step("fails for a user of whom nothing is stored, or nothing any more", async () => {
    for (const userId of ["u", "U", "\x1b[2J"]) {
      const run = await runAdmin(["user", "erase", userId, "--account", one.accountId, "--yes"], { env });
      assertEquals([run.code, run.said], [1, ""]);
      const shown = userId.replace("\x1b", "\\u{1b}");
      assertEquals(run.noted.split("\n")[1], `Nothing is stored for user ${shown} in account ${one.accountId}.`);
    }
    const run = await runAdmin(["user", "erase", "u", "--account", unknownId, "--yes"], { env });
    assertEquals([run.code, run.noted.split("\n")[1]], [1, "Account not found"]);
  });

  await t.step("the key is sent to no other address, even when the indexer's address redirects", async () => {
    const keys: (string | null)[] = [];
    await using elsewhere = serve((request) => {
      keys.push(request.headers.get("apikey"));
      return new Response();
    });
    await using project = serve((request) => {
      const { pathname, search } = new URL(request.url);
      return pathname === "/functions/v1/indexer"
        ? Response.redirect(elsewhere.url)
        : proxy(service.supabase.url + pathname + search, { raw: request });
    });
    await talk(service, one, "w");
    const run = await runAdmin(["user", "erase", "w", "--account", one.accountId, "--yes"], {
      env: { BASE_URL: project.url },
    });
    assertEquals([run.code, keys], [0, []], run.noted);
    assertMatch(run.noted, /^The indexer could not be called/m);
  });

  await t.step("--yes asks no question; erasing succeeds even if the indexer cannot be called", async () => {
    await storeAnswer(one, { content: "Hi", status: "complete", response_id: `resp_${crypto.randomUUID()}` });
    service.supabase.fault = (path) => path === "/functions/v1/indexer" ? "lose" : "pass";
    const run = await runAdmin(erase("--yes", "--json"), { env, answer: false });
    assertEquals([run.code, run.questions], [0, []], run.noted);
    assertEquals(run.json(), { account_id: one.accountId, user_id: "u", threads: 1, messages: 2, responses: 1 });
    assertMatch(run.noted, /^The indexer could not be called \(.+\)\. It will start at its next scheduled run\.$/m);
    assertEquals(await countThreads(service, one, "u"), 0);
  });
});

Deno.test("npm run admin -- user export", async (t) => {
  await using service = await startService();
  const [one, other] = [await createTenant(), await createTenant()];
  const { threadId } = await talk(service, one, "u", "Hello u");
  await talk(service, one, "v");
  await talk(service, other, "u");
  const args = ["user", "export", "u", "--account", one.accountId];

  await t.step("control characters in users' messages are escaped, and the JSON means the same", async () => {
    const title = "\x1b[2J \x9b31m \u202e \x7f 👩‍💻 \u{e0041}";
    const { data } = await operator.from("threads")
      .insert({ account_id: one.accountId, coach_id: one.coachId, user_id: "y", title })
      .select("title").single().throwOnError();
    const run = await runAdmin(["user", "export", "y", "--account", one.accountId]);
    // deno-lint-ignore no-control-regex
    assertEquals(run.said.match(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u{e0041}]/gu), null);
    assertEquals(run.json().threads[0].title, data.title);
  });

  await t.step("prints all data of a user of one account as JSON, and changes nothing", async () => {
    const plain = await runAdmin(args);
    assertEquals([plain.code, plain.noted], [0, ""]);
    const { threads, ...about } = plain.json();
    assertEquals([about.account_id, about.user_id], [one.accountId, "u"]);
    assertEquals(threads.map(({ id, coach_id }: Record<string, string>) => [id, coach_id]), [[threadId, one.coachId]]);
    assertEquals(threads[0].messages.map(({ role, content }: Record<string, string>) => [role, content]), [
      ["user", "Hi"],
      ["assistant", "Hello u"],
    ]);
    assertEquals((await runAdmin([...args, "--json"])).json().threads, threads);
    assertEquals(await countThreads(service, one, "u"), 1);
  });

  await t.step("--output writes a file that only its owner can read, and replaces an existing one", async () => {
    const folder = await Deno.makeTempDir();
    await Deno.writeTextFile(join(folder, "u.json"), "old", { mode: 0o644 });
    const run = await runAdmin([...args, "--output", "u.json"], { folder });
    assertEquals([run.code, run.said, run.noted], [0, "Wrote 1 thread with 2 messages to u.json.", ""]);
    assertEquals(JSON.parse(await Deno.readTextFile(join(folder, "u.json"))).threads[0].id, threadId);
    assertEquals((await Deno.stat(join(folder, "u.json"))).mode! & 0o777, 0o600);
    const json = (await runAdmin([...args, "--output", "u.json", "--json"], { folder })).json();
    assertEquals(json, { output: "u.json", threads: 1, messages: 2 });
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["u.json"]);
    await Deno.remove(folder, { recursive: true });
  });

  await t.step("--output follows a link, and replaces only files", async () => {
    const folder = await Deno.makeTempDir();
    await Deno.writeTextFile(join(folder, "target.json"), "old");
    await Deno.symlink(join(folder, "target.json"), join(folder, "link.json"));
    assertEquals((await runAdmin([...args, "--output", "link.json"], { folder })).code, 0);
    assert((await Deno.lstat(join(folder, "link.json"))).isSymlink);
    assertEquals(JSON.parse(await Deno.readTextFile(join(folder, "target.json"))).threads[0].id, threadId);
    const device = await runAdmin([...args, "--output", "/dev/null"]);
    assertEquals([device.code, device.noted], [1, "/dev/null cannot be written: it exists and is not a regular file"]);
    await Deno.remove(folder, { recursive: true });
  });

  await t.step("fails when the file cannot be written, and leaves nothing behind", async () => {
    const folder = await Deno.makeTempDir();
    await Deno.mkdir(join(folder, "taken"));
    for (const output of ["taken", "none/u.json"]) {
      const run = await runAdmin([...args, "--output", output], { folder });
      assertEquals([run.code, run.said], [1, ""]);
      assertMatch(run.noted, new RegExp(`^${output} cannot be written: `));
    }
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["taken"]);
    await Deno.remove(folder, { recursive: true });
  });

  await t.step("fails for a user of whom nothing is stored, and for an unknown account", async () => {
    const run = await runAdmin(["user", "export", "w", "--account", one.accountId, "--json"]);
    const sentence = `Nothing is stored for user w in account ${one.accountId}.`;
    assertEquals([run.code, run.said, run.noted], [1, "", sentence]);
    const unknown = await runAdmin(["user", "export", "u", "--account", unknownId]);
    assertEquals([unknown.code, unknown.said, unknown.noted], [1, "", "Account not found"]);
  });

  await t.step("a thread without messages is exported too", async () => {
    await operator.from("threads").insert({ account_id: one.accountId, coach_id: one.coachId, user_id: "x" })
      .throwOnError();
    const run = await runAdmin(["user", "export", "x", "--account", one.accountId]);
    assertEquals(run.json().threads[0].messages, []);
  });
});
