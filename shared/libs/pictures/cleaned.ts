/** The parts of a picture that show its pixels, and its size. */
export type Cleaned = { parts: Uint8Array[]; width: number; height: number };

/** A picture that cannot be used. The message is a sentence for its sender. */
export class UnusablePicture extends Error {
  override name = "UnusablePicture";
}

/** @throws {UnusablePicture} unless the picture is as its format demands */
export function requireWhole(isWhole: boolean): asserts isWhole {
  if (!isWhole) throw new UnusablePicture("The picture is damaged");
}

/** Reads numbers of a picture. @throws {UnusablePicture} past its end */
export function createByteReader(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    slice(from: number, length: number): Uint8Array {
      requireWhole(from + length <= bytes.length);
      return bytes.subarray(from, from + length);
    },
    text(from: number, length: number): string {
      return String.fromCharCode(...this.slice(from, length));
    },
    byte(from: number): number {
      requireWhole(from < bytes.length);
      return bytes[from]!;
    },
    number(from: number, length: 2 | 4, order: "big" | "little"): number {
      requireWhole(from + length <= bytes.length);
      return length === 2 ? view.getUint16(from, order === "little") : view.getUint32(from, order === "little");
    },
  };
}
