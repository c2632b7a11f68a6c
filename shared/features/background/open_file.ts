import * as z from "zod/mini";
import { replyObject } from "../../infra/db/reply_object.ts";
import { type Batch, Bookmark, DocumentKind, type Passage, readPassages } from "../../libs/documents/read_passages.ts";
import type { Picture } from "../../libs/documents/find_picture.ts";
import { cutAudio } from "../../libs/llm/cut_audio.ts";
import { maxImageBytes, maxVideoBytes, type ReadMedia, RefusedFile } from "../../libs/llm/media_reader.ts";
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

/** The way a media file becomes Markdown. */
type MediaPlan = { read: ReadMedia; maxBytes: number };

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
  const extension = file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase().replace(/^htm$/, "html");
  const { success, data: plan } = ReadingPlan.safeParse({ kind: extension, bookmark: file.bookmark });
  if (!success) throw new TypeError("The extension or the bookmark of the file is unknown");
  const stored = await services.files.get(file.storagePath, signal);
  // A book has no surroundings, but an HTML file is often a page of the web that somebody saved.
  const bytes = plan.kind === "html"
    ? await (await import("../../libs/web/html_file.ts")).readHtmlFile(stored)
    : stored;
  return readPassages(plan.kind, bytes, plan.bookmark, { recognize: recognizeWith(services, signal) });
}

/** Reads scanned pages with the model for images; undefined if there is none. A page that it refuses has no text. */
function recognizeWith({ models, timeouts }: ReadingServices, signal: AbortSignal) {
  const { describeImage } = models;
  return describeImage === null ? undefined : async (picture: Picture) => {
    if (picture.bytes.length > maxImageBytes) return "";
    const within = AbortSignal.any([signal, AbortSignal.timeout(timeouts.media)]);
    try {
      return await describeImage({ ...picture, isPage: true }, within);
    } catch (error) {
      if (error instanceof RefusedFile) return "";
      throw error;
    }
  };
}

async function openMedia(services: ReadingServices, file: ClaimedFile, signal: AbortSignal): Promise<OpenDocument> {
  const { read, maxBytes } = planMedia(services, file);
  const bytes = await services.files.get(file.storagePath, signal);
  if (file.contentType.startsWith("audio/")) return readRecording(services, file, { bytes, read, signal });
  if (bytes.length > maxBytes) {
    throw new NothingToRead(`${file.category} over ${maxBytes / megabyte} MB are not sent to a model`);
  }
  const text = await read(
    { bytes, contentType: file.contentType },
    AbortSignal.any([signal, AbortSignal.timeout(services.timeouts.media)]),
  );
  if (text.trim() === "") throw new NothingToRead("the model found no text in it");
  return readInOneBatch(text, file.category === "images");
}

function planMedia({ models: media }: ReadingServices, file: ClaimedFile): MediaPlan {
  if (file.category === "images") {
    if (media.describeImage === null) throw nothingReads("images", "OPENAI_VISION_MODEL");
    return { read: media.describeImage, maxBytes: maxImageBytes };
  }
  const isVideo = !file.contentType.startsWith("audio/");
  if (isVideo && file.contentType !== "video/mp4" && file.contentType !== "video/webm") {
    throw new NothingToRead("only MP4 and WEBM videos can be transcribed");
  }
  if (media.transcribe === null) {
    throw nothingReads(isVideo ? "videos" : "recordings", "OPENAI_TRANSCRIPTION_MODEL");
  }
  return { read: media.transcribe, maxBytes: maxVideoBytes };
}

/** For experts, who cannot change it, and for operators, who can. The desk tells it in its own language. */
function nothingReads(files: string, setting: string): NothingToRead {
  return new NothingToRead(`${files} cannot be read on this service yet. Ask whoever runs it to set ${setting}`);
}

/** The place where a recording goes on, in bytes, and the seconds before. It is a bookmark, but no reader of documents has it. */
const RecordingBookmark = z.object({ position: z.object({ offset: z.number(), length: z.number() }) });

/** Has the parts of a recording transcribed, one after the other: a batch each. */
async function* readRecording(
  { timeouts }: ReadingServices,
  { contentType, bookmark, position }: ClaimedFile,
  { bytes, read, signal }: { bytes: Uint8Array<ArrayBuffer>; read: ReadMedia; signal: AbortSignal },
): OpenDocument {
  let { offset: from, length: startsAt } = RecordingBookmark.safeParse(bookmark).data?.position ??
    { offset: 0, length: 0 };
  let hasText = position > 0;
  while (true) {
    const part = cutAudio(bytes, { contentType, from });
    if (part.bytes.length > maxVideoBytes) {
      throw new NothingToRead(
        `recordings over ${maxVideoBytes / megabyte} MB are not sent to a model. Save it as MP3`,
      );
    }
    const text = await read(
      { bytes: part.bytes, contentType, startsAt },
      AbortSignal.any([signal, AbortSignal.timeout(timeouts.media)]),
    );
    const passages = await readPassagesOf(text);
    hasText ||= passages.length > 0;
    if (part.end === null) {
      if (!hasText) throw new NothingToRead("the model found no speech in it");
      return yield { passages, next: null };
    }
    [from, startsAt] = [part.end, startsAt + part.seconds];
    yield { passages, next: { position: { offset: from, length: startsAt }, splitter: emptySplitter, skip: 0 } };
  }
}

const emptySplitter = { headings: [], isBare: false, pieces: [], repeated: 0 };

/** Does not use bookmarks: the model would choose other words the next time. */
async function* readInOneBatch(text: string, isRecognized: boolean): OpenDocument {
  const passages = await readPassagesOf(text);
  yield { passages: passages.map((it) => ({ ...it, ...(isRecognized && { is_recognized: true }) })), next: null };
}

async function readPassagesOf(text: string): Promise<Passage[]> {
  const passages: Passage[] = [];
  for await (const batch of readPassages("md", new TextEncoder().encode(text), null)) passages.push(...batch.passages);
  return passages;
}

/** The position up to which a document has been read. */
type Place = Pick<ClaimedFile, "id" | "storagePath" | "position">;

/**
 * Keeps the last document that was released open, because the next call may reach this isolate. Opening a document
 * takes up to a second of the two that an isolate has, and continuing a tenth of that. At most one is kept, to save
 * memory.
 */
export interface OpenDocuments {
  keep(document: OpenDocument, place: Place): void;
  /** Returns the open document if it is of this file and position. Otherwise, closes it and returns null. */
  take(file: ClaimedFile): Promise<OpenDocument | null>;
  close(): Promise<void>;
}

export function createOpenDocuments(): OpenDocuments {
  let kept: { document: OpenDocument; place: Place } | null = null;

  async function close(): Promise<void> {
    const closing = kept;
    kept = null;
    await closing?.document.return(undefined);
  }

  return {
    keep: (document, place) => void (kept = { document, place }),
    async take(file) {
      const { document, place } = kept ?? {};
      const isHere = place?.id === file.id && place.storagePath === file.storagePath &&
        // Without a bookmark, the file must be read from the beginning.
        place.position === file.position && file.bookmark !== null;
      if (!isHere || document === undefined) {
        await close();
        return null;
      }
      kept = null;
      return document;
    },
    close,
  };
}
