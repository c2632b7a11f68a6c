import { join } from "node:path";
import { describePlan, readEnvFile } from "../../../supabase/commands/deploy/plan.ts";
import { type Hosting, readHosting } from "../../../supabase/commands/deploy/read_hosting.ts";
import { readSecrets } from "../../../supabase/commands/deploy/read_secrets.ts";
import { listFunctions } from "../../../supabase/platform/list_functions.ts";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { gatewayOf } from "../../support/client.ts";
import { secretKey } from "../../support/project.ts";
import { startModelServer } from "../../support/model_server.ts";
import { createProjectDatabase, type ProjectDatabase } from "../../support/project_database.ts";
import { runCommand } from "../../support/run_command.ts";
import { serve } from "../../support/serve.ts";
import { startService } from "../../support/service.ts";
import { slowStep } from "../../support/slow.ts";
import { createSupabaseCli, type SupabaseCli } from "../../support/supabase_cli.ts";
import { accessToken, makeCliEnv, projectRef } from "./management_api.ts";
import { createWorkplace, type Run } from "./run_deploy.ts";
import { tickOf, trials, withUserAdministration } from "./smoke_surroundings.ts";

const modelKey = "sk-never-to-be-seen";
/** Values of an env file that are easily damaged. */
const oddValues = {
  NOTE: "quoted 'so', and #so",
  PATTERN: "a\\n is no new line, $A and ${B} are no variables",
  BOTH: `it's "both"`,
  LINES: "two\nlines of it",
};
const databasePassword = "pass/word of the database";
const secrets = [modelKey, ...Object.values(oddValues), databasePassword, encodeURIComponent(databasePassword)];
const envText = `# Of the project
OPENAI_API_KEY=${modelKey}
OPENAI_MODEL=
SUPABASE_URL=https://elsewhere.test
NOTE="${oddValues.NOTE}"
PATTERN='${oddValues.PATTERN}'
BOTH=\`${oddValues.BOTH}\`
LINES="two\\nlines of it"
`;

/** The database's address, as people copy it from the dashboard. */
function addressOf(database: Pick<ProjectDatabase, "url">): string {
  const url = new URL(database.url);
  if (!Deno.env.has("DATABASE_URL")) url.password = encodeURIComponent(databasePassword);
  url.searchParams.set("application_name", projectRef);
  return url.href;
}

/** The number of migrations and of coaches in a database; null before the first push. */
async function stateOf(cli: SupabaseCli, { url }: ProjectDatabase): Promise<[number, number] | null> {
  const rows = (sql: string) => cli.ask(url, "db", "query", sql);
  const [{ known }] = await rows("select to_regclass('supabase_migrations.schema_migrations')::text as known");
  if (known === null) return null;
  const [{ migrations }] = await rows("select count(*)::int as migrations from supabase_migrations.schema_migrations");
  const [{ coaches }] = await rows("select count(*)::int as coaches from public.coach_profiles");
  return [migrations, coaches];
}

const namesIn = (folder: string) => [...Deno.readDirSync(join(projectRoot, folder))].map(({ name }) => name).toSorted();
const migrations = namesIn("supabase/migrations");
const functions = listFunctions();

/** The CLI's commands, without the options that name the target. */
const stepsOf = ({ commands }: Run) => commands.map((command) => command.split(/ (?:--(?!dry-run)|select )/)[0]);
const looks = ["projects list", "secrets list", "db push --dry-run", "db query", "db query", "projects api-keys"];

/** The plan that is shown before the first deployment. */
const planOf = (smokeUrl: string) =>
  `
Project     Test (${projectRef}), eu-central-1
Migrations  ${migrations.length} pending: ${migrations[0]} … ${migrations.at(-1)}
Secrets     OPENAI_API_KEY, NOTE, PATTERN, BOTH, LINES (from .env.production)
            SUPABASE_URL is left out: only the platform sets it
            OPENAI_MODEL is left out: it is empty
            NOTE is not read by any function
            PATTERN is not read by any function
            BOTH is not read by any function
            LINES is not read by any function
Functions   ${functions.map((name) => `${name} (… MB)`).join(", ")}
Smoke test  ${smokeUrl}
Set-up      starts the database's clock; not answered yet: account, persona, expert, pages, anonymousVisitors, mail, aiClients
Nothing was changed.`.trimStart();

