import { eventually } from "./eventually.ts";

/** A span as a collector gets it, with its attributes as values. */
export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  name: string;
  /** 2 for a server, 3 for a client. */
  kind: number;
  /** 2 for a failure. */
  status: number;
  /** Milliseconds since 1970, with fractions. */
  startedAt: number;
  endedAt: number;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
};

/** A server that takes spans by OTLP over HTTP. */
export type TraceCollector = AsyncDisposable & {
  url: string;
  /** The requests so far: their paths, headers and bodies. */
  requests: { path: string; headers: Headers; body: string }[];
  /** The status of its replies: 200 unless a test sets another. */
  status: number;
  /** The spans so far, in the order of their arrival. */
  spans(): ReceivedSpan[];
  /** Waits until a span of a trace fits, and returns all spans of the trace. */
  traceWith(traceId: string, fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan[]>;
};

/** Starts one. */
export function startTraceCollector(): TraceCollector {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname: path } = new URL(request.url);
    self.requests.push({ path, headers: request.headers, body: await request.text() });
    return Response.json({}, { status: self.status });
  });
  const self: TraceCollector = {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests: [],
    status: 200,
    spans: () => self.requests.flatMap(({ body }) => readSpans(body)),
    async traceWith(traceId, fits) {
      const ofTrace = () => self.spans().filter((span) => span.traceId === traceId);
      await eventually(() => {
        if (ofTrace().some(fits)) return true;
        throw new Error(`There are only ${ofTrace().map(({ name }) => name).join(", ")}`);
      }, "the collector has the span");
      return ofTrace();
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return self;
}

type Value = {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: number | string;
  doubleValue?: number;
  arrayValue?: { values: Value[] };
};
type Attributes = { key: string; value: Value }[];

/** Reads a body of `/v1/traces`, as opentelemetry-proto describes its JSON. */
function readSpans(body: string): ReceivedSpan[] {
  // deno-lint-ignore no-explicit-any
  return JSON.parse(body).resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    // deno-lint-ignore no-explicit-any
    scopeSpans.flatMap(({ spans }: any) =>
      // deno-lint-ignore no-explicit-any
      spans.map((span: any): ReceivedSpan => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? "",
        name: span.name,
        kind: span.kind,
        status: span.status?.code ?? 0,
        startedAt: Number(span.startTimeUnixNano) / 1e6,
        endedAt: Number(span.endTimeUnixNano) / 1e6,
        attributes: readAttributes(span.attributes),
        resource: readAttributes(resource.attributes),
      }))
    )
  );
}

function readAttributes(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]));
}

function readValue({ stringValue, boolValue, intValue, doubleValue, arrayValue }: Value): unknown {
  if (intValue !== undefined) return Number(intValue);
  return stringValue ?? boolValue ?? doubleValue ?? arrayValue?.values.map(readValue);
}
