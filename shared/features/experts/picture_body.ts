import { createHash } from "node:crypto";
import * as z from "zod/mini";
import type { RequestContext } from "../../core/context.ts";
import type { ReadFields } from "../../http/endpoint.ts";
import { readAdmitted, readBodyBytes } from "../../http/read_input.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { errors } from "../../infra/errors.ts";
import { StorageError } from "../../infra/storage/file_store.ts";
import { type CleanPicture, cleanPicture, UnusablePicture } from "../../libs/pictures/clean_picture.ts";

const maxPictureBytes = 1024 * 1024;

type ReadBody = () => Promise<Uint8Array>;

const AnnouncedPicture = replyObject({ path: z.string() });

const readFields: ReadFields = (c) => {
  const { raw } = c.req;
  // The body is read when it is asked for.
  return { picture: () => readAdmitted(raw, c.get("incoming"), () => readBodyBytes(raw, maxPictureBytes)) };
};

/** The parts of an operation whose body is a picture. */
export const pictureBody = { body: "image/*", readFields } as const;

/** The field that it reads. In the OpenAPI document, the picture is the whole body. */
export const picture = z.custom<ReadBody>(
  (read) => typeof read === "function",
  "The picture must be a PNG, JPEG or WebP image",
).check(z.meta({ override: { type: "string", format: "binary", contentEncoding: "binary" } }));

/** The errors of storing it. */
export const ofPictures = () => [
  errors.invalidInput("The picture is damaged"),
  errors.bodyTooLarge("1024 KB"),
  errors.uploadTooSlow(),
  errors.pictureBusy(),
];

/** Stores a picture without its metadata, under the path that Postgres announces; `columns` says for whom. */
export async function storePicture(
  { database, services: { pictures } }: RequestContext,
  columns: { coach_id: string; user_id: string | null; is_own?: boolean },
  read: ReadBody,
): Promise<{ digest: string; extension: string }> {
  const { bytes, type, extension } = await requireUsable(await read());
  const stored = { digest: createHash("sha256").update(bytes).digest("hex"), extension };
  const { path } = await database.call("begin_picture", { ...columns, ...stored }, AnnouncedPicture);
  try {
    await pictures.put(path, inOnePiece(bytes), type);
  } catch (error) {
    throw error instanceof StorageError ? errors.unavailable(error) : error;
  }
  return stored;
}

async function requireUsable(bytes: Uint8Array): Promise<CleanPicture> {
  try {
    return await cleanPicture(bytes);
  } catch (error) {
    throw error instanceof UnusablePicture ? errors.invalidInput(error.message) : error;
  }
}

async function* inOnePiece(bytes: Uint8Array) {
  yield bytes;
}
