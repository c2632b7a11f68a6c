import { concat } from "../../shared/libs/base/std/bytes.ts";
import { packChunks } from "../../shared/features/knowledge/read_upload.ts";
import { assert, assertEquals } from "../support/assert.ts";

/** Pieces whose buffers are far larger than they are, as those of a request body. */
async function* wasteful(sizes: number[]) {
  let next = 0;
  for (const size of sizes) {
    const buffer = new Uint8Array(64 * 1024);
    for (let index = 0; index < size; index++) buffer[index] = next++;
    yield await Promise.resolve(buffer.subarray(0, size));
  }
}

const cases: Record<string, number[]> = {
  "nothing": [],
  "empty pieces": [0, 0],
  "2,000 pieces of 1,000 bytes": Array(2_000).fill(1_000),
  "just a block": [65_536],
  "pieces as large as blocks, shifted by one byte": [1, 65_536, 65_536],
};

Deno.test("packChunks", async (t) => {
  await t.step("no piece waits for later ones", async () => {
    const never = new Promise<Uint8Array>(() => {});
    const pieces = packChunks((async function* () {
      yield new Uint8Array([1, 2]);
      yield await never;
    })());
    assertEquals(await pieces.next(), { value: new Uint8Array([1, 2]), done: false });
  });

  for (const [name, sizes] of Object.entries(cases)) {
    await t.step(name, async () => {
      const blocks: Uint8Array[] = await Array.fromAsync(packChunks(wasteful(sizes)));
      assertEquals(concat(blocks), concat(await Array.fromAsync(wasteful(sizes))));
      const size = sizes.reduce((sum, each) => sum + each, 0);
      const buffers = new Set(blocks.map(({ buffer }) => buffer));
      const held = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
      assert(held < size + 65_536, `${held} bytes are held for ${size}`);
    });
  }
});