/** The plan of a deployment to a project that is hosted like this. */
function describeDeployment(hosting: Hosting, secret = "", secretsBefore: string[] = []): string {
  return describePlan({
    project: { ref: projectRef, name: "Test", region: "eu-central-1", status: "ACTIVE_HEALTHY" },
    migrations: [],
    secrets: { file: ".env.production", mail: null, ...readSecrets(secret) },
    secretsBefore,
    modelWarnings: [],
    bundles: [],
    hosting,
    hasClock: true,
    smoke: { url: "https://project.example", secretKey: null },
    answers: "",
    isSetUpOnly: false,
  });
}

Deno.test("npm run deploy", async (t) => {
  await using service = await startService();
  await using project = serve(withUserAdministration(gatewayOf(service.url)));
  await using cli = await createSupabaseCli();
  await using database = await createProjectDatabase();
  await using workplace = await createWorkplace(secrets);
  const { api, folder } = workplace;
  const env = { DATABASE_URL: addressOf(database), SMOKE_URL: project.url };
  await Deno.writeTextFile(join(folder, ".env.production"), envText);

  await t.step("says what it is about to do; after no, nothing has changed", async () => {
    const run = await workplace.run([projectRef], { env, answer: false });
    assertEquals(run.code, 130, run.said);
    assertEquals(run.questions, [`Deploy to Test (${projectRef})?`]);
    const said = run.said.replaceAll(/\(\d\.\d MB\)/g, "(… MB)");
    assertEquals(said, planOf(project.url));
    assertEquals(stepsOf(run), looks);
    assertEquals(api.changes, []);
    assertEquals(await stateOf(cli, database), null);
  });

  await t.step("without a terminal and --yes it runs no command", async () => {
    const { code, commands, said } = await workplace.run([projectRef], { env, answer: null });
    assertEquals([code, commands, said.includes("add --yes")], [2, [], true]);
  });

  await t.step("links, pushes, sets the secrets, deploys and tests, in this order", async () => {
    const run = await workplace.run([projectRef], { env, answer: true });
    assertEquals(run.code, 0, run.said);
    assertEquals(stepsOf(run), [...looks, "link", "db push", "secrets set", "functions deploy"]);
    assertEquals(run.pauses, []);
    const end = /^ {2}ok: the document .*\n {2}ok: a refusal .*\nDeployed: .*\nThe base URL .*\/openai\/v1$/m;
    assertMatch(run.said, end);
    assertMatch(run.said, /The model and the indexing of files were not tested[^]*SMOKE_SECRET_KEY/);
    assertMatch(
      run.said,
      /^ {2}\[ \] Clock: the database does not call the indexer yet.*'project_url'\);.*'secret_key'\);$/m,
    );
    assertMatch(run.said, /^ {2}\[ \] Pages: answer pages$/m);
    // The seed, which has a coach, must not be pushed.
    assertEquals(await stateOf(cli, database), [migrations.length, 0]);
    assertEquals(Object.fromEntries(api.secrets), { OPENAI_API_KEY: modelKey, ...oddValues });
    assertEquals(api.inService.toSorted(), functions);
    assertEquals(api.unanswered, []);
  });

  await slowStep(t, "a second time it pushes nothing, and does the rest again", async () => {
    const uploads = api.uploads.length;
    const run = await workplace.run([projectRef, "--yes"], { env });
    assertEquals([run.code, run.questions], [0, []], run.said);
    assertMatch(run.said, /^Migrations +none pending$/m);
    assertEquals(await stateOf(cli, database), [migrations.length, 0]);
    assertEquals([api.secrets.size, api.uploads.length], [5, 2 * uploads]);
  });

  await slowStep(
    t,
    "without the schedule's secrets in the vault it does not wait for the schedule, and succeeds",
    async () => {
      api.secretKey = secretKey;
      const run = await workplace.run([projectRef, "--yes"], { env, meanwhile: () => tickOf(service) });
      assertEquals(run.code, 0, run.said);
      assert(!run.said.includes("ok: the clock"), run.said);
      assertMatch(run.said, /^… Start the clock\n {2}not started: .*\n[^]*^Deployed: .*\n[^]*^ {2}\[ \] Clock: /m);
    },
  );

  await slowStep(t, "interrupted, it removes what it made and ends with 130", async () => {
    // From here on the vault holds the schedule's secrets.
    await cli.executeOne(database.url, "create schema vault");
    await cli.executeOne(
      database.url,
      "create table vault.secrets as select unnest(array['project_url', 'secret_key']) as name",
    );
    const interruption = new AbortController();
    const run = await workplace.run([projectRef, "--yes"], {
      ...{ env, signal: interruption.signal },
      meanwhile: () => Promise.resolve(interruption.abort(new Error("Interrupted by a test."))),
    });
    assertEquals(run.code, 130, run.said);
    assertMatch(run.said, /^ {2}created: the account [\w-]+$[^]*^ {2}ok: the removal of the account/m);
    assertMatch(run.said, /^Deployed: [^]*\nSmoke test: failed\. .*: interrupted$/m);
  });

  await slowStep(
    t,
    "without a file it keeps the secrets as they are; with a secret key it tests everything",
    async () => {
      await Deno.remove(join(folder, ".env.production"));
      api.changes.length = 0;
      api.secretKey = secretKey;
      const run = await workplace.run([projectRef, "--yes"], { env, meanwhile: () => tickOf(service) });
      assertEquals(run.code, 0, run.said);
      assertMatch(run.said, /^Secrets +stay as they are\nFunctions/m);
      assertMatch(
        run.said,
        /^Smoke test .*, with an account "Smoke test" and a user smoke-test-.* removed afterwards,/m,
      );
      assert(!run.said.includes("does not call the indexer"), run.said);
      assertEquals(api.changes.filter((change) => change.endsWith("/secrets")), []);
      const tried = [...run.said.matchAll(/^ {2}ok: (.*) \(\d+\.\d s\)$/gm)].map(([, name]) => name);
      assertEquals(tried, ["the document", "a refusal", ...trials]);
      assert(!run.said.includes(secretKey) && !run.said.includes("not tested"), run.said);
      api.secretKey = null;
    },
  );

  await slowStep(t, "it warns of a Data API that is off, and of turns that a worker on Free cannot end", async () => {
    const warningsOf = (said: string) =>
      [/Data API is off/, /TURN_SECONDS must be 70 or less/].map((sentence) => sentence.test(said));
    Object.assign(api, { schemas: "", plan: "free" });
    const { said } = await workplace.run([projectRef], { env, answer: false });
    assertEquals(warningsOf(said), [true, true]);

    const warnings = (...[hosting, secret, secretsBefore]: Parameters<typeof describeDeployment>) =>
      warningsOf(describeDeployment(hosting, secret, secretsBefore));
    const schemas = ["public"];
    assertEquals(warnings({ plan: null, schemas: null }), [false, false]);
    assertEquals(warnings({ plan: "pro", schemas }), [false, false]);
    assertEquals(warnings({ plan: "pro", schemas: ["graphql_public"] }), [true, false]);
    assertEquals(warnings({ plan: "free", schemas }), [false, true]);
    assertEquals(warnings({ plan: "free", schemas }, "TURN_SECONDS=140"), [false, true]);
    assertEquals(warnings({ plan: "free", schemas }, "TURN_SECONDS=70"), [false, false]);
    assertEquals(warnings({ plan: "free", schemas }, "", ["TURN_SECONDS"]), [false, false]);
  });

  await t.step("it warns of models that end or are missing, and goes on", async () => {
    await using model = await startModelServer();
    model.scriptModels([{ id: "chat", shutdown_date: "2020-01-01" }]);
    await Deno.writeTextFile(
      join(folder, "models.env"),
      `OPENAI_API_KEY=${modelKey}\nOPENAI_BASE_URL=${model.baseUrl}\nOPENAI_MODEL=chat\nOPENAI_VISION_MODEL=seer-of-ours\n`,
    );
    const { code, said } = await workplace.run([projectRef, "--env-file", "models.env"], { env, answer: false });
    // The answer to the question was no.
    assertEquals(code, 130, said);
    assertMatch(
      said,
      /^ {12}the model that OPENAI_MODEL names is retired on 2020-01-01: .*\n {12}the model that OPENAI_VISION_MODEL names is not/m,
    );
    assert(!said.includes("seer-of-ours"), said);
    assertEquals(model.listings.map(({ authorization }) => authorization), [`Bearer ${modelKey}`]);
  });

  await t.step("without the right to read plan and schemas it warns of neither", async () => {
    const [hosting, nothing] = [{ api: api.url, projectRef, organization: "test" }, { plan: null, schemas: null }];
    assertEquals(await readHosting({ ...hosting, accessToken: undefined }), nothing);
    assertEquals(await readHosting({ ...hosting, accessToken: "sbp_unknown" }), nothing);
    assertEquals(await readHosting({ ...hosting, api: "http://127.0.0.1:1", accessToken }), nothing);
  });
});

