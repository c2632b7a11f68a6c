import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../shared/infra/db/database_types.ts";
import { callIndexer } from "../../../shared/core/wake_indexer.ts";
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
};

const patienceForIndexer = 10_000;

/** Opens a project; `timeLimit` is that of each request, in milliseconds. */
export function openProject(
  { url, secretKey }: ProjectSettings,
  { timeLimit, note }: { timeLimit: number; note: (text: string) => void },
): Project {
  const noteFailure = (failure: string) =>
    note(`The indexer could not be called (${failure}). It will start at its next scheduled run.`);
  return {
    url,
    client: createClient<Database>(url, secretKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      db: { retry: false },
      global: { fetch: createProjectFetch(url, timeLimit) },
    }),
    async wakeIndexer() {
      try {
        const status = await callIndexer({ supabaseUrl: url, secretKey }, patienceForIndexer);
        if (status >= 300) noteFailure(`it returned ${status}`);
      } catch (error) {
        noteFailure(errorMessage(error));
      }
    },
  };
}
