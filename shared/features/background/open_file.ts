import * as z from "zod/mini";
import { replyObject } from "../../infra/db/reply_object.ts";
import { type Batch, Bookmark, DocumentKind, type Passage, readPassages } from "../../libs/documents/read_passages.ts";
import { maxImageBytes, maxVideoBytes, type ReadMedia } from "../../libs/llm/media_reader.ts";
import type { WorkModels } from "../../core/budgets/work_models.ts";
import type { IndexerServices } from "./meter_services.ts";

/** A file that this worker has claimed. */
export const ClaimedFile = replyObject({
  id: z.string(),
  claim: z.string(),
  coach_id: z.string(),
  name: z.string(),
  category: z.enum(["documents", "images", "videos"]),
  content_type: z.string(),
  storage_path: z.string(),
  /** The request that uploaded it. */
  request_id: z.nullable(z.string()),
  attempt: z.number(),
  /** Parsed when the file is read, so that an invalid bookmark does not affect other files. */
  bookmark: z.unknown(),
  /** The number of its passages that are stored. */
  position: z.number(),
});
export type ClaimedFile = z.infer<typeof ClaimedFile>;

/** A document that is being read, batch by batch. It must be closed with `return`. */
export type OpenDocument = AsyncGenerator<Batch>;

/** Thrown for a file without text: only its name can be searched. */
export class NothingToRead extends Error {
  override name = "NothingToRead";

  constructor(reason: string) {
    super(`Only the file name can be searched: ${reason}`);
  }
}

/** The services that read a file, with the models of its coach. */
type ReadingServices = Pick<IndexerServices, "files" | "timeouts"> & { models: WorkModels };

const ReadingPlan = z.object({ kind: DocumentKind, bookmark: z.nullable(Bookmark) });

const megabyte = 1024 * 1024;

/** The way a media file becomes text, and how to read that text. */
type MediaPlan = { read: ReadMedia; maxBytes: number; kind: DocumentKind };

/**
 * Begins to read a file, at its bookmark if it has one. Images and videos are first converted to text.
 *
 * @throws {NothingToRead} for images and videos that no model reads
 * @throws {RefusedFile} when the model refuses them; {@link ModelRequestError} when it fails
 * @throws {StorageError} when the file cannot be fetched, or the signal aborts before.
 */
export async function openFile(
  services: ReadingServices,
  file: ClaimedFile,
  signal: AbortSignal,
): Promise<OpenDocument> {
  if (file.category !== "documents") return openMedia(services, file, signal);
  const extension = file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase();
  const { success, data: plan } = ReadingPlan.safeParse({ kind: extension, bookmark: file.bookmark });
  if (!success) throw new TypeError("The extension or the bookmark of the file is unknown");
  const bytes = await services.files.get(file.storagePath, signal);
  return readPassages(plan.kind, bytes, plan.bookmark);
}

async function openMedia(services: ReadingServices, file: ClaimedFile, signal: AbortSignal): Promise<OpenDocument> {
  const { read, maxBytes, kind } = planMedia(services, file);
  const bytes = await services.files.get(file.storagePath, signal);
  if (bytes.length > maxBytes) {
    throw new NothingToRead(`${file.category} over ${maxBytes / megabyte} MB are not sent to a model`);
  }
  const text = await read(
    { bytes, contentType: file.contentType },
    AbortSignal.any([signal, AbortSignal.timeout(services.timeouts.media)]),
  );
  if (text.trim() === "") throw new NothingToRead("the model found no text in it");
  return readInOneBatch(kind, text);
}

function planMedia({ models: media }: ReadingServices, file: ClaimedFile): MediaPlan {
  if (file.category === "images") {
    if (media.describeImage === null) {
      throw new NothingToRead("no model that describes images is configured (OPENAI_VISION_MODEL)");
    }
    return { read: media.describeImage, maxBytes: maxImageBytes, kind: "md" };
  }
  if (file.contentType !== "video/mp4" && file.contentType !== "video/webm") {
    throw new NothingToRead("only MP4 and WEBM videos can be transcribed");
  }
  if (media.transcribe === null) {
    throw new NothingToRead("no model that transcribes videos is configured (OPENAI_TRANSCRIPTION_MODEL)");
  }
  return { read: media.transcribe, maxBytes: maxVideoBytes, kind: "txt" };
}

/** Does not use bookmarks: the model would choose other words the next time. */
async function* readInOneBatch(kind: DocumentKind, text: string): OpenDocument {
  const passages: Passage[] = [];
  for await (const batch of readPassages(kind, new TextEncoder().encode(text), null)) passages.push(...batch.passages);
  yield { passages, next: null };
}
