import { TextLineStream } from "../commands/std.ts";

/** Calls `onLine` with every line that a process prints, and settles after the last one. */
export async function readLines(
  output: ReadableStream<Uint8Array<ArrayBuffer>>,
  onLine: (line: string) => unknown,
): Promise<void> {
  const lines = output.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of lines) await onLine(line);
}
