import { findTroubles, Status } from "../../../shared/core/status/read_status.ts";
import { release } from "../../../shared/infra/release.ts";
import { fieldsOf } from "../../../shared/libs/base/fields_of.ts";
import { listFunctions } from "../../platform/list_functions.ts";
import { projectRoot } from "../../platform/state.ts";
import { openProject, type ProjectSettings, readProjectSettings } from "../admin/open_project.ts";
import { countOf, showHarmlessly } from "../admin/terminal_text.ts";
import { readMigrationFiles } from "../backup/service_tables.ts";
import { CommandError, errorMessage, exitCodes, hideSecrets, readArguments } from "../command_error.ts";
import { createSupabaseCli, isProjectRef, readSecretKey, urlOfProject } from "../deploy/supabase_cli.ts";

/** The environment of `npm run status`. */
export type StatusOptions = {
  env: Record<string, string | undefined>;
  say: (text: string) => void;
  complain: (text: string) => void;
  /** Reads a secret key of a project with the access token; null if that is not allowed. */
  readKey: (projectRef: string) => Promise<string | null>;
};

const help = `npm run status -- <project ref | address of a project>

Shows whether a project works: its version, what runs in the background, what has failed, and sizes.
A line that begins with ! is a reason for the exit code 1.

SECRET_KEY in the environment is a secret key of the project. For a project reference, it is not needed
if SUPABASE_ACCESS_TOKEN, or npx supabase login, lets the project's keys be read.

Exit codes: 0 everything works, 1 something does not, 2 wrong usage.`;

const patience = 15_000;

/** Runs `npm run status` with these arguments, and returns the exit code. Never throws. */
export async function runStatus(args: string[], { env, say, complain, readKey }: StatusOptions): Promise<number> {
  const hidden: (string | null | undefined)[] = [env.SECRET_KEY, env.SUPABASE_ACCESS_TOKEN];
  try {
    const project = readProject(args);
    if (project === null) {
      say(help);
      return exitCodes.done;
    }
    const key = env.SECRET_KEY || (project.ref === null ? null : await readKey(project.ref));
    if (!key) throw new CommandError("Set SECRET_KEY to a secret key of the project.", exitCodes.calledWrongly);
    hidden.push(key);
    const settings = readProjectSettings({ BASE_URL: project.url, SECRET_KEY: key });
    const [status, functions, { versions }] = await Promise.all([
      // The functions may work without Postgres, and say so.
      readStatus(settings).catch((error) => errorMessage(error)),
      askFunctions(settings.url, patience),
      readMigrationFiles(),
    ]);
    const { text, isWell } = describeStatus({ url: settings.url, status, functions, migrations: versions });
    say(hideSecrets(text, hidden));
    return isWell ? exitCodes.done : exitCodes.failed;
  } catch (error) {
    complain(hideSecrets(errorMessage(error), hidden));
    return error instanceof CommandError ? error.exitCode : exitCodes.failed;
  }
}

