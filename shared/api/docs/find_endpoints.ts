import type { ZodMiniType } from "zod/mini";
import type { Method } from "../../http/app.ts";
import type { AnyEndpoint } from "../../http/endpoint.ts";

/** An endpoint, and its module, as a path below `shared`. */
export type FoundEndpoint = { endpoint: AnyEndpoint; module: string };

const shared = new URL("../../", import.meta.url);

/** The modules that define endpoints, below `shared`; and those with the fields that the endpoints of a folder share. */
const definesEndpoint = /\bexport const operation = defineEndpoint\(/;
const hasFields = /\/fields\.ts$/;

/** All endpoints by their addresses, and the schemas named in the document: exports of modules and `fields.ts`. */
export async function findEndpoints() {
  const endpoints: FoundEndpoint[] = [];
  const schemas: Record<string, ZodMiniType> = {};
  for (const module of await listModules()) {
    const isEndpoint = definesEndpoint.test(await Deno.readTextFile(new URL(module, shared)));
    if (!isEndpoint && !hasFields.test(module)) continue;
    const { operation, ...others } = await import(new URL(module, shared).href);
    if (isEndpoint) endpoints.push({ endpoint: operation, module });
    for (const [name, value] of Object.entries(others)) {
      if (/^[A-Z]/.test(name) && isSchema(value)) schemas[name] = value;
    }
  }
  return { endpoints: endpoints.toSorted((one, other) => compare(one.endpoint, other.endpoint)), schemas };
}

function isSchema(value: unknown): value is ZodMiniType {
  return typeof value === "object" && value !== null && "_zod" in value;
}

async function listModules(): Promise<string[]> {
  const folders = ["api/openai"];
  for await (const { name } of Deno.readDir(new URL("features/", shared))) folders.push(`features/${name}`);
  const modules: string[] = [];
  for (const folder of folders) {
    for await (const { name } of Deno.readDir(new URL(`${folder}/`, shared))) {
      if (name.endsWith(".ts")) modules.push(`${folder}/${name}`);
    }
  }
  return modules.toSorted();
}

/** The name of the function that serves an endpoint. */
export function functionOf({ path }: AnyEndpoint): string {
  return path.split("/")[1] ?? "";
}

/** The modules with the addresses of each function, by the name of their file below `shared/api/endpoints`. */
export function writeAddresses(endpoints: FoundEndpoint[]): Map<string, string> {
  const ofFunctions = Map.groupBy(endpoints, ({ endpoint }) => functionOf(endpoint));
  return new Map(
    [...ofFunctions].map(([name, found]) => [`${name.replaceAll("-", "_")}.gen.ts`, writeModule(found)]),
  );
}

function writeModule(found: FoundEndpoint[]): string {
  return "// Written by `npm run client`; not to be edited.\n" +
    'import type { Address } from "../../http/endpoint.ts";\n\n' +
    `export const addresses: Address[] = [\n${found.map(writeAddress).join("")}];\n`;
}

function writeAddress({ endpoint: { method, path, pathWithoutParameter }, module }: FoundEndpoint): string {
  const fields = {
    method: JSON.stringify(method),
    path: JSON.stringify(path),
    ...pathWithoutParameter !== undefined && { pathWithoutParameter: JSON.stringify(pathWithoutParameter) },
    load: `() => import(${JSON.stringify(`../../${module}`)})`,
  };
  return `  {\n${Object.entries(fields).map(([name, value]) => `    ${name}: ${value},\n`).join("")}  },\n`;
}

const methods: Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Compares two addresses so that of two paths that match a request, the one that is meant comes first: a name before a
 * parameter, and a longer path before a shorter one, whose parameter may have been left out.
 */
function compare(one: AnyEndpoint, other: AnyEndpoint): number {
  const [parts, otherParts] = [one, other].map(({ path }) => path.split("/"));
  for (const [index, part] of parts!.entries()) {
    const otherPart = otherParts![index];
    if (otherPart === undefined) return -1;
    const [isParameter, otherIsParameter] = [part, otherPart].map((text) => text.startsWith(":"));
    if (isParameter !== otherIsParameter) return isParameter ? 1 : -1;
    if (part !== otherPart && !isParameter) return part < otherPart ? -1 : 1;
  }
  return otherParts!.length - parts!.length || methods.indexOf(one.method) - methods.indexOf(other.method);
}
