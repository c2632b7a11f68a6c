import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { vector } from "@electric-sql/pglite/vector";
import { basename, join } from "node:path";
import OpenAI from "openai";
import { listFunctions } from "../../../supabase/platform/list_functions.ts";
import { freePort } from "../../../supabase/platform/local_address.ts";
import { AiClient, revoke } from "../../support/ai_client.ts";
import { assert, assertEquals, assertMatch, assertNotEquals } from "../../support/assert.ts";
import { eventually } from "../../support/eventually.ts";
import { readEvents } from "../../support/client.ts";
import { copyProject, npmStart, readEnvFile } from "../../support/local_stack.ts";
import { callTool } from "../../support/mcp.ts";
import { openToOthers } from "../../support/open_to_others.ts";
import { runCommand } from "../../support/run_command.ts";
import { makeDocx, makePdfOfStreams, packed, showLines, wordParagraph } from "../../support/sample_documents.ts";
import { slowStep } from "../../support/slow.ts";

/** All functions, in the form in which the stack lists them. */
const functionNames = listFunctions().join(", ");

/** Edits a migration in a clone, and returns a function that undoes it. */
async function editMigration(folder: string): Promise<() => Promise<void>> {
  const migrations = join(folder, "supabase/migrations");
  const [first] = [...Deno.readDirSync(migrations)].map(({ name }) => join(migrations, name)).toSorted();
  const text = await Deno.readTextFile(first!);
  await Deno.writeTextFile(first!, `${text}\n-- edited\n`);
  return () => Deno.writeTextFile(first!, text);
}

/** The variables in `.env.local`. */
const valueNames = [
  "BASE_URL",
  "API_KEY",
  "PUBLISHABLE_KEY",
  "ANON_KEY",
  "MCP_URL",
  "SECRET_KEY",
  "ACCOUNT_ID",
  "COACH_ID",
  "DEMO_EMAIL",
  "DEMO_PASSWORD",
  "COACH_EMAIL",
  "COACH_PASSWORD",
];

async function processesOf(folder: string): Promise<string[]> {
  const { stdout } = await runCommand("ps", ["-eo", "pid=,args="]);
  return stdout.split("\n").filter((line) => line.includes(folder) && !line.includes("ps -eo"));
}

type Stack = ReturnType<typeof npmStart>;
/** Reads a thread of the first stack. */
type ReadThread = () => Promise<Response>;
type Values = Record<string, string>;
type Api = (path: string, init?: RequestInit) => Promise<Response>;

/** The banner tells how far the start is, and its curl streams an answer. */
async function checkBanner(output: string): Promise<void> {
  for (
    const progress of [
      /^… Fetching tools$/m,
      /Fetching the packages/,
      /Starting Postgres/,
      new RegExp(`Starting the functions ${functionNames}$`, "m"),
      /^Chat page {4}http:\/\/127\.0\.0\.1:\d+$/m,
      /Reference {4}http:.*\/docs$/m,
      /^OpenAI API {3}http:.*\/functions\/v1\/openai\/v1 /m,
      /^AI clients {3}http:.*\/functions\/v1\/mcp\/hi_pub_\w{38} /m,
    ]
  ) {
    assertMatch(output, progress);
  }
  const [curl = ""] = /curl -N[\s\S]*?'\{.*\}'/.exec(output) ?? [];
  assertNotEquals(curl, "", output);
  const { stdout } = await runCommand("bash", ["-c", curl]);
  assertMatch(stdout, /^data: When\n\ndata: {2}you\n\ndata: {2}start\n\n/);
  assertMatch(readEvents(stdout), /In your first week, meet everybody alone.* \[1\]/);
}

