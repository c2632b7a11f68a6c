import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { readEnv } from "../../../shared/infra/env.ts";
import type { MailServer } from "../../../shared/libs/mail/send_mail.ts";
import { CommandError, errorMessage, exitCodes } from "../command_error.ts";
import { type Database, passwordVariables, readSecretKey, type SupabaseCli, urlOfProject } from "./supabase_cli.ts";
import { type Bundle, maxBundleSize } from "./bundle_functions.ts";
import { checkFunctions } from "./deploy_functions.ts";
import { checkModels, type ModelCheckOptions } from "./check_models.ts";
import { findConflicts, findUnknownMigrations, readClock } from "./database.ts";
import { type Hosting, type HostingOptions, readHosting } from "./read_hosting.ts";
import { findMissing, findUnknown, readSecrets, type SecretsFile } from "./read_secrets.ts";
import { type DeploySettings, usualEnvFile } from "./read_deploy_settings.ts";

/** The steps of a deployment, before it starts. */
export type DeploymentPlan = {
  project: { ref: string; name: string; region: string; status: string };
  /** Migrations that the database does not have yet. */
  migrations: string[];
  /** Null when the project's secrets stay as they are. */
  secrets: (SecretsFile & { file: string; mail: MailServer | null }) | null;
  /** Names of the secrets that are set already. */
  secretsBefore: string[];
  /** Warnings about the models, one sentence each. */
  modelWarnings: string[];
  /** The functions as they will be uploaded. */
  bundles: Bundle[];
  hosting: Hosting;
  /** True if the vault has the address and the key that pg_cron uses to call the indexer. */
  hasClock: boolean;
  /** The address and the key of the smoke test. */
  smoke: DeploySettings["smoke"];
  /** The answers that the set-up was given, in words. */
  answers: string;
  isSetUpOnly: boolean;
};

const projectList = z.object({
  projects: z.array(z.object({
    ref: z.string(),
    name: z.string(),
    region: z.string(),
    status: z.string(),
    organization_slug: z.string().nullish(),
    organization_id: z.string().nullish(),
  })),
});
const secretList = z.object({ secrets: z.array(z.object({ name: z.string() })) });
const migrationList = z.object({ migrations: z.array(z.string()) });

/** Reads the file with the secrets. @throws {CommandError} if it is missing, or no functions could start with it */
export async function readEnvFile(
  root: string,
  { envFile: named, projectRef }: Pick<DeploySettings, "envFile" | "projectRef">,
): Promise<DeploymentPlan["secrets"]> {
  const file = named ?? usualEnvFile;
  let content: SecretsFile;
  let mail: MailServer | null;
  try {
    content = readSecrets(await Deno.readTextFile(isAbsolute(file) ? file : join(root, file)));
  } catch (error) {
    if (named === null && error instanceof Deno.errors.NotFound) return null;
    throw new CommandError(`${file} cannot be read.`, exitCodes.calledWrongly);
  }
  try {
    const elsewhere = setElsewhere(projectRef);
    mail = readEnv((name) => content.secrets.get(name) ?? elsewhere[name]).mail;
  } catch (error) {
    throw new CommandError(
      `With ${file}, no function would start. ${errorMessage(error)}`,
      exitCodes.calledWrongly,
    );
  }
  // Without a sender in the file, only the service knows it.
  return { file, ...content, mail: content.secrets.has("MAIL_FROM") ? mail : null };
}

/** Stand-ins for variables that the file may leave out: the platform sets some, others may be set already. */
function setElsewhere(projectRef: string): Record<string, string> {
  return {
    SUPABASE_URL: urlOfProject(projectRef),
    SUPABASE_SERVICE_ROLE_KEY: "set",
    SB_EXECUTION_ID: "set",
    UPSTASH_REDIS_REST_TOKEN: "set",
    MAIL_FROM: "set@example.com",
  };
}

