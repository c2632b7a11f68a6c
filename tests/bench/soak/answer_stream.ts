import { createParser } from "eventsource-parser";
import type { Reading } from "./ledger.ts";

/** The stream of an answer, as a reader sees it. */
export type AnswerStream = {
  reading: Reading;
  /** Reads until more text arrives or the stream ends. */
  readSome(): Promise<void>;
  readAll(): Promise<void>;
  /** Hangs up. */
  leave(): Promise<void>;
};

/**
 * Reads a reply with an answer.
 *
 * @param known the text that the reader has from an earlier stream
 */
export function openAnswerStream(response: Response, known = ""): AnswerStream {
  const reading: Reading = { text: known, end: "open" };
  const parser = createParser({ onEvent: ({ data }) => reading.text += data });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();

  async function readChunk(): Promise<void> {
    try {
      const { value, done } = await reader.read();
      if (done) reading.end = "clean";
      else parser.feed(value);
    } catch {
      reading.end = "broken";
    }
  }
  return {
    reading,
    async readSome() {
      const { length } = reading.text;
      while (reading.end === "open" && reading.text.length === length) await readChunk();
    },
    async readAll() {
      while (reading.end === "open") await readChunk();
    },
    async leave() {
      if (reading.end !== "open") return;
      reading.end = "left";
      await reader.cancel();
    },
  };
}
