import * as z from "zod/mini";
import { isBelow } from "../../libs/web/normalize_address.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { Robots } from "../../libs/web/robots.ts";
import { delay } from "../../libs/base/std/async.ts";
import { maxPages } from "../sources/fields.ts";
import { type PageWork, type Pauses, usualPause } from "./claimed_work.ts";
import type { FetchServices } from "./fetch_services.ts";
import { makePageFile, UnusablePage } from "./make_page_file.ts";

/** The most bytes of a page. */
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

/**
 * Asks for a page, and stores its text if that is new. `pauses` are set to what the site asks for.
 *
 * @throws {StorageError} if it cannot be stored
 */
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
