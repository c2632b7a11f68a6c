import { dirname } from "node:path";
import { pooledMap, retry } from "../../../shared/libs/base/std/async.ts";
import {
  type Bucket,
  createFileStore,
  type FileStore,
  StorageError,
} from "../../../shared/infra/storage/file_store.ts";
import { CommandError } from "../command_error.ts";
import { pathInBackup, sizeOf, type StoredFile } from "./manifest.ts";
import type { Query } from "./open_database.ts";

/** A file as the database lists it: some have no size there. */
export type ListedFile = Omit<StoredFile, "size"> & { size: number | null };

/** The buckets of a project. */
export type FileStores = Record<Bucket, FileStore>;

/** The files that are copied at the same time, and the milliseconds that Storage may keep silent. */
const [atOnce, patience] = [4, 120_000];

/** Opens the buckets of a project. */
export function openStores(project: { supabaseUrl: string; secretKey: string }): FileStores {
  return {
    knowledge: createFileStore(project, patience, "knowledge"),
    pictures: createFileStore(project, patience, "pictures"),
  };
}

/** The files in the service's buckets. */
export async function listFiles(query: Query): Promise<ListedFile[]> {
  return await query<ListedFile>(
    `select bucket_id as bucket, name as path, (metadata->>'size')::float8 as size,
       coalesce(metadata->>'mimetype', 'application/octet-stream') as type
     from storage.objects where bucket_id in ('knowledge', 'pictures') order by bucket_id, name`,
  );
}

/** Fetches the files that a backup lacks. Returns those that it then has: some may have been deleted meanwhile. */
export async function fetchFiles(
  files: ListedFile[],
  { folder, stores, onFile }: { folder: string; stores: () => Promise<FileStores>; onFile: (done: number) => void },
): Promise<StoredFile[]> {
  const present: StoredFile[] = [];
  await copyEach(files, onFile, async (file) => {
    const path = pathInBackup(folder, file);
    const known = await sizeOf(path);
    if (known !== null && known === file.size) present.push({ ...file, size: known });
    else {
      const { [file.bucket]: store } = await stores();
      const size = await explain(file, () => fetchFile(store, file, path));
      if (size !== null) present.push({ ...file, size });
    }
  });
  return present;
}

/** Its size; null if Storage does not have it any more. */
async function fetchFile(store: FileStore, file: ListedFile, path: string): Promise<number | null> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const partial = `${path}.part`;
  try {
    const body = await store.open(file.path, new AbortController().signal);
    const { writable } = await Deno.open(partial, { write: true, create: true, truncate: true, mode: 0o600 });
    await body.pipeTo(writable);
  } catch (error) {
    if (error instanceof StorageError && error.isMissing) return null;
    throw error;
  }
  const size = await sizeOf(partial);
  if (file.size !== null && size !== file.size) throw new Error(`${size} of ${file.size} bytes have come`);
  await Deno.rename(partial, path);
  return size;
}

/** Stores the files of a backup that a project does not have yet. */
export async function storeFiles(
  files: StoredFile[],
  { folder, stores, present, onFile }: {
    folder: string;
    stores: () => Promise<FileStores>;
    present: ListedFile[];
    onFile: (done: number) => void;
  },
): Promise<void> {
  const nameOf = ({ bucket, path, size }: ListedFile) => `${bucket}/${path} ${size}`;
  const names = new Set(present.map(nameOf));
  await copyEach(files, onFile, async (file) => {
    if (!names.has(nameOf(file))) {
      const { [file.bucket]: store } = await stores();
      await explain(file, async () => {
        const { readable } = await Deno.open(pathInBackup(folder, file));
        await store.put(file.path, readable, file.type);
      });
    }
  });
}

/** Copies some files at a time. @throws the first failure. */
async function copyEach<File>(
  files: File[],
  onFile: (done: number) => void,
  copy: (file: File) => Promise<void>,
): Promise<void> {
  let done = 0;
  const copies = pooledMap(atOnce, files, async (file) => {
    await copy(file);
    onFile(++done);
  });
  try {
    for await (const _ of copies);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

/** Tries to copy a file, three times. @throws {CommandError} that names it and says what to do. */
async function explain<Result>({ bucket, path }: ListedFile, copy: () => Promise<Result>): Promise<Result> {
  const isRefused = (error: unknown) => error instanceof StorageError && [401, 403].includes(error.status ?? 0);
  try {
    return await retry(copy, { maxAttempts: 3, minTimeout: 500, isRetriable: (error) => !isRefused(error) });
  } catch (thrown) {
    const error = thrown instanceof Error && thrown.cause ? thrown.cause : thrown;
    if (isRefused(thrown) || isRefused(error)) {
      throw new CommandError("Storage refused the key: set SECRET_KEY to a secret key of this project.");
    }
    const status = error instanceof StorageError ? error.status : undefined;
    throw new CommandError(
      `The file ${path} of ${bucket} could not be copied${status === undefined ? "" : ` (status ${status})`}. ` +
        "Run the same command again: it goes on from here.",
    );
  }
}
