import { TextLineStream } from "deno-std/streams/mod.js";

/** Calls `onLine` with every line that a process prints, and settles after the last one. */
export async function readLines(
  output: ReadableStream<Uint8Array<ArrayBuffer>>,
  onLine: (line: string) => unknown,
): Promise<void> {
  const lines: ReadableStream<string> = output.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of lines) await onLine(line);
}