/** Uploads files with curl, which searches find and answers quote. */
async function findUploaded(folder: string, api: Api): Promise<void> {
  const pdf = makePdfOfStreams([packed(showLines(["A retrospective needs a clock and a cake."]))]);
  await Deno.writeFile(join(folder, "retro.pdf"), pdf);
  await Deno.writeFile(
    join(folder, "mentor.docx"),
    makeDocx(wordParagraph("A mentor keeps a heron in the office.")),
  );
  const upload = 'curl -sf "$BASE_URL/functions/v1/knowledge-handler?coachId=demo-coach" -H "X-API-Key: $API_KEY" ' +
    "-F files=@retro.pdf -F files=@mentor.docx";
  const { stdout } = await runCommand("bash", ["-c", `cd "${folder}"; set -a; . ./.env.local; ${upload}`]);
  assertEquals(JSON.parse(stdout).totalUploaded, 2, stdout);

  for (const [question, name] of [["What does a retrospective need?", "retro.pdf"], ["heron?", "mentor.docx"]]) {
    const search = new URLSearchParams({ coachId: "demo-coach", search: question! });
    const found = async () => (await (await api(`/functions/v1/knowledge-handler?${search}`)).json()).data[0];
    // It may be found by its name before it has been indexed.
    await eventually(async () => {
      const file = await found();
      return file?.filename === name && file.status === "ready";
    }, `${name} was indexed`);
    const reply = await api("/functions/v1/chat", {
      method: "POST",
      headers: { Accept: "application/json" },
      body: JSON.stringify({ message: question, context: { coachId: "demo-coach" } }),
    });
    const { message, sources: [source] } = await reply.json();
    assertMatch(message.content, /^A .*\. \[1\]/);
    assertEquals([source.number, source.filename], [1, name]);
  }
}

/** The official client finds the demo coaches at the base URL that the banner names. */
async function checkOpenaiClient(output: string, { API_KEY: apiKey }: Values): Promise<void> {
  const [, baseURL] = /^OpenAI API +(\S+)/m.exec(output)!;
  const openai = new OpenAI({ baseURL, apiKey });
  assertEquals((await openai.models.list()).data.map(({ id }) => id), ["demo-coach", "demo-baker"]);
  const messages = [{ role: "user" as const, content: "How do I give feedback?" }];
  const answer = await openai.chat.completions.stream({ model: "demo-coach", messages }).finalContent();
  assertMatch(answer!, /^Give feedback within a week/);
}

/** An AI client that is given the address in the banner signs the demo user in, and asks a coach. */
async function checkAiClient(output: string, values: Values): Promise<void> {
  const [, address = ""] = /^AI clients +(\S+)/m.exec(output) ?? [];
  assertEquals(address, values.MCP_URL);
  const login = await fetch(`${values.BASE_URL}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { "apikey": values.ANON_KEY!, "Content-Type": "application/json" },
    body: JSON.stringify({ email: values.DEMO_EMAIL, password: values.DEMO_PASSWORD }),
  });
  const { access_token: accessToken, user } = await login.json();
  const project = { url: values.BASE_URL!, publishableKey: values.ANON_KEY! };
  const app = new AiClient({ accessToken, project });
  await using client = await app.connect(address);
  const page = await fetch(app.asked!, { redirect: "manual" });
  await page.body?.cancel();
  assertMatch(page.headers.get("Location")!, new RegExp(`^${values.BASE_URL}/oauth/consent/\\?authorization_id=`));
  const consent = await fetch(page.headers.get("Location")!);
  assertMatch(await consent.text(), /<human-consent base-url="" key="hi_pub_/);
  const context = { coachId: values.COACH_ID };
  const { json } = await callTool(client, "chat", { message: "How do I give feedback?", context });
  assertMatch(json.message.content, /^Give feedback within a week/);
  const { json: thread } = await callTool(client, "get-user-threads", { userId: "me", limit: 1 });
  assertEquals([thread.data[0].id, thread.data[0].user_id], [json.thread_id, user.id]);
  await revoke({ accessToken, project }, app.client!.client_id);
}

/** Sources of the demo's conversations are files that exist. */
async function checkDemoSources(values: Values): Promise<void> {
  const read = async (path: string) =>
    await (await fetch(`${values.BASE_URL}/rest/v1/${path}`, { headers: { apikey: values.SECRET_KEY! } })).json();
  const files = new Set((await read("knowledge_files?select=id")).map(({ id }: { id: string }) => id));
  const answers = await read("messages?select=sources&model=eq.demo&sources=not.is.null");
  assertNotEquals(answers, []);
  const sources = answers.flatMap((answer: { sources: { fileId: string }[] }) => answer.sources);
  assertEquals(sources.filter(({ fileId }: { fileId: string }) => !files.has(fileId)), []);
}

/** Signs in with the passwords of the demo. Returns the ID of a thread that its user starts. */
async function signInDemoUsers(values: Values, api: Api): Promise<string> {
  let threadId = "";
  for (const who of ["DEMO", "COACH"]) {
    const login = await fetch(`${values.BASE_URL}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { "apikey": values.ANON_KEY!, "Content-Type": "application/json" },
      body: JSON.stringify({ email: values[`${who}_EMAIL`], password: values[`${who}_PASSWORD`] }),
    });
    assertEquals(login.headers.get("Access-Control-Allow-Origin"), "*");
    const session = await login.json();
    assertEquals(session.expires_in, 3600);
    if (who === "DEMO") {
      const threads = await api("/functions/v1/users/me/threads", {
        headers: { Authorization: `Bearer ${session.access_token}` },
      });
      assertEquals((await threads.json()).count, 3);
      const reply = await api("/functions/v1/chat", {
        method: "POST",
        headers: { Authorization: `Bearer ${session.access_token}` },
        body: JSON.stringify({
          message: "Hello",
          context: { coachId: values.COACH_ID, userId: session.user.id, isAuthenticated: true },
        }),
      });
      await reply.text();
      threadId = reply.headers.get("X-Thread-Id")!;
      assertEquals(reply.status, 200);
      // The desk tells which model has answered.
      const answer = await fetch(
        `${values.BASE_URL}/rest/v1/messages?select=model&thread_id=eq.${threadId}&order=sequence&offset=1`,
        {
          headers: { apikey: values.SECRET_KEY! },
        },
      );
      assertEquals(await answer.json(), [{ model: "offline" }]);
    } else {
      const coaches = await (await fetch(`${values.BASE_URL}/rest/v1/coach_profiles?select=owner_id&order=id.desc`, {
        headers: { apikey: values.SECRET_KEY! },
      })).json();
      assertEquals(coaches, [{ owner_id: session.user.id }, { owner_id: null }]);
    }
  }
  return threadId;
}

