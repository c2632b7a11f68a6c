import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import type { CoreServices } from "../../core/core_services.ts";
import type { Handler } from "../../http/app_env.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { readAddress } from "./original_address.ts";
import { fileTypes } from "../knowledge/file_types.ts";
import type { Part } from "../../infra/storage/file_store.ts";
import { stripInvisible } from "../../libs/base/text.ts";

/** Null if the file is deleted. */
const StoredOriginal = z.nullable(
  replyObject({ storage_path: z.string(), filename: z.string(), content_type: z.string(), size: z.number() }),
);

/** Opens signed addresses: streams a file's original, with headers under which a browser runs nothing of it. */
export function createOriginalHandler(
  { database, files, secretKeys }: Pick<CoreServices, "database" | "files" | "secretKeys">,
): Handler {
  return async function serveOriginal(c) {
    const signed = await readAddress(secretKeys, c.req.param("token") ?? "");
    if (signed === null || signed.expiresAt.getTime() <= Date.now()) throw errors.addressNotValid();
    const original = await database.call("find_original", { file_id: signed.fileId }, StoredOriginal);
    if (original === null) throw errors.fileNotFound();
    const headers = describeContent(original);
    if (c.req.method === "HEAD") return c.body(null, 200, headers);
    const part = readPart(c.req.header("Range"), original);
    if (part === null) return c.body(await files.open(original.storagePath, c.req.raw.signal), 200, headers);
    // Browsers leave parts whenever somebody moves on in a recording. That ends the reply, and with it the reading of it; the
    // signal of the request would fail it, which ends the process on the Deno of the functions.
    const content = await files.open(original.storagePath, new AbortController().signal, part);
    return c.body(content, 206, {
      ...headers,
      "Content-Length": String(part.last - part.first + 1),
      "Content-Range": `bytes ${part.first}-${part.last}/${original.size}`,
    });
  };
}

/** The types that browsers may show in place. Never HTML or SVG: they would run scripts in the name of the service. */
const shown = ["application/pdf", "image/png", "image/jpeg"];

/** The types of files that are named; any other is sent as bytes of an unknown type. So is HTML, to be saved and not shown. */
const known = new Set([...fileTypes.values()].map(({ contentType }) => contentType));
known.delete("text/html");

const sandbox = "sandbox; default-src 'none'";

/** The headers of an original, whatever its name and its content are. */
function describeContent(
  { filename, contentType, size }: { filename: string; contentType: string; size: number },
): Record<string, string> {
  return {
    "Content-Type": known.has(contentType) ? contentType : "application/octet-stream",
    "Content-Length": String(size),
    "Content-Disposition": describeDisposition(filename, shown.includes(contentType) ? "inline" : "attachment"),
    "Content-Security-Policy": sandbox,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, no-store",
    // The address may have expired by the time a viewer asks for the next part. The reader of the pages, which plays
    // recordings, asks for another one then.
    "Accept-Ranges": isPlayed(contentType) ? "bytes" : "none",
  };
}

/** Of a recording or a video, parts are sent: so nobody waits for the beginning who wants to hear the end. */
function isPlayed(contentType: string): boolean {
  return known.has(contentType) && /^(?:audio|video)\//.test(contentType);
}

/** Reads the part that the header `Range` asks for. Null: the whole file is sent, as for what asks for several. */
function readPart(
  header: string | undefined,
  { contentType, size }: { contentType: string; size: number },
): Part | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (!isPlayed(contentType) || first + last === "") return null;
  const part = first === ""
    ? { first: Math.max(size - Number(last), 0), last: size - 1 }
    : { first: Number(first), last: Math.min(last === "" ? Infinity : Number(last), size - 1) };
  return part.first <= part.last ? part : null;
}

/** The longest name that is sent, in characters: a header with a longer one would not pass every proxy. */
const longestName = 150;

/** The header `Content-Disposition`: the name in ASCII for old clients, and in full (RFC 6266, RFC 8187). */
export function describeDisposition(filename: string, disposition: "inline" | "attachment"): string {
  const name = shorten(
    stripInvisible(filename.toWellFormed()).replace(/[\p{Cc}\u2028\u2029]/gu, "").replace(/[/\\]/g, "_").trim() ||
      "file",
  );
  const ascii = name.replace(/[^\x20-\x7e]|["%]/gu, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** The end is kept, since the extension is there. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= longestName) return name;
  return [...characters.slice(0, longestName - 21), "…", ...characters.slice(-20)].join("");
}
