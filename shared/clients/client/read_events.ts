import { type EventSourceMessage, EventSourceParserStream } from "eventsource-parser/stream";

/** The server-sent events of a reply. If the reader stops, the connection ends. */
export async function* readEvents({ body }: Response): AsyncGenerator<EventSourceMessage> {
  if (body === null) throw new Error("The reply has no body");
  // Not every browser can iterate over a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
