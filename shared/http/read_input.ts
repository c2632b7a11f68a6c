import type { Context as HonoContext } from "hono";
import type { core, ZodMiniType } from "zod/mini";
import { errors } from "../base/errors.ts";
import type { InputSchema } from "../core/operation.ts";
import { parseInput } from "../core/wire/parse_input.ts";
import type { AppEnv } from "./app_env.ts";
import { readAdmitted, readJsonBody } from "./read_body.ts";
import { type AnyRoute, parametersOf, placeOf } from "./route.ts";

/** Bytes of a JSON body. */
export const maxJsonBytes = 256 * 1024;

/**
 * Collects the fields of an input from the path, the headers, the query and the body of a request.
 *
 * @throws 400 for a field outside of the body that does not fit, parameters of the path first, or without a JSON object;
 * 413 for a body beyond 256 KB.
 */
export type ReadInput = (c: HonoContext<AppEnv>) => Promise<Record<string, unknown>>;

/**
 * Reads inputs, each field from the place that the route names. Fields outside of the body are checked before it is read,
 * those in it afterwards, by the caller.
 */
export function createInputReader(route: AnyRoute, { shape }: InputSchema<unknown>): ReadInput {
  const parameters = parametersOf(route);
  const fields = Object.entries(shape).map(([name, schema]) => ({ name, schema, place: placeOf(name, route) }));

  return async function readInput(c) {
    const input: Record<string, unknown> = {};
    for (const name of parameters) input[name] = requireParameter(c, name);
    for (const { name, schema, place } of fields) {
      if (place === "body") continue;
      if (place === "header") input[name] = c.req.header(route.headers?.[name] ?? "");
      if (place === "query") input[name] = readQueryValue(c.req.query(name), schema);
      parseInput(schema, input[name]);
    }
    const body = route.body === "application/json" ? await readJsonObject(c) : {};
    for (const { name, place } of fields) if (place === "body") input[name] = body[name];
    const readFields = await route.readFields?.();
    return { ...input, ...readFields?.(c) };
  };
}

function requireParameter(c: HonoContext<AppEnv>, name: string): string {
  const value = c.req.param(name) ?? "";
  if (value.trim() === "") throw errors.invalidInput(`${name} is required in path`);
  return value;
}

async function readJsonObject(c: HonoContext<AppEnv>): Promise<Record<string, unknown>> {
  const { raw } = c.req;
  const body = await readAdmitted(raw, c.get("incoming"), () => readJsonBody(raw, maxJsonBytes));
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  if (!isObject) throw errors.invalidInput("The request body must be a JSON object");
  return body as Record<string, unknown>;
}

/** A value of a query, which is text: a number where the schema wants one, and NaN where it is not a whole number. */
function readQueryValue(text: string | undefined, schema: ZodMiniType): string | number | undefined {
  if (text === undefined || !wantsNumber(schema)) return text;
  return /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : NaN;
}

function wantsNumber(schema: core.$ZodType): boolean {
  const { type, innerType } = schema._zod.def as core.$ZodTypeDef & { innerType?: core.$ZodType };
  return type === "number" || innerType !== undefined && wantsNumber(innerType);
}
