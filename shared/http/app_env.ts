import type { Context as HonoContext } from "hono";
import type { RequestIdVariables } from "hono/request-id";
import type { IncomingRequest } from "../core/context.ts";
import type { Log } from "../libs/base/log.ts";

/** The variables that a request carries through an app. */
export type AppEnv = { Variables: RequestIdVariables & { traceId: string; log: Log; incoming: IncomingRequest } };

/** A translator between HTTP and a verb. */
export type Handler = (c: HonoContext<AppEnv>) => Response | Promise<Response>;