/** The project that the arguments name; null for `--help`. */
function readProject(args: string[]): { ref: string | null; url: string } | null {
  const refuse = (sentence: string): never => {
    throw new CommandError(`${sentence}\n\n${help}`, exitCodes.calledWrongly);
  };
  const { values, positionals: [project, ...others] } = readArguments("status", args, {});
  if (values.help) return null;
  if (project === undefined || others.length > 0) return refuse("Name one project.");
  if (isProjectRef(project)) return { ref: project, url: urlOfProject(project) };
  if (!/^https?:\/\//.test(project)) return refuse("This is neither the reference nor the address of a project.");
  return { ref: null, url: project };
}

async function readStatus(settings: ProjectSettings): Promise<Status> {
  const { client } = openProject(settings, { timeLimit: patience, note: () => {} });
  return Status.parse((await client.rpc("read_status").throwOnError()).data);
}

/** The functions of a project, as they answer. */
export type AnsweringFunctions = {
  /** How many there should be. */
  count: number;
  /** Those that do not answer. */
  silent: string[];
  /** The version that is deployed; null if it is not told. */
  version: string | null;
};

/** Asks each function of a project for what it does for anybody, and for the version. Never rejects. */
async function askFunctions(url: string, patience: number): Promise<AnsweringFunctions> {
  const names = listFunctions();
  const ask = (path: string, method: string) =>
    fetch(`${url}/functions/v1/${path}`, { method, redirect: "error", signal: AbortSignal.timeout(patience) });
  const [version, ...answers] = await Promise.all([
    ask("docs/openapi.json", "GET").then((reply) => reply.json()).then(
      ({ info }) => String(fieldsOf(info).version),
      () => null,
    ),
    ...names.map((name) =>
      ask(name, "OPTIONS").then(async ({ status, body }) => {
        await body?.cancel();
        return status === 204;
      }).catch(() => false)
    ),
  ]);
  return { count: names.length, silent: names.filter((_, index) => !answers[index]), version };
}

/** What is known of a project. */
type KnownStatus = {
  url: string;
  /** Or why it could not be read. */
  status: Status | string;
  functions: AnsweringFunctions;
  /** The versions of the migrations of this folder. */
  migrations: string[];
};

type Line = { name: string; text: string; isTrouble?: boolean };

/** Describes a project, a line for each of its parts. A part that does not work has a `!` before it. */
function describeStatus(known: KnownStatus): { text: string; isWell: boolean } {
  const { url, status, functions } = known;
  const lines: Line[] = [
    { name: "Project", text: url },
    describeVersion(known),
    {
      name: "Functions",
      text: functions.silent.length === 0
        ? `all ${functions.count} answer`
        : `${functions.silent.length} of ${functions.count} do not answer: ${functions.silent.join(", ")}`,
      isTrouble: functions.silent.length > 0,
    },
    ...typeof status === "string"
      ? [{ name: "Database", text: status, isTrouble: true }]
      : [...describeWork(status), ...describeDetails(status.details)],
  ];
  const width = Math.max(...lines.map(({ name }) => name.length)) + 2;
  return {
    text: lines.map(({ name, text, isTrouble }) =>
      `${isTrouble ? "!" : " "} ${name.padEnd(width)}${text.split("\n").map(showHarmlessly).join(" ")}`
    ).join("\n"),
    isWell: !lines.some(({ isTrouble }) => isTrouble),
  };
}

/** The version of the functions, and the migrations of the database. */
function describeVersion({ functions: { version }, status, migrations: wanted }: KnownStatus): Line {
  const present = typeof status === "string" ? null : status.details?.migrations ?? null;
  const missing = present === null ? [] : wanted.filter((version) => !present.includes(version));
  const isOther = version !== release.version;
  return {
    name: "Version",
    text: [
      `${version ?? "not known"}${isOther ? `; this folder has ${release.version}` : ""}`,
      present === null
        ? "migrations not known"
        : missing.length === 0
        ? `all ${wanted.length} migrations`
        : `${missing.length} of ${wanted.length} migrations are missing, from ${missing[0]} on`,
    ].join(", "),
    isTrouble: isOther || missing.length > 0,
  };
}

function describeWork(status: Status): Line[] {
  const { clockSeconds, model, queues } = status;
  const troubles = findTroubles(status);
  const waiting = queues.filter((queue) => queue.waiting > 0);
  return [
    {
      name: "Clock",
      text: clockSeconds === null ? "has never run" : `ran ${showAge(clockSeconds)} ago`,
      isTrouble: troubles.includes("clock"),
    },
    { name: "Model", text: describeModel(model), isTrouble: troubles.includes("model") },
    {
      name: "Queues",
      text:
        waiting.map(({ name, waiting, seconds }) =>
          `${name} ${waiting < 1_000 ? waiting : "1000 or more"} (the first is due since ${showAge(seconds ?? 0)})`
        ).join(", ") || "nothing waits",
      isTrouble: waiting.some(({ name }) => troubles.includes(name)),
    },
  ];
}

function describeModel({ checkedSeconds, failedSeconds, failure }: Status["model"]): string {
  if (failedSeconds !== null) return `its server has not answered for ${showAge(failedSeconds)}: ${failure}`;
  return checkedSeconds === null ? "was not asked yet" : `its server answered ${showAge(checkedSeconds)} ago`;
}

function describeDetails(details: Status["details"]): Line[] {
  if (details === null) return [];
  const { errors, lastError, webhooks, mails, budgets, sizes } = details;
  const failed = errors.map(({ kind, code, count }) => code === null ? countOf(count, kind) : `${count} ${code}`);
  const rows = Object.entries(sizes.rows).map(([name, count]) => `${count} ${name.replaceAll("_", " ")}`);
  const because = (error: string | null) => error === null ? "" : `: ${error}`;
  const last = lastError === null
    ? ""
    : `; the last ${showAge(lastError.seconds)} ago, ${lastError.kind}: ${lastError.error}` +
      (lastError.requestId === null ? "" : ` (${lastError.requestId})`);
  return [
    { name: "Errors", text: `${failed.join(", ") || "none"} within a day${last}` },
    {
      name: "Deliveries",
      text: `failing webhooks: ${webhooks.failing} of ${webhooks.count}${because(webhooks.lastError)}; ` +
        `mails to be sent again: ${mails.failing}${because(mails.lastError)}; ` +
        `refused addresses: ${mails.refusedAddresses}`,
    },
    {
      name: "Budgets",
      text: budgets.map(({ accountName, id, percent }) => `${percent} % of ${accountName} (${id})`).join(", ") ||
        "none runs low",
    },
    {
      name: "Sizes",
      text: [`database ${showSize(sizes.databaseBytes)}`, `files ${showSize(sizes.fileBytes)}`, ...rows].join(", "),
    },
  ];
}

function showAge(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}

function showSize(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

// `npm run status`
if (import.meta.main) {
  const env = Deno.env.toObject();
  Deno.exitCode = await runStatus(Deno.args, {
    env,
    say: (text) => console.log(text),
    complain: (text) => console.error(text),
    readKey: (projectRef) => readSecretKey(createSupabaseCli(projectRoot, env), projectRef),
  });
}
