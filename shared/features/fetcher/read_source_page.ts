import * as z from "zod/mini";
import { isBelow } from "../../libs/web/normalize_address.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { Robots } from "../../libs/web/robots.ts";
import { delay } from "../../libs/base/std/async.ts";
import { maxPages } from "../sources/fields.ts";
import { type PageWork, type Pauses, usualPause } from "./claimed_work.ts";
import type { FetchServices } from "./fetch_services.ts";
import { createHash } from "node:crypto";
import { lazy } from "../../libs/base/lazy.ts";
import { decodePart, isStorableText, stripInvisible } from "../../libs/base/text.ts";
import type { WebContent } from "../../libs/web/fetch_address.ts";
import { checkContent, UnacceptableFile } from "../knowledge/check_content.ts";
import { type Category, type FileType, fileTypes, typeOfName } from "../knowledge/file_types.ts";
import { readOnce } from "../knowledge/split_parts.ts";

const mostBytes = 10_000_000;
/** The time within which a page is read and stored, in milliseconds: shorter than the claim. */
const longestRead = 100_000;

/** The outcome of asking for a page. */
export type PageOutcome =
  | {
    kind: "read";
    /** The reason why it was not read to its end; null: it was. */
    reason: string | null;
    etag: string | null;
    lastModified: string | null;
    links: string[];
    file: {
      name: string;
      size: number;
      contentType: string;
      category: string;
      digest: string;
      /** Null: nothing had to be uploaded. */
      uploadId: string | null;
    };
  }
  | { kind: "unchanged" }
  | { kind: "missing"; reason: string }
  | { kind: "failed"; reason: string; isTemporary: boolean };

/** Without a path, the file is stored already. */
const BegunPage = replyObject({
  is_claimed: z.boolean(),
  upload_id: z.nullable(z.string()),
  path: z.nullable(z.string()),
});

const forbidden = "The site's robots.txt does not allow this page to be read";

/** Asks for a page, and stores its text if that is new; sets `pauses`. @throws {StorageError} if it cannot be stored */
export async function readSourcePage(
  services: FetchServices,
  work: PageWork,
  pauses: Pauses,
): Promise<PageOutcome> {
  const signal = AbortSignal.timeout(longestRead);
  const failed = (reason: string, isTemporary = false) => ({ kind: "failed", reason, isTemporary }) as const;

  let robots: Robots | null = null;
  // The expert has named the address of a page itself.
  if (work.kind !== "page") {
    const rules = await services.readRules(work.url, signal);
    robots = rules.robots;
    pauses.crawlDelay = robots.crawlDelay;
    if (rules.failure !== null) return failed(rules.failure.reason, rules.failure.isTemporary);
    if (!robots.allows(work.url)) return failed(forbidden);
    if (rules.isNew && !work.isPrivate) await delay(usualPause);
  }

  const found = await services.fetchWeb(work.url, {
    signal,
    maxBytes: mostBytes,
    etag: work.etag,
    lastModified: work.lastModified,
  });
  if (found.kind === "unchanged") return found;
  if (found.kind === "gone") return { kind: "missing", reason: `The page answered with status ${found.status}` };
  if (found.kind === "failed") {
    pauses.retryAfter = found.retryAfter;
    return failed(found.reason, found.isTemporary);
  }
  if (robots !== null && found.url !== work.url) {
    if (work.kind === "site" && !isBelow(work.sourceUrl, found.url)) {
      return failed("It redirects to an address that is not below that of the site");
    }
    const target = await services.readRules(found.url, signal);
    if (target.failure !== null) return failed(target.failure.reason, target.failure.isTemporary);
    if (!target.robots.allows(found.url)) return failed(forbidden);
  }

  try {
    const { bytes, links, isCut, ...file } = await services.parse(() => makePageFile(found));
    const { sourceId, url, claim } = work;
    const args = { source_id: sourceId, url, claim, name: file.name, digest: file.digest };
    const begun = await services.database.call("begin_page", args, BegunPage);
    if (begun.path !== null) await services.files.put(begun.path, inOnePiece(bytes), file.contentType);
    return {
      kind: "read",
      reason: isCut ? "The page is very long: only its beginning is read" : null,
      etag: found.etag,
      lastModified: found.lastModified,
      links: work.followsLinks ? links.filter(mayFollow).slice(0, maxPages) : [],
      file: { ...file, size: bytes.length, uploadId: begun.uploadId },
    };
  } catch (error) {
    if (error instanceof UnusablePage) return failed(error.message);
    throw error;
  }

  function mayFollow(link: string): boolean {
    return isBelow(work.sourceUrl, link) && robots?.allows(link) === true;
  }
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}

/** A page that cannot become a file. The message is a sentence for the expert, without its full stop. */
export class UnusablePage extends Error {
  override name = "UnusablePage";
}

