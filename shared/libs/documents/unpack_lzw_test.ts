import { Buffer } from "node:buffer";
import { unpackLzw } from "./unpack_lzw.ts";
import { assertEquals, assertThrows } from "../../../tests/support/assert.ts";
import { packLzw, writeLzw } from "../../../tests/support/sample_documents.ts";

/** The example of ISO 32000-1, 7.4.4.2. */
const example = Buffer.from("800B6050220C0C8501", "hex");
const text = Array.from({ length: 30_000 }, (_, i) => ((i * 2_654_435_761) % 1e9).toString(36)).join(" ");

Deno.test("unpackLzw", async (t) => {
  await t.step("the example of the standard is unpacked, whatever follows it", () => {
    for (const data of [example, Buffer.concat([example, Buffer.from("\nendstream")])]) {
      assertEquals(unpackLzw(data, { limit: 10 }).toString(), "-----A---B");
    }
  });
  await t.step("codes get longer until the table is cleared, or stays full", () => {
    for (const clearAt of [4_094, 300, Infinity]) {
      const packed = packLzw(text, { clearAt });
      assertEquals(unpackLzw(packed, { limit: text.length }).toString(), text, String(clearAt));
    }
  });
  await t.step("one byte over the limit is refused", () => {
    assertThrows(() => unpackLzw(packLzw(text), { limit: text.length - 1 }), RangeError);
  });
  await t.step("a code that is not known yet, or no end, is damage", () => {
    for (
      const data of [writeLzw([256, 65, 260, 257]), writeLzw([258, 257]), example.subarray(0, -1), Buffer.alloc(0)]
    ) {
      const { message } = assertThrows(() => unpackLzw(data, { limit: 1_000 }), Error);
      assertEquals(message.startsWith("Cannot unpack: more"), false);
    }
  });
});
