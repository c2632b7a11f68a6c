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

/**
 * Moves a crop over its picture.
 *
 * @param by the distances to the right and down, in sides of the square
 */
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
