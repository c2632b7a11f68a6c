import type { StorageClient } from "@supabase/storage-js";
import { secretKeyHeaders } from "../db/database.ts";
import { fieldsOf } from "../fields_of.ts";

/** The bytes of the knowledge files. Every method fails with a {@link StorageError}. */
export interface FileStore {
  /** Stores an object, or replaces it. */
  put(path: string, chunks: Uint8Array[], contentType: string): Promise<void>;
  /** The bytes of an object; fails when the signal aborts before they have arrived. */
  get(path: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** Removes objects, up to 1,000; missing ones count as removed. */
  remove(paths: string[]): Promise<void>;
}

/** A request to Storage that failed, with the status where there was one; never a path or a message. */
export class StorageError extends Error {
  override name = "StorageError";

  constructor(operation: string, readonly status: number | undefined, cause?: unknown) {
    super(`Cannot ${operation} an object`, { cause });
  }
}

/** The bucket `knowledge` of a Supabase project. `timeout` in milliseconds covers a whole request. */
export function createFileStore(env: { supabaseUrl: string; secretKey: string }, timeout: number): FileStore {
  let client: StorageClient | undefined;

  async function openBucket() {
    // Loaded with the first file: refusals start without it.
    const { StorageClient } = await import("@supabase/storage-js");
    client ??= new StorageClient(
      `${env.supabaseUrl}/storage/v1`,
      secretKeyHeaders(env.secretKey),
      (input, init) => {
        const signals = [AbortSignal.timeout(timeout), init?.signal].filter((signal) => signal instanceof AbortSignal);
        return fetch(input, { ...init, signal: AbortSignal.any(signals) });
      },
    );
    return client.from("knowledge");
  }

  return {
    async put(path, chunks, contentType) {
      const bucket = await openBucket();
      // A stream of the chunks: to join them would hold the file in memory twice.
      const { error } = await bucket.upload(path, ReadableStream.from(chunks), {
        contentType,
        duplex: "half",
        upsert: true,
      });
      if (error) throw readError("store", error);
    },
    async get(path, signal) {
      const bucket = await openBucket();
      const { data, error } = await bucket.download(path, {}, { signal });
      if (error) throw readError("read", error);
      try {
        return new Uint8Array(await data.arrayBuffer());
      } catch (cause) {
        throw new StorageError("read", undefined, cause);
      }
    },
    async remove(paths) {
      const bucket = await openBucket();
      const { error } = await bucket.remove(paths);
      if (error) throw readError("remove", error);
    },
  };
}

function readError(operation: string, error: Error): StorageError {
  const { status, originalError } = fieldsOf(error);
  return new StorageError(operation, typeof status === "number" ? status : undefined, originalError);
}
