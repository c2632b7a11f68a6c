import { secretKeyHeaders } from "../db/database.ts";
import { fieldsOf } from "../../libs/base/fields_of.ts";

/** The objects of a bucket. Methods fail with a {@link StorageError}, unless they say otherwise. */
export interface FileStore {
  /** Stores or replaces an object while its chunks come. @throws what they throw: nothing is stored then */
  put(path: string, chunks: AsyncIterable<Uint8Array>, contentType: string): Promise<void>;
  /** The bytes of an object; fails when the signal aborts before they have arrived. */
  get(path: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** The bytes of an object as they come, or of a part. Fails when they begin too late, or the signal aborts. */
  open(path: string, signal: AbortSignal, part?: Part): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** Removes objects, up to 1,000; missing ones count as removed. */
  remove(paths: string[]): Promise<void>;
}

/** A part of a file: its first and its last byte. */
export type Part = { first: number; last: number };

/** A request to Storage that failed, with the status where there was one; never a path or a message. */
export class StorageError extends Error {
  override name = "StorageError";

  constructor(operation: string, readonly status: number | undefined, cause?: unknown) {
    super(`Cannot ${operation} an object`, { cause });
  }

  /** True if Storage has no such object, for which it answers 400 as well. */
  get isMissing(): boolean {
    return this.status === 400 || this.status === 404;
  }
}

/** The buckets of the service: the bytes of knowledge files, and the pictures of coaches, which everybody may see. */
export type Bucket = "knowledge" | "pictures";

/** The address below which the pictures of coaches are. */
export function picturesUrlOf(publicUrl: string): string {
  return `${publicUrl}/storage/v1/object/public/pictures`;
}

/**
 * A bucket of a Supabase project.
 *
 * @param timeout milliseconds: for a whole request, and where an object is stored, for taking each chunk and for the reply
 */
export function createFileStore(
  env: { supabaseUrl: string; secretKey: string },
  timeout: number,
  name: Bucket = "knowledge",
): FileStore {
  async function openBucket(signal: AbortSignal, { headers, onReply }: Asked = {}) {
    // Loaded with the first file: refusals start without it.
    const { StorageClient } = await import("@supabase/storage-js");
    const client = new StorageClient(
      `${env.supabaseUrl}/storage/v1`,
      { ...secretKeyHeaders(env.secretKey), ...headers },
      async (input, init) => {
        const reply = await fetch(input, { ...init, signal });
        onReply?.(reply);
        return reply;
      },
    );
    return client.from(name);
  }

  return {
    async put(path, chunks, contentType) {
      const stall = new AbortController();
      const bucket = await openBucket(stall.signal);
      const onStall = () => stall.abort(new DOMException("Storage was too slow", "TimeoutError"));
      const source = followWith(chunks, onStall, timeout);
      const { error } = await bucket.upload(path, source.body, { contentType, duplex: "half", upsert: true })
        .finally(source.end);
      if (source.failure !== null) throw source.failure.error;
      if (error) throw readError("store", error);
    },
    async get(path, signal) {
      const bucket = await openBucket(AbortSignal.any([AbortSignal.timeout(timeout), signal]));
      const { data, error } = await bucket.download(path);
      if (error) throw readError("read", error);
      try {
        return new Uint8Array(await data.arrayBuffer());
      } catch (cause) {
        throw new StorageError("read", undefined, cause);
      }
    },
    async open(path, signal, part) {
      const begun = new AbortController();
      const timer = setTimeout(() => begun.abort(new DOMException("Storage was too slow", "TimeoutError")), timeout);
      try {
        let isPart = part === undefined;
        const bucket = await openBucket(AbortSignal.any([begun.signal, signal]), {
          headers: part && { Range: `bytes=${part.first}-${part.last}` },
          onReply: ({ status }) => isPart ||= status === 206,
        });
        const { data, error } = await bucket.download(path).asStream();
        if (error) throw readError("read", error);
        const stream = data as ReadableStream<Uint8Array<ArrayBuffer>>;
        return isPart ? stream : cutOut(stream, part!);
      } finally {
        clearTimeout(timer);
      }
    },
    async remove(paths) {
      const bucket = await openBucket(AbortSignal.timeout(timeout));
      const { error } = await bucket.remove(paths);
      if (error) throw readError("remove", error);
    },
  };
}

/** Headers of requests to Storage, and a look at the replies. */
type Asked = { headers?: Record<string, string> | undefined; onReply?: (reply: Response) => void };

/**
 * A part of all bytes, from a Storage that sends no parts. Not a pipe: when a browser goes away in the middle, as it does
 * whenever somebody moves on in a recording, its failure would end the process.
 */
function cutOut(
  whole: ReadableStream<Uint8Array<ArrayBuffer>>,
  { first, last }: Part,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = whole.getReader();
  const leave = () => void reader.cancel().catch(() => {});
  let place = 0;
  return new ReadableStream({
    async pull(controller) {
      for (let isWaiting = true; isWaiting;) {
        const { value, done } = await reader.read();
        const piece = value?.subarray(Math.max(first - place, 0), Math.max(last + 1 - place, 0));
        place += value?.length ?? 0;
        isWaiting = !piece?.length;
        if (piece?.length) controller.enqueue(piece);
        if (!done && place <= last) continue;
        controller.close();
        leave();
        return;
      }
    },
    cancel: leave,
  });
}

/** Chunks as the body of a request. Only the time between a chunk and the call for the next one counts. */
function followWith(chunks: AsyncIterable<Uint8Array>, onStall: () => void, timeout: number) {
  const iterator = chunks[Symbol.asyncIterator]();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const self = {
    failure: null as { error: unknown } | null,
    body: new ReadableStream<Uint8Array>({
      async pull(controller) {
        clearTimeout(timer);
        try {
          const { value, done } = await iterator.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          self.failure = { error };
          // Ends the request without its end: nothing is stored.
          controller.error(error);
          onStall();
        }
        wait();
      },
    }, { highWaterMark: 0 }),
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
  wait();
  return self;

  function wait() {
    if (!isOver) timer = setTimeout(onStall, timeout);
  }
}

function readError(operation: string, error: Error): StorageError {
  const { status, originalError } = fieldsOf(error);
  return new StorageError(operation, typeof status === "number" ? status : undefined, originalError);
}
