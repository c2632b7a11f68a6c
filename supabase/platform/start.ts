/** `npm start`: the whole service on this machine, without Docker and without any account. */
import { join } from "node:path";
import { debounce } from "../commands/std.ts";
import { CommandError, errorMessage } from "../commands/command_error.ts";
import { callFunction } from "../../shared/core/wake_function.ts";
import { openLogFile, readLines, startChildProcess } from "./child_process.ts";
import { closeDataFolder, closeNewFiles, showPath, stackIsRunning } from "./data_folder.ts";
import { findEdgeDeno } from "./edge_runtime/edge_deno.ts";
import { type EdgeRuntime, startEdgeRuntime, type WorkerEvent } from "./edge_runtime/edge_runtime.ts";
import { type HostingPlan, limitsOf } from "./edge_runtime/limits.ts";
import { codeOfFunction, edgeDenoEnv } from "./edge_runtime/worker.ts";
import { coachEmail, demoAccountId, demoCoachId, demoEmail, ensureDemo, ensureDemoKnowledge } from "./demo.ts";
import { createGateway, type Target } from "./gateway.ts";
import { listFunctions } from "./list_functions.ts";
import { freePort, waitForAnswer } from "./local_address.ts";
import { createMailPage, startMailCatcher, storeMail } from "./mail_catcher.ts";
import { createOfflineModel } from "./offline_model.ts";
import { publicKeySet } from "./asymmetric_tokens.ts";
import { createChatPages } from "./chat_pages.ts";
import { readLink } from "./lite_auth.ts";
import { readCoaches } from "../commands/page/build_page.ts";
import { createReferencePage, type ReferenceKeys } from "./reference_page.ts";
import { prepareData, type SetAside, setDataAside } from "./set_aside_data.ts";
import { createStopwatch, progressLine, say, warn, watchTrouble } from "./terminal.ts";
import { dataFolder, projectRoot, readStackState } from "./state.ts";
import { upgradeData } from "./upgrade_data.ts";

if (Deno.args.length > 0) {
  fail("npm start takes no arguments, but variables, such as PORT: see supabase/docs/variables.md.");
}
const stopwatch = createStopwatch();
let fetched = 0;
const port = readPort();
const baseUrl = `http://127.0.0.1:${port}`;
const envFile = join(projectRoot, ".env.local");
const functionNames = listFunctions();
const plan = readPlan();
const wordsPerSecond = readWordsPerSecond();
closeNewFiles();

// The gateway listens first, so that a port in use is reported immediately, not after ten seconds.
const backendPort = freePort();
const backendUrl = `http://127.0.0.1:${backendPort}`;
let functions: EdgeRuntime | null = null;
let referenceKeys: ReferenceKeys | null = null;
const mailFolder = join(dataFolder(), "mails");
const chatPages = createChatPages(async () =>
  referenceKeys && {
    baseUrl: "",
    coach: "",
    // Without them, the page asks itself.
    coaches: await readCoaches(baseUrl, secrets.apiKey!, "").catch(() => ""),
    key: secrets.pageKey!,
    supabaseKey: secrets.publishableKey,
    visitor: { email: demoEmail, password: secrets.demoPassword },
    expert: { email: coachEmail, password: secrets.coachPassword },
  }
);
const watchers = new AbortController();
listen();

if (await closeDataFolder(dataFolder()).catch(failWith)) {
  say(`Other users could read ${dataFolder()}; this has been fixed: now only you can.`);
}
const { setAside, pending } = await prepareData(dataFolder()).catch(failWith);
if (setAside !== null) sayWhereDataIs("supabase/migrations has changed", setAside);

begin("packages", "Fetching the packages");
await cache(Deno.execPath(), ["--frozen", "supabase/platform/backend.ts"]);
// Read while Postgres starts.
const packagesOfFunctions = fetchPackagesOfFunctions();
if (pending.length > 0) await upgrade(pending);
const state = await readStackState();
const { secrets } = state;
await Deno.mkdir(state.path("logs"), { recursive: true });

// Built while the rest starts.
const builtPages = buildPages();

