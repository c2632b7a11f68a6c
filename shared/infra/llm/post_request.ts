import type { OpenaiEnv } from "../env.ts";
import { FailedReply, failWith, readRefusal } from "./failure.ts";
import { fetchWithShortErrors, requireApiKey } from "./openai_client.ts";

/**
 * Sends a body as JSON to a path below the address of the model's server, and gives its reply, which is a success.
 *
 * @throws {FailedReply} when the server refuses or does not answer, `MissingApiKey` where none is configured, and the
 * reason of the signal when that aborts.
 */
export type PostRequest = (path: string, body: unknown, signal: AbortSignal) => Promise<Response>;

const addressOfOpenai = "https://api.openai.com/v1";

/**
 * Requests by plain `fetch`. The official client takes several times as long to build one: headers that describe the
 * platform, an id for retries that are not used, signals and timers of its own.
 */
export function createPostRequest(env: OpenaiEnv): PostRequest {
  const headers = {
    // Other servers than OpenAI's may need no key, but some insist on the header.
    "Authorization": `Bearer ${env.apiKey ?? "none"}`,
    "Content-Type": "application/json",
    "Accept": "application/json",
  };

  return async function postRequest(path, body, signal) {
    requireApiKey(env);
    const address = addressOf(env.baseUrl ?? addressOfOpenai, path);
    let response: Response;
    try {
      response = await fetchWithShortErrors(address, { method: "POST", headers, body: JSON.stringify(body), signal });
    } catch {
      signal.throwIfAborted();
      throw new FailedReply({ ...failWith(""), isUnreachable: true });
    }
    if (response.ok) return response;
    const failure = await readRefusal(response);
    signal.throwIfAborted();
    throw new FailedReply(failure);
  };
}

/** The address may have a query, such as the version of an API, which stays at the end. */
function addressOf(baseUrl: string, path: string): string {
  const [base = "", query] = baseUrl.split("?", 2);
  return base.replace(/\/$/, "") + path + (query === undefined ? "" : `?${query}`);
}
