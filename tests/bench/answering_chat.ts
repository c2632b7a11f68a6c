import { createOfflineModel } from "../../supabase/platform/offline_model.ts";
import type { Environment } from "./environment.ts";

/** The function `chat` with a model that answers from what it is given. */
export type AnsweringChat = AsyncDisposable & {
  url: string;
  /** The model's name, for figures. */
  model: string;
};

/**
 * Starts the function `chat` with the model of `OPENAI_API_KEY`, `OPENAI_BASE_URL` and `OPENAI_MODEL`, or else with the
 * offline one, which only shows that a measurement works.
 */
export async function startAnsweringChat(environment: Environment): Promise<AnsweringChat> {
  await using resources = new AsyncDisposableStack();
  const apiKey = Deno.env.get("OPENAI_API_KEY");
  const offline = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, createOfflineModel());
  resources.use(offline);
  const configured = ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value ? [[name, value]] : [];
  });
  const env = apiKey ? { OPENAI_BASE_URL: "", ...Object.fromEntries(configured) } : {
    OPENAI_BASE_URL: `http://127.0.0.1:${offline.addr.port}/v1`,
  };
  const model = apiKey
    ? Deno.env.get("OPENAI_MODEL") ?? "the usual model"
    : "the offline model, which understands nothing";
  const { url } = resources.use(await environment.startFunction("chat", env));
  const owned = resources.move();
  return { url, model, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