begin("Postgres", "Starting Postgres, Auth, REST and Storage");
let isReady = false;
// Said once, even if it takes several tries.
let isRestarting = false;
const backend = startChildProcess({
  name: "backend",
  args: ["run", "--quiet", "-A", "supabase/platform/backend.ts"],
  env: { BACKEND_PORT: String(backendPort), PUBLIC_URL: baseUrl, STALE_FILE: envFile },
  logFile: state.path("logs", "backend.log"),
  onLine: showLink,
  onExit(code) {
    if (code === 3) failWith(stackIsRunning(state.path()));
    if (!isReady) fail(`The backend did not start. See ${state.path("logs", "backend.log")}`);
    if (isRestarting) return;
    isRestarting = true;
    warn(`The backend exited with code ${code}. Restarting it`);
    void waitForAnswer(`${backendUrl}/auth/v1/.well-known/jwks.json`, Infinity).then(() => {
      isRestarting = false;
      warn("The backend is running again");
    });
  },
});
await waitForAnswer(`${backendUrl}/auth/v1/.well-known/jwks.json`);
await ensureDemo(backendUrl, baseUrl, state);
begin("packages", "Fetching the packages of the functions");
await packagesOfFunctions;
referenceKeys = { apiKey: secrets.apiKey!, publishableKey: secrets.publishableKey };

begin("functions", `Starting the functions ${functionNames.join(", ")}`);
const modelEnv = startOfflineModel();
const mailEnv = await catchMails();
const logs = new Map(functionNames.map((name) => [name, openLogFile(state.path("logs", `${name}.log`), name)]));
functions = startEdgeRuntime({
  functions: Object.fromEntries(functionNames.map((name) => [name, codeOfFunction(name)])),
  env: {
    SUPABASE_URL: baseUrl,
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secrets.secretKey }),
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: secrets.publishableKey }),
    SUPABASE_JWKS: JSON.stringify(publicKeySet(secrets.signingKey)),
    PAGE_URL: `${baseUrl}/`,
    ...mailEnv,
    DESK_URL: `${baseUrl}/desk/`,
    // Webhooks are tested here with a receiver on the same machine.
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true",
    ...modelEnv,
  },
  limits: limitsOf(plan),
  onEvent: ({ event, function: name, ...fields }) =>
    void logs.get(name)!(JSON.stringify({ level: levelOf(event), event, ...fields })),
  onLine: (name, line) => void logs.get(name)!(line),
});
await Promise.all(
  functionNames.map((name) =>
    functions!.boot(name).catch(() =>
      fail(`The function ${name} did not start; see ${state.path("logs", `${name}.log`)}`)
    )
  ),
);
isReady = true;

begin("files of the demo coach", "Preparing the files of the demo coach");
// Done by pg_cron in a hosted project.
const clock = setInterval(() => {
  for (const name of ["indexer", "fetcher", "mailer"] as const) {
    void callFunction(name, { supabaseUrl: baseUrl, secretKey: secrets.secretKey }, 10_000).catch(() => {});
  }
}, 10_000);
await ensureDemoKnowledge(baseUrl, state);

begin("pages", "Building the pages");
await builtPages;
await writeEnvFile();
const envFileTrouble = watchTrouble("write .env.local");
const envFileWatch = setInterval(keepEnvFile, 1_000);
const codeWatch = watchCode();
say(`Started in ${stopwatch.describe()}`);
printBanner();

for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, stop);

function listen(): void {
  const targets = Object.fromEntries(functionNames.map((name): [string, Target] => [
    name,
    async (path, request) => {
      if (functions === null) throw new Error("The functions are starting");
      const reply = await functions.fetch(name, path, request);
      const isWatching = request.method === "GET" && reply.headers.get("Content-Type")?.startsWith("text/event-stream");
      return isWatching ? new Response(endWith(watchers.signal, reply.body!), reply) : reply;
    },
  ]));
  try {
    Deno.serve(
      { port, hostname: "127.0.0.1", onListen: () => {} },
      createGateway({
        functions: targets,
        backend: backendUrl,
        docs: createReferencePage(() => referenceKeys),
        mails: createMailPage(mailFolder),
        pages: chatPages.fetch,
      }),
    );
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) {
      fail(`Port ${port} is in use. Stop the program that uses it, or set PORT to another one.`);
    }
    throw error;
  }
}

/** Ends a stream when a signal says so, without an error. */
function endWith(signal: AbortSignal, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void stream.pipeTo(writable, { signal, preventAbort: true })
    .catch((error) => signal.aborted ? writable.close() : writable.abort(error)).catch(() => {});
  return readable;
}

