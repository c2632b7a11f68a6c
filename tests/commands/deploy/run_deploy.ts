import { join } from "node:path";
import { createModelCatalogue } from "../../../shared/libs/llm/model_catalogue.ts";
import { deploy } from "../../../supabase/commands/deploy/deploy.ts";
import { writePage } from "../../../supabase/commands/page/write_page.ts";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assert } from "../../support/assert.ts";
import { copyProject } from "../../support/local_stack.ts";
import { makeUploadOnce } from "./make_upload_once.ts";
import { accessToken, makeCliEnv, type ManagementApi, startManagementApi } from "./management_api.ts";

/** The outcome of `npm run deploy`: its output and its requests. */
export type Run = {
  code: number;
  /** The output, including errors. */
  said: string;
  /** The questions that it asked. */
  questions: string[];
  /** Its pauses in milliseconds. */
  pauses: number[];
  /** The CLI's commands, in order, with their arguments. */
  commands: string[];
};

export type RunOptions = {
  env?: Record<string, string>;
  answer?: boolean | null;
  /** The answers to its questions, one after the other; without them, it asks none. */
  lines?: string[];
  /** Called at every pause. */
  meanwhile?: () => Promise<unknown>;
  /** Interrupts the deployment. */
  signal?: AbortSignal;
};

/** A copy of the project with a home folder of its own, and a platform to deploy it to. */
export type Workplace = AsyncDisposable & {
  folder: string;
  api: ManagementApi;
  env: Record<string, string>;
  /** Deploys. The answer to the confirmation is null if there is no terminal. */
  run(args: string[], options?: RunOptions): Promise<Run>;
};

/**
 * Creates a workplace. Each run checks that none of `secrets` is printed or passed as an argument to the CLI. Bundles
 * take long; a test that needs none makes its own upload.
 */
export async function createWorkplace(
  secrets: string[],
  makeUpload: typeof makeUploadOnce = makeUploadOnce,
): Promise<Workplace> {
  const api = startManagementApi();
  const [folder, home] = await Promise.all([copyProject(), Deno.makeTempDir({ prefix: "supabase-home-" })]);
  const commandLog = join(home, "commands.log");
  await Deno.mkdir(join(folder, "node_modules/.bin"), { recursive: true });
  await Deno.writeTextFile(
    join(folder, "node_modules/.bin/supabase"),
    `#!/bin/sh\n{ printf '%s' "$*" | tr -s '\\n ' ' '; echo; } >> '${commandLog}'\nexec '${
      join(projectRoot, "node_modules/.bin/supabase")
    }' "$@"\n`,
    { mode: 0o755 },
  );
  const env = await makeCliEnv(api, home);
  return {
    folder,
    api,
    env,
    async run(args, options = {}) {
      const { env: more = {}, answer = null, lines, meanwhile, signal = new AbortController().signal } = options;
      await Deno.writeTextFile(commandLog, "");
      const said: string[] = [];
      const questions: string[] = [];
      const pauses: number[] = [];
      const code = await deploy(args, {
        root: folder,
        env: { ...env, ...more },
        managementApi: api.url,
        say: (text) => said.push(text),
        complain: (text) => said.push(text),
        confirm: answer === null ? null : async (question) => await questions.push(question) > 0 && answer,
        ask: lines === undefined ? null : (question) => {
          questions.push(question);
          return Promise.resolve(lines.shift() ?? null);
        },
        workingFolder: folder,
        signal,
        async sleep(milliseconds, interruption) {
          pauses.push(milliseconds);
          await meanwhile?.();
          interruption.throwIfAborted();
        },
        makeUpload,
        writePage: (target, settings) => writePage(target, settings, new Map([["human-chat.js", "/* the chat */"]])),
        // Without an address it would be OpenAI's, and no request may leave this machine.
        createModelCatalogue: (env) => ({
          ...createModelCatalogue(env),
          ...env.baseUrl === null ? { list: () => Promise.resolve(null) } : {},
        }),
      });
      const commands = (await Deno.readTextFile(commandLog)).split("\n").filter((line) => line !== "");
      for (const text of [...said, ...questions, ...commands]) {
        for (const secret of [accessToken, ...secrets]) assert(!text.includes(secret), `${secret} is in:\n${text}`);
      }
      return { code, said: said.join("\n"), questions, pauses, commands };
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      for (const path of [folder, home]) await Deno.remove(path, { recursive: true });
    },
  };
}
