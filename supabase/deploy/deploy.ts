import { join } from "deno-std/path/mod.js";
import { CommandError, exitCodes } from "../command_error.ts";
import { hideSecrets } from "../hide_secrets.ts";
import { deployFunctions } from "./deploy_functions.ts";
import { makeUpload } from "./make_upload.ts";
import { describePlan, hasKey, makePlan, type Plan, pushMigrations, readEnvFile } from "./plan.ts";
import { writeSecrets } from "./read_secrets.ts";
import { readSettings, type Settings, usage } from "./read_settings.ts";
import { smokeTest } from "./smoke_test.ts";
import { createSupabaseCli, type SupabaseCli } from "./supabase_cli.ts";

/** Where a deployment starts from, and whom it talks to. */
export type DeployOptions = {
  /** The root of the project. */
  root: string;
  env: Record<string, string>;
  /** Shows a text. */
  say: (text: string) => void;
  /** Shows why it ends early. */
  complain: (text: string) => void;
  /** Asks whoever runs it; null when nobody can be asked. */
  confirm: ((question: string) => boolean) | null;
  sleep: (milliseconds: number) => Promise<unknown>;
};

/** Does what `npm run deploy` does with these arguments, and gives the exit code. Never throws. */
export async function deploy(args: string[], options: DeployOptions): Promise<number> {
  const { root, env } = options;
  const hidden: (string | null | undefined)[] = [
    env.SUPABASE_ACCESS_TOKEN,
    env.SUPABASE_DB_PASSWORD,
    env.SMOKE_API_KEY,
  ];
  const say = (text: string) => options.say(hideSecrets(text, hidden));
  try {
    const settings = readSettings(args, env);
    if (settings === null) {
      say(usage);
      return exitCodes.done;
    }
    if (!settings.isConfirmed && options.confirm === null) {
      throw new CommandError("Nobody can be asked here: add --yes to deploy all the same.", exitCodes.usage);
    }
    const secrets = await readEnvFile(root, settings.envFile);
    hidden.push(settings.database.password, ...secrets?.secrets.values() ?? []);
    const cli = createSupabaseCli(root, env);
    await using upload = await createTempFolder();
    const plan = await makePlan(root, settings, { cli, secrets, bundle: () => makeUpload(root, upload.folder) });
    // It has names alone, of which one may be the value of another variable.
    options.say(describePlan(plan));
    const { name, ref } = plan.project;
    if (!settings.isConfirmed && !options.confirm!(`Deploy to ${name} (${ref})?`)) {
      throw new CommandError("Nothing was changed.", exitCodes.declined);
    }
    await takeSteps(planSteps(plan, { cli, settings, uploadFolder: upload.folder, sleep: options.sleep }), say);
    say(describeEnd(plan));
    return exitCodes.done;
  } catch (error) {
    options.complain(hideSecrets(error instanceof Error ? error.message : String(error), hidden));
    return error instanceof CommandError ? error.exitCode : exitCodes.failed;
  }
}

type Step = { name: string; take: () => Promise<unknown> };

function planSteps(
  plan: Plan,
  { cli, settings, uploadFolder, sleep }: {
    cli: SupabaseCli;
    settings: Settings;
    uploadFolder: string;
    sleep: DeployOptions["sleep"];
  },
): Step[] {
  const { projectRef, database } = settings;
  const steps: Step[] = [
    { name: "Link the project", take: () => cli(["link", "--project-ref", projectRef]) },
    { name: "Push the migrations", take: () => pushMigrations(cli, database) },
  ];
  const secrets = plan.secrets?.secrets ?? new Map();
  const names = plan.bundles.map(({ name }) => name);
  if (secrets.size > 0) steps.push({ name: "Set the secrets", take: () => setSecrets(cli, projectRef, secrets) });
  return [
    ...steps,
    { name: "Deploy the functions", take: () => deployFunctions(cli, { folder: uploadFolder, names, projectRef }) },
    { name: "Smoke test", take: () => judge({ ...settings.smoke, sleep }) },
  ];
}

/** Takes steps one after the other. @throws {CommandError} that says which one failed and how things stand. */
async function takeSteps(steps: Step[], say: (text: string) => void): Promise<void> {
  for (const [index, { name, take }] of steps.entries()) {
    say(`… ${name}`);
    try {
      await take();
    } catch (error) {
      const list = (some: Step[]) => some.map(({ name }) => name).join(", ") || "nothing";
      throw new CommandError(
        `${name}: failed. ${error instanceof Error ? error.message : error}\n\n` +
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
  await cli(["secrets", "set", `--remote=${projectRef}`, "--env-file", file]);
}

/** Makes a folder that goes when it is disposed of. */
async function createTempFolder() {
  const folder = await Deno.makeTempDir({ prefix: "deploy-" });
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

async function judge(options: Parameters<typeof smokeTest>[0]): Promise<void> {
  const finding = await smokeTest(options);
  if (finding !== null) {
    throw new CommandError(`${finding}.\nThe functions' logs in the dashboard may tell why.`);
  }
}

function describeEnd({ smoke }: Plan): string {
  const howTo =
    "No message was sent to a model. To have that tried as well, make a coach and a key with npm run admin\n" +
    "(README, Accounts, coaches and keys), set SMOKE_API_KEY and SMOKE_COACH_ID, and run this again.";
  return [`Deployed: ${smoke.url}/functions/v1`, ...(hasKey(smoke) ? [] : [howTo])].join("\n");
}
