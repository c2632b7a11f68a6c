import { join } from "node:path";
import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { writePrivately } from "../admin/text_files.ts";

const StoredFile = z.object({
  bucket: z.enum(["knowledge", "pictures"]),
  path: z.string(),
  size: z.number(),
  type: z.string(),
});

/** A file in one of the service's buckets. */
export type StoredFile = z.output<typeof StoredFile>;

const Manifest = z.object({
  format: z.literal(1),
  made_at: z.string(),
  database: z.string(),
  /** The release of the command that made it. */
  release: z.string(),
  migrations: z.array(z.string()),
  /** The names of what the vault has. Its secrets are not in a backup. */
  vault: z.array(z.string()),
  /** The file with the rows, and their number in each table. */
  rows: z.string(),
  tables: z.record(z.string(), z.number()),
  files: z.array(StoredFile),
});

/** The file `backup.json` of a complete backup: what is in it. */
export type Manifest = z.output<typeof Manifest>;

const manifestName = "backup.json";

/** Writes `backup.json`: from then on, the backup is complete. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writePrivately(join(folder, manifestName), `${JSON.stringify(manifest, null, 1)}\n`);
}

/** Reads `backup.json`. @throws {CommandError} if the folder has no complete backup, or one of another format. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName);
  const text = await Deno.readTextFile(path).catch(() => {
    throw new CommandError(
      `${folder} has no complete backup: ${manifestName} is missing. If npm run backup was interrupted, run it again.`,
    );
  });
  try {
    return Manifest.parse(JSON.parse(text));
  } catch {
    throw new CommandError(`${path} is damaged, or was made by a newer version of npm run backup.`);
  }
}

/** Where the bytes of a file are in a backup. @throws {CommandError} for a path that would lead out of the folder. */
export function pathInBackup(folder: string, { bucket, path }: Pick<StoredFile, "bucket" | "path">): string {
  if (path.split("/").some((part) => ["", ".", ".."].includes(part)) || /[\\\0]/.test(path)) {
    throw new CommandError(`${bucket} has a file with a path that cannot be copied: ${JSON.stringify(path)}`);
  }
  return join(folder, bucket, path);
}

/** The size of a file; null if it is not there. */
export async function sizeOf(path: string): Promise<number | null> {
  return await Deno.stat(path).then(({ size }) => size, () => null);
}
