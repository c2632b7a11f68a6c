import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../shared/infra/db/database_types.ts";
import { type BackgroundFunction, callFunction } from "../../../shared/core/wake_function.ts";
import { errorMessage } from "../error_message.ts";
import { createProjectFetch } from "./project_fetch.ts";
import type { ProjectSettings } from "./read_project_settings.ts";

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
