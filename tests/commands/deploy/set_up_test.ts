import { join } from "node:path";
import { settleAuth } from "../../../supabase/commands/deploy/set_up_auth.ts";
import { readSecrets } from "../../../supabase/commands/deploy/read_secrets.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "../../support/assert.ts";
import { ask, gatewayOf } from "../../support/client.ts";
import { operator, secretKey } from "../../support/project.ts";
import { createProjectDatabase } from "../../support/project_database.ts";
import { serve } from "../../support/serve.ts";
import { startService } from "../../support/service.ts";
import { nightlyStep } from "../../support/slow.ts";
import { createSupabaseCli } from "../../support/supabase_cli.ts";
import { accessToken, projectRef } from "./management_api.ts";
import { createWorkplace, type Run } from "./run_deploy.ts";

const smtpPassword = "pass-of-the-mail-server";
const envText = `OPENAI_API_KEY=sk-never-to-be-seen
SMTP_URL=smtps://us%40er:${smtpPassword}@smtp.example.com:465
MAIL_FROM=Ask Ada <ask@example.com>
`;

/** As on the platform, but that nothing is encrypted. */
const vault = `
  create schema vault;
  create table vault.secrets (id uuid default gen_random_uuid(), name text unique, secret text);
  create function vault.create_secret(new_secret text, new_name text) returns uuid language sql
    begin atomic insert into vault.secrets (name, secret) values (new_name, new_secret) returning id; end;
`;

/** The marks by the names of what they belong to. */
function readMarks({ said }: Run): Record<string, string> {
  return Object.fromEntries([...said.matchAll(/^ {2}\[(.)\] ([^:]+): /gm)].map(([, mark, name]) => [name!, mark!]));
}

