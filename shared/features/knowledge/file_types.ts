import { maxDocumentBytes, maxFileBytes } from "./limits.ts";

export const fileCategories = ["documents", "images", "videos"] as const;
export type Category = typeof fileCategories[number];

/** A type of knowledge file. */
export type FileType = {
  name: string;
  category: Category;
  contentType: string;
  /** Types that the library `file-type` may find in the content; null: text, which has no signature. */
  signatures: string[] | null;
  maxBytes: number;
};

const office = "application/vnd.openxmlformats-officedocument";
const docx = `${office}.wordprocessingml.document`;
const pptx = `${office}.presentationml.presentation`;
const xlsx = `${office}.spreadsheetml.sheet`;
const odt = "application/vnd.oasis.opendocument.text";
const epub = "application/epub+zip";

function document(name: string, contentType: string, signatures: string[] | null): FileType {
  return { name, category: "documents", contentType, signatures, maxBytes: maxDocumentBytes };
}
function image(name: string, contentType: string, ...more: string[]): FileType {
  return { name, category: "images", contentType, signatures: [contentType, ...more], maxBytes: maxFileBytes };
}
function video(name: string, contentType: string, ...more: string[]): FileType {
  return { name, category: "videos", contentType, signatures: [contentType, ...more], maxBytes: maxFileBytes };
}

const jpg = image("JPG", "image/jpeg");
const html = document("HTML", "text/html", null);

/** The types of the interface, by file extension in lowercase. */
export const fileTypes: ReadonlyMap<string, FileType> = new Map(Object.entries({
  pdf: document("PDF", "application/pdf", ["application/pdf"]),
  docx: document("DOCX", docx, [docx]),
  pptx: document("PPTX", pptx, [pptx]),
  xlsx: document("XLSX", xlsx, [xlsx]),
  odt: document("ODT", odt, [odt]),
  epub: document("EPUB", epub, [epub]),
  html,
  htm: html,
  csv: document("CSV", "text/csv", null),
  txt: document("TXT", "text/plain", null),
  md: document("MD", "text/markdown", null),
  jpg,
  jpeg: jpg,
  png: image("PNG", "image/png", "image/apng"),
  gif: image("GIF", "image/gif"),
  webp: image("WEBP", "image/webp"),
  mp4: video("MP4", "video/mp4", "video/x-m4v"),
  avi: video("AVI", "video/x-msvideo", "video/vnd.avi"),
  mov: video("MOV", "video/quicktime"),
  webm: video("WEBM", "video/webm"),
  mp3: video("MP3", "audio/mpeg"),
  m4a: video("M4A", "audio/mp4", "audio/x-m4a", "video/mp4"),
  wav: video("WAV", "audio/wav"),
  ogg: video("OGG", "audio/ogg", "audio/ogg; codecs=opus", "application/ogg", "video/ogg"),
}));

/** The type that belongs to the extension of a file name. */
export function typeOfName(name: string): FileType | undefined {
  return fileTypes.get(/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "");
}
