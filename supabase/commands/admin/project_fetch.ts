import { z } from "zod";
import { CommandError, errorMessage } from "../command_error.ts";

/**
 * A `fetch` for a project's REST API. It throws a CommandError for a reply that does not come from that API, and for one
 * that means a wrong address, key or version.
 */
export function createProjectFetch(url: string, timeLimit: number): typeof fetch {
  return async (input, init) => {
    const { status, headers, text } = await request(url, timeLimit, input, init);
    const body = readJson(text);
    const { code, message } = errorBody.safeParse(body).data ?? {};
    if (status >= 500 && code === undefined) {
      throw new CommandError(`${url} did not answer: a server in front of it returned ${status}\n${maybeDone}`);
    }
    const isEmpty = text === "" && status < 300;
    const isReply = status < 300
      ? isEmpty || body !== undefined
      : message !== undefined && (status !== 404 || code !== undefined);
    if (!isReply) {
      throw new CommandError(
        `${url} returned ${status}, but not the way a project does: set BASE_URL to a project's address.`,
      );
    }
    if (status === 401 || status === 403) {
      throw new CommandError(`${url} rejected the key: set SECRET_KEY to the secret key of this project.`);
    }
    if (code === "PGRST202" || code === "PGRST205") {
      throw new CommandError(`${url} has an older version of this service, or none at all: deploy this version first.`);
    }
    return new Response(isEmpty ? null : text, { status, headers });
  };
}

/** The error body of REST. Other programs at the address may send other fields, or none. */
const errorBody = z.object({
  code: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});

const maybeDone = "The command may have been carried out anyway: check before you run it again.";

async function request(url: string, timeLimit: number, input: string | URL | Request, init: RequestInit = {}) {
  try {
    // A redirect would send the key to another address.
    const response = await fetch(input, { ...init, redirect: "error", signal: AbortSignal.timeout(timeLimit) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    throw new CommandError(describeFailure(url, timeLimit, error));
  }
}

function describeFailure(url: string, timeLimit: number, error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = errorMessage(cause).replace(/ for url \(.*?\)/, "");
  // Deno's fetch has no code for it. Where its sentence changes, the general one below is still true.
  if (reason.includes("(Connect)")) {
    return `${url} cannot be reached: ${reason}\nCheck that BASE_URL is the project's address, and that the project is running.`;
  }
  const failure = error instanceof DOMException && error.name === "TimeoutError"
    ? `did not answer within ${timeLimit / 1_000} seconds`
    : `did not answer: ${reason}`;
  return `${url} ${failure}\n${maybeDone}`;
}

/** Undefined if it is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
