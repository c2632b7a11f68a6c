import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import type { CoreServices } from "../../core/core_services.ts";
import type { Handler } from "../../http/app_env.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { describeContent, readPart } from "./content_headers.ts";
import { readAddress } from "./original_address.ts";

/** Null if the file is deleted. */
const StoredOriginal = z.nullable(
  replyObject({ storage_path: z.string(), filename: z.string(), content_type: z.string(), size: z.number() }),
);

/**
 * Opens signed addresses: streams the original of a file from Storage, with headers under which a browser runs nothing of
 * it. The only route of the function that needs no key.
 */
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
