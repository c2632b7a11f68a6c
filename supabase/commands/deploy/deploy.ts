import { join, resolve } from "node:path";
import { z } from "zod";
import { abortable, delay } from "../../../shared/libs/base/std/async.ts";
import { createModelCatalogue } from "../../../shared/libs/llm/model_catalogue.ts";
import { CommandError, errorMessage, exitCodes, hideSecrets } from "../command_error.ts";
import { projectRoot } from "../../platform/state.ts";
import { writePage } from "../page/write_page.ts";
import { deployFunctions, makeUpload } from "./deploy_functions.ts";
import { type DeploymentPlan, describePlan, makePlan, pushMigrations, readEnvFile } from "./plan.ts";
import { type AnswersFile, askForAnswers, describeAnswers, readAnswers } from "./read_answers.ts";
import { startClock } from "./database.ts";
import { writeSecrets } from "./read_secrets.ts";
import { setUp } from "./set_up.ts";
import { type DeploySettings, help, readDeploySettings } from "./read_deploy_settings.ts";
import { type SmokeOptions, smokeTest, type Trial } from "./smoke_test.ts";
import { createSupabaseCli, type SupabaseCli } from "./supabase_cli.ts";
import { createTempFolder } from "./run_deno.ts";

/** The environment of a deployment. */
export type DeployOptions = {
  root: string;
  env: Record<string, string>;
  /** The address of Supabase's Management API. */
  managementApi: string;
  say: (text: string) => void;
  /** Shows why it ends early. */
  complain: (text: string) => void;
  /** Asks the person at the terminal; null when there is no terminal. */
  confirm: ((question: string) => Promise<boolean>) | null;
  /** Asks for a line; null at its end, and when there is no terminal. */
  ask: ((question: string) => Promise<string | null>) | null;
  /** The folder that names of files start from. */
  workingFolder: string;
  /** Interrupts it: no further step begins, and its temporary files are removed. */
  signal: AbortSignal;
  sleep: SmokeOptions["sleep"];
  /** Creates the files to upload in a folder: `makeUpload`. */
  makeUpload: typeof makeUpload;
  /** Builds the pages in a folder. */
  writePage: typeof writePage;
  /** Reaches the model's server. */
  createModelCatalogue: typeof createModelCatalogue;
};

/** Runs `npm run deploy` with these arguments, and returns the exit code. Never throws. */
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
      throw new CommandError(
        "There is no terminal for the confirmation. To deploy without one, add --yes.",
        exitCodes.calledWrongly,
      );
    }
    const secrets = await readEnvFile(root, settings);
    hidden.push(settings.database.password, ...secrets?.secrets.values() ?? []);
    const said = await learnAnswers(settings, options);
    const cli = createSupabaseCli(root, env, signal);
    const management = { api: options.managementApi, accessToken: env.SUPABASE_ACCESS_TOKEN };
    await using upload = await createTempFolder();
    const plan = await makePlan(root, settings, {
      cli,
      secrets,
      models: options,
      management,
      answers: describeAnswers(said.answers),
      bundle: () => options.makeUpload(root, upload.folder),
    });
    hidden.push(plan.smoke.secretKey);
    // Nothing needs to be masked here: the plan only has names of secrets, and a name may equal the value of another
    // secret.
    options.say(describePlan(plan));
    const { name, ref } = plan.project;
    const verb = settings.isSetUpOnly ? "Set up" : "Deploy to";
    if (!settings.isConfirmed && !await abortable(options.confirm!(`${verb} ${name} (${ref})?`), signal)) {
      throw new CommandError("Nothing was changed.", exitCodes.declined);
    }
    const prepared = { cli, settings, uploadFolder: upload.folder, signal, sleep: options.sleep, say };
    const setUpStep: Step = {
      name: "Set up",
      take: () =>
        setUp({
          ...said,
          ...{ settings, cli, management, signal },
          secretKey: plan.smoke.secretKey,
          hasClock: plan.hasClock,
          secretNames: [...plan.secretsBefore, ...settings.isSetUpOnly ? [] : plan.secrets?.secrets.keys() ?? []],
          setSecrets: (secrets) => setSecrets(cli, settings.projectRef, secrets),
          mail: plan.secrets?.mail ?? null,
          keysFile: join(root, `.env.${settings.projectRef}`),
          usualPagesFolder: join(root, "supabase/.temp/page"),
          writePage: options.writePage,
          hide: (secret) => hidden.push(secret),
        }, say),
    };
    await takeSteps([...planSteps(plan, prepared), setUpStep], { signal, say });
    return exitCodes.done;
  } catch (error) {
    options.complain(hideSecrets(errorMessage(error), hidden));
    if (signal.aborted) return exitCodes.interrupted;
    return error instanceof CommandError ? error.exitCode : exitCodes.failed;
  }
}

