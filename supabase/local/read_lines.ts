import { TextLineStream } from "deno-std/streams/mod.js";

/** Hands over what a process prints, line by line, and settles when it has printed its last. */
export async function readLines(
  output: ReadableStream<Uint8Array>,
  onLine: (line: string) => unknown,
): Promise<void> {
  const lines: ReadableStream<string> = output.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of lines) await onLine(line);
}
