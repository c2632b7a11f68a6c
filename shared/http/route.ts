import type { Context as HonoContext } from "hono";
import type { Operation } from "../core/operation.ts";
import type { Method } from "./app.ts";
import type { AppEnv } from "./app_env.ts";

/** An operation at its address, and where a request has the fields of the input. */
export type Route<Input, Result> = {
  operation: Operation<Input, Result>;
  method: Method;
  /** Begins with the name of the function. Its parameters are fields of the input. */
  path: string;
  /** The path without its parameter, which is refused in the words of the interface. */
  pathWithoutParameter?: string;
  /** Fields that are sent as headers. */
  headers?: { [Field in keyof Input]?: string };
  /** Without a body, all other fields are in the query; with one, they are in the body, except for those of `query`. */
  body?: "application/json" | "multipart/form-data" | "image/*";
  query?: (keyof Input & string)[];
  /** True if a JSON body may be left out. */
  isBodyOptional?: boolean;
  /** The most bytes of a JSON body; by default 256 KB. */
  maxBytes?: number;
  /** Reads fields that need more than being looked up. */
  readFields?: () => Promise<ReadFields>;
  /** Replies with the result; by default as JSON. */
  reply?: () => Promise<Reply<Result>>;
};

export type ReadFields = (c: HonoContext<AppEnv>) => Record<string, unknown>;
export type Reply<Result> = (c: HonoContext<AppEnv>, result: Result) => Response | Promise<Response>;

// deno-lint-ignore no-explicit-any -- Routes of every input and result, in one list.
export type AnyRoute = Route<any, any>;

/** Checks that a route fits its operation. */
export function defineRoute<Input, Result>(route: Route<Input, Result>): Route<Input, Result> {
  return route;
}

/** The names of the parameters of a path. */
export function parametersOf({ path }: { path: string }): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

/** Returns the part of a request that holds a field of the input. */
export function placeOf(field: string, route: AnyRoute): "path" | "header" | "query" | "body" {
  if (parametersOf(route).includes(field)) return "path";
  if (route.headers?.[field] !== undefined) return "header";
  return route.body === undefined || route.query?.includes(field) ? "query" : "body";
}
