import { abortable } from "deno-std/async/abortable.js";
import { join } from "deno-std/path/mod.js";
import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { errorMessage } from "../error_message.ts";
import { hideSecrets } from "../hide_secrets.ts";
import { deployFunctions } from "./deploy_functions.ts";
import type { makeUpload } from "./make_upload.ts";
import { type DeploymentPlan, describePlan, makePlan, pushMigrations, readEnvFile } from "./plan.ts";
import { writeSecrets } from "./read_secrets.ts";
import { showClockSql } from "./read_clock.ts";
import { type DeploySettings, help, readDeploySettings } from "./read_deploy_settings.ts";
import { type SmokeOptions, smokeTest, type Trial } from "./smoke_test.ts";
import { createSupabaseCli, type SupabaseCli } from "./supabase_cli.ts";

/** Where a deployment starts from, and whom it talks to. */
export type DeployOptions = {
  /** The root of the project. */
  root: string;
  env: Record<string, string>;
  /** The address of Supabase's Management API. */
  managementApi: string;
  /** Shows a text. */
  say: (text: string) => void;
  /** Shows why it ends early. */
  complain: (text: string) => void;
  /** Asks whoever runs it; null when nobody can be asked. */
  confirm: ((question: string) => Promise<boolean>) | null;
  /** Interrupts it: nothing new is begun, and what it made for itself is removed. */
  signal: AbortSignal;
  sleep: SmokeOptions["sleep"];
  /** Makes what is uploaded, in a folder: `makeUpload`. */
  makeUpload: typeof makeUpload;
};

/** Does what `npm run deploy` does with these arguments, and gives the exit code. Never throws. */
export async function deploy(args: string[], options: DeployOptions): Promise<number> {
  const { root, env, signal } = options;
  const hidden: (string | null | undefined)[] = [
    env.SUPABASE_ACCESS_TOKEN,
    env.SUPABASE_DB_PASSWORD,
    env.SMOKE_SECRET_KEY,
  ];
  const say = (text: string) => options.say(hideSecrets(text, hidden));
  try {
    const settings = readDeploySettings(args, env);
    if (settings === null) {
      say(help);
      return exitCodes.done;
    }
    if (!settings.isConfirmed && options.confirm === null) {
      throw new CommandError("Nobody can be asked here: add --yes to deploy all the same.", exitCodes.calledWrongly);
    }
    const secrets = await readEnvFile(root, settings.envFile);
    hidden.push(settings.database.password, ...secrets?.secrets.values() ?? []);
    const cli = createSupabaseCli(root, env, signal);
    await using upload = await createTempFolder();
    const plan = await makePlan(root, settings, {
      cli,
      secrets,
      management: { api: options.managementApi, accessToken: env.SUPABASE_ACCESS_TOKEN },
      bundle: () => options.makeUpload(root, upload.folder),
    });
    hidden.push(plan.smoke.secretKey);
    // It has names alone, of which one may be the value of another variable.
    options.say(describePlan(plan));
    const { name, ref } = plan.project;
    if (!settings.isConfirmed && !await abortable(options.confirm!(`Deploy to ${name} (${ref})?`), signal)) {
      throw new CommandError("Nothing was changed.", exitCodes.declined);
    }
    const steps = planSteps(plan, { cli, settings, uploadFolder: upload.folder, signal, sleep: options.sleep, say });
    await takeSteps(steps, { signal, say });
    return exitCodes.done;
  } catch (error) {
    options.complain(hideSecrets(errorMessage(error), hidden));
    if (signal.aborted) return exitCodes.interrupted;
    return error instanceof CommandError ? error.exitCode : exitCodes.failed;
  }
}

type Step = { name: string; take: () => Promise<unknown> };

