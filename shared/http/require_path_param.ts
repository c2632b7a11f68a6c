import type { Context as HonoContext } from "hono";
import { errors } from "../errors.ts";

/** A parameter of the path, decoded. @throws 400, worded by the interface, when it is empty or blank. */
export function requirePathParam(c: HonoContext, name: string): string {
  const value = c.req.param(name) ?? "";
  if (value.trim() === "") throw errors.invalidInput(`${name} is required in path`);
  return value;
}
