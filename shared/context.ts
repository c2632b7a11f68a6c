import type { Admission } from "./auth/admission.ts";
import type { AccountDatabase } from "./db/account_database.ts";
import type { Log } from "./log.ts";
import type { Services } from "./services.ts";

/** What an API key may do. */
export type Scope = "chat" | "threads:read" | "knowledge:read" | "knowledge:write";

/** A request, before it is known what it asks for. */
export type Visit = {
  services: Services;
  /** Its API key and what that may spend. */
  admission: Admission;
  /** `sub` of the bearer token, or null when the key acts alone. */
  userId: string | null;
  requestId: string;
  log: Log;
};

/** What every verb gets together with its input. */
export type RequestContext = Visit & {
  /** Postgres for the account of the key. Its first call admits the request. */
  database: AccountDatabase;
};