/** The environment with a model's address: empty if one is configured, else of the offline model, served here. */
function startOfflineModel(): Record<string, string> {
  if (Deno.env.get("OPENAI_API_KEY") || Deno.env.get("OPENAI_BASE_URL")) return {};
  const { addr } = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    createOfflineModel({ wordsPerSecond }),
  );
  return { OPENAI_BASE_URL: `http://127.0.0.1:${addr.port}/v1`, OPENAI_API_KEY: "offline", OPENAI_MODEL: "offline" };
}

/** The environment of a mail server that sends nothing; empty if another one is configured. */
async function catchMails(): Promise<Record<string, string>> {
  if (Deno.env.get("SMTP_URL")) return {};
  const { url } = await startMailCatcher(mailFolder);
  return { SMTP_URL: url, MAIL_FROM: "Human chat <no-reply@localhost>" };
}

/** Shows the link for a new password, which Auth would send by mail: in the terminal, and among the mails. */
function showLink(line: string): void {
  const mail = readLink(line);
  if (mail === null) return;
  say(line);
  void storeMail(mailFolder, new TextEncoder().encode(mail)).catch((error) => warn(errorMessage(error)));
}

/** Says that a step begins, and remembers when. */
function begin(name: string, sentence: string): void {
  stopwatch.begin(name);
  progressLine.begin(sentence);
}

/** Fetches the packages of the functions that are not there yet. */
async function fetchPackagesOfFunctions(): Promise<void> {
  for (const name of functionNames) {
    const { config, lock, entryPoint } = codeOfFunction(name);
    await cache(findEdgeDeno(), [`--config=${config}`, `--lock=${lock}`, "--frozen", entryPoint], edgeDenoEnv);
  }
}

/** Applies new migrations to the data; if that fails, the data is set aside as it was. */
async function upgrade(pending: string[]): Promise<void> {
  begin("upgrade of the data", `Upgrading the data: ${pending.length} new migration${pending.length > 1 ? "s" : ""}`);
  const failure = await upgradeData(dataFolder()).catch(failWith);
  if (failure === null) return;
  warn(failure);
  sayWhereDataIs("The data could not be upgraded", await setDataAside(dataFolder()).catch(failWith));
}

function sayWhereDataIs(reason: string, { movedTo, commit, broughtBackFrom, deleted }: SetAside): void {
  say(
    `${reason}, so the old data was moved to ${movedTo}. ` +
      (broughtBackFrom === null
        ? "The service starts with an empty database and new keys."
        : `The data that was in ${broughtBackFrom} has these migrations and is back.`),
  );
  const start = `DATA_DIR=${showPath(movedTo)} npm start`;
  say(
    commit === null
      ? `To go back to the old data, undo the change, then: ${start}`
      : `To go back to the old data: git checkout ${commit} && ${start}`,
  );
  for (const path of deleted) say(`The data in ${path} was older and has been deleted.`);
}

async function writeEnvFile(): Promise<void> {
  const values = {
    BASE_URL: baseUrl,
    API_KEY: secrets.apiKey,
    PUBLISHABLE_KEY: secrets.pageKey,
    ANON_KEY: secrets.publishableKey,
    MCP_URL: mcpUrl(),
    SECRET_KEY: secrets.secretKey,
    ACCOUNT_ID: demoAccountId,
    COACH_ID: demoCoachId,
    DEMO_EMAIL: demoEmail,
    DEMO_PASSWORD: secrets.demoPassword,
    COACH_EMAIL: coachEmail,
    COACH_PASSWORD: secrets.coachPassword,
  };
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  // Renamed into place, so that programs that wait for the file find it complete.
  await Deno.writeTextFile(`${envFile}.new`, lines.join(""), { mode: 0o600 });
  await Deno.rename(`${envFile}.new`, envFile);
}

/** The address of the MCP server for AI clients, whose users sign in. */
function mcpUrl(): string {
  return `${baseUrl}/functions/v1/mcp/${secrets.mcpKey}`;
}

/** Writes the file again if it was deleted. */
async function keepEnvFile(): Promise<void> {
  try {
    await Deno.stat(envFile).catch(writeEnvFile);
    envFileTrouble.worked(envFile);
  } catch (error) {
    envFileTrouble.failed(envFile, error);
  }
}

/** Without its pages the service still works. */
async function buildPages(): Promise<void> {
  await chatPages.build().catch((error) => warn(error instanceof CommandError ? error.message : String(error)));
}

