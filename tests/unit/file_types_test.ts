import { assertEquals } from "deno-std/assert/mod.js";
import { fitsType, typeOfName } from "../../shared/knowledge/file_types.ts";

Deno.test("UTF-16 is recognised by its byte order mark, however the network splits it", async () => {
  const text = Uint8Array.of(0xff, 0xfe, 0x61, 0);
  const cuts = [[text], [text.slice(0, 1), text.slice(1)], [...text].map((byte) => Uint8Array.of(byte))];
  for (const chunks of cuts) {
    assertEquals(await fitsType(chunks, typeOfName("a.txt")!), true, `in ${chunks.length} chunks`);
  }
});
