import { createHash } from "node:crypto";
import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import { type CleanPicture, cleanPicture } from "../../infra/pictures/clean_picture.ts";
import { UnusablePicture } from "../../infra/pictures/cleaned.ts";
import { StorageError } from "../../infra/storage/file_store.ts";
import type { CoachInput, SetPictureInput } from "./schemas.ts";

/**
 * Stores a picture without its metadata, and makes it that of the draft. Returns the draft as the JSON of the reply.
 *
 * @throws 400 for a picture that cannot be used; 404 if the caller has no such coach; 403 for anyone but its owners and
 * editors; 503 if Storage fails; what reading the picture throws.
 */
export async function setPicture(
  { database, userId, services }: RequestContext,
  { coachId, picture }: SetPictureInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const access = { coachId: requireCoachId(coachId), userId };
  const { bytes, type, extension } = await requireUsable(await picture());
  const stored = { digest: createHash("sha256").update(bytes).digest("hex"), extension };
  const { path } = await store.beginPicture(database, access, stored);
  try {
    await services.pictures.put(path, inOnePiece(bytes), type);
  } catch (error) {
    throw error instanceof StorageError ? errors.unavailable(error) : error;
  }
  return await store.setPicture(database, access, stored, services.picturesUrl);
}

/**
 * Takes the picture out of the draft. Returns the draft as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach; 403 for anyone but its owners and editors.
 */
export async function removePicture(
  { database, userId, services }: RequestContext,
  { coachId }: CoachInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.setPicture(database, { coachId: requireCoachId(coachId), userId }, null, services.picturesUrl);
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