/** Restarts a function when its code changes, and all of them when shared code does. Pages are rebuilt. */
function watchCode(): Deno.FsWatcher {
  const watcher = Deno.watchFs(["functions", "shared"].map((folder) => join(projectRoot, folder)));
  const changed = new Set<string>();
  const restart = debounce(() => {
    const paths = [...changed];
    changed.clear();
    const { pages = [], functions: ofFunctions = [] } = Object.groupBy(
      paths,
      (path) => /^.shared.clients\b/.test(path) ? "pages" : "functions",
    );
    if (pages.length > 0) {
      say("Pages changed: rebuilding them");
      void buildPages();
    }
    const names = functionNames.filter((name) =>
      ofFunctions.some((path) => !path.includes("/functions/") || path.includes(`/functions/${name}/`))
    );
    if (names.length === 0) return;
    say(`Code changed: restarting ${names.join(", ")}`);
    for (const name of names) functions?.replace(name);
  }, 300);
  (async () => {
    for await (const { kind, paths } of watcher) {
      if (kind === "access") continue;
      for (const path of paths) changed.add(path.slice(projectRoot.length));
      restart();
    }
  })();
  return watcher;
}

async function stop(): Promise<void> {
  say("\nStopping");
  clearInterval(envFileWatch);
  clearInterval(clock);
  codeWatch.close();
  // The functions would wait for pages that are open. Answers that are being written are waited for.
  watchers.abort();
  await functions?.[Symbol.asyncDispose]();
  await backend.stop();
  Deno.exit(0);
}

function printBanner(): void {
  const isOffline = "OPENAI_API_KEY" in modelEnv;
  say(`
${Deno.stdout.isTerminal() ? "Open it     " : "Chat page   "} ${baseUrl}
Desk         ${baseUrl}/desk (for the expert; the sign-in form is filled in)
Reference    ${baseUrl}/docs
Mails        ${"SMTP_URL" in mailEnv ? `${baseUrl}/mails (none leaves this machine)` : "are sent by SMTP_URL"}
OpenAI API   ${baseUrl}/functions/v1/openai/v1 (the base URL for OpenAI's clients)
AI clients   ${mcpUrl()} (add this address to an MCP client that runs on this machine)
Demo key     ${secrets.apiKey}
Model        ${isOffline ? "offline (set OPENAI_API_KEY for a real one)" : Deno.env.get("OPENAI_BASE_URL") ?? "OpenAI"}
All values   .env.local
Logs         ${state.path("logs")}

Or talk to the demo coach here:

curl -N ${baseUrl}/functions/v1/chat \\
  -H 'X-API-Key: ${secrets.apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"message": "How do I start with a new team?", "context": {"coachId": "${demoCoachId}"}}'

Ctrl-C stops everything.`);
}

function readPort(): number {
  const written = Deno.env.get("PORT") || "54321";
  const isPort = /^\d{1,5}$/.test(written) && Number(written) >= 1 && Number(written) <= 65_535;
  return isPort ? Number(written) : fail(`PORT must be a number from 1 to 65535, not ${written}.`);
}

function readPlan(): HostingPlan {
  const plan = Deno.env.get("PLAN") || "paid";
  return plan === "free" || plan === "paid" ? plan : fail(`PLAN must be free or paid, not ${plan}.`);
}

function readWordsPerSecond(): number {
  const written = Deno.env.get("OFFLINE_WORDS_PER_SECOND") || "18";
  return Number(written) >= 0 ? Number(written) : fail(`OFFLINE_WORDS_PER_SECOND must be a number, not ${written}.`);
}

/** The log level of a worker's event: being retired is normal, being killed is not. */
function levelOf(event: WorkerEvent["event"]): "info" | "warn" | "error" {
  if (event === "worker_crashed") return "error";
  return event === "worker_killed" ? "warn" : "info";
}

/** Fetches the packages of a program that are not in the cache yet. */
async function cache(deno: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  const child = new Deno.Command(deno, {
    args: ["cache", ...args],
    cwd: projectRoot,
    env: { ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const others: string[] = [];
  await readLines(child.stderr, (line) => {
    // Deno prints a line for each description of a package, and one for each archive.
    if (/^Download .*\.tgz$/.test(line)) progressLine.tell(`${++fetched} packages so far`);
    else if (!/^(?:Download|Initialize|Check) /.test(line)) others.push(line);
  });
  const { success } = await child.status;
  if (!success) fail(`${others.join("\n")}\ndeno cache ${args.at(-1)} failed`);
}

function failWith(error: unknown): never {
  if (error instanceof CommandError) fail(error.message);
  throw error;
}

function fail(sentence: string): never {
  warn(sentence);
  Deno.exit(1);
}
