import { createParser } from "eventsource-parser";
import { failWith } from "./failure.ts";
import type { ModelApi } from "./model_api.ts";
import type { ModelEvent } from "./model_event.ts";
import { parseObject } from "./read_fields.ts";

/** The longest event, and the longest reply in one piece, in bytes or UTF-16 units. */
const maxLength = 16 * 1024 * 1024;

/** The longest wait for the end of a reply after its last event, in milliseconds. */
const patience = 1_000;

/**
 * Each read of a reply fills the same buffer. With a new one, or with a reader that brings its own, a read takes 34 or 54 µs
 * of CPU in place of 24, and an answer has hundreds of reads; `npm run bench -- streams` has the time of a chunk.
 */
const bufferBytes = 16 * 1024;

/** A reply that is being read. */
export interface OpenReply {
  /**
   * The events of the next network read; none where it held no whole event. The last of all is `ended` or `failed`.
   *
   * @throws the reason of the signal.
   */
  read(): Promise<ModelEvent[]>;
  /** Must be called in the end, also where not everything was read. */
  close(): void;
}

/** Opens the reply of a model. When the signal aborts, it is given up. */
export function openReply(
  api: ModelApi,
  model: string,
  response: Response,
  signal: AbortSignal,
): OpenReply {
  const events = createEventParser(api, model);
  const source = response.body?.getReader({ mode: "byob" });
  // The signal that `fetch` got does not suffice: Deno loses it once the response is collected as garbage.
  const cancel = () => void source?.cancel().catch(() => {});
  signal.addEventListener("abort", cancel);
  let isDrained = false;
  let buffer = new ArrayBuffer(bufferBytes);

  return {
    async read() {
      signal.throwIfAborted();
      if (source === undefined) return events.end();
      let value: Uint8Array<ArrayBuffer> | undefined;
      let isBroken = false;
      try {
        ({ value } = await source.read(new Uint8Array(buffer)));
      } catch {
        isBroken = true;
      }
      signal.throwIfAborted();
      if (value === undefined || value.length === 0) return isBroken ? events.cut() : events.end();
      const read = events.feed(value);
      buffer = value.buffer;
      // A reply that has failed may go on without end.
      if (read.at(-1)?.type === "ended") {
        isDrained = true;
        void drain(source, buffer);
      }
      return read;
    },
    close() {
      signal.removeEventListener("abort", cancel);
      if (!isDrained) cancel();
    },
  };
}

function isLast(event: ModelEvent | undefined): boolean {
  return event?.type === "ended" || event?.type === "failed";
}

/**
 * Bytes in, events out, in whatever pieces the network delivers. Reads event streams and, whatever was asked for, a reply
 * that is one JSON object. A piece with nothing of interest is a sign of life. What cannot be read fails.
 */
