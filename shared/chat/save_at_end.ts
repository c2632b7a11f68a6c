import type { Services } from "../services.ts";

/**
 * When the platform says that it is about to end this isolate, saves at once what its running turns have said so far,
 * and leaves a line in the log. The turns go on for as long as they are let.
 */
export function saveAtEnd({ journal, createLog, waitUntil }: Services): void {
  addEventListener("beforeunload", (event) => {
    const { reason } = (event as CustomEvent<{ reason?: unknown } | undefined>).detail ?? {};
    const turns = journal.openTurns;
    const level = turns > 0 ? "warn" : "info";
    createLog({})(level, "worker_ends", { reason: typeof reason === "string" ? reason : null, turns });
    waitUntil(journal.saveNow());
  });
}