/** No mail is sent: the link for a new password is in the terminal. */
async function forgetPassword(stack: Stack, { BASE_URL: baseUrl, ANON_KEY, DEMO_EMAIL }: Values): Promise<void> {
  const reply = await fetch(`${baseUrl}/auth/v1/recover?redirect_to=${encodeURIComponent(`${baseUrl}/desk/`)}`, {
    method: "POST",
    headers: { "apikey": ANON_KEY!, "Content-Type": "application/json" },
    body: JSON.stringify({ email: DEMO_EMAIL }),
  });
  assertEquals([reply.status, await reply.text()], [200, "{}"]);
  const line = await stack.sees(/^New password for \S+: http\S+$/);
  const [link = ""] = /http\S+/.exec(line) ?? [];
  const opened = await fetch(link, { redirect: "manual" });
  await opened.body?.cancel();
  assertMatch(opened.headers.get("Location")!, new RegExp(`^${baseUrl}/desk/#access_token=`));
  const textOf = async (path: string) => await (await fetch(`${baseUrl}${path}`)).text();
  await eventually(async () => {
    const [, mail] = /href="(\/mails\/[\w-]+)">Reset your password</.exec(await textOf("/mails")) ?? [];
    return mail !== undefined && (await textOf(mail)).includes(link.replaceAll("&", "&amp;"));
  }, "the mails show the link");
}

/** The publishable key is for pages of this machine at the usual ports and at its own. */
async function checkOrigins(values: Values, port: string): Promise<void> {
  const signUp = await fetch(`${values.BASE_URL}/auth/v1/signup`, {
    method: "POST",
    headers: { "apikey": values.ANON_KEY!, "Content-Type": "application/json" },
    body: "{}",
  });
  const { access_token } = await signUp.json();
  const statusFor = async (origin: string) => {
    const reply = await fetch(`${values.BASE_URL}/functions/v1/coaches`, {
      headers: { apikey: values.PUBLISHABLE_KEY!, Authorization: `Bearer ${access_token}`, Origin: origin },
    });
    await reply.body?.cancel();
    return reply.status;
  };
  for (const usual of ["3000", "5173", "8000", "8080", port]) {
    for (const host of ["localhost", "127.0.0.1"]) assertEquals(await statusFor(`http://${host}:${usual}`), 200);
  }
  for (const origin of ["http://localhost:3001", "https://localhost:3000", "http://localhost.example:3000"]) {
    assertEquals(await statusFor(origin), 403, origin);
  }
  const key = await fetch(`${values.BASE_URL}/rest/v1/rpc/list_api_keys`, {
    method: "POST",
    headers: { apikey: values.SECRET_KEY! },
  });
  const accounts = (await key.json()).map(({ account_id }: { account_id: string }) => account_id);
  assertEquals(accounts, [values.ACCOUNT_ID, values.ACCOUNT_ID, values.ACCOUNT_ID]);
}

