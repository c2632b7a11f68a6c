import type { PGlite } from "@electric-sql/pglite";

/**
 * Calls `act` when Postgres has panicked, as it does when it cannot write its log to a full disk. PGlite reports that
 * like any error, but its next call never returns, and keeps the whole process from doing anything else.
 */
export function onPanic(postgres: PGlite, act: (error: Error) => void): void {
  // Every statement goes through this.
  const send = postgres.execProtocolStream.bind(postgres);
  postgres.execProtocolStream = async (...args) => {
    try {
      return await send(...args);
    } catch (error) {
      if (error instanceof Error && "severity" in error && error.severity === "PANIC") act(error);
      throw error;
    }
  };
}
