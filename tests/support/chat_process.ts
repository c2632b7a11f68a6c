import { join } from "deno-std/path/mod.js";
import { freePort, waitForAnswer } from "../../supabase/local/local_address.ts";
import type { ModelServer } from "./model_server.ts";

/** The chat function in a process of its own. */
export type ChatProcess = AsyncDisposable & {
  /** Address of the function: `${url}/chat`. */
  url: string;
  /** Ends it and returns all that it printed. */
  kill(signal: Deno.Signal): Promise<string>;
};

/** Starts the chat function from its entry point, in a process of its own, as it is deployed. */
export async function startChatProcess(model: ModelServer): Promise<ChatProcess> {
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--frozen",
      "--allow-net",
      "--allow-env",
      "--allow-read",
      "--allow-sys",
      join(import.meta.dirname!, "../../functions/chat/index.ts"),
    ],
    env: {
      DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`,
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: "sk-of-the-project",
    },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const printed = [child.stdout, child.stderr].map((output) => new Response(output).text());
  await waitForAnswer(`http://127.0.0.1:${port}/chat`);
  let isRunning = true;
  async function kill(signal: Deno.Signal) {
    isRunning = false;
    child.kill(signal);
    await child.status;
    return (await Promise.all(printed)).join("\n");
  }
  return {
    url: `http://127.0.0.1:${port}`,
    kill,
    async [Symbol.asyncDispose]() {
      if (isRunning) await kill("SIGKILL");
    },
  };
}
