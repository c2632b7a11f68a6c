import { join } from "node:path";
import { Buffer } from "node:buffer";
import { readModules } from "../../../supabase/commands/deploy/read_graph.ts";
import { listFunctions } from "../../../supabase/platform/list_functions.ts";
import type { Deployment } from "./deploy_project.ts";
import type { Upload } from "./management_api.ts";

/** Paths that must not be in any upload, even if a module imports them. */
const unwanted = /(^|\/)\.|_test\.\w+$/;

/**
 * Returns a sentence for each fault of a deployment. It must contain every function of `functions/`, each with exactly
 * the modules that its entry point imports and its own `deno.json`.
 */
export async function findFaults(folder: string, { uploads, inService }: Deployment): Promise<string[]> {
  const names = listFunctions(folder);
  const uploaded = new Set(uploads.map(({ name }) => name));
  const faults = [
    ...names.filter((name) => !uploaded.has(name))
      .map((name) => `${name}: not deployed, supabase/config.toml has no [functions.${name}] that is enabled`),
    ...names.filter((name) => uploaded.has(name) && !inService.includes(name))
      .map((name) => `${name}: uploaded, but not put into service`),
  ];
  const faultsOfUploads = await Promise.all(uploads.map(async (upload) => {
    const found = names.includes(upload.name) ? await findFaultsOfUpload(folder, upload) : ["no such function"];
    return found.map((fault) => `${upload.name}: ${fault}`);
  }));
  return [...faults, ...faultsOfUploads.flat()].toSorted();
}

async function findFaultsOfUpload(folder: string, upload: Upload): Promise<string[]> {
  const { name, entrypoint, importMap, verifyJwt, files } = upload;
  const faults: string[] = [];
  if (verifyJwt) faults.push("verify_jwt is on");
  const config = `functions/${name}/deno.json`;
  if (importMap !== config) faults.push(`the import map is ${importMap}, not ${config}`);
  if (entrypoint !== `functions/${name}/index.ts`) faults.push(`the entry point is ${entrypoint}`);
  if (!files.has(entrypoint)) return [...faults, `the entry point ${entrypoint} does not exist`];

  const needed = new Set([config, ...await listFiles(folder, entrypoint)]);
  for (const path of needed) if (!files.has(path)) faults.push(`${path} is missing`);
  for (const [path, bytes] of files) {
    const isWelcome = /^(functions|shared)\//.test(path) && !unwanted.test(path);
    if (!isWelcome || !needed.has(path)) faults.push(`${path} does not belong there`);
    else if (Buffer.compare(bytes, await Deno.readFile(join(folder, path))) !== 0) {
      faults.push(`${path} is not that of the project`);
    }
  }
  return faults;
}

/** The file and all modules that it imports, also those outside the project, which cannot be uploaded. */
async function listFiles(folder: string, entrypoint: string): Promise<string[]> {
  return (await readModules(folder, entrypoint)).map(({ path }) => path)
    .filter((path) => path.startsWith("file:") || URL.parse(path) === null);
}