/** A Postgres server that refuses every password. */
function startClosedDatabase() {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const message = (type: string, body: string) => {
    const bytes = new TextEncoder().encode(`${type}\0\0\0\0${body}`);
    new DataView(bytes.buffer).setUint32(1, bytes.length - 1);
    return bytes;
  };
  const passwords: string[] = [];
  async function refuse(connection: Deno.TcpConn) {
    using _ = connection;
    const buffer = new Uint8Array(1_024);
    await connection.read(buffer);
    await connection.write(message("R", "\0\0\0\x03"));
    const length = await connection.read(buffer) ?? 0;
    passwords.push(new TextDecoder().decode(buffer.slice(5, length - 1)));
    await connection.write(message("E", 'SFATAL\0C28P01\0Mpassword authentication failed for user "postgres"\0\0'));
  }
  const serving = (async () => {
    for await (const connection of listener) await refuse(connection).catch(() => {});
  })();
  return {
    url: `postgres://postgres@127.0.0.1:${listener.addr.port}/postgres?sslmode=disable`,
    passwords,
    async [Symbol.asyncDispose]() {
      listener.close();
      await serving;
    },
  };
}

Deno.test("npm run deploy stops at the first failure, and says what failed", async (t) => {
  await using service = await startService();
  await using project = serve(gatewayOf(service.url));
  await using database = await createProjectDatabase();
  const usual = { DATABASE_URL: addressOf(database), SMOKE_URL: project.url };

  /** Deploys from a new workplace; its platform may refuse a function. */
  async function run(
    prepare: (folder: string) => Promise<unknown> = async () => {},
    env: Record<string, string> = {},
    refused: string | null = null,
  ) {
    await using workplace = await createWorkplace(secrets);
    await Deno.writeTextFile(join(workplace.folder, ".env.production"), envText);
    await prepare(workplace.folder);
    const { api } = workplace;
    api.refused = refused;
    const run = await workplace.run([projectRef, "--yes"], { env: { ...usual, ...env } });
    return { ...run, steps: stepsOf(run).slice(looks.length), looks: stepsOf(run).slice(0, looks.length), api };
  }

  await t.step("a token that is refused", async () => {
    const { code, said, api } = await run(undefined, { SUPABASE_ACCESS_TOKEN: `sbp_${"1".repeat(40)}` });
    assertEquals([code, api.changes], [1, []], said);
    assertMatch(said, /^Cannot read your projects: .*Unauthorized[^]*SUPABASE_ACCESS_TOKEN/);
  });

  await t.step("a project that the token has no access to", async () => {
    await using workplace = await createWorkplace(secrets);
    const { code, said, commands } = await workplace.run(["tsrqponmlkjihgfedcba", "--yes"]);
    assertEquals([code, commands.length], [1, 1], said);
    assertEquals(
      said,
      `Your access token does not give access to the project tsrqponmlkjihgfedcba, only to: Test (${projectRef}).`,
    );
  });

  await slowStep(t, "a database that cannot be reached", async () => {
    // The platform of the tests has no database.
    const { code, said, commands, api } = await run(undefined, {
      DATABASE_URL: "",
      SUPABASE_DB_PASSWORD: databasePassword,
    });
    assertEquals([code, api.changes], [1, []], said);
    assertMatch(commands.at(-1) ?? "", new RegExp(`^db push --dry-run --remote=${projectRef} `));
    assertMatch(said, /^Cannot read which migrations are pending: ./);
  });

  await slowStep(t, "a wrong password of the database", async () => {
    await using closed = startClosedDatabase();
    const { code, said, steps, api } = await run(undefined, { DATABASE_URL: addressOf(closed) });
    assertEquals([code, steps, api.changes], [1, [], []], said);
    assertMatch(said, /^Cannot read which migrations are pending: .*password authentication failed/);
    assertEquals(new Set(closed.passwords), new Set([databasePassword]));
  });

  await t.step("an entry point that is missing", async () => {
    const { code, said, looks, api } = await run((folder) => Deno.remove(join(folder, "functions/users/index.ts")));
    assertEquals([code, looks, api.changes], [1, [], []], said);
    assertMatch(said, /functions\/users\/index\.ts cannot be read/);
  });

  await t.step("a module that is missing, a function without a section, one behind the platform's check", async () => {
    const { code, said, looks } = await run(async (folder) => {
      await Deno.remove(join(folder, "shared/features/chat/stop_answer.ts"));
      const config = join(folder, "supabase/config.toml");
      const text = await Deno.readTextFile(config);
      await Deno.writeTextFile(
        config,
        text.replace("[functions.docs]\nenabled = true", "[functions.docs]\nenabled = false")
          .replace("[functions.mcp]\nenabled = true\nverify_jwt = false", "[functions.mcp]\nverify_jwt = true"),
      );
    });
    assertEquals([code, looks], [1, []], said);
    assertMatch(said, /shared\/features\/chat\/stop_answer\.ts cannot be read/);
    assertMatch(said, /docs: supabase\/config\.toml has no \[functions\.docs\] that is enabled/);
    assertMatch(said, /mcp: verify_jwt is on/);
  });

  await slowStep(t, "a migration that fails", async () => {
    const { code, said, steps, api } = await run((folder) =>
      Deno.writeTextFile(join(folder, "supabase/migrations/20991231000000_broken.sql"), "select no_such_function();")
    );
    assertEquals([code, steps, api.changes], [1, ["link", "db push"], []], said);
    assertMatch(said, /Push the migrations: failed\.[^]*no_such_function/);
    assertMatch(said, /^Applying migration 20991231000000_broken\.sql/m);
    assertMatch(said, /Done: Link the project\. Not done: Push the migrations, Set the secrets, Deploy the functions/);
  });

  await slowStep(t, "a function that is too large", async () => {
    const large = `console.log("${"x".repeat(4_000_000)}");\n`;
    const { code, said, steps, api } = await run(
      (folder) => Deno.writeTextFile(join(folder, "functions/users/index.ts"), large, { append: true }),
    );
    assertEquals([code, steps, api.changes], [1, [], []], said);
    assertMatch(said, /^Too large for Supabase: users \(\d\.\d MB\)\. A function may have at most 4\.0 MB\.$/);
  });

  await slowStep(t, "a function that the platform refuses", async () => {
    const { code, said, steps } = await run(undefined, {}, "users");
    assertEquals([code, steps.at(-1)], [1, "functions deploy"], said);
    assertMatch(said, /Deploy the functions: failed\. .*No room for users/);
    assertMatch(said, /Done: .*Set the secrets\. Not done: Deploy the functions, Smoke test, Set up\./);
    assert(!said.includes("Deployed:"), said);
  });

  await slowStep(t, "functions that do not answer", async () => {
    const { code, said } = await run(undefined, { SMOKE_URL: "http://127.0.0.1:1" });
    assertEquals(code, 1, said);
    assertMatch(said, /Smoke test: failed\. the document: GET \/functions\/v1\/docs\/openapi\.json fails:/);
    assertMatch(said, /Done: .*Deploy the functions\. Not done: Smoke test, Set up\./);
  });
});