/** Reads the project and this folder, and changes nothing. @throws {CommandError} when a deployment would fail. */
export async function makePlan(
  root: string,
  { projectRef, database, smoke, isSetUpOnly }: DeploySettings,
  { cli, secrets, models, management, answers, bundle }: {
    cli: SupabaseCli;
    secrets: DeploymentPlan["secrets"];
    models: Pick<ModelCheckOptions, "createModelCatalogue" | "signal">;
    management: Pick<HostingOptions, "api" | "accessToken">;
    answers: string;
    bundle: () => Promise<Bundle[]>;
  },
): Promise<DeploymentPlan> {
  const faults = await checkFunctions(root);
  if (faults.length > 0) throw new CommandError(`The functions cannot be deployed:\n${faults.join("\n")}`);
  const read = <Value>(what: string, reading: Promise<Value>) =>
    reading.catch((error) => {
      throw new CommandError(`Cannot read ${what}: ${errorMessage(error)}`);
    });
  const { projects } = await read("your projects", cli(["projects", "list"], projectList).catch(explainTokens));
  const project = projects.find(({ ref }) => ref === projectRef);
  if (project === undefined) {
    const refs = projects.map(({ ref, name }) => `${name} (${ref})`);
    throw new CommandError(
      `Your access token does not give access to the project ${projectRef}, only to: ${refs.join(", ") || "none"}.`,
    );
  }
  const { secrets: before } = await read(
    "the project's secrets",
    cli(["secrets", "list", `--remote=${projectRef}`], secretList),
  );
  const { migrations } = await read(
    "which migrations are pending",
    listPendingMigrations(cli, database).catch((error) => explainPending(error, root, { cli, database })),
  );
  const conflicts = await read(
    "what else the database has",
    findConflicts(root, cli, { database, pending: migrations }),
  );
  if (conflicts.length > 0) {
    throw new CommandError(`This project is not empty. Nothing was changed.\n- ${conflicts.join("\n- ")}`);
  }
  if (isSetUpOnly && migrations.length > 0) {
    throw new CommandError(`${migrations.length} migrations are pending. Deploy first, without --setup-only.`);
  }
  const hasClock = await readClock(cli, database);
  const secretKey = smoke.secretKey ?? await readSecretKey(cli, projectRef);
  const organization = project.organization_slug ?? project.organization_id ?? "";
  const hosting = await readHosting({ ...management, projectRef, organization });
  const bundles = isSetUpOnly ? [] : await bundle();
  const large = bundles.filter(({ size }) => size > maxBundleSize);
  if (large.length > 0) {
    throw new CommandError(
      `Too large for Supabase: ${large.map(describeBundle).join(", ")}. ` +
        `A function may have at most ${inMegabytes(maxBundleSize)}.`,
    );
  }
  const secretsBefore = before.map(({ name }) => name);
  const modelWarnings = isSetUpOnly
    ? []
    : await checkModels({ ...models, secrets: secrets?.secrets ?? new Map(), secretsBefore });
  const { name, region, status } = project;
  return {
    project: { ref: projectRef, name, region, status },
    migrations,
    secrets,
    secretsBefore,
    modelWarnings,
    bundles,
    hosting,
    hasClock,
    smoke: { ...smoke, secretKey },
    answers,
    isSetUpOnly,
  };
}

function explainTokens(error: unknown): never {
  throw new CommandError(
    `${errorMessage(error)}\nCreate a token at https://supabase.com/dashboard/account/tokens and set ` +
      "SUPABASE_ACCESS_TOKEN to it, or run npx supabase login.",
  );
}

function listPendingMigrations(cli: SupabaseCli, { remote, password }: Database) {
  return cli(["db", "push", "--dry-run", `--remote=${remote}`], migrationList, passwordVariables(password));
}

