import { join } from "node:path";
import { fieldsIn } from "../../../shared/features/coaches/coach_fields.ts";
import type { Database } from "../../../shared/infra/db/database_types.ts";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { ask } from "../../support/client.ts";
import { addFile, clearQueue, rowsOf } from "../../support/knowledge.ts";
import { createCoach, createTenant, issueKey, operator, publishableKey, secretKey } from "../../support/project.ts";
import { sentenceOf } from "../../support/refusals.ts";
import { serve } from "../../support/serve.ts";
import { projectVariable, startService } from "../../support/service.ts";
import { keyPattern, runAdmin } from "./run_admin.ts";

const unknownId = "00000000-0000-4000-8000-00000000dead";

/** A temporary folder with a file. */
async function createFolder(name: string, text: string | Uint8Array) {
  const folder = await Deno.makeTempDir({ prefix: "admin-" });
  await Deno.writeFile(join(folder, name), typeof text === "string" ? new TextEncoder().encode(text) : text);
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

const coachFile = (more = "") => `---\nname: Ada Byron\ntitle: Mathematics Coach\n${more}---\n\nAsk before you tell.\n`;

/** A stored coach, without the columns that the database fills in. */
async function storedCoach(id: string) {
  const { data } = await operator.from("coach_profiles").select().eq("id", id).single().throwOnError();
  const { created_at: _, ...coach } = data;
  return coach;
}

/** The project of the test run, but with every list of rows silently cut at `rows`. */
function serveCut(rows: number) {
  const target = projectVariable("SUPABASE_URL");
  return serve(async (request) => {
    const url = new URL(request.url);
    const limit = url.searchParams.get("limit");
    if (limit !== null) url.searchParams.set("limit", String(Math.min(Number(limit), rows)));
    const body = request.body === null ? undefined : await request.arrayBuffer();
    return await fetch(target + url.pathname + url.search, { method: request.method, headers: request.headers, body });
  });
}

Deno.test("npm run admin -- account", async (t) => {
  await t.step("create creates an account, names the project, and shows the id", async () => {
    const name = `Acme ${crypto.randomUUID()}`;
    const run = await runAdmin(["account", "create", ` ${name} `]);
    assertEquals(run.code, 0, run.noted);
    assertEquals(run.noted, `Project ${projectVariable("SUPABASE_URL")}`);
    const { data: account } = await operator.from("accounts").select().eq("name", name).single().throwOnError();
    assertEquals(run.said, `id    ${account.id}\nname  ${name}`);
  });

  await t.step("create --json prints the row", async () => {
    const run = await runAdmin(["account", "create", "Acme", "--json"]);
    const { id, name, created_at, ...others } = run.json();
    assertEquals(others, {});
    const { data } = await operator.from("accounts").select().eq("id", id).single().throwOnError();
    assertEquals([name, Date.parse(created_at)], [data.name, Date.parse(data.created_at)]);
  });

  await t.step(
    "list shows every account once, oldest first, even when the project cuts its replies early",
    async () => {
      const ids: string[] = [];
      for (const name of ["One", "Two\x1b[2J\nforged  \u202egnorw", "Three"]) {
        ids.push((await runAdmin(["account", "create", name, "--json"])).json().id);
      }
      await using project = serveCut(2);
      const run = await runAdmin(["account", "list"], { env: { BASE_URL: project.url } });
      assertEquals([run.code, run.noted], [0, ""]);
      const lines = run.said.split("\n");
      assertMatch(lines[0]!, /^id {36}name +days kept +created$/);
      const { json } = await runAdmin(["account", "list", "--json"]);
      assertEquals(Object.keys(json()[0]).toSorted(), ["created_at", "id", "name", "retention_days"]);
      const { count } = await operator.from("accounts").select("id", { count: "exact" }).limit(1).throwOnError();
      assertEquals(new Set(lines).size, lines.length);
      assert(lines.length - 1 <= count! && lines.length - 1 >= 3, run.said);
      const listed = lines.map((line) => line.split("  ")[0]!);
      assertEquals(listed.filter((id) => ids.includes(id)), ids);
      assertMatch(lines[listed.indexOf(ids[1]!)]!, /Two\\u\{1b\}\[2J\\u\{a\}forged {2}\\u\{202e\}gnorw /);
    },
  );
});

Deno.test("npm run admin -- account retention", async (t) => {
  const { accountId } = await createTenant();
  const stored = async () =>
    (await operator.from("accounts").select("retention_days, retention_due_at").eq("id", accountId).single()
      .throwOnError()).data;
  const run = (days: string, account = accountId) =>
    runAdmin(["account", "retention", "--account", account, "--days", days]);

  await t.step("says for how long threads are kept, and how many are older; they go in an hour", async () => {
    const set = await run("90");
    assertEquals(set.code, 0, set.noted);
    assertMatch(set.said, /^Threads are kept for 90 days after their last message\. 0 threads with no newer message /);
    const { retention_days, retention_due_at } = await stored();
    assertEquals(retention_days, 90);
    assert(Date.parse(retention_due_at) > Date.now());
    assertMatch((await runAdmin(["account", "list"])).said, new RegExp(`^${accountId} .* 90 `, "m"));
  });

  await t.step("none: until somebody deletes them", async () => {
    assertEquals((await run("none")).said, "Threads are kept until somebody deletes them.");
    assertEquals((await stored()).retention_days, null);
  });

  await t.step("other numbers and accounts are refused", async () => {
    for (const days of ["0", "3651", "1.5", "off"]) {
      const refused = await run(days);
      assertEquals(refused.code, 2);
      assertMatch(refused.noted, /^account retention: --days is neither a whole number from 1 to 3650 nor none\./);
    }
    const refused = await run("90", unknownId);
    assertEquals([refused.code, refused.noted.endsWith("Account not found")], [1, true], refused.noted);
  });
});

/** The columns that the file of a coach may leave empty. */
const unset = Object.fromEntries(
  fieldsIn("file").filter(([, { usual }]) => usual === null).map(([name]) => [name, null]),
) as unknown as Database["public"]["Tables"]["coach_profiles"]["Row"];

async function prepare() {
  const one = await createTenant();
  const other = await createTenant();
  const create = (folder: string, ...args: string[]) =>
    runAdmin(["coach", "create", "ada.md", "--account", one.accountId, ...args], { folder });
  return { one, other, create };
}

Deno.test("npm run admin -- coach", async (t) => {
  const { one, other, create } = await prepare();

  await t.step("create takes all fields from a file", async () => {
    const id = `ada-${crypto.randomUUID()}`;
    await using file = await createFolder(
      "ada.md",
      coachFile(
        `id: ${id}\ngreeting: |\n  Hello.\n  You?\nstarters: [Why?, How so?]\nmodel: m\nlanguage: german\ntemperature: 0.5\nhistory_limit: 0\n` +
          "reasoning_effort: none\nverbosity: high\nmax_output_tokens: 500\nstore_responses: false\n",
      ),
    );
    const run = await create(file.folder);
    assertEquals(run.code, 0, run.noted);
    assertMatch(
      run.said,
      new RegExp(`^id +${id}\nname +Ada Byron\n[^]*greeting +Hello\\.\\\\u{a}You\\?\nstarters +Why\\? \\| How so\\?\n`),
    );
    const stored = await storedCoach(id);
    assertEquals(stored, {
      ...unset,
      id,
      account_id: one.accountId,
      owner_id: null,
      name: "Ada Byron",
      title: "Mathematics Coach",
      instructions: "Ask before you tell.",
      picture: null,
      greeting: "Hello.\nYou?",
      starters: ["Why?", "How so?"],
      model: "m",
      reasoning_effort: "none",
      verbosity: "high",
      max_output_tokens: 500,
      store_responses: false,
      language: "german",
      temperature: 0.5,
      history_limit: 0,
      no_answer: null,
      takeover_minutes: 60,
      sources_are_open: false,
      version: 1,
      is_active: true,
      slug: stored.slug,
      slug_changes: 0,
      accent_color: null,
      launcher_text: null,
      set_at: null,
      deleted_at: null,
    });
    assertMatch(stored.slug!, /^ada-byron/);
    const again = await create(file.folder);
    assertEquals([again.code, again.said], [1, ""]);
    assertMatch(again.noted, /^Project .*\nThis coach id is taken$/);
  });

  await t.step("update changes the coach as its file says, and no other coach", async () => {
    await using full = await createFolder(
      "ada.md",
      coachFile(
        "greeting: Hello\nstarters: [Why?]\nmodel: m\nlanguage: german\ntemperature: 1\nhistory_limit: 5\n" +
          "reasoning_effort: high\nverbosity: low\nmax_output_tokens: 16\nstore_responses: true\n",
      ),
    );
    const { id } = (await create(full.folder, "--json")).json();
    await operator.from("coach_profiles").update({ is_active: false }).eq("id", id).throwOnError();
    const before = await storedCoach(other.coachId);
    const own = await storedCoach(one.coachId);

    await using short = await createFolder("new.md", "---\nname: Ada\ntitle: Countess\n---\nTell.");
    const run = await runAdmin(["coach", "update", id, "new.md", "--json"], { folder: short.folder });
    assertEquals(run.code, 0, run.noted);
    const { created_at: _, ...shown } = run.json();
    assertEquals(await storedCoach(id), shown);
    assertEquals(shown, {
      ...unset,
      id,
      account_id: one.accountId,
      owner_id: null,
      name: "Ada",
      title: "Countess",
      instructions: "Tell.",
      picture: null,
      greeting: null,
      starters: [],
      model: null,
      reasoning_effort: null,
      verbosity: null,
      max_output_tokens: null,
      store_responses: null,
      language: "english",
      temperature: null,
      history_limit: 20,
      no_answer: null,
      takeover_minutes: 60,
      sources_are_open: false,
      version: 3,
      is_active: false,
      slug: shown.slug,
      slug_changes: 0,
      accent_color: null,
      launcher_text: null,
      set_at: null,
      deleted_at: null,
    });
    assertEquals([await storedCoach(other.coachId), await storedCoach(one.coachId)], [before, own]);
  });

  await t.step("update refuses another coach's file, and a coach that does not exist", async () => {
    await using file = await createFolder("ada.md", coachFile("id: ada\n"));
    const before = await storedCoach(one.coachId);
    const run = await runAdmin(["coach", "update", one.coachId, "ada.md"], { folder: file.folder });
    assertEquals([run.code, run.said, run.noted], [
      2,
      "",
      "ada.md has the ID ada, but the ID of a coach cannot be changed.",
    ]);
    assertEquals(await storedCoach(one.coachId), before);
    await using unnamed = await createFolder("ada.md", coachFile());
    const missing = await runAdmin(["coach", "update", unknownId, "ada.md"], { folder: unnamed.folder });
    assertEquals(missing.code, 1);
    assertMatch(missing.noted, /\nCoach not found$/);
  });

  await t.step("a refusal of the database is printed in its words", async () => {
    await using file = await createFolder("ada.md", coachFile("language: klingon\n"));
    for (
      const args of [["create", "ada.md", "--account", one.accountId], ["update", one.coachId, "ada.md"]]
    ) {
      const run = await runAdmin(["coach", ...args], { folder: file.folder });
      assertEquals([run.code, run.said], [1, ""]);
      assertMatch(run.noted, /\nlanguage 'klingon' is not a text search configuration of this database$/);
    }
    await using good = await createFolder("ada.md", coachFile());
    const run = await runAdmin(["coach", "create", "ada.md", "--account", unknownId], { folder: good.folder });
    assertEquals([run.code, run.noted.split("\n")[1]], [1, "Account not found"]);
  });
});

Deno.test("npm run admin -- coach create refuses an invalid file before anything is sent", async () => {
  await using file = await createFolder("big.md", `${coachFile()}${"x".repeat(10_000_000)}`);
  await Deno.writeFile(join(file.folder, "latin.md"), new Uint8Array([45, 45, 45, 10, 228]));
  await Deno.writeTextFile(join(file.folder, "nul.md"), coachFile("greeting: '\0'\n"));
  await Deno.writeTextFile(join(file.folder, "plain.md"), "Ask before you tell.");
  for (
    const [name, sentence] of [
      ["big.md", "big.md is larger than 1 MB."],
      ["latin.md", "latin.md is not UTF-8 text."],
      ["nul.md", "nul.md is not UTF-8 text."],
      ["plain.md", "plain.md has no front matter: the file must start with fields between two lines of ---."],
      ["none.md", "none.md does not exist."],
      [".", ". is a folder."],
    ] as const
  ) {
    const run = await runAdmin(["coach", "create", name, "--account", unknownId], { folder: file.folder });
    assertEquals([run.code, run.said, run.noted], [2, "", sentence]);
  }
});

Deno.test("npm run admin -- coach show and list", async (t) => {
  const { one, other, create } = await prepare();

  await t.step("show prints one coach whole, with its own settings or whose default it has", async () => {
    const id = `ada-${crypto.randomUUID()}`;
    const fields = `id: ${id}\nreasoning_effort: high\nmax_output_tokens: 500\nstore_responses: false\n`;
    await using file = await createFolder("ada.md", `${coachFile(fields)}\nThen \x1b[2Jwait.\n`);
    const made = await create(file.folder);
    assertEquals(made.code, 0, made.noted);
    const before = await storedCoach(id);

    const run = await runAdmin(["coach", "show", id]);
    assertEquals([run.code, run.noted], [0, ""]);
    assertEquals(
      run.said,
      `id                 ${id}
name               Ada Byron
title              Mathematics Coach
model              default of the deployment (OPENAI_MODEL)
reasoning effort   high
verbosity          default of the deployment (OPENAI_VERBOSITY)
temperature        default of the deployment (OPENAI_TEMPERATURE)
max output tokens  500
store responses    no
language           english
history limit      20
takeover minutes   60
sources are open   no
version            1
active             yes
account            ${one.accountId}
instructions       36 characters

Ask before you tell.

Then \\u{1b}[2Jwait.`,
    );
    assertEquals(made.said, run.said.split("\n\n")[0]);
    const { created_at: _, experts, ...shown } = (await runAdmin(["coach", "show", id, "--json"])).json();
    assertEquals(experts, []);
    assertEquals(shown, before);
    assertEquals(await storedCoach(id), before);
  });

  await t.step("sources are opened by the file or by the option, and closed by a file without it", async () => {
    const id = `ada-${crypto.randomUUID()}`;
    await using closed = await createFolder("ada.md", coachFile(`id: ${id}\n`));
    await using open = await createFolder("ada.md", coachFile("sources_are_open: true\n"));
    const isOpen = async () => (await storedCoach(id)).sources_are_open;
    const change = (folder: string, ...args: string[]) =>
      runAdmin(["coach", "update", id, "ada.md", ...args], { folder });
    const made = await create(closed.folder, "--sources-are-open");
    assertMatch(made.said, /\nsources are open +yes\n/);
    assertEquals(await isOpen(), true);
    const opened: unknown[] = [];
    for (
      const [folder, ...args] of [[closed.folder], [open.folder], [closed.folder], [
        closed.folder,
        "--sources-are-open",
      ]]
    ) {
      assertEquals((await change(folder!, ...args)).code, 0);
      opened.push(await isOpen());
    }
    assertEquals(opened, [false, true, false, true]);
  });

  await t.step("show fails for a coach that does not exist, and without one", async () => {
    const missing = await runAdmin(["coach", "show", unknownId]);
    assertEquals([missing.code, missing.said, missing.noted], [1, "", sentenceOf("coach_not_found")]);
    const unnamed = await runAdmin(["coach", "show"]);
    assertEquals([unnamed.code, unnamed.said], [2, ""]);
    assertMatch(unnamed.noted, /^coach show: <coach id> is missing\./);
  });

  await t.step("list --account shows only the coaches of that account, also more than fit into one reply", async () => {
    const { accountId } = await createTenant();
    const rows = Array.from({ length: 1_100 }, (_, number) => ({
      account_id: accountId,
      name: `Coach ${number}`,
      title: "T",
      instructions: "I",
    }));
    await operator.from("coach_profiles").insert(rows).throwOnError();
    const coaches = (await runAdmin(["coach", "list", "--account", accountId, "--json"])).json();
    assertEquals(coaches.length, 1_101);
    assertEquals(new Set(coaches.map(({ id }: { id: string }) => id)).size, 1_101);
    assert(coaches.every((coach: { account_id: string }) => coach.account_id === accountId));
    assert(!("instructions" in coaches[0]));
    for (const name of ["reasoning_effort", "verbosity", "temperature", "max_output_tokens", "store_responses"]) {
      assertEquals(coaches[0][name], null, name);
    }

    const { said } = await runAdmin(["coach", "list", "--account", other.accountId]);
    assertEquals(said.split("\n").map((line) => line.split("  ")[0]), ["id", other.coachId]);
  });

  await t.step("list says when an account has no coaches, and fails for an unknown account", async () => {
    const { data } = await operator.from("accounts").insert({ name: "Empty" }).select().single().throwOnError();
    const run = await runAdmin(["coach", "list", "--account", data.id]);
    assertEquals([run.code, run.said, run.noted], [0, "", "There are no coaches yet."]);
    assertEquals((await runAdmin(["coach", "list", "--account", data.id, "--json"])).json(), []);
    const missing = await runAdmin(["coach", "list", "--account", unknownId]);
    assertEquals([missing.code, missing.said, missing.noted], [1, "", "Account not found"]);
  });
});

Deno.test("npm run admin -- key", async (t) => {
  await using service = await startService();
  const one = await createTenant();
  const other = await createTenant();
  const statusWith = async (apiKey: string) => (await ask(service, "GET", "/users/u/threads", { apiKey })).status;
  const keysOf = async (accountId: string) =>
    (await runAdmin(["key", "list", "--account", accountId, "--json"])).json() as Record<string, unknown>[];

  await t.step("issue prints a key that works, and only on stdout", async () => {
    const run = await runAdmin(["key", "issue", "--account", one.accountId, "--name", "server"]);
    assertEquals(run.code, 0, run.noted);
    assertMatch(run.noted, /\nCopy the key now: it is shown only once\.$/);
    assertEquals(await statusWith(keyPattern.exec(run.said)![0]), 200);
    assertMatch(run.said, /^scopes +chat,threads:read,threads:write,knowledge:read,knowledge:write$/m);
    assertMatch(run.said, /^expires +never$/m);
  });

  await t.step("issue takes scopes, an expiry and limits", async () => {
    const run = await runAdmin([
      ...["key", "issue", "--account", one.accountId, "--name", " reader ", "--scopes", "chat, knowledge:read"],
      ...["--expires", "2999-01-31", "--per-minute", "1", "--per-hour", "2", "--per-day", "3", "--json"],
    ]);
    const { api_key, scopes, expires_at, ...key } = run.json();
    assertMatch(api_key, keyPattern);
    assertEquals(scopes, ["chat", "knowledge:read"]);
    assertEquals(Date.parse(expires_at), Date.parse("2999-01-31T00:00:00Z"));
    assertEquals([key.requests_per_minute, key.requests_per_hour, key.requests_per_day], [1, 2, 3]);
    assertEquals(await statusWith(api_key), 403);
  });

  await t.step("list shows the account's keys without secrets, and no other account's", async () => {
    const run = await runAdmin(["key", "list", "--account", one.accountId]);
    assertEquals([run.code, run.noted], [0, ""]);
    assertEquals(run.said.split("\n").length, 4);
    assert(!keyPattern.test(run.said), run.said);
    assertMatch(run.said, /^[0-9a-f-]{36} {2}active {2}hi_live_\w{6} {2}reader$/m);
    const keys = await keysOf(one.accountId);
    assertEquals(keys.map(({ name, account_id }) => [name, account_id]), [
      ["test", one.accountId],
      ["server", one.accountId],
      ["reader", one.accountId],
    ]);
    assert(!keyPattern.test(JSON.stringify(keys)));
  });

  await t.step("list fits 80 columns, and has a heading for each account where none is named", async () => {
    const { accountId } = await createTenant();
    await runAdmin(["key", "issue", "--account", accountId, "--name", "the server of our German customers"]);
    const { said } = await runAdmin(["key", "list"]);
    const lines = said.split("\n");
    assertEquals(lines.filter((line) => [...line].length > 80), []);
    assertMatch(said, new RegExp(`^Account ${accountId}\nid +status +begins +name$`, "m"));
    assertMatch(said, /hi_live_\w{6} {2}the server of our…$/m);
  });

  await t.step("show has everything about a key but its text", async () => {
    const [{ id, prefix } = { id: "", prefix: "" }] = (await keysOf(one.accountId)).filter(({ name }) =>
      name === "reader"
    );
    const { said, code } = await runAdmin(["key", "show", String(id)]);
    assertEquals(code, 0);
    assertEquals(said.split("\n").map((line) => line.split(/ {2,}/)[0]), [
      ...["id", "name", "account", "scopes", "per min/h/day", "expires", "begins", "status", "created", "last used"],
    ]);
    assertMatch(said, new RegExp(`^begins +${prefix}\nstatus +active\ncreated +\\d{4}-.*\nlast used +\\d{4}-`, "m"));
    assertMatch(said, /^scopes +chat,knowledge:read\nper min\/h\/day +1\/2\/3\nexpires +2999-01-31T00:00:00Z$/m);
    const missing = await runAdmin(["key", "show", unknownId]);
    assertEquals([missing.code, missing.said, missing.noted], [1, "", "API key not found"]);
  });

  await t.step("list continues when the project cuts its replies", async () => {
    const { accountId } = await createTenant();
    for (let more = 0; more < 4; more++) await issueKey(accountId);
    await using project = serveCut(2);
    const run = await runAdmin(["key", "list", "--account", accountId, "--json"], { env: { BASE_URL: project.url } });
    assertEquals(new Set(run.json().map(({ id }: { id: string }) => id)).size, 5);
  });

  await t.step("list shows all of more than a thousand keys", async () => {
    const { accountId } = await createTenant();
    for (let more = 0; more < 1_050; more += 50) {
      await Promise.all(Array.from({ length: 50 }, () => issueKey(accountId)));
    }
    assertEquals(new Set((await keysOf(accountId)).map(({ id }) => id)).size, 1_051);
  });

  await t.step("rotate issues a new key; the old one works for the hours of --overlap", async () => {
    const old = await issueKey(one.accountId, { scopes: ["threads:read"], requests_per_minute: 7 });
    const run = await runAdmin(["key", "rotate", old.keyId, "--overlap", "2", "--json"]);
    assertEquals(run.code, 0, run.noted);
    assertMatch(run.noted, /shown only once/);
    const { api_key, ...key } = run.json();
    assertEquals([key.replaces, key.scopes, key.requests_per_minute], [old.keyId, ["threads:read"], 7]);
    const overlap = Date.parse(key.replaced_expires_at) - Date.parse(key.created_at);
    assertEquals(overlap, 2 * 3_600_000);
    assertEquals([await statusWith(api_key), await statusWith(old.apiKey)], [200, 200]);
    const again = await runAdmin(["key", "rotate", old.keyId]);
    assertEquals(again.code, 1);
    assertMatch(again.noted, new RegExp(`This API key was rotated before: ${key.id} is its successor`));
  });

  await t.step("rotate --overlap 0 ends the old key at once; without --overlap it ends after a day", async () => {
    const old = await issueKey(one.accountId);
    const run = await runAdmin(["key", "rotate", old.keyId, "--overlap", "0"]);
    assertEquals([await statusWith(keyPattern.exec(run.said)![0]), await statusWith(old.apiKey)], [200, 401]);
    const { keyId } = await issueKey(one.accountId);
    const usual = (await runAdmin(["key", "rotate", keyId, "--json"])).json();
    assertEquals(Date.parse(usual.replaced_expires_at) - Date.parse(usual.created_at), 86_400_000);
  });

  await t.step("revoke ends one key and no other", async () => {
    const { apiKey, keyId } = await issueKey(one.accountId);
    const run = await runAdmin(["key", "revoke", keyId]);
    assertEquals(run.code, 0, run.noted);
    assertMatch(run.said, new RegExp(`^id +${keyId}\nname +test\nprefix +hi_live_\\w{6}\nrevoked +\\d{4}-`));
    assertEquals(await statusWith(apiKey), 401);
    assertEquals([await statusWith(one.apiKey), await statusWith(other.apiKey)], [200, 200]);
    const [key] = (await keysOf(one.accountId)).filter(({ id }) => id === keyId);
    assertEquals(key!.status, "revoked");
    assertEquals((await keysOf(other.accountId)).map(({ id, status }) => [id, status]), [[other.keyId, "active"]]);
  });

  await t.step("keys and accounts that do not exist are refused", async () => {
    for (
      const [args, sentence] of [
        [["issue", "--account", unknownId, "--name", "x"], "Account not found"],
        [["list", "--account", unknownId], "Account not found"],
        [["rotate", unknownId], "API key not found"],
        [["revoke", unknownId], "API key not found"],
      ] as const
    ) {
      const run = await runAdmin(["key", ...args]);
      assertEquals([run.code, run.said, run.noted.split("\n").at(-1)], [1, "", sentence]);
    }
  });
});

Deno.test("npm run admin -- key issue --publishable", async (t) => {
  await t.step("makes a key for some origins and coaches, with limits", async () => {
    const { accountId, coachId } = await createTenant();
    const run = await runAdmin([
      ...["key", "issue", "--account", accountId, "--name", "page", "--publishable", "--coach", coachId],
      ...["--origin", "https://a.example", "--origin", "https://b.example,http://localhost:3000", "--per-minute", "7"],
      ...["--total-per-day", "99", "--anonymous-per-hour", "3", "--anonymous-total-per-minute", "8", "--json"],
    ]);
    assertEquals(run.code, 0, run.noted);
    const { api_key, ...key } = run.json();
    assertMatch(api_key, /^hi_pub_[0-9A-Za-z]{32}[0-9a-f]{6}$/);
    assertEquals(key.origins, ["https://a.example", "https://b.example", "http://localhost:3000"]);
    assertEquals([key.coach_ids, key.scopes], [[coachId], ["chat", "threads:read", "threads:write"]]);
    assertEquals([key.requests_per_minute, key.total_per_minute, key.total_per_day], [7, 700, 99]);
    assertEquals([key.anonymous_per_minute, key.anonymous_per_hour, key.anonymous_per_day], [3, 3, 5000]);
    const anonymousTotals = [8, 50000, 49];
    assertEquals([
      key.anonymous_total_per_minute,
      key.anonymous_total_per_hour,
      key.anonymous_total_per_day,
    ], anonymousTotals);
    const listed = (await runAdmin(["key", "list", "--account", accountId])).said;
    for (const shown of [listed, (await runAdmin(["key", "show", key.id])).said]) {
      assertMatch(shown, /^.*\bpage\b/m);
      assert(!shown.includes(api_key), shown);
    }
    const { said } = await runAdmin(["key", "show", key.id]);
    assertMatch(said, /^origins +https:\/\/a\.example,https:\/\/b\.example,http:\/\/localhost:3000$/m);
    assertMatch(said, /^per min\/h\/day +7\/1000\/10000\nor/m);
    assertMatch(said, /^all users +700\/100000\/99\nanonymous +3\/3\/5000\nall anonymous +8\/50000\/49$/m);
    const rotated = (await runAdmin(["key", "rotate", key.id, "--json"])).json();
    assertMatch(rotated.api_key, /^hi_pub_/);
    assertEquals([rotated.origins, rotated.coach_ids, rotated.total_per_day], [key.origins, [coachId], 99]);
  });

  await t.step("makes a key for AI clients, which needs no origin, and says the address for them", async () => {
    const { accountId } = await createTenant();
    const issue = ["key", "issue", "--account", accountId, "--name", "clients", "--publishable", "--mcp"];
    const { said } = await runAdmin(issue);
    assertMatch(said, /^AI clients +yes$/m);
    assertMatch(said, /^MCP address +http:\/\/127\.0\.0\.1:\d+\/functions\/v1\/mcp\/hi_pub_\w{38}$/m);
    const [, id = ""] = /^id +(\S+)$/m.exec(said) ?? [];
    const shown = (await runAdmin(["key", "show", id])).said;
    assertMatch(shown, /^AI clients +yes$/m);
    assert(!shown.includes("MCP address"), shown);
    const listed = (await runAdmin(["key", "list", "--account", accountId, "--json"])).json();
    const found = listed.find((key: { id: string }) => key.id === id);
    assertEquals([found.allows_mcp, found.origins], [true, []]);
    const rotated = (await runAdmin(["key", "rotate", id, "--json"])).json();
    assertEquals([rotated.allows_mcp, rotated.origins], [true, []]);
    const ofPage = await runAdmin([...issue.slice(0, -1), "--origin", "https://a.example", "--json"]);
    assertEquals(ofPage.json().allows_mcp, false);
  });

  await t.step(
    "is needed for what belongs to publishable keys alone, and refused without a page",
    async () => {
      const { accountId } = await createTenant();
      const issue = ["key", "issue", "--account", accountId, "--name", "page"];
      const secret = await runAdmin([...issue, "--origin", "https://a.example"]);
      assertEquals([secret.code, secret.said], [2, ""]);
      assertMatch(secret.noted, /--origin is only for publishable keys: add --publishable/);
      const secretForMcp = await runAdmin([...issue, "--mcp"]);
      assertMatch(secretForMcp.noted, /--mcp is only for publishable keys: add --publishable/);
      const nowhere = await runAdmin([...issue, "--publishable"]);
      assertEquals([nowhere.code, nowhere.said], [2, ""]);
      assertMatch(nowhere.noted, /^key issue: --publishable needs --origin, --allow-no-origin or --mcp/);
      const path = await runAdmin([...issue, "--publishable", "--origin", "https://a.example/chat"]);
      assertMatch(path.noted, /^--origin: 'https:\/\/a\.example\/chat' is not an origin as browsers name them/m);
      const page = ["--publishable", "--origin", "https://a.example"];
      const expert = await runAdmin([...issue, ...page, "--scopes", "expert"]);
      assertMatch(expert.noted, /^--scopes of a publishable key must be among chat, threads:read, threads:write$/m);
      const { coachId } = await createTenant();
      const foreign = await runAdmin([...issue, ...page, "--coach", coachId]);
      assertMatch(foreign.noted, /^--coach must be coaches of the account$/m);
    },
  );
});

Deno.test("npm run admin -- issuer", async (t) => {
  const one = await createTenant();
  const other = await createTenant();
  const login = {
    issuer: "https://login.acme.example/",
    jwks: "https://login.acme.example/keys",
    audience: "coach-app",
  };
  const set = (name: string, changes: Partial<typeof login> = {}, account = one.accountId) =>
    runAdmin([
      ...["issuer", "set", name, "--account", account],
      ...Object.entries({ ...login, ...changes }).flatMap(([option, value]) => [`--${option}`, value]),
    ]);
  const list = async (account: string) =>
    (await runAdmin(["issuer", "list", "--account", account, "--json"])).json()
      .map(({ name, issuer, jwks_url, audience }: Record<string, string>) => [name, issuer, jwks_url, audience]);

  await t.step("set adds an issuer, and replaces that of the same name", async () => {
    const run = await set("acme");
    assertEquals(run.code, 0, run.noted);
    assertMatch(run.noted, /^Project /);
    assertEquals(
      run.said.split("\n").map((line) => line.split(/ {2,}/)),
      [["name", "acme"], ["issuer", login.issuer], ["audience", login.audience], ["jwks", login.jwks], [
        "account",
        one.accountId,
      ]],
    );
    assertEquals((await set("acme", { audience: "another-app" })).code, 0);
    assertEquals((await set("local", { issuer: "local", jwks: "http://127.0.0.1:8080/keys" })).code, 0);
    assertEquals(
      (await list(one.accountId)).toSorted(),
      [["acme", login.issuer, login.jwks, "another-app"], [
        "local",
        "local",
        "http://127.0.0.1:8080/keys",
        login.audience,
      ]],
    );
    assertEquals(await list(other.accountId), []);
  });

  await t.step("list shows a table, of all accounts where none is named", async () => {
    assertEquals((await set("acme", {}, other.accountId)).code, 0);
    const run = await runAdmin(["issuer", "list"]);
    assertMatch(run.said, /^name +issuer +audience +jwks +account\n/);
    for (const { accountId } of [one, other]) assert(run.said.includes(accountId), run.said);
  });

  await t.step("remove takes one issuer of one account away", async () => {
    const run = await runAdmin(["issuer", "remove", "acme", "--account", other.accountId]);
    assertEquals(run.code, 0, run.noted);
    assertEquals(await list(other.accountId), []);
    assertEquals((await list(one.accountId)).length, 2);
    const again = await runAdmin(["issuer", "remove", "acme", "--account", other.accountId]);
    assertEquals([again.code, again.said, again.noted.split("\n").at(-1)], [1, "", "Token issuer not found"]);
  });

  const badName = "<name> must begin with a letter and have at most 32 of a-z, 0-9 and -";
  const badAddress = "--jwks must be an https address without a user or a password, of at most 2000 characters";
  const refused: [what: string, run: () => ReturnType<typeof set>, sentence: string][] = [
    ["an unknown account", () => set("acme", {}, unknownId), "Account not found"],
    ["a name in capitals", () => set("Acme"), badName],
    ["a name with a colon", () => set("acme:eu"), badName],
    ["a name that begins with a digit", () => set("1acme"), badName],
    ["a name that is too long", () => set("a".repeat(33)), badName],
    ["keys at no address", () => set("new", { jwks: "login.acme.example" }), badAddress],
    ["the same issuer twice", () => set("new"), "The account has this issuer under another name"],
    [
      "an issuer that is too long",
      () => set("new", { issuer: "x".repeat(256) }),
      "--issuer and --audience must have at most 255 characters",
    ],
  ];
  for (const [what, ask, sentence] of refused) {
    await t.step(`${what} is refused`, async () => {
      const run = await ask();
      assertEquals([run.code, run.said, run.noted.split("\n").at(-1)], [1, "", sentence]);
    });
  }

  await t.step("the project itself, and what is blank, is refused", async () => {
    const itself = await set("new", { issuer: `${projectVariable("SUPABASE_URL")}/auth/v1` });
    assertEquals(itself.code, 2);
    assertMatch(itself.noted, /--issuer is this project itself/);
    assertEquals((await set("new", { audience: " " })).code, 2);
    const { error } = await operator.rpc("set_token_issuer", {
      account_id: one.accountId,
      name: "new",
      issuer: "new",
      jwks_url: login.jwks,
      audience: " ",
    });
    assertEquals(error?.message, "issuer and audience must not be blank");
    assertEquals((await list(one.accountId)).length, 2);
  });
});

Deno.test("npm run admin -- reindex", async (t) => {
  await using service = await startService();
  await clearQueue();
  const { supabase } = service;
  const env = { BASE_URL: supabase.url };
  const one = await createTenant();
  const other = await createTenant();
  const [first, second, foreign] = [
    await addFile(one, "first.md", "Owls hunt by ear."),
    await addFile(one, "second.md", "Bats as well."),
    await addFile(other, "foreign.md", "Cats do not."),
  ];
  /** Tells of each file whether it has a version that is to be read. */
  const isQueued = async (coachId: string) =>
    Object.fromEntries(
      (await rowsOf(coachId)).toSorted((a, b) => Number(b.replaces === null) - Number(a.replaces === null))
        .map(({ id, replaces, due_at, attempts }) => [replaces ?? id, due_at !== null || attempts > 0]),
    );
  /** Adds a file without an object, so that indexing it fails later. */
  supabase.fault = (path) => path.endsWith("/functions/v1/indexer") ? "refuse" : "pass";

  await t.step("file has one file indexed again; it succeeds even if the indexer cannot be called", async () => {
    const run = await runAdmin(["reindex", "file", first], { env });
    assertEquals([run.code, run.said], [0, "1 file is being indexed again."]);
    assertMatch(
      run.noted,
      /\nThe indexer could not be called \(it returned 503\)\. It will start at its next scheduled run\.$/,
    );
    assertEquals(await isQueued(one.coachId), { [first]: true, [second]: false });
  });

  await t.step("coach has all files of that coach indexed again, and wakes the indexer", async () => {
    supabase.fault = "pass";
    const run = await runAdmin(["reindex", "coach", one.coachId, "--json"], { env });
    await service.turns();
    assertEquals([run.code, run.json(), run.noted.split("\n").length], [0, { files: 2 }, 1]);
    assertEquals(supabase.requests.filter((path) => path === "/functions/v1/indexer").length, 2);
    // Without their objects they fail, or wait for another try, and the files stay as they were.
    const rows = await rowsOf(one.coachId);
    const versions = rows.filter(({ replaces }) => replaces !== null);
    assertEquals(versions.map(({ replaces }) => replaces).toSorted(), [first, second].toSorted());
    for (const { due_at, status } of versions) assert(due_at !== null || status === "failed");
    assertEquals(rows.filter(({ status }) => status === "ready").map(({ id }) => id), [first, second]);
    assertEquals(await isQueued(other.coachId), { [foreign]: false });
  });

  await t.step("a coach without files has nothing to index", async () => {
    const { id } = await createCoach(one.accountId);
    const run = await runAdmin(["reindex", "coach", id]);
    assertEquals([run.code, run.said], [0, "There are no files to index."]);
  });

  await t.step("files and coaches that do not exist are refused", async () => {
    const file = await runAdmin(["reindex", "file", unknownId]);
    assertEquals([file.code, file.noted.split("\n").at(-1)], [1, sentenceOf("file_not_found")]);
    const coach = await runAdmin(["reindex", "coach", "unknown"]);
    assertEquals([coach.code, coach.noted.split("\n").at(-1)], [1, sentenceOf("coach_not_found")]);
  });
  await operator.from("knowledge_files").delete().in("coach_id", [one.coachId, other.coachId]).throwOnError();
});

Deno.test("npm run admin, called with wrong arguments, says what is wrong and sends nothing", async (t) => {
  await using service = await startService();
  const { supabase } = service;
  const account = ["--account", unknownId];
  const issue = ["key", "issue", ...account, "--name", "x"];
  const cases: [args: string[], sentence: RegExp][] = [
    [[], /^No command given\.\nSee npm run admin -- --help\.$/],
    [["acount", "list"], /^There is no command acount\./],
    [["constructor"], /^There is no command constructor\./],
    [["key", "isue"], /^There is no command key isue, only key issue, key list, key show, key rotate, key revoke\./],
    [["account", "create"], /^account create: <name> is missing\.\nSee npm run admin -- account create --help\.$/],
    [["account", "create", " "], /^account create: <name> is blank\./],
    [["account", "create", "Acme", "Corp"], /^account create: Corp is unexpected\./],
    [["account", "list", ...account], /^account list: Unknown option '--account'\.\nSee .* account list --help\.$/],
    [["coach", "create", "ada.md"], /^coach create: --account is missing\./],
    [["coach", "update", "ada"], /^coach update: <file\.md> is missing\./],
    [["key", "issue", ...account], /^key issue: --name is missing\./],
    [
      ["key", "issue", "--account", "acme", "--name", "x"],
      /^key issue: --account is not a valid ID \(an ID looks like /,
    ],
    [
      [...issue, "--scopes", "chat,admin"],
      /--scopes must be one or more of chat,threads:read,threads:write,knowledge:read,knowledge:write,expert, separated by/,
    ],
    [[...issue, "--scopes", ""], /--scopes must be one or more of/],
    [[...issue, "--expires", "2027-02-29"], /--expires is not a day \(a day looks like 2026-12-31\)\./],
    [[...issue, "--expires", "2026-11-22"], /--expires 2026-11-22 is not in the future\./],
    [[...issue, "--per-minute", "0"], /--per-minute is not a whole number from 1 to 2147483647\./],
    [[...issue, "--per-hour", "1.5"], /--per-hour is not a whole number/],
    [[...issue, "--per-day", "2147483648"], /--per-day is not a whole number/],
    [["key", "rotate", "server"], /^key rotate: <key id> is not a valid ID/],
    [["key", "rotate", unknownId, "--overlap", "8761"], /--overlap is not a whole number from 0 to 8760\./],
    [["key", "rotate", unknownId, "--overlap=-1"], /--overlap is not a whole number/],
    [["key", "revoke"], /^key revoke: <key id> is missing\./],
    [["issuer", "set", "acme", ...account], /^issuer set: --issuer is missing\./],
    [["issuer", "remove", "acme"], /^issuer remove: --account is missing\./],
    [["usage", "--from", "yesterday"], /^usage: --from is not a day/],
    [["usage", "--from", "2026-11-02", "--to", "2026-11-01"], /--from 2026-11-02 is after --to 2026-11-01\./],
    [["usage", "--by", "week"], /--by must be one or more of day,account,api_key,coach/],
    [["usage", "november"], /^usage: november is unexpected\./],
    [["reindex", "file", "first.md"], /^reindex file: <file id> is not a valid ID/],
    [["reindex", "coach"], /^reindex coach: <coach id> is missing\./],
    [["user", "export", "u"], /^user export: --account is missing\./],
    [
      ["user", "erase", "u", ...account],
      /^There is no terminal for the confirmation. To erase without one, add --yes\.$/,
    ],
    [["key", "revoke", "\x1b[2J\n"], /<key id> is not a valid ID/],
    [["account", "create", "a", "\x1b[2J\n"], /\\u\{1b\}\[2J\\u\{a\} is unexpected/],
  ];
  for (const [args, sentence] of cases) {
    await t.step(`npm run admin -- ${args.map((arg) => JSON.stringify(arg)).join(" ")}`, async () => {
      const run = await runAdmin(args, { env: { BASE_URL: supabase.url }, now: new Date("2026-11-22T00:00:00Z") });
      assertEquals([run.code, run.said], [2, ""], run.noted);
      assertMatch(run.noted, sentence);
    });
  }
  assertEquals(supabase.requests, []);

  await t.step("--help shows every command, anywhere in the command line", async () => {
    for (const args of [["--help"], ["-h"], ["--json", "nothing", "--help"], ["help"]]) {
      const run = await runAdmin(args, { env: { BASE_URL: undefined, SECRET_KEY: undefined } });
      assertEquals([run.code, run.noted], [0, ""]);
      assertMatch(run.said, /^npm run admin -- <command> \[--json\]\n/);
    }
  });

  await t.step("--help after the first word of commands shows these", async () => {
    const run = await runAdmin(["key", "--help"], { env: { BASE_URL: undefined, SECRET_KEY: undefined } });
    assertEquals([run.code, run.noted, run.said.includes("  key rotate <key id>"), run.said.includes("  user list")], [
      ...[0, "", true, false],
    ]);
  });

  await t.step("--help after a command shows that one", async () => {
    for (
      const args of [["key", "issue", "--help"], ["help", "key", "issue"], ["--help", "key", "issue", "--account", "a"]]
    ) {
      const run = await runAdmin(args, { env: { BASE_URL: undefined, SECRET_KEY: undefined } });
      assertEquals([run.code, run.noted], [0, ""]);
      assertMatch(run.said, /^npm run admin -- key issue --account ID/);
      assertEquals(run.said.includes("--overlap"), false);
    }
  });
});

Deno.test("npm run admin, when the project cannot be used", async (t) => {
  await using service = await startService({ losesReplies: true });
  const { supabase } = service;
  const name = `Never ${crypto.randomUUID()}`;
  const create = ["account", "create", name];
  const isThere = async () => (await operator.from("accounts").select().eq("name", name).throwOnError()).data.length;
  const elsewhere = serve(() => new Response("<html>Welcome</html>", { headers: { "Content-Type": "text/html" } }));
  const older = serve(() => Response.json({ code: "PGRST202", message: "Could not find" }, { status: 404 }));
  const busy = serve(() => new Response("<html>Gateway Timeout</html>", { status: 504 }));
  const moved = serve(() => Response.redirect(projectVariable("SUPABASE_URL")));
  await using servers = new AsyncDisposableStack();
  for (const server of [elsewhere, older, busy, moved]) servers.use(server);
  const cases: Record<string, [env: Record<string, string | undefined>, code: number, sentence: RegExp]> = {
    "no address": [{ BASE_URL: undefined }, 2, /^Start the service with npm start, or set BASE_URL and SECRET_KEY/],
    "no key": [{ SECRET_KEY: "" }, 2, /^Start the service with npm start, or set BASE_URL and SECRET_KEY/],
    "an invalid address": [{ BASE_URL: "project.supabase.co" }, 2, /^BASE_URL is not the address of a project/],
    "an address with a password": [
      { BASE_URL: "https://a:sesame@b.test" },
      2,
      /^BASE_URL is not the address(?!.*sesame)/,
    ],
    "an address with http:, which would send the key unencrypted": [
      { BASE_URL: "http://b.test" },
      2,
      /^BASE_URL starts with http:/,
    ],
    "the publishable key": [{ SECRET_KEY: publishableKey }, 2, /^SECRET_KEY is set to a publishable key/],
    "a key in two lines": [
      { SECRET_KEY: `${secretKey}\nx` },
      2,
      /^SECRET_KEY contains characters that are not allowed in a key\.$/,
    ],
    "another project's key": [{ SECRET_KEY: "sb_secret_wrong" }, 1, /rejected the key: set SECRET_KEY to/],
    "an address where nothing listens": [
      { BASE_URL: "http://127.0.0.1:9999" },
      1,
      /cannot be reached: .*\nCheck that BASE_URL/,
    ],
    "the address of a function": [
      { BASE_URL: `${supabase.url}/functions/v1/chat` },
      1,
      /returned 40\d, but not the way a project does: set BASE_URL/,
    ],
    "the address of a website": [
      { BASE_URL: elsewhere.url },
      1,
      /returned 200, but not the way a project does: set BASE_URL/,
    ],
    "a gateway that timed out": [
      { BASE_URL: busy.url },
      1,
      /did not answer: a server in front of it returned 504\nThe command may have been carried out anyway/,
    ],
    "an address that redirects": [{ BASE_URL: moved.url }, 1, /did not answer: /],
    "a project without this service": [{ BASE_URL: older.url }, 1, /has an older version of this service, or none/],
  };
  for (const [description, [env, code, sentence]] of Object.entries(cases)) {
    await t.step(description, async () => {
      const run = await runAdmin(create, { env });
      assertEquals([run.code, run.said], [code, ""], run.noted);
      assertMatch(run.noted.replace(/^Project .*\n/, ""), sentence);
      assertEquals(await isThere(), 0);
    });
  }

  await t.step("a key repeated in the project's error is hidden", async () => {
    await using echo = serve((request) =>
      Response.json({ code: "42000", message: `No apikey ${request.headers.get("apikey")}` }, { status: 400 })
    );
    const run = await runAdmin(create, { env: { BASE_URL: echo.url } });
    assertEquals([run.code, run.noted.split("\n").at(-1)], [1, "No apikey •••"]);
  });

  await t.step("when the result cannot be printed, the error says that the command was done", async () => {
    const run = await runAdmin(["account", "list"], { isFull: true });
    assertEquals([run.code, run.noted], [
      1,
      "The command has run, but its result cannot be shown: No space left on device",
    ]);
  });

  await t.step("an error of the project is printed, and nothing is done", async () => {
    supabase.fault = "refuse";
    const run = await runAdmin(create, { env: { BASE_URL: supabase.url } });
    assertEquals([run.code, run.noted.split("\n").at(-1)], [1, "arranged"]);
    assertEquals(await isThere(), 0);
  });

  await t.step("when the connection breaks, the error says that the command may have been done", async () => {
    supabase.fault = "lose";
    const run = await runAdmin(create, { env: { BASE_URL: supabase.url } });
    assertEquals(run.code, 1);
    assertMatch(run.noted, /did not answer: .*\nThe command may have been carried out anyway/);
    assert(await isThere() > 0);
  });
});

Deno.test("npm run admin -- webhook", async (t) => {
  const one = await createTenant();
  const other = await createTenant();
  const run = (command: string, { accountId }: { accountId: string }, ...options: string[]) =>
    runAdmin(["webhook", command, "--account", accountId, ...options]);
  const set = (account: { accountId: string }, ...options: string[]) =>
    run("set", account, "--url", "https://93.184.216.34/hook", ...options);
  const secretPattern = /whsec_[A-Za-z0-9+/]{43}=/;

  await t.step("set prints the secret of a new webhook this once, and a new one where it is rotated", async () => {
    const first = await set(one);
    assertEquals(first.code, 0, first.noted);
    const [secret] = secretPattern.exec(first.said) ?? [];
    assert(secret !== undefined, first.said);
    assertEquals(secretPattern.test(first.noted), false);
    for (const again of [await set(one), await run("show", one), await run("show", one, "--json")]) {
      assertEquals([again.code, secretPattern.test(again.said)], [0, false], again.said);
    }
    const [rotated] = secretPattern.exec((await set(one, "--rotate")).said) ?? [];
    assert(rotated !== undefined && rotated !== secret);
  });

  await t.step("set refuses addresses that no message is sent to", async () => {
    const refused = [
      ["http://93.184.216.34/", "The address must begin with https://."],
      ["https://10.0.0.1/", "The address is not on the public internet, but in a private or special network."],
      ["https://user:password@93.184.216.34/", "The address must not contain a user or a password."],
      ["nonsense", "This is not a valid address."],
    ];
    for (const [url, sentence] of refused) {
      const { code, said, noted } = await run("set", one, "--url", url!);
      assertEquals([code, said, noted], [2, "", `webhook set: --url is not allowed. ${sentence}`]);
    }
    const allowed = await run("set", one, "--url", "http://127.0.0.1:8000/", "--private");
    assertEquals(allowed.code, 0, allowed.noted);
    assertMatch(allowed.said, /^url +http:\/\/127\.0\.0\.1:8000\/$/m);
  });

  await t.step(
    "test queues a message, show counts it, remove drops it with the webhook of this account alone",
    async () => {
      await set(other);
      const test = await run("test", one);
      assertMatch(test.said, /^webhook-id +[0-9a-f-]{36}$/);
      assertEquals((await run("show", one, "--json")).json().waiting, 1);
      assertEquals((await run("show", other, "--json")).json().waiting, 0);
      assertEquals((await run("remove", one)).code, 0);
      for (const command of ["show", "test", "remove"]) {
        const { code, said, noted } = await run(command, one);
        assertEquals([code, said, noted.split("\n").at(-1)], [1, "", "This account has no webhook"]);
      }
      assertEquals((await run("show", other)).code, 0);
    },
  );

  await t.step("an unknown account has none", async () => {
    const { code, noted } = await set({ accountId: crypto.randomUUID() });
    assertEquals([code, noted.split("\n").at(-1)], [1, "Account not found"]);
  });
});
