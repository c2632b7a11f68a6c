import type { Log } from "./log.ts";
import type { Services } from "./services.ts";

/** What an API key may do. */
export type Scope = "chat" | "threads:read" | "knowledge:read" | "knowledge:write";

/** Who asks: an API key and, with a bearer token, the user it is signed in as. */
export type Caller = {
  keyId: string;
  accountId: string;
  scopes: string[];
  /** `sub` of the bearer token, or null when the key acts alone. */
  userId: string | null;
};

/** What every verb gets together with its input. */
export type RequestContext = {
  services: Services;
  caller: Caller;
  requestId: string;
  log: Log;
};
