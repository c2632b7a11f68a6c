/** The place of a request in a trace, which other services may have begun. */
export type TraceContext = {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** The span of the caller, in 16 hexadecimal digits; null: the trace begins here. */
  parentId: string | null;
  /** False if the caller does not record this trace. */
  isSampled: boolean;
};

/** Version, trace, parent and flags, as W3C Trace Context writes them. Later versions may add more at the end. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Reads the header `traceparent`. If it is missing or malformed, a new trace begins: nothing of a malformed header is
 * kept. `tracestate` and `baggage` are never read, since they can hold any text.
 */
export function readTraceContext(header: string | undefined): TraceContext {
  const [, version, traceId = "", parentId = "", flags = "", more] = form.exec(header ?? "") ?? [];
  const isKnown = version !== undefined && version !== "ff" && (version !== "00" || more === undefined);
  if (!isKnown || /^0*$/.test(traceId) || /^0*$/.test(parentId)) {
    return { traceId: newId(16), parentId: null, isSampled: true };
  }
  return { traceId, parentId, isSampled: (parseInt(flags, 16) & 1) === 1 };
}

/** Writes the header `traceparent` for a request to another service. */
export function writeTraceparent({ traceId, isSampled }: TraceContext, spanId: string): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** A random id of a trace (16 bytes) or span (8 bytes), in hexadecimal digits. */
export function newId(bytes: 8 | 16): string {
  const parts = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(parts, (part) => part.toString(16).padStart(2, "0")).join("");
}

/** Attributes of a span, named after OpenTelemetry's conventions. They never hold a key, a user's text or a query. */
export type SpanAttributes = Record<string, string | number | boolean | string[] | undefined>;

/** A span that has ended. */
export type EndedSpan = {
  context: TraceContext;
  id: string;
  /** The span that it is a part of; null: the trace begins with it. */
  parentId: string | null;
  kind: "server" | "client";
  name: string;
  /** Milliseconds since 1970, with fractions. */
  startedAt: number;
  endedAt: number;
  attributes: SpanAttributes;
  hasFailed: boolean;
};
