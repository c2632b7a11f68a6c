import type { Quirks, Sent } from "./quirks.ts";
import type { ModelEvent } from "./model_event.ts";
import type { ModelRequest } from "./model_request.ts";

/** One of the APIs that servers of models speak. */
export interface ModelApi {
  /** The path of requests, below the address of the server. The reply is a stream of events, or JSON. */
  path: `/${string}`;
  /** The body of a request, to be sent as JSON. */
  writeBody(asked: AskedModel): unknown;
  /** The optional parts that a request has. */
  describe(asked: AskedModel): Sent;
  /** Reads one reply of a model. What it tells goes to `emit`. */
  createReader(emit: (event: ModelEvent) => void, model: string): ReplyReader;
}

/** A request, its model, and the quirks of that model. */
export type AskedModel = { request: ModelRequest; model: string; quirks: Quirks };

/**
 * Reads a reply, whose events come one by one, or which comes whole. Exactly one `ended` or `failed` is emitted, as the
 * last event. Each method may throw where it is given something that no server of this API should send.
 */
export interface ReplyReader {
  /** An event of the stream: its name, if it has one, and its data. */
  readEvent(name: string | undefined, data: string): void;
  /** A reply that is one JSON object. */
  readWhole(reply: Record<string, unknown>): void;
  /** The reply has ended, without an event that says so or with one too many, or has broken off. */
  readEnd(isBroken: boolean): void;
}