function planSteps(
  plan: DeploymentPlan,
  { cli, settings, uploadFolder, signal, sleep, say }: Pick<DeployOptions, "signal" | "sleep" | "say"> & {
    cli: SupabaseCli;
    settings: DeploySettings;
    uploadFolder: string;
  },
): Step[] {
  const { projectRef, database } = settings;
  const steps: Step[] = [
    { name: "Link the project", take: () => cli(["link", "--project-ref", projectRef], z.unknown()) },
    { name: "Push the migrations", take: () => pushMigrations(cli, database) },
  ];
  const secrets = plan.secrets?.secrets ?? new Map();
  const names = plan.bundles.map(({ name }) => name);
  if (secrets.size > 0) steps.push({ name: "Set the secrets", take: () => setSecrets(cli, projectRef, secrets) });
  return [
    ...steps,
    { name: "Deploy the functions", take: () => deployFunctions(cli, { folder: uploadFolder, names, projectRef }) },
    { name: "Smoke test", take: () => runSmokeTest(plan, { signal, sleep, say }) },
  ];
}

/** Takes steps one after the other. @throws {CommandError} that says which one failed and how things stand. */
async function takeSteps(steps: Step[], { signal, say }: Pick<DeployOptions, "signal" | "say">): Promise<void> {
  for (const [index, { name, take }] of steps.entries()) {
    say(`… ${name}`);
    try {
      signal.throwIfAborted();
      await take();
    } catch (error) {
      const list = (some: Step[]) => some.map(({ name }) => name).join(", ") || "nothing";
      throw new CommandError(
        `${name}: failed. ${errorMessage(error)}\n\n` +
          `Done: ${list(steps.slice(0, index))}. Not done: ${list(steps.slice(index))}.\n` +
          "Mend it and run the same command again: what is done already does no harm twice.",
      );
    }
  }
}

async function setSecrets(cli: SupabaseCli, projectRef: string, secrets: Map<string, string>): Promise<void> {
  // A file that nobody else can read: arguments of a process can be read by everybody on the machine.
  await using temp = await createTempFolder();
  const file = join(temp.folder, "secrets.env");
  await Deno.writeTextFile(file, writeSecrets(secrets), { mode: 0o600 });
  await cli(["secrets", "set", `--remote=${projectRef}`, "--env-file", file], z.unknown());
}

/** Makes a folder that goes when it is disposed of. */
async function createTempFolder() {
  const folder = await Deno.makeTempDir({ prefix: "deploy-" });
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

async function runSmokeTest(
  plan: DeploymentPlan,
  { signal, sleep, say }: Pick<DeployOptions, "signal" | "sleep" | "say">,
): Promise<void> {
  const { doesAnswer, findings } = await smokeTest({
    ...plan.smoke,
    hasClock: plan.hasClock,
    signal,
    sleep,
    onTrial: (trial) => say(describeTrial(trial)),
    onMade: (what) => say(`  made: ${what}`),
  });
  if (doesAnswer) say(describeEnd(plan));
  if (findings.length > 0) {
    throw new CommandError(`${findings.join("\n")}\nThe functions' logs in the dashboard may tell why.`);
  }
  signal.throwIfAborted();
}

function describeTrial({ name, milliseconds, finding }: Trial): string {
  return `  ${finding === null ? "well" : "not well"}: ${name} (${(milliseconds / 1_000).toFixed(1)} s)`;
}

function describeEnd({ smoke, hasClock }: DeploymentPlan): string {
  const howToTry =
    "No message was sent to a model, and no file was read: your access token may not read the project's keys. To have\n" +
    "that tried as well, set SMOKE_SECRET_KEY (Settings > API Keys), and run this again.";
  const howToSetClock =
    "The database's clock does not call the indexer yet, as far as the vault shows: a file whose reading was interrupted\n" +
    "waits for the next upload. To have it called every minute, paste this into the SQL editor, with a secret key of the\n" +
    `project (Settings > API Keys):\n${showClockSql(smoke.url)}`;
  return [
    `Deployed: ${smoke.url}/functions/v1`,
    ...(smoke.secretKey === null ? [howToTry] : []),
    ...(hasClock ? [] : [howToSetClock]),
  ].join("\n");
}
