import { Buffer } from "node:buffer";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { runDeno } from "../../../supabase/commands/deploy/run_deno.ts";
import { sizeCompressed } from "../../support/size_compressed.ts";
import type { Upload } from "./management_api.ts";

/** The sizes of an upload in bytes. */
export type Size = {
  /** All files that are sent. */
  uploaded: number;
  /** The size of a bundled function: the modules, and every package of the lock file with all its files. */
  embedded: number;
  /** The same, compressed. The platform limits this size. */
  compressed: number;
};

/** The platform's limits of the compressed size: when it bundles a function itself, and when Docker has bundled it. */
export const limits = { onServer: 5_000_000, withDocker: 20_000_000 };

/**
 * Measures a function that was uploaded from the project in a folder, as the platform would put it into service. This
 * is an estimate: the source maps that the platform adds to TypeScript modules may add 2 %.
 */
export async function measureUpload(folder: string, { entrypoint, importMap, files }: Upload): Promise<Size> {
  const modules = [...files.values()];
  const uploaded = sum(modules);
  const packages = importMap === null ? [] : await readLockedPackages(join(folder, dirname(importMap), "deno.lock"));
  const embedded = [...modules, ...packages];
  const compressed = await sizeCompressed(Buffer.concat(embedded));
  if (!files.has(entrypoint)) throw new Error(`${entrypoint} was not uploaded`);
  return { uploaded, embedded: sum(embedded), compressed };
}

const sum = (parts: Uint8Array[]) => parts.reduce((total, { length }) => total + length, 0);

/** Reads every file of every package in a lock file from Deno's cache. */
async function readLockedPackages(lockFile: string): Promise<Uint8Array[]> {
  const { npm }: { npm: Record<string, unknown> } = JSON.parse(await Deno.readTextFile(lockFile));
  const { npmCache } = JSON.parse(await runDeno(projectRoot, ["info", "--json"]));
  const [registry] = [...Deno.readDirSync(npmCache)].filter(({ isDirectory }) => isDirectory);
  const files: Uint8Array[] = [];
  // The versions of peer packages follow the version: openai@7.55.0_zod@4.6.7
  for (const [, name, version] of Object.keys(npm).map((id) => /^(.+?[^/])@([^_]+)/.exec(id)!)) {
    const packageFolder = join(npmCache, registry!.name, name!.toLowerCase(), version!);
    for (const entry of await readdir(packageFolder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) files.push(await Deno.readFile(join(entry.parentPath, entry.name)));
    }
  }
  return files;
}