Deno.test("npm run deploy, called with wrong arguments", async (t) => {
  await using workplace = await createWorkplace(secrets);
  const postgres = (host: string) => `postgres://postgres:${encodeURIComponent(databasePassword)}@${host}/postgres`;
  const cases: Record<string, [args: string[], env: Record<string, string>, sentence: RegExp]> = {
    "without a project": [["--yes"], {}, /The project reference is missing/],
    "with something that is not a project": [["production", "--yes"], {}, /production is not a project reference/],
    "with two": [[projectRef, "other", "--yes"], {}, /Only one project .*: other is unexpected/],
    "with an option that does not exist": [[projectRef, "--force"], {}, /--force/],
    "with a file that does not exist": [[projectRef, "--yes", "--env-file", "no.env"], {}, /no\.env cannot be read/],
    "with the database of another project": [
      [projectRef, "--yes"],
      { DATABASE_URL: postgres("db.tsrqponmlkjihgfedcba.supabase.co") },
      /the database of another project/,
    ],
    "with an address whose password is not encoded": [
      [projectRef, "--yes"],
      { DATABASE_URL: `postgres://postgres:12/34@db.${projectRef}.supabase.co/postgres` },
      /A password in it must be percent-encoded/,
    ],
    "with an invalid address": [[projectRef, "--yes"], { DATABASE_URL: "db.supabase.co" }, /not the address/],
  };
  for (const [name, [args, env, sentence]] of Object.entries(cases)) {
    await t.step(`${name} → it says so, and does nothing`, async () => {
      const run = await workplace.run(args, { env });
      assertEquals([run.code, run.commands], [2, []], run.said);
      assertMatch(run.said, sentence);
    });
  }
});

