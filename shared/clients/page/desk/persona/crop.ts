/// <reference lib="dom" />

/** The square of a picture that is kept: how much it is enlarged, and its center, from 0 to 1 of the width and height. */
export type Crop = { zoom: number; x: number; y: number };

/** The largest enlargement. */
export const maxZoom = 4;

/** The side of the square that is uploaded, in pixels. */
export const side = 512;

/** The whole height or width of a picture, from its middle. */
export const wholePicture: Crop = { zoom: 1, x: 0.5, y: 0.5 };

/** The size of a picture. */
export type Size = { width: number; height: number };

/** Returns the square that a crop takes out of a picture, in pixels of the picture. */
export function squareOf({ width, height }: Size, crop: Crop): { left: number; top: number; size: number } {
  const size = Math.min(width, height) / clamp(crop.zoom, 1, maxZoom);
  return {
    left: clamp(crop.x * width - size / 2, 0, width - size),
    top: clamp(crop.y * height - size / 2, 0, height - size),
    size,
  };
}

/** Moves a crop over its picture, to the right and down by sides of the square. */
export function moveCrop(picture: Size, crop: Crop, by: { right: number; down: number }): Crop {
  const { left, top, size } = squareOf(picture, crop);
  return centerOn(picture, crop.zoom, {
    x: left + size / 2 + by.right * size,
    y: top + size / 2 + by.down * size,
  });
}

/** Enlarges a picture around the middle of its crop. */
export function zoomTo(picture: Size, crop: Crop, zoom: number): Crop {
  const { left, top, size } = squareOf(picture, crop);
  return centerOn(picture, clamp(zoom, 1, maxZoom), { x: left + size / 2, y: top + size / 2 });
}

/** A crop around a point. It stays inside of the picture. */
function centerOn(picture: Size, zoom: number, point: { x: number; y: number }): Crop {
  const { width, height } = picture;
  const { left, top, size } = squareOf(picture, { zoom, x: point.x / width, y: point.y / height });
  return { zoom, x: (left + size / 2) / width, y: (top + size / 2) / height };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

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

/** Writes the square that a crop takes, at most 512 pixels wide, as the first of WebP, PNG and JPEG that is small. */
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
