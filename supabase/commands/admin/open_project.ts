import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../shared/infra/db/database_types.ts";
import { type BackgroundFunction, callFunction } from "../../../shared/core/wake_function.ts";
import { errorMessage, refuse } from "../command_error.ts";
import { isThisMachine } from "../../platform/local_address.ts";
import { createProjectFetch } from "./project_fetch.ts";

/** The project that a command works on. */
export type ProjectSettings = { url: string; secretKey: string };

/**
 * Reads the address and key of the project from the environment.
 *
 * @throws {CommandError} that explains what is wrong with them.
 */
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
  /**
   * Calls the indexer, so that it starts immediately. Without this call, it starts at its next scheduled run, so a
   * failure is only reported.
   */
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