Deno.test("npm run deploy refuses settings that would keep functions from starting", async () => {
  await using workplace = await createWorkplace(secrets);
  for (
    const [line, sentence] of [
      ...["2m", "600", "9", "1e2"].map((
        text,
      ) => [`TURN_SECONDS=${text}`, "TURN_SECONDS is not a whole number from 10"]),
      ["OPENAI_REASONING_EFFORT=lowest", "OPENAI_REASONING_EFFORT must be one of none, minimal, low"],
      ["OPENAI_MAX_OUTPUT_TOKENS=2k", "OPENAI_MAX_OUTPUT_TOKENS is not a whole number from 16"],
      ["CLIENT_ADDRESS_HEADER=X-Real-IP, X-Other", "CLIENT_ADDRESS_HEADER must be the name of a header, or none"],
      ["WEBHOOK_ALLOW_PRIVATE_ADDRESSES=yes", "WEBHOOK_ALLOW_PRIVATE_ADDRESSES must be one of true, false"],
      ["ALLOW_PRIVATE_SOURCES=yes", "ALLOW_PRIVATE_SOURCES must be one of 1, true, 0, false"],
      ["PAGE_URL=www.example.com", "PAGE_URL is not an address"],
      ["DESK_URL=www.example.com/desk", "DESK_URL is not an address"],
      ["MAIL_FROM=Ada\nSMTP_URL=smtps://smtp.example.com", "MAIL_FROM is not an address"],
      // Elsewhere, functions start with this port.
      ["SMTP_URL=smtp://smtp.example.com:587", "SMTP_URL names port 587, which Supabase closes"],
      ["OTEL_EXPORTER_OTLP_ENDPOINT=otel.example.com", "OTEL_EXPORTER_OTLP_ENDPOINT is not an address"],
    ] as const
  ) {
    await Deno.writeTextFile(join(workplace.folder, ".env.production"), `${line}\n`);
    const run = await workplace.run([projectRef, "--yes"]);
    assertEquals([run.code, run.commands], [2, []], run.said);
    assertMatch(run.said, new RegExp(`^With \\.env\\.production, no function would start\\. .*${sentence}`));
  }
});

