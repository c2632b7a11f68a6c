const blockBytes = 64 * 1024;

/**
 * The same bytes, as views on blocks that are filled one after the other. A chunk of a request body holds on to 64 KB
 * of memory however small it is: what is kept of a body that comes in small pieces would grow to many times its size.
 */
export async function* packChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let block = new Uint8Array(blockBytes);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let rest = chunk; rest.length > 0;) {
      // Views of a full block may still be in use: it is not written again.
      if (filled === blockBytes) [block, filled] = [new Uint8Array(blockBytes), 0];
      const part = rest.subarray(0, blockBytes - filled);
      block.set(part, filled);
      yield block.subarray(filled, filled += part.length);
      rest = rest.subarray(part.length);
    }
  }
}
