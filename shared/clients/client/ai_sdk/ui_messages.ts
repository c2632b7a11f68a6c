import type { components } from "../api_types.ts";
import type { Client } from "../client.ts";
import { ServiceError } from "../service_error.ts";

type Schemas = components["schemas"];

/** The sources of an answer, as the service returns them. */
export type Sources = Schemas["SourcesEvent"];

/** A file that an answer was given passages of, or a pinned answer of the expert. */
export type SourceDocument = {
  type: "source-document";
  /** The id of the file or of the pinned answer. */
  sourceId: string;
  mediaType: string;
  /** The name of the file, or the question of the pinned answer. */
  title: string;
  filename?: string;
};

/** All of it, with quotes and pages. */
export type SourcesPart = { type: "data-sources"; data: Sources };

/** A part of a stored message, in the form of the AI SDK's `UIMessage`. */
export type StoredPart = { type: "text"; text: string } | SourceDocument | SourcesPart;

/** The author of an answer (`ai` or the real person) and its status. `waiting`: the text is a notice of a takeover. */
export type AnswerMetadata = Pick<Schemas["DoneEvent"], "author"> & {
  status: Schemas["DoneEvent"]["status"] | "failed";
};

/** A stored message, in the form of the AI SDK's `UIMessage`. Its id is the service's. Only answers have metadata. */
export type StoredMessage = { id: string; role: "user" | "assistant"; parts: StoredPart[]; metadata?: AnswerMetadata };

/** The fields of a chat's messages that a transport reads. */
export type ChatMessage = { id: string; role: string; parts: readonly { type: string }[] };

/** The parts with the sources of an answer: each file and pinned answer once, then all sources; none without any. */
export function describeSources(sources: Sources): (SourceDocument | SourcesPart)[] {
  if (sources.length === 0) return [];
  const documents = new Map(sources.map(describeSource).map((document) => [document.sourceId, document]));
  return [...documents.values(), { type: "data-sources", data: sources }];
}

function describeSource(source: Sources[number]): SourceDocument {
  if (source.kind === "pinned_answer") {
    const { pinnedAnswerId: sourceId, question: title } = source;
    return { type: "source-document", sourceId, mediaType: "text/plain", title };
  }
  const { fileId: sourceId, filename } = source;
  return { type: "source-document", sourceId, mediaType: readMediaType(filename), title: filename, filename };
}

/** The text of a message. @throws {Error} if it contains anything else */
export function readText({ parts }: ChatMessage): string {
  const other = parts.find((part) => part.type !== "text");
  if (other !== undefined) throw new Error(`A message can hold text, not a part of the type ${other.type}`);
  return parts.map((part) => "text" in part ? String(part.text) : "").join("\n");
}

/** Media types of the files that the service takes. */
const mediaTypes: Record<string, string> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  odt: "application/vnd.oasis.opendocument.text",
  epub: "application/epub+zip",
  html: "text/html",
  htm: "text/html",
  csv: "text/csv",
  txt: "text/plain",
  md: "text/markdown",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  mp4: "video/mp4",
  avi: "video/x-msvideo",
  mov: "video/quicktime",
  webm: "video/webm",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  wav: "audio/wav",
  ogg: "audio/ogg",
};

function readMediaType(filename: string): string {
  return mediaTypes[filename.slice(filename.lastIndexOf(".") + 1).toLowerCase()] ?? "application/octet-stream";
}

/**
 * The messages of a thread, oldest first, for `useChat({ messages })`. It leaves out an answer that is being written,
 * which `resume: true` returns whole, one that waits for the expert, and one that failed without any text, which can be
 * regenerated. An empty conversation has no messages.
 */
export async function loadMessages(client: Pick<Client, "listMessages">, threadId: string): Promise<StoredMessage[]> {
  const { data } = await client.listMessages(threadId, { include: "status,sources,author" }).catch(orNone);
  return data.flatMap(({ id, role, content, sources = [], author = "ai", status = "complete" }) => {
    if (content === "" || status === "streaming") return [];
    const metadata = author === "user" ? {} : { metadata: { author, status } };
    return [{ id, role, parts: [{ type: "text", text: content }, ...describeSources(sources)], ...metadata }];
  });
}

function orNone(error: unknown): Pick<Awaited<ReturnType<Client["listMessages"]>>, "data"> {
  if (error instanceof ServiceError && error.status === 404) return { data: [] };
  throw error;
}