/** Leaves in the middle of an answer, which is stored all the same. */
async function leaveMidway(values: Values, api: Api): Promise<void> {
  const leaving = new AbortController();
  const reply = await api("/functions/v1/chat", {
    method: "POST",
    body: JSON.stringify({ message: "I will not stay", context: { coachId: values.COACH_ID } }),
    signal: leaving.signal,
  });
  const left = reply.headers.get("X-Thread-Id");
  await reply.body!.getReader().read();
  leaving.abort();
  await eventually(async () => {
    const { data } = await (await api(`/functions/v1/threads/${left}/messages`)).json();
    return data[1]?.content.endsWith("how to get real answers.)");
  }, "the answer was stored");
}

/** Changes the code of the pages, of one function, and then code that all share. */
async function changeCode(stack: Stack, folder: string, baseUrl: string): Promise<void> {
  await Deno.writeTextFile(join(folder, "shared/clients/page/chat/texts.ts"), "\n// changed\n", { append: true });
  await stack.sees(/Pages changed: rebuilding them$/);
  await Deno.writeTextFile(join(folder, "functions/users/index.ts"), "\n// changed\n", { append: true });
  await stack.sees(/Code changed: restarting users$/);
  const catalogue = join(folder, "shared/infra/errors.ts");
  const text = await Deno.readTextFile(catalogue);
  await Deno.writeTextFile(catalogue, text.replace("Missing API key", "No API key at all"));
  await stack.sees(new RegExp(`Code changed: restarting ${functionNames}$`));
  for (const path of ["chat", "users/u/threads", "threads/x/messages"]) {
    const ask = async () => (await (await fetch(`${baseUrl}/functions/v1/${path}`)).json()).error;
    await eventually(async () => await ask() === "No API key at all", `${path} was restarted`);
  }
}

/** The folder in which the data was set aside, as the banner says. */
async function readSetAside(output: string, folder: string, apiKey: string): Promise<string> {
  const [, setAside = ""] =
    /^supabase\/migrations has changed, so the old data was moved to (.*)\. The service starts with an empty/m
      .exec(output) ?? [];
  assertMatch(
    setAside,
    new RegExp(`^${folder}-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d$`),
    output,
  );
  const old = JSON.parse(await Deno.readTextFile(join(setAside, "secrets.json")));
  assertEquals(old.apiKey, apiKey);
  return setAside;
}

/** The number of messages of a thread in a data folder that no stack uses. */
async function countMessages(dataFolder: string, threadId: string): Promise<number> {
  await using postgres = await PGlite.create(join(dataFolder, "postgres"), { extensions: { vector, pg_trgm } });
  return (await postgres.query("select content from messages where thread_id = $1", [threadId])).rows.length;
}

