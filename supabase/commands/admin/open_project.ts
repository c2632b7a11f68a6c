import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../shared/infra/db/database_types.ts";
import { type BackgroundFunction, callFunction } from "../../../shared/core/wake_function.ts";
import { readJson } from "../../../shared/libs/base/fields_of.ts";
import { CommandError, errorMessage, refuse } from "../command_error.ts";
import { isThisMachine } from "../../platform/local_address.ts";
import { z } from "zod";

/** The project that a command works on. */
export type ProjectSettings = { url: string; secretKey: string };

/** The address and key of the project. @throws {CommandError} that explains what is wrong with the environment */
export function readProjectSettings({ BASE_URL, SECRET_KEY }: Record<string, string | undefined>): ProjectSettings {
  if (!BASE_URL || !SECRET_KEY) {
    refuse(
      "Start the service with npm start, or set BASE_URL and SECRET_KEY to the address and the secret key of a " +
        "project.",
    );
  }
  const url = URL.parse(BASE_URL);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== "") {
    refuse("BASE_URL is not the address of a project, such as https://<project ref>.supabase.co");
  }
  if (url.protocol === "http:" && !isThisMachine(url)) {
    refuse("BASE_URL starts with http://, so the key would be sent unencrypted: use https://");
  }
  if (SECRET_KEY.startsWith("sb_publishable_")) {
    refuse(
      "SECRET_KEY is set to a publishable key: set it to the secret key.",
    );
  }
  // Other characters cannot be sent in a header, and the error about that would show the key.
  if (!/^[\x21-\x7e]+$/.test(SECRET_KEY)) refuse("SECRET_KEY contains characters that are not allowed in a key.");
  return { url: url.href.replace(/\/+$/, ""), secretKey: SECRET_KEY };
}

/** A project, opened with its secret key. */
export type Project = {
  url: string;
  client: SupabaseClient<Database>;
  /** Calls the indexer, so that it starts immediately. A failure is only reported: a scheduled run follows. */
  wakeIndexer: () => Promise<void>;
  /** Calls the fetcher, in the same way. */
  wakeFetcher: () => Promise<void>;
};

const patience = 10_000;

/** Opens a project; `timeLimit` is that of each request, in milliseconds. */
export function openProject(
  { url, secretKey }: ProjectSettings,
  { timeLimit, note }: { timeLimit: number; note: (text: string) => void },
): Project {
  async function wake(name: BackgroundFunction): Promise<void> {
    const noteFailure = (failure: string) =>
      note(`The ${name} could not be called (${failure}). It will start at its next scheduled run.`);
    try {
      const status = await callFunction(name, { supabaseUrl: url, secretKey }, patience);
      if (status >= 300) noteFailure(`it returned ${status}`);
    } catch (error) {
      noteFailure(errorMessage(error));
    }
  }
  return {
    url,
    client: createClient<Database>(url, secretKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      db: { retry: false },
      global: { fetch: createProjectFetch(url, timeLimit) },
    }),
    wakeIndexer: () => wake("indexer"),
    wakeFetcher: () => wake("fetcher"),
  };
}

/** A `fetch` for a project's REST API. @throws {CommandError} for others' replies, a wrong address, key or version */
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