Deno.test("npm run deploy takes a file that leaves out what the project has already", async () => {
  const folder = await Deno.makeTempDir();
  for (const text of ["SMTP_URL=smtps://smtp.example.com", "UPSTASH_REDIS_REST_URL=https://redis.example.com"]) {
    await Deno.writeTextFile(join(folder, ".env.production"), `${text}\n`);
    const read = await readEnvFile(folder, { envFile: null, projectRef });
    assertEquals(read && [...read.secrets].map((entry) => entry.join("=")), [text]);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("npm run deploy changes nothing when a package is missing in deno.lock", async () => {
  await using workplace = await createWorkplace(secrets);
  const lockFile = join(workplace.folder, "deno.lock");
  const lock = (await Deno.readTextFile(lockFile)).replace(/^ {4}"npm:hono@.*\n/m, "");
  await Deno.writeTextFile(lockFile, lock);
  const run = await workplace.run([projectRef, "--yes"]);
  assertEquals([run.code, run.commands, workplace.api.uploads.length], [1, [], 0], run.said);
  assertMatch(run.said, /lockfile is out of date/);
  assertEquals(await Deno.readTextFile(lockFile), lock);
});

Deno.test("npm run deploy, as a program", async (t) => {
  async function start(...args: string[]) {
    const program = join(projectRoot, "supabase/commands/deploy/deploy.ts");
    const { code, stdout, stderr } = await runCommand(Deno.execPath(), [
      ...["run", "--quiet", "--frozen", "-A", program],
      ...args,
    ]);
    return { code, printed: stdout, complaints: stderr };
  }
  await t.step("--help explains it", async () => {
    const { code, printed, complaints } = await start("--help");
    assertEquals([code, complaints], [0, ""]);
    assertMatch(printed, /^npm run deploy -- <project ref>/);
  });
  await t.step("asks no question without a terminal", async () => {
    const { code, printed, complaints } = await start(projectRef);
    assertEquals([code, printed], [2, ""]);
    assertMatch(complaints, /^There is no terminal for the confirmation. To deploy without one, add --yes/);
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    await t.step(`on ${signal} it exits with 130, and leaves no folder behind`, async () => {
      await using stack = new AsyncDisposableStack();
      const home = await Deno.makeTempDir({ prefix: "supabase-home-" });
      stack.defer(() => Deno.remove(home, { recursive: true }));
      const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      // The platform does not answer.
      await using platform = serve(async () => {
        asked.resolve();
        await released.promise;
        return new Response(null, { status: 503 });
      });
      const env = await makeCliEnv(platform, home);
      const temporary = join(home, "temporary");
      await Deno.mkdir(temporary);
      const envFile = join(home, "empty.env");
      await Deno.writeTextFile(envFile, "");
      const { denoDir } = JSON.parse((await runCommand(Deno.execPath(), ["info", "--json"])).stdout);
      const child = new Deno.Command(Deno.execPath(), {
        args: [
          ...["run", "--quiet", "--frozen", "-A", join(projectRoot, "supabase/commands/deploy/deploy.ts")],
          ...[projectRef, "--yes", "--env-file", envFile],
        ],
        clearEnv: true,
        env: { ...env, DENO_DIR: denoDir, TMPDIR: temporary },
        stdin: "null",
        stdout: "null",
        stderr: "piped",
      }).spawn();
      const output = child.output();
      await Promise.race([asked.promise, output]);
      child.kill(signal);
      const { code, stderr } = await output;
      released.resolve();
      const complaints = new TextDecoder().decode(stderr);
      assertEquals(code, 130, complaints);
      assertMatch(complaints, new RegExp(`Interrupted by ${signal}\\.`));
      assertEquals([...Deno.readDirSync(temporary)].filter(({ name }) => name.startsWith("deploy-")), []);
    });
  }
});