/** Starts another stack beside the one that runs, which is refused. */
async function tryASecondStack(
  t: Deno.TestContext,
  { folder, env, readThread }: { folder: string; env: { PORT: string; DATA_DIR: string }; readThread: ReadThread },
): Promise<void> {
  await slowStep(t, "a second stack on the same folder is refused with a clear sentence", async () => {
    const second = npmStart(folder, { ...env, PORT: String(freePort()) });
    assertNotEquals((await second.ended).code, 0);
    assertMatch(second.output(), /Another stack is already running on .*data\. Stop it, or set DATA_DIR/);
  });

  await slowStep(t, "one with other migrations too, which leaves the folder where it is", async () => {
    const undo = await editMigration(folder);
    const second = npmStart(folder, { ...env, PORT: String(freePort()) });
    assertNotEquals((await second.ended).code, 0);
    assertMatch(second.output(), /Another stack is already running on .*data\. Stop it, or set DATA_DIR/);
    assertEquals((await readThread()).status, 200);
    await undo();
  });

  await slowStep(t, "what is no port too", async () => {
    for (const PORT of ["http", "70000", "-1", "54321.5"]) {
      const second = npmStart(folder, { PORT, DATA_DIR: join(folder, "other") });
      assertNotEquals((await second.ended).code, 0);
      assertMatch(second.output(), new RegExp(`^PORT must be a number from 1 to 65535, not ${PORT}\\.$`, "m"));
      assert(!second.output().includes("    at "), second.output());
    }
  });

  await slowStep(t, "and so are arguments", async () => {
    const second = npmStart(folder, { ...env, DATA_DIR: join(folder, "other") }, ["--help"]);
    assertNotEquals((await second.ended).code, 0);
    assertMatch(second.output(), /^npm start takes no arguments, but variables, such as PORT: see /m);
  });

  await slowStep(t, "a taken port too", async () => {
    const second = npmStart(folder, { PORT: env.PORT, DATA_DIR: join(folder, "other") });
    assertNotEquals((await second.ended).code, 0);
    assertMatch(
      second.output(),
      new RegExp(`Port ${env.PORT} is in use\\. Stop the program that uses it, or set PORT`),
    );
  });
}

/** Deletes `.env.local`, which is written again. */
async function takeEnvFileAway(
  t: Deno.TestContext,
  { folder, stack, readThread }: { folder: string; stack: Stack; readThread: ReadThread },
): Promise<void> {
  const values = await readEnvFile(folder);
  await t.step(".env.local is written again after it was deleted", async () => {
    await Deno.remove(join(folder, ".env.local"));
    await eventually(async () => (await readEnvFile(folder)).API_KEY === values.API_KEY, "the file came back");
  });

  await t.step("if it cannot be written, that is said once, and that it can be again", async () => {
    const said = () => stack.output().match(/^Can(?:not)? write \.env\.local\b/gm);
    await Deno.mkdir(join(folder, ".env.local.new"));
    await Deno.remove(join(folder, ".env.local"));
    await stack.sees(/^Cannot write \.env\.local: .*The service continues without it/);
    assertEquals((await readThread()).status, 200);
    await Deno.remove(join(folder, ".env.local.new"));
    await stack.sees(/^Can write \.env\.local again/);
    assertEquals((await readEnvFile(folder)).API_KEY, values.API_KEY);
    assertEquals(said()?.length, 2, stack.output());
  });
}

type Restart = (change: () => Promise<unknown>) => Promise<Stack>;

/** Edits a migration, and undoes that. Returns the values after it. */
async function editAndUndo(
  { folder, dataFolder, threadId, apiKey }: { folder: string; dataFolder: string; threadId: string; apiKey: string },
  restart: Restart,
  readThread: ReadThread,
): Promise<Values> {
  let undo = async () => {};
  const changed = await restart(async () => undo = await editMigration(folder));
  await changed.sees(/Ctrl-C stops everything/);
  const setAside = await readSetAside(changed.output(), dataFolder, apiKey);
  assertNotEquals((await readEnvFile(folder)).API_KEY, apiKey);
  assertNotEquals((await readThread()).status, 200);
  await changed.sees(
    new RegExp(`^To go back to the old data, undo the change, then: DATA_DIR=${basename(setAside)} npm start$`),
  );
  assertEquals(await countMessages(setAside, threadId), 2);
  const undone = await restart(() => undo());
  await undone.sees(/Ctrl-C stops everything/);
  await undone.sees(new RegExp(`The data that was in ${setAside} has these migrations and is back\\.$`));
  const values = await readEnvFile(folder);
  assertEquals(values.API_KEY, apiKey);
  assertEquals((await readThread()).status, 200);
  return values;
}

