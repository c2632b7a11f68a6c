import type { PGlite } from "@electric-sql/pglite";

/**
 * Calls `act` when Postgres has panicked, which happens when it cannot write its log to a full disk. PGlite reports
 * this like any error, but its next call never returns and blocks the whole process.
 */
export function onPanic(postgres: PGlite, act: (error: Error) => void): void {
  // Every statement passes through this.
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