/** A project to which everything is deployed, on a platform that can be looked at. */
async function prepare() {
  const stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const project = stack.use(serve(gatewayOf(service.url)));
  const cli = stack.use(await createSupabaseCli());
  const database = stack.use(await createProjectDatabase());
  await cli.ask(database.url, "db", "push");
  const workplace = stack.use(await createWorkplace([secretKey, smtpPassword]));
  const { api, folder } = workplace;
  Object.assign(api, { secretKey });
  await Deno.writeTextFile(join(folder, ".env.production"), envText);
  const url = new URL(database.url);
  url.searchParams.set("application_name", projectRef);
  const env = { DATABASE_URL: url.href, SMOKE_URL: project.url };
  return {
    ...{ service, cli, database, api, folder, project },
    file: (name: string) => join(folder, name),
    /** Sets up, with these answers unless they are null, and checks that no link is printed. */
    async setUp(answers: Record<string, unknown> | null, more: Parameters<typeof workplace.run>[1] = {}) {
      const names = answers === null ? [] : ["--answers", "answers.json"];
      if (answers !== null) await Deno.writeTextFile(join(folder, "answers.json"), JSON.stringify(answers));
      const run = await workplace.run([projectRef, "--setup-only", ...more.lines ? [] : ["--yes"], ...names], {
        ...more,
        env: { ...env, ...more.env },
      });
      assert(!run.said.includes("#invitation="), run.said);
      return run;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function countOf(account: string) {
  const { data } = await operator.from("accounts").select("id").eq("name", account).throwOnError();
  const ids = data.map(({ id }) => id);
  const coaches = await operator.from("coach_profiles").select("name").in("account_id", ids).throwOnError();
  const keys = await operator.rpc("list_api_keys").in("account_id", ids).throwOnError();
  return {
    accounts: ids.length,
    coaches: coaches.data.map(({ name }) => name),
    keys: keys.data.map(({ name }) => name),
  };
}

Deno.test("npm run deploy sets a project up", async (t) => {
  await using rig = await prepare();
  const { api, cli, database, file, setUp } = rig;
  const account = `Acme ${crypto.randomUUID()}`;
  const pages = serve(async (request) => {
    const name = new URL(request.url).pathname.replace(/\/$/, "/index.html");
    return new Response(await Deno.readTextFile(file(`site${name}`)));
  });
  await using _ = pages;
  const answers = {
    account,
    persona: "ada.md",
    expert: "ada@example.com",
    pages: pages.url,
    pagesFolder: "built",
    anonymousVisitors: true,
    mail: true,
    aiClients: true,
  };
  await Deno.writeTextFile(file("ada.md"), "---\nname: Ada\ntitle: Mentor\n---\nAnswer briefly.\n");

  await t.step(
    "without answers it changes nothing of the platform, and each thing says what it waits for",
    async () => {
      const run = await setUp({ account: `No ${account}`, persona: false, aiClients: false }, { answer: false });
      assertEquals(run.code, 0, run.said);
      // The vault is not there yet.
      assertMatch(run.said, /not started: /);
      assertEquals(api.changes, []);
      const marks = readMarks(run);
      assertEquals([marks["AI clients"], marks["Persona"], marks["Site URL"]], ["-", "-", " "]);
      assertMatch(run.said, new RegExp(`dashboard/project/${projectRef}/auth/url-configuration`));
      assertMatch(run.said, /^\d+ of 15 remain\. To go on: npm run deploy -- \w+ --setup-only$/m);
    },
  );

  await cli.execute(database.url, vault);
  await t.step("with answers at the terminal it does what it can, and keeps them", async () => {
    const lines = [account, "ada.md", "nobody", "ada@example.com", pages.url, "y", "yes", "y"];
    const run = await setUp(null, { answer: true, lines });
    assertEquals(run.code, 0, run.said);
    assertEquals(run.questions.length, 9);
    assertMatch(run.said, /^This is neither an email address nor false\.$/m);
    const kept = JSON.parse(await Deno.readTextFile(file(`.env.${projectRef}.json`)));
    const { pagesFolder: _, ...asked } = answers;
    assertEquals(kept, { ...asked, pages: `${pages.url}/` });
    assertEquals(await countOf(account), { accounts: 1, coaches: ["Ada"], keys: ["pages", "AI clients"] });
    const stored = await cli.ask(database.url, "db", "query", "select name, secret from vault.secrets order by 1");
    assertEquals(stored, [{ name: "project_url", secret: rig.project.url }, { name: "secret_key", secret: secretKey }]);
    assertEquals(
      [api.secrets.get("PAGE_URL"), api.secrets.get("DESK_URL")],
      [`${pages.url}/`, `${pages.url}/desk/`],
    );
  });

  await t.step("Auth has what was answered, and the rest of its settings", () => {
    assertEquals(api.auth, {
      external_anonymous_users_enabled: true,
      site_url: pages.url,
      uri_allow_list: `${pages.url}/**`,
      smtp_host: "smtp.example.com",
      smtp_port: "465",
      smtp_user: "us@er",
      smtp_pass: smtpPassword,
      smtp_admin_email: "ask@example.com",
      smtp_sender_name: "Ask Ada",
      oauth_server_enabled: true,
      oauth_server_allow_dynamic_registration: true,
      oauth_server_authorization_path: "/oauth/consent/",
      jwt_exp: 3_600,
    });
  });

  await t.step("what is shown once is in a file for its owner alone, and works", async () => {
    const kept = file(`.env.${projectRef}`);
    assertEquals((await Deno.stat(kept)).mode! & 0o777, 0o600);
    const { secrets } = readSecrets(await Deno.readTextFile(kept));
    assertEquals(secrets.get("INVITED"), "ada@example.com");
    assertMatch(secrets.get("INVITATION")!, /\/desk\/#invitation=\S{20,}$/);
    const apiKey = secrets.get("PAGES_KEY")!;
    const look = (Origin: string) =>
      ask(rig.service, "GET", "/coaches", {}, undefined, { headers: { apikey: apiKey, Origin } });
    // The key takes signed-in people only, and no other origin.
    assertEquals((await look(pages.url)).status, 401);
    assertEquals((await look("https://elsewhere.example")).status, 403);
  });

  await t.step("a second run makes nothing again, and goes on with what remains", async () => {
    api.changes.length = 0;
    await Deno.rename(file("supabase/.temp/page"), file("built"));
    const run = await setUp(answers);
    assertEquals(run.code, 0, run.said);
    assertEquals(await countOf(account), { accounts: 1, coaches: ["Ada"], keys: ["pages", "AI clients"] });
    assertEquals(api.changes.filter((change) => !change.endsWith("/secrets")), []);
    const open = Object.entries(readMarks(run)).filter(([, mark]) => mark !== "x").map(([name]) => name);
    assertEquals(open, ["Mail of the service", "First expert", "Pages at their address"]);
  });

  await t.step("once all is there, everything is ticked", async () => {
    await Deno.rename(file("built"), file("site"));
    for (const name of ["SMTP_URL", "MAIL_FROM"]) api.secrets.set(name, "set");
    const run = await setUp({ ...answers, pagesFolder: "site", expert: false });
    assertEquals([run.code, run.said.split("\n").at(-1)], [0, "Everything is set up."], run.said);
  });

  await nightlyStep(t, "pages of another version are told", async () => {
    await Deno.mkdir(file("newer"));
    await Deno.copyFile(file("site/index.html"), file("newer/index.html"));
    await Deno.writeTextFile(file("newer/human-chat.js"), "/* a newer chat */");
    const run = await setUp({ ...answers, pagesFolder: "newer", expert: false });
    assertMatch(run.said, /\[ \] Pages at their address: are of another version there/);
  });
});

Deno.test("npm run deploy, where a project cannot be set up as it should", async (t) => {
  await using rig = await prepare();
  const { api, cli, database, setUp } = rig;
  await cli.execute(database.url, vault);
  const account = `Acme ${crypto.randomUUID()}`;
  const answers = { account, persona: false, expert: false, pages: "https://pages.invalid", anonymousVisitors: true };

  await t.step(
    "a refusal of the platform: what it is about is marked, the rest is done, and the exit code is 1",
    async () => {
      api.authRefusal = 403;
      const run = await setUp(answers);
      assertEquals(run.code, 1, run.said);
      const marks = readMarks(run);
      assertEquals([marks["Site URL"], marks["Account"], marks["Key of the pages"], marks["Clock"]], [
        "!",
        "x",
        "x",
        "x",
      ]);
      assertMatch(run.said, /Site URL: The access token may not read Auth's settings \(403\)\.$/m);
      api.authRefusal = null;
    },
  );

  await t.step("settings of another application stay, lists are added to, and no key is made twice", async () => {
    await Deno.remove(rig.file(`.env.${projectRef}`));
    Object.assign(api.auth, { site_url: "https://shop.example", uri_allow_list: "https://shop.example/**" });
    const run = await setUp(answers);
    assertEquals(run.code, 0, run.said);
    assertEquals(api.auth.site_url, "https://shop.example");
    assertEquals(api.auth.uri_allow_list, "https://shop.example/**,https://pages.invalid/**");
    assertMatch(run.said, /\[ \] Site URL: is https:\/\/shop\.example, which may be of another application/);
    assertMatch(run.said, /\[ \] Key of the pages: there is one, which this machine does not know/);
    assertEquals((await countOf(account)).keys, ["pages"]);
  });

  await nightlyStep(t, "interrupted, it ends with 130, and the next run goes on", async () => {
    const interruption = new AbortController();
    Object.defineProperty(api.auth, "jwt_exp", {
      enumerable: true,
      configurable: true,
      get: () => interruption.abort(new Error("Interrupted by a test.")),
    });
    const later = { ...answers, account: `Later ${account}` };
    const stopped = await setUp(later, { signal: interruption.signal });
    assertEquals(stopped.code, 130, stopped.said);
    assertMatch(stopped.said, /Not done: Set up\.$/m);
    assertEquals((await countOf(later.account)).accounts, 0);
    Object.defineProperty(api.auth, "jwt_exp", { value: 3_600 });
    assertEquals((await setUp(later)).code, 0);
    assertEquals((await countOf(later.account)).accounts, 1);
  });

  await t.step("without an access token for Auth, it says where to look", async () => {
    const signal = new AbortController().signal;
    const options = { api: api.url, accessToken: undefined, projectRef, signal };
    await assertRejects(() => settleAuth(options), Error, "without SUPABASE_ACCESS_TOKEN");
    await assertRejects(() => settleAuth({ ...options, accessToken: "sbp_wrong" }), Error, "(401)");
    const unreachable = { ...options, accessToken, api: "http://127.0.0.1:1" };
    await assertRejects(() => settleAuth(unreachable), Error, "The Management API cannot be reached.");
  });

  for (
    const [name, wrong, sentence] of [
      ["an unknown name", { accounts: "Acme" }, /"accounts"/],
      ["an address without encryption", { pages: "http://www.example.com" }, /begins with https/],
      ["a text for yes", { mail: "yes" }, /is neither true nor false/],
    ] as const
  ) {
    await t.step(`${name} among the answers → it says so, and does nothing`, async () => {
      api.changes.length = 0;
      const run = await setUp(wrong);
      assertEquals([run.code, run.commands, api.changes], [2, [], []], run.said);
      assertMatch(run.said, sentence);
    });
  }
});