export function createEventParser(
  { createReader }: Pick<ModelApi, "createReader">,
  model: string,
): { feed(bytes: Uint8Array): ModelEvent[]; end(): ModelEvent[]; cut(): ModelEvent[] } {
  let events: ModelEvent[] = [];
  let hasEvent = false;
  let isEnding = false;
  /** True if the last event of all has been returned. */
  let isOver = false;
  /** True if the last event was cut before its end. */
  let isTorn = false;
  /** The end of the text so far: at least four characters, or all of a shorter text. */
  let tail = "";
  /** Null until the first character is known. */
  let kind: "stream" | "object" | null = null;
  const object: string[] = [];
  let objectLength = 0;
  /** The beginning of a line that may be an error: the parser would drop it where it does not come in one piece. */
  let heldLine = "";
  let isMidLine = false;
  const decoder = new TextDecoder();
  const reader = createReader((event) => void events.push(event), model);
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent({ event, data }) {
      hasEvent = true;
      if (hasEnded()) return;
      try {
        // Not every event is parsed by its reader.
        if (isEnding && data !== "[DONE]") parseObject(data);
        reader.readEvent(event, data);
      } catch {
        if (!isEnding) fail("malformed_event");
        else isTorn = !ending.test(`${event} ${data.slice(0, 200)}`);
      }
    },
    onError({ type, field, value, line }) {
      if (type === "max-buffer-size-exceeded") fail("event_too_large");
      if (type !== "unknown-field" || hasEnded()) return;
      try {
        // GPUStack writes a failure as a line of its own: `error: {…}`. Gateways add the body that they have for errors.
        if (line?.startsWith(errorLines[1])) reader.readEvent("error", line);
        else if (field === "error" && value) {
          reader.readEvent("error", value.startsWith("{") ? `{"error":${value}}` : value);
        }
      } catch {
        fail("malformed_event");
      }
    },
  });

  function feedText(text: string): void {
    kind ??= kindOf(text);
    tail = text.length < 4 ? tail + text : text;
    if (kind === "stream") feedLines(text);
    if (kind !== "object") return;
    object.push(text);
    objectLength += text.length;
    if (objectLength > maxLength) fail("reply_too_large");
  }
  function feedLines(piece: string): void {
    const text = heldLine + piece;
    const lastLine = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
    const isHeld = !(isMidLine && lastLine === 0) && beginsError(text.slice(lastLine));
    heldLine = isHeld ? text.slice(lastLine) : "";
    if (text !== "") isMidLine = !isHeld && lastLine < text.length;
    parser.feed(isHeld ? text.slice(0, lastLine) : text);
  }
  function readObject(): void {
    try {
      reader.readWhole(parseObject(object.join("")));
    } catch {
      // It was cut, which its end says too.
    }
  }
  function hasEnded(): boolean {
    return isOver || isLast(events.at(-1));
  }
  function readEnd(isBroken: boolean): void {
    if (!hasEnded()) reader.readEnd(isBroken);
  }
  function fail(code: string): void {
    if (!hasEnded()) events.push({ type: "failed", failure: failWith(code) });
  }
  function take(): ModelEvent[] {
    const taken = events.length === 0 && hasEvent ? [alive] : events;
    events = [];
    hasEvent = false;
    isOver ||= isLast(taken.at(-1));
    return taken;
  }

  return {
    feed(bytes) {
      feedText(decoder.decode(bytes, { stream: true }));
      return take();
    },
    cut() {
      readEnd(true);
      return take();
    },
    end() {
      isEnding = true;
      feedText(decoder.decode());
      if (kind === "object") readObject();
      else if (kind === "stream" && !blankLine.test(tail.slice(-4))) {
        // The last event may lack no more than its empty line.
        hasEvent = false;
        parser.feed(`${heldLine}\n\n`);
        if (isTorn || !hasEvent) readEnd(true);
      }
      readEnd(false);
      return take();
    },
  };
}

const blankLine = /(?:\n\n|\n\r\n?|\r\r\n?)$/;
/** An event of which nothing is missed where all items have ended before it. */
const ending = /response\.(?:completed|done)\b/;

/** No line of an event stream begins with a brace. Gemini writes its errors as a list. */
function kindOf(text: string): "stream" | "object" | null {
  const [first] = /\S/.exec(text) ?? [];
  return first === undefined ? null : first === "{" || first === "[" ? "object" : "stream";
}

/** Lines that are no part of an event stream, with which some servers report a failure in it. */
const errorLines = ["error:", '{"error"'] as const;
/** The longest of these lines, in UTF-16 units. */
const maxErrorLine = 64 * 1024;

/** Returns whether a line that has not ended may become one of these. */
function beginsError(line: string): boolean {
  return line !== "" && line.length < maxErrorLine &&
    errorLines.some((beginning) => beginning.startsWith(line.slice(0, beginning.length)));
}

const alive: ModelEvent = { type: "alive" };

/** Reads what follows the last event, so that the connection can be used again. A server that does not end is left. */
async function drain(reader: ReadableStreamBYOBReader, buffer: ArrayBuffer): Promise<void> {
  const timer = setTimeout(() => reader.cancel().catch(() => {}), patience);
  try {
    while (true) {
      const { value, done } = await reader.read(new Uint8Array(buffer));
      if (value !== undefined) buffer = value.buffer;
      if (done) break;
    }
  } catch {
    // The connection broke: it will not be used again.
  } finally {
    clearTimeout(timer);
  }
}
