import type { Context as HonoContext } from "hono";
import type { LoadOperation, Operation } from "../core/operation.ts";
import type { Method } from "./app.ts";
import type { AppEnv } from "./app_env.ts";

/** An operation, and the requests that have it done. */
export type Endpoint<Input, Result> = Operation<Input, Result> & {
  method: Method;
  /**
   * Begins with the name of the function. Its parameters are fields of the input. An empty one is a 400, as in the
   * interface's own paths, unless the path says what it has to be.
   */
  path: string;
  /** The path without its parameter, which is refused in the words of the interface. */
  pathWithoutParameter?: string;
  headers?: { [Field in keyof NoInfer<Input>]?: string };
  /** Without a body, all other fields are in the query; with one, they are in the body, except for those of `query`. */
  body?: "application/json" | "multipart/form-data" | "image/*";
  query?: (keyof NoInfer<Input> & string)[];
  /** True if a JSON body may be left out. */
  isBodyOptional?: boolean;
  /** The most bytes of a JSON body; by default 256 KB. */
  maxBytes?: number;
  /** Reads fields that need more than being looked up. */
  readFields?: ReadFields;
  /** Replies with the result; by default as JSON. */
  reply?: Reply<Result>;
};

export type ReadFields = (c: HonoContext<AppEnv>) => Record<string, unknown>;
export type Reply<Result> = (c: HonoContext<AppEnv>, result: Result) => Response | Promise<Response>;

// deno-lint-ignore no-explicit-any -- Endpoints of every input and result, in one list.
export type AnyEndpoint = Endpoint<any, any>;

/** The address of an endpoint, and its module. A function starts with these; a request loads the endpoint that it is for. */
export type Address = Pick<AnyEndpoint, "method" | "path" | "pathWithoutParameter"> & {
  load: LoadOperation<AnyEndpoint>;
};

/** Checks that the verb of an endpoint takes what its schema gives, and that its address fits both. */
export function defineEndpoint<Input, Result>(endpoint: Endpoint<Input, Result>): Endpoint<Input, Result> {
  return endpoint;
}

/** The names of the parameters of a path. */
export function parametersOf({ path }: { path: string }): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

/** Returns the part of a request that holds a field of the input. */
export function placeOf(field: string, endpoint: AnyEndpoint): "path" | "header" | "query" | "body" {
  if (parametersOf(endpoint).includes(field)) return "path";
  if (endpoint.headers?.[field] !== undefined) return "header";
  return endpoint.body === undefined || endpoint.query?.includes(field) ? "query" : "body";
}