/** Adds a migration, takes it away again, and adds one that fails. */
async function upgradeInPlace(
  { folder, dataFolder, threadId, values }: { folder: string; dataFolder: string; threadId: string; values: Values },
  restart: Restart,
  api: Api,
): Promise<void> {
  const migration = (name: string) => join(folder, "supabase/migrations", name);
  const [first, second] = ["20991231000000_first.sql", "20991231000001_second.sql"].map(migration) as [string, string];
  const upgraded = await restart(() =>
    Deno.writeTextFile(first, "alter table public.threads add column note text not null default 'none';")
  );
  await upgraded.sees(/^… Upgrading the data: 1 new migration$/);
  await upgraded.sees(/^Started in \d+ s/);
  await upgraded.sees(/Ctrl-C stops everything/);
  assertEquals(await readEnvFile(folder), values);
  assertEquals((await api(`/functions/v1/threads/${threadId}/messages`)).status, 200);
  await signInDemoUsersAgain(values);
  const files = await (await api("/functions/v1/knowledge-handler?coachId=demo-coach")).json();
  const { fileId } = files.data.find(({ filename }: { filename: string }) => filename === "retro.pdf");
  const original = await (await api(`/functions/v1/knowledge-handler/${fileId}/content?coachId=demo-coach`)).json();
  assertEquals((await fetch(original.url)).status, 200, JSON.stringify(original));

  // An older checkout leaves the folder alone.
  const refused = await restart(() => Deno.rename(first, `${first}.later`));
  assertNotEquals((await refused.ended).code, 0);
  assertMatch(refused.output(), /is of a later version: it has migrations that this one does not know\. Nothing was/);
  assertMatch(refused.output(), /^To start this version with data of its own: DATA_DIR=\S+ npm start$/m);

  // An upgrade that fails leaves the data as it was, beside the folder. Here, it would fail with any data.
  const failed = await restart(async () => {
    await Deno.rename(`${first}.later`, first);
    await Deno.writeTextFile(second, "create table public.half (id integer); select no_such_function();");
  });
  await failed.ended;
  assertMatch(failed.output(), /^20991231000001_second\.sql failed: function no_such_function\(\) does not exist$/m);
  const [, movedTo = ""] = /^The data could not be upgraded, so the old data was moved to (.*)\. The service/m
    .exec(failed.output()) ?? [];
  assertMatch(movedTo, new RegExp(`^${dataFolder}-`), failed.output());
  assertMatch(failed.output(), /^To go back to the old data, undo the change, then: DATA_DIR=\S+ npm start$/m);
  assertEquals(await countMessages(movedTo, threadId), 2);
}

