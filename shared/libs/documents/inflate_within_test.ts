import { Buffer } from "node:buffer";
import { deflateRawSync } from "node:zlib";
import { inflateWithin } from "./inflate_within.ts";
import { assertEquals, assertThrows } from "../../../tests/support/assert.ts";

/** Text that hardly compresses, since no part of it repeats. */
const text = Buffer.from(Array.from({ length: 400_000 }, (_, i) => ((i * 2_654_435_761) % 1e9).toString(36)).join(" "));
const packed = deflateRawSync(text);
/** Not compressed: blocks of up to 65,535 bytes that are stored as they are. */
const stored = deflateRawSync(text, { level: 0 });
const small = deflateRawSync(Buffer.from("small"));
const after = Buffer.from("\nendstream\nendobj\n".repeat(10_000));
/** Many empty blocks, then a block that unpacks to 50 MB. */
const emptyBlock = Buffer.from([0, 0, 0, 0xff, 0xff]);
const hiddenBomb = Buffer.concat([...Array(20_000).fill(emptyBlock), deflateRawSync(new Uint8Array(50_000_000))]);

Deno.test("inflateWithin", async (t) => {
  for (
    const [name, data, whole] of [
      ["small", small, "small"],
      ["large", packed, text.toString()],
      ["stored", stored, text.toString()],
    ] as const
  ) {
    const limit = whole.length;
    await t.step(`${name} data of the expected length is unpacked`, () => {
      assertEquals(inflateWithin(data, { limit, likelyLength: data.length }).toString(), whole);
    });
    await t.step(`${name} data with more bytes after it is unpacked`, () => {
      const more = Buffer.concat([data, after]);
      for (const likelyLength of [data.length, data.length + 100, more.length, 0, 1]) {
        assertEquals(inflateWithin(more, { limit, likelyLength }).toString(), whole);
      }
    });
    await t.step(`${name} data that is longer than expected is unpacked`, () => {
      const likelyLength = data.length >> 1;
      assertEquals(inflateWithin(data, { limit, likelyLength }).toString(), whole);
    });
    await t.step(`${name} data one byte over the limit is refused`, () => {
      assertThrows(() => inflateWithin(data, { limit: limit - 1, likelyLength: data.length }), RangeError);
    });
  }

  await t.step("truncated data is unpacked as far as it goes", () => {
    const half = packed.subarray(0, packed.length >> 1);
    const found = inflateWithin(half, { limit: text.length, likelyLength: half.length });
    assertEquals(found.equals(text.subarray(0, found.length)), true);
    assertEquals(found.length > text.length / 3, true);
  });

  await t.step("a kilobyte that unpacks to a megabyte too much is refused", () => {
    const bomb = deflateRawSync(new Uint8Array(2_000_000));
    assertThrows(() => inflateWithin(bomb, { limit: 1_000_000, likelyLength: bomb.length }), RangeError);
  });

  await t.step("a bomb after many empty blocks is refused", () => {
    assertThrows(() => inflateWithin(hiddenBomb, { limit: 1_000_000, likelyLength: hiddenBomb.length }));
    assertThrows(() => inflateWithin(hiddenBomb, { limit: 1_000_000, likelyLength: 1_000 }));
  });

  await t.step("data that was never compressed is refused as damaged", () => {
    assertThrows(() => inflateWithin(after, { limit: 1_000, likelyLength: after.length }), Error);
  });
});
