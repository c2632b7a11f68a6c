/// <reference lib="dom" />
import { type Crop, side, squareOf } from "./crop.ts";

/** The largest picture that the service takes, in bytes. */
const maxBytes = 1_000_000;
/** The largest file that is opened, in bytes. */
const maxFile = 30_000_000;

/** Opens the picture in a file. Returns null if the browser finds none in it. */
export async function openPicture(file: Blob): Promise<ImageBitmap | null> {
  if (file.size > maxFile) return null;
  try {
    // Turned as the camera says.
    return await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return null;
  }
}

/** Draws the square that a crop takes out of a picture. The canvas is filled. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void {
  const context = canvas.getContext("2d")!;
  const { left, top, size } = squareOf(picture, crop);
  context.imageSmoothingQuality = "high";
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, left, top, size, size, 0, 0, canvas.width, canvas.height);
}

/**
 * Writes the square that a crop takes out of a picture, at most 512 pixels wide, as WebP, PNG or JPEG: the first that the
 * browser can write and that is small enough.
 */
export async function writePicture(picture: ImageBitmap, crop: Crop): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.max(1, Math.min(side, Math.round(squareOf(picture, crop).size)));
  drawCrop(canvas, picture, crop);
  for (const type of ["image/webp", "image/png", "image/jpeg"]) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9));
    // A browser that cannot write a type writes another one.
    if (blob?.type === type && blob.size <= maxBytes) return blob;
  }
  throw new Error("The picture cannot be written");
}
