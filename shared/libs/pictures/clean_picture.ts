import { concat } from "../base/std/bytes.ts";
import { cleanJpeg } from "./clean_jpeg.ts";
import { cleanPng } from "./clean_png.ts";
import { cleanWebp } from "./clean_webp.ts";
import { type Cleaned, UnusablePicture } from "./cleaned.ts";

/** The types of pictures: how Storage names each, and how its file name ends. */
export const pictureTypes = {
  "image/png": { extension: "png", clean: cleanPng },
  "image/jpeg": { extension: "jpg", clean: cleanJpeg },
  "image/webp": { extension: "webp", clean: cleanWebp },
} satisfies Record<string, { extension: string; clean: (bytes: Uint8Array) => Cleaned }>;

/** The MIME type of a picture. */
export type PictureType = keyof typeof pictureTypes;

/** A picture that holds nothing but its pixels. */
export type CleanPicture = { bytes: Uint8Array<ArrayBuffer>; type: PictureType; extension: string };

/** The most pixels on a side. A small file can decode to far more, which would fill the memory of whoever sees it. */
export const maxSide = 4_096;

/**
 * Copies from a picture what shows its pixels, and nothing else: no Exif but the orientation of a photo, no XMP, IPTC,
 * comments, color profiles, previews or animations, and nothing that follows the picture. Its pixels are not decoded, and
 * stay as they are.
 *
 * @throws {UnusablePicture} with a sentence if it is not a whole picture of a known type
 */
export async function cleanPicture(bytes: Uint8Array): Promise<CleanPicture> {
  const type = await findType(bytes);
  const { extension, clean } = pictureTypes[type];
  const { parts, width, height } = clean(bytes);
  if (Math.min(width, height) < 1) throw new UnusablePicture("The picture is damaged");
  if (Math.max(width, height) > maxSide) {
    throw new UnusablePicture(`The picture must be at most ${maxSide.toLocaleString("en")} pixels wide and high`);
  }
  return { bytes: concat(parts), type, extension };
}

/** The type that the content has, whatever its sender says. */
async function findType(bytes: Uint8Array): Promise<PictureType> {
  const { fileTypeFromBuffer } = await import("file-type");
  // An animated PNG is one with additional parts, which are left out.
  const type = (await fileTypeFromBuffer(bytes))?.mime.replace("image/apng", "image/png") ?? "";
  if (!(type in pictureTypes)) throw new UnusablePicture("The picture must be a PNG, JPEG or WebP image");
  return type as PictureType;
}