/** The passwords of before work. */
async function signInDemoUsersAgain(values: Values): Promise<void> {
  for (const who of ["DEMO", "COACH"]) {
    const login = await fetch(`${values.BASE_URL}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { "apikey": values.ANON_KEY!, "Content-Type": "application/json" },
      body: JSON.stringify({ email: values[`${who}_EMAIL`], password: values[`${who}_PASSWORD`] }),
    });
    assertEquals(login.status, 200, await login.text());
  }
}

Deno.test("npm start, in a fresh clone", async (t) => {
  const folder = await copyProject();
  const env = { PORT: String(freePort()), DATA_DIR: join(folder, "data") };
  let stack = npmStart(folder, env);
  let values: Values = {};
  let threadId = "";
  const api: Api = (path, init = {}) =>
    fetch(values.BASE_URL + path, { ...init, headers: { "X-API-Key": values.API_KEY!, ...init.headers } });

  try {
    await t.step("says what it does and prints a curl that streams an answer when pasted", async () => {
      await stack.sees(/Ctrl-C stops everything/);
      await checkBanner(stack.output());
    });

    await t.step(
      "files uploaded with curl are found by a question in plain words and quoted in the next answer",
      async () => {
        values = await readEnvFile(folder);
        await findUploaded(folder, api);
      },
    );

    await t.step("what was said before the first start names passages of the files", async () => {
      await checkDemoSources(values);
      await checkOpenaiClient(stack.output(), values);
    });

    await t.step(".env.local holds twelve values that work", async () => {
      values = await readEnvFile(folder);
      assertEquals(Object.keys(values), valueNames);
      threadId = await signInDemoUsers(values, api);
    });

    await t.step("an AI client is added by its address alone", () => checkAiClient(stack.output(), values));

    await t.step(
      "prints the link for a new password, and shows it among the mails",
      () => forgetPassword(stack, values),
    );

    await t.step("pages on this machine may use its publishable key, from the usual ports and its own", async () => {
      await checkOrigins(values, env.PORT);
    });

    await t.step("no other user can read what it writes", async () => {
      assertEquals(await openToOthers(env.DATA_DIR), []);
      assertEquals(await openToOthers(join(folder, ".env.local")), []);
      assertEquals(stack.output().includes("Other users could read"), false);
    });

    await t.step("an unknown function → an error in JSON", async () => {
      const reply = await api("/functions/v1/nope");
      assertEquals([reply.status, await reply.json()], [404, { error: "Not found" }]);
      assertEquals(reply.headers.get("X-Error-Code"), "not_found");
    });

    await t.step("when a client disconnects in the middle, the answer is still stored", async () => {
      await leaveMidway(values, api);
    });

    await tryASecondStack(t, { folder, env, readThread: () => api(`/functions/v1/threads/${threadId}/messages`) });
    await takeEnvFileAway(t, { folder, stack, readThread: () => api(`/functions/v1/threads/${threadId}/messages`) });

    await t.step(
      "a change to a function's code restarts only that function; a change to shared code restarts all",
      async () => {
        await changeCode(stack, folder, values.BASE_URL!);
      },
    );

    await t.step("a function that is killed is started again", async () => {
      const [line = ""] = (await processesOf(folder)).filter((line) => line.includes("functions/threads"));
      Deno.kill(Number(line.trim().split(" ")[0]), "SIGKILL");
      await stack.sees(/\[threads\] .*"worker_crashed"/);
      await eventually(
        async () => (await api(`/functions/v1/threads/${threadId}/messages`)).status === 200,
        "threads answers",
      );
    });

    await t.step("Ctrl-C stops everything, also while a page watches a chat", async () => {
      const watched = await api(`/functions/v1/threads/${threadId}/events`);
      assertMatch((await watched.body!.getReader().read()).value!.toString(), /./);
      stack.signal("SIGINT");
      await stack.ended;
      const [, stopping = ""] = stack.output().split(/^Stopping$/m);
      assertEquals(stopping.trim(), "", "it has nothing more to say");
      await eventually(async () => (await processesOf(folder)).length === 0, "no process was left");
    });

    await t.step("a second start has the threads and the key of the first, and closes an open folder", async () => {
      await runCommand("chmod", ["-R", "u=rwX,go=rX", env.DATA_DIR]);
      stack = npmStart(folder, env);
      await stack.sees(/Ctrl-C stops everything/);
      assertEquals(
        stack.output().match(/^Other users could read .*data; this has been fixed: now only you can\.$/gm)?.length,
        1,
      );
      assertEquals(await openToOthers(env.DATA_DIR), []);
      assertEquals(await readEnvFile(folder), values);
      const reply = await (await api(`/functions/v1/threads/${threadId}/messages`)).json();
      assertEquals(reply.data[0].content, "Hello");
    });

    await slowStep(t, "killed without a word, it leaves no process behind, and its data is whole", async () => {
      stack.signal("SIGKILL");
      await stack.ended;
      await eventually(async () => (await processesOf(folder)).length === 0, "no process was left");
      stack = npmStart(folder, env);
      await stack.sees(/Ctrl-C stops everything/);
      assertEquals((await (await api(`/functions/v1/threads/${threadId}/messages`)).json()).count, 2);
    });

    const restart = async (change: () => Promise<unknown>): Promise<Stack> => {
      stack.signal("SIGINT");
      await stack.ended;
      await change();
      return stack = npmStart(folder, env);
    };
    const readThread = () => api(`/functions/v1/threads/${threadId}/messages`);
    await slowStep(
      t,
      "after a change to the migrations it sets the data aside and starts without it; undone, the data is back",
      async () => {
        values = await editAndUndo(
          { folder, dataFolder: env.DATA_DIR, threadId, apiKey: values.API_KEY! },
          restart,
          readThread,
        );
      },
    );

    await slowStep(t, "new migrations upgrade the data in place, with all keys, logins and files", async () => {
      await upgradeInPlace({ folder, dataFolder: env.DATA_DIR, threadId, values }, restart, api);
    });
  } finally {
    stack.signal("SIGTERM");
    await stack.ended;
    await Deno.remove(folder, { recursive: true });
  }
});
