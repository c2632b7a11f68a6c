import type { TraceContext } from "./trace_context.ts";

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