/** Explains why the pending migrations cannot be listed: mostly because the database has some that are not here. */
async function explainPending(
  error: unknown,
  root: string,
  { cli, database }: { cli: SupabaseCli; database: Database },
): Promise<never> {
  // A database that cannot be reached is not asked again.
  const unknown = /migration/i.test(errorMessage(error)) ? await findUnknownMigrations(root, cli, database) : [];
  if (unknown.length === 0) throw error;
  throw new CommandError(
    `the database is newer than this checkout: it has ${
      unknown.join(", ")
    }, which supabase/migrations does not have. ` +
      "Nothing was changed. Deploy from the release that has them, or a later one: see supabase/docs/upgrading.md.",
  );
}

/** Pushes the migrations. The seed is never pushed: it makes a demo account. */
export function pushMigrations(cli: SupabaseCli, { remote, password }: Database) {
  return cli(["db", "push", `--remote=${remote}`], z.unknown(), passwordVariables(password));
}

/** A plan as text. It contains the names of secrets, but never their values. */
export function describePlan(plan: DeploymentPlan): string {
  const { project } = plan;
  const status = project.status === "ACTIVE_HEALTHY" ? "" : `, ${project.status}`;
  const rows: [label: string, text: string][] = [
    ["Project", `${project.name} (${project.ref}), ${project.region}${status}`],
    ...plan.isSetUpOnly ? [] : describeDeployment(plan),
    ["Set-up", `${plan.hasClock ? "" : "starts the database's clock; "}${plan.answers}`],
  ];
  return rows.map(([label, text]) => `${label.padEnd(12)}${text}`).join("\n");
}

function describeDeployment(plan: DeploymentPlan): [label: string, text: string][] {
  const { migrations, secrets, secretsBefore, modelWarnings, bundles, hosting, smoke } = plan;
  const names = [...secrets?.secrets.keys() ?? []];
  return [
    ...(hosting.schemas?.includes("public") ?? true ? [] : [noDataApi]),
    ["Migrations", describeMigrations(migrations)],
    ["Secrets", secrets === null ? "stay as they are" : `${names.join(", ") || "none"} (from ${secrets.file})`],
    ...[
      ...(secrets?.reserved ?? []).map((name) => `${name} is left out: only the platform sets it`),
      ...(secrets?.empty ?? []).map((name) => `${name} is left out: it is empty`),
      ...findUnknown(names).map((name) => `${name} is not read by any function`),
      ...findMissing([...names, ...secretsBefore]),
      ...modelWarnings,
    ].map((sentence): [string, string] => ["", sentence]),
    ...(mayTurnsOutlastWorkers(plan) ? [longTurns] : []),
    ["Functions", bundles.map(describeBundle).join(", ")],
    ["Smoke test", `${smoke.url}${smoke.secretKey === null ? "" : `, with ${smokeObjects}`}`],
  ];
}

const smokeObjects =
  'an account "Smoke test" and a user smoke-test-…@example.com that are removed afterwards, even if the test is interrupted';

const noDataApi: [string, string] = [
  "",
  "its Data API is off or does not expose the schema public, so no function can reach the database",
];

/** The longest turn, in seconds, if a worker gets requests for 75 s and is terminated after 150 s. */
const maxTurnOnFree = 70;
const longTurns: [string, string] = [
  "",
  `TURN_SECONDS must be ${maxTurnOnFree} or less: the Free plan ends a worker, and the answers in it, after 150 s`,
];

function mayTurnsOutlastWorkers({ hosting, secrets, secretsBefore }: DeploymentPlan): boolean {
  if (hosting.plan !== "free") return false;
  const seconds = secrets?.secrets.get("TURN_SECONDS");
  // The value of a secret that was set earlier cannot be read.
  return seconds === undefined ? !secretsBefore.includes("TURN_SECONDS") : !(Number(seconds) <= maxTurnOnFree);
}

function describeBundle({ name, size }: Bundle): string {
  return `${name} (${inMegabytes(size)})`;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function describeMigrations(files: string[]): string {
  if (files.length === 0) return "none pending";
  return files.length <= 3
    ? `${files.length} pending: ${files.join(", ")}`
    : `${files.length} pending: ${files[0]} … ${files.at(-1)}`;
}
