export const eventStreamHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-transform",
  // Proxies of the nginx family hold a stream back without it.
  "X-Accel-Buffering": "no",
};

const encoder = new TextEncoder();
const ping = encoder.encode(": ping\n\n");

/** An event as text: `data: ` with exactly one space before every line. */
export function formatEvent({ event, id, data }: { event?: string; id?: string; data: string }): string {
  const head = (event === undefined ? "" : `event: ${event}\n`) + (id === undefined ? "" : `id: ${id}\n`);
  return head + formatData(data);
}

/** One event for every piece, in the form of the interface: only data, neither a name nor an id. */
export function formatEvents(pieces: string[]): string {
  return pieces.map(formatData).join("");
}

function formatData(data: string): string {
  return `data: ${data.replaceAll(/\r\n?|\n/g, "\ndata: ")}\n\n`;
}

/** A stream of server-sent events, and the ways to feed it. */
export interface EventStream {
  stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Settles when the reply headers should leave. */
  begun: Promise<void>;
  /** Returns whether they should have left: from then on, a failure is no longer the reply itself. */
  hasBegun(): boolean;
  send(events: string): void;
  /** Ends the stream: cleanly, or broken off with an error. */
  end(error?: Error): void;
  /** Returns whether it has not ended and its reader has not left. */
  isOpen(): boolean;
  /** Settles when it has ended or its reader has left. */
  closed: Promise<void>;
  /** Returns the number of sends that the reader has not taken yet. */
  unread(): number;
}

/**
 * A sink for server-sent events that can be read as a stream. `begun` settles when the reply headers should leave: with
 * the first event, or after `quiet` milliseconds without any. It rejects where the stream ends with an error before that.
 * After every `quiet` milliseconds without an event the stream carries a comment, so that proxies keep it open.
 *
 * When its reader leaves, the sink still takes what is written. Nothing waits for a slow reader. Hono's own `streamSSE`
 * would not do: it ends cleanly when its source fails, which readers would take for a whole reply.
 */
export function createEventStream(quiet: number): EventStream {
  const begun = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  let isOpen = true;
  let hasBegun = false;
  let failure: Error | undefined;
  let sentAt = performance.now();
  let timer = setTimeout(onQuiet, quiet);

  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(created) {
      controller = created;
    },
    pull() {
      // Called when the reader has taken everything that was sent.
      if (failure) breakOff(failure);
    },
    cancel: close,
  });

  /** Waits a moment: a server that is still to send the headers, or what it has read, would drop both. */
  function breakOff(error: Error) {
    setTimeout(() => controller.error(error));
  }

  function enqueue(bytes: Uint8Array<ArrayBuffer>) {
    hasBegun = true;
    begun.resolve();
    if (isOpen) controller.enqueue(bytes);
    sentAt = performance.now();
  }
  // Resetting the timer takes 5.6 µs of CPU for each event, 17 on the functions' Deno. Instead, it checks the clock when it
  // fires; `npm run bench -- streams` has the CPU of a stream.
  function onQuiet() {
    const rest = sentAt + quiet - performance.now();
    if (rest <= 0) enqueue(ping);
    timer = setTimeout(onQuiet, rest > 0 ? rest : quiet);
  }
  function close() {
    isOpen = false;
    clearTimeout(timer);
    closed.resolve();
  }

  return {
    stream,
    begun: begun.promise,
    hasBegun: () => hasBegun,
    send: (events) => enqueue(encoder.encode(events)),
    end(error) {
      if (error) begun.reject(error);
      else begun.resolve();
      if (!isOpen) return;
      close();
      if (!error) return controller.close();
      failure = createBreak();
      // An error drops what is still to be read. Where something is, `pull` breaks the stream off afterwards.
      if ((controller.desiredSize ?? 0) > 0) breakOff(failure);
    },
    isOpen: () => isOpen,
    closed: closed.promise,
    unread: () => 1 - (controller.desiredSize ?? 1),
  };
}

/**
 * The error that a stream is broken off with. The server prints it. Therefore it is not the failure itself, whose causes
 * can quote prompts and keys, and it prints like any other log line.
 */
function createBreak(): Error {
  const printed = JSON.stringify({ level: "warn", event: "stream_broken_off" });
  return Object.assign(new Error("The stream was broken off"), { [Symbol.for("Deno.customInspect")]: () => printed });
}