/** Reads the answers of the set-up, and asks for those that are missing if a person is there and gave no file. */
async function learnAnswers(
  { answersFile, projectRef, isConfirmed }: DeploySettings,
  { root, workingFolder, ask, complain }: DeployOptions,
): Promise<AnswersFile> {
  if (answersFile !== null) return await readAnswers(resolve(workingFolder, answersFile), { mustExist: true });
  const file = join(root, `.env.${projectRef}.json`);
  const kept = await readAnswers(file, { mustExist: false });
  if (ask === null || isConfirmed) return kept;
  return { ...kept, answers: await askForAnswers(file, kept.answers, { ask, complain }) };
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
  const clock: Step[] = plan.hasClock || plan.smoke.secretKey === null
    ? []
    : [{ name: "Start the clock", take: () => tryClock(plan, { cli, database, say }) }];
  if (settings.isSetUpOnly) return clock;
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
    ...clock,
    { name: "Smoke test", take: () => runSmokeTest(plan, { signal, sleep, say }) },
  ];
}

/** Takes the steps in order. @throws {CommandError} that lists the failed step and those that are done. */
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
          "Fix the cause and run the same command again: it is safe to repeat steps that are done.",
      );
    }
  }
}

async function setSecrets(cli: SupabaseCli, projectRef: string, secrets: Map<string, string>): Promise<void> {
  // In a file that only its owner can read, because all users of the machine can see a process's arguments.
  await using temp = await createTempFolder();
  const file = join(temp.folder, "secrets.env");
  await Deno.writeTextFile(file, writeSecrets(secrets), { mode: 0o600 });
  await cli(["secrets", "set", `--remote=${projectRef}`, "--env-file", file], z.unknown());
}

/** Gives the database what its clock needs. Without it the service works, so that a refusal ends nothing. */
async function tryClock(
  plan: DeploymentPlan,
  { cli, database, say }: Pick<DeploySettings, "database"> & { cli: SupabaseCli; say: DeployOptions["say"] },
): Promise<void> {
  try {
    await startClock(cli, database, { url: plan.smoke.url, secretKey: plan.smoke.secretKey! });
    plan.hasClock = true;
  } catch (error) {
    say(`  not started: ${errorMessage(error)}`);
  }
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
    onMade: (what) => say(`  created: ${what}`),
  });
  if (doesAnswer) say(describeEnd(plan));
  if (findings.length > 0) {
    throw new CommandError(`${findings.join("\n")}\nFor the cause, see the functions' logs in the dashboard.`);
  }
  signal.throwIfAborted();
}

function describeTrial({ name, milliseconds, finding }: Trial): string {
  return `  ${finding === null ? "ok" : "failed"}: ${name} (${(milliseconds / 1_000).toFixed(1)} s)`;
}

function describeEnd({ smoke }: DeploymentPlan): string {
  const howToTry =
    "The model and the indexing of files were not tested: your access token may not read the project's keys. To test\n" +
    "them, too, set SMOKE_SECRET_KEY to a secret key of the project (Settings > API Keys) and run this again.";
  return [
    `Deployed: ${smoke.url}/functions/v1`,
    `The base URL for OpenAI's clients: ${smoke.url}/functions/v1/openai/v1`,
    ...(smoke.secretKey === null ? [howToTry] : []),
  ].join("\n");
}

/** Asks for a line; null at the end of the input. Unlike `prompt`, it lets Ctrl-C through. */
async function askAtTerminal(question: string): Promise<string | null> {
  await Deno.stdout.write(new TextEncoder().encode(question));
  const buffer = new Uint8Array(1_024);
  const length = await Deno.stdin.read(buffer);
  return length === null ? null : new TextDecoder().decode(buffer.subarray(0, length)).trim();
}

/** `npm run deploy`: deploys the service to a Supabase project. */
if (import.meta.main) {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => {
      interruption.abort(new CommandError(`Interrupted by ${signal}.`, exitCodes.interrupted));
    });
  }

  const exitCode = await deploy(Deno.args, {
    root: projectRoot,
    env: Deno.env.toObject(),
    managementApi: "https://api.supabase.com",
    say: (text) => console.log(text),
    complain: (text) => console.error(text),
    confirm: Deno.stdin.isTerminal()
      ? async (question) => /^y$/i.test(await askAtTerminal(`${question} [y/N] `) ?? "")
      : null,
    ask: Deno.stdin.isTerminal() ? askAtTerminal : null,
    // npm runs its scripts in the project's own folder.
    workingFolder: Deno.env.get("INIT_CWD") || Deno.cwd(),
    signal: interruption.signal,
    sleep: (milliseconds, signal) => delay(milliseconds, { signal }),
    makeUpload,
    writePage,
    createModelCatalogue,
  });
  // After an interruption, the question still waits for a line and would keep the process alive.
  Deno.exit(exitCode);
}
