import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { readAdmitted, readBodyBytes } from "../../http/read_input.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { type CleanPicture, cleanPicture } from "../../libs/pictures/clean_picture.ts";
import { UnusablePicture } from "../../libs/pictures/cleaned.ts";
import { StorageError } from "../../infra/storage/file_store.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { PersonaDraft } from "./fields.ts";

/** Bytes of a picture. */
const maxPictureBytes = 1024 * 1024;

/** Reads the body of a request. */
type ReadBody = () => Promise<Uint8Array>;

const AnnouncedPicture = replyObject({ path: z.string() });

/** Stores a picture without its metadata, and makes it that of the draft. For owners and editors. */
export const operation = defineEndpoint({
  name: "setPicture",
  method: "PUT",
  path: "/coaches/:coachId/picture",
  body: "image/*",
  // The body is read when it is asked for.
  readFields(c) {
    const { raw } = c.req;
    return { picture: () => readAdmitted(raw, c.get("incoming"), () => readBodyBytes(raw, maxPictureBytes)) };
  },
  scope: "expert",
  failure: "Failed to store the picture",
  errors: () => [
    ...ofRoles(),
    errors.invalidInput("The picture is damaged"),
    errors.bodyTooLarge("1024 KB"),
    errors.uploadTooSlow(),
    errors.pictureBusy(),
  ],
  // In the OpenAPI document, the picture is the whole body.
  input: z.object({
    coachId,
    picture: z.custom<ReadBody>((read) => typeof read === "function", "The picture must be a PNG, JPEG or WebP image")
      .check(z.meta({ override: { type: "string", format: "binary", contentEncoding: "binary" } })),
  }),
  output: PersonaDraft,
  async verb({ database, userId, services: { pictures, picturesUrl } }, { coachId, picture }) {
    const coach = coachColumns({ coachId, userId });
    const { bytes, type, extension } = await requireUsable(await picture());
    const stored = { ...coach, digest: createHash("sha256").update(bytes).digest("hex"), extension };
    const { path } = await database.call("begin_picture", stored, AnnouncedPicture);
    try {
      await pictures.put(path, inOnePiece(bytes), type);
    } catch (error) {
      throw error instanceof StorageError ? errors.unavailable(error) : error;
    }
    return await database.callForBytes("set_picture", { ...stored, pictures_url: picturesUrl });
  },
});

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
