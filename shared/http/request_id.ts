import type { MiddlewareHandler } from "hono";
import { requestId as honoRequestId } from "hono/request-id";
import { holdsKey } from "../infra/log.ts";

/**
 * Gives every request an id: the caller's `X-Request-Id` where it is acceptable, otherwise a new one. Hono's middleware
 * checks characters and length. An id that holds a key is not acceptable either, since ids are logged and stored.
 */
export function requestId(): MiddlewareHandler {
  const takeSaneOne = honoRequestId();
  const makeNewOne = honoRequestId({ limitLength: 0 });
  return function requestId(c, next) {
    return holdsKey(c.req.header("X-Request-Id") ?? "") ? makeNewOne(c, next) : takeSaneOne(c, next);
  };
}