type PageFile = {
  name: string;
  contentType: string;
  category: Category;
  bytes: Uint8Array<ArrayBuffer>;
  digest: string;
  links: string[];
  /** True if only its beginning was read. */
  isCut: boolean;
};

const loadPage = lazy(() => import("../../libs/web/page.ts"));

const pageTypes = ["text/html", "application/xhtml+xml"];
/** Types that say nothing: the end of the address tells more. */
const vagueTypes = ["", "application/octet-stream", "binary/octet-stream", "application/x-download"];
const maxNameLength = 120;

/** Makes a file of what was found: the content of a page as Markdown, or the file itself. @throws {UnusablePage} */
export async function makePageFile(found: WebContent): Promise<PageFile> {
  if (pageTypes.includes(found.contentType)) return await makeMarkdown(found);
  const type = typeOf(found) ?? (vagueTypes.includes(found.contentType) ? typeOfBytes(found.bytes) : undefined);
  if (type === "page") return await makeMarkdown(found);
  if (type === undefined) {
    throw new UnusablePage(`Content of the type ${found.contentType || "that it has"} cannot be read`);
  }
  try {
    for await (const _ of checkContent(readOnce(found.bytes), type));
  } catch (error) {
    if (error instanceof UnacceptableFile) throw new UnusablePage(error.message);
    throw error;
  }
  const { contentType, category } = type;
  return { name: nameFile(found.url, type), contentType, category, ...measured(found.bytes), links: [], isCut: false };
}

async function makeMarkdown(found: WebContent): Promise<PageFile> {
  const { readPage, UnreadablePage } = await loadPage();
  const { title, markdown, links, isCut } = await readPage(found.bytes, found).catch((error) => {
    throw error instanceof UnreadablePage ? new UnusablePage(error.message) : error;
  });
  if (markdown.trim() === "") throw new UnusablePage("No text was found on the page");
  const name = `${cleanName(title) || cleanName(lastPart(found.url)) || new URL(found.url).hostname}.md`;
  const bytes = new TextEncoder().encode(markdown.replaceAll("\0", ""));
  return { name, contentType: "text/markdown", category: "documents", ...measured(bytes), links, isCut };
}

function measured(bytes: Uint8Array<ArrayBuffer>) {
  return { bytes, digest: createHash("sha256").update(bytes).digest("hex") };
}

/** The type of a file: as the server names it or, if it says nothing, as the address ends. */
function typeOf({ contentType, url }: WebContent): FileType | undefined {
  const byName = typeOfName(lastPart(url));
  if (vagueTypes.includes(contentType) || byName?.contentType === contentType) return byName;
  // Servers know no type for Markdown.
  if (contentType === "text/plain" && byName?.contentType === "text/markdown") return byName;
  return fileTypes.values().find((type) => type.contentType === contentType);
}

/** Recognizes content whose type nobody names: a page, a PDF file or text. */
function typeOfBytes(bytes: Uint8Array): FileType | "page" | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 1_024)).replace(/^(?:ï»¿|\s)+/, "");
  if (start.startsWith("%PDF-")) return fileTypes.get("pdf");
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x08]/.test(start)) return;
  return /<(?:!doctype html|html|head|body|title|h1|p|div)\b/i.test(start) ? "page" : fileTypes.get("txt");
}

/** The name of a file at an address, with the extension of its type. */
function nameFile(url: string, type: FileType): string {
  const part = lastPart(url);
  const name = cleanName(part.replace(/\.\w{1,5}$/, "")) || new URL(url).hostname;
  const extension = typeOfName(part) === type
    ? /\.(\w+)$/.exec(part)![1]!.toLowerCase()
    : [...fileTypes].find(([, each]) => each === type)![0];
  return `${name}.${extension}`;
}

/** The last part of the path of an address that is not empty, decoded. */
function lastPart(url: string): string {
  const part = new URL(url).pathname.split("/").findLast((part) => part !== "") ?? "";
  return decodePart(part);
}

/** A text as a file name: in one line, without characters that file systems reject. */
function cleanName(text: string): string {
  // Far more than the characters that are used.
  const line = stripInvisible(text.slice(0, 2_000).toWellFormed())
    // deno-lint-ignore no-control-regex
    .replace(/[\x00-\x1f\x7f\\/:*?"<>|]+/g, " ").replace(/\s+/g, " ").replace(/^[.\s]+|[.\s]+$/g, "");
  if (!isStorableText(line)) return "";
  const characters = [...line];
  if (characters.length <= maxNameLength) return line;
  const cut = characters.slice(0, maxNameLength + 1).join("");
  return cut.slice(0, Math.max(cut.lastIndexOf(" "), 0)) || characters.slice(0, maxNameLength).join("");
}
