import { deadline } from "../../shared/libs/base/std/async.ts";

/**
 * Reads a stream of text until it contains something, and returns all that was read.
 *
 * @throws {Error} with what was read, if the stream ends before, or after half a minute.
 */
export async function readUntil(reader: ReadableStreamDefaultReader<string>, expected: string): Promise<string> {
  const end = performance.now() + 30_000;
  let text = "";
  while (!text.includes(expected)) {
    const part = await deadline(reader.read(), Math.max(1, end - performance.now())).catch(() => null);
    if (part === null || part.done) throw new Error(`The stream has no ${JSON.stringify(expected)}:\n${text}`);
    text += part.value;
  }
  return text;
}
