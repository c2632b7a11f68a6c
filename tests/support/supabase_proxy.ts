import { proxy } from "hono/proxy";

/**
 * The fate of a request. Not passed on: `refuse` (503), `early` (401, the clock of PostgREST is behind that of the
 * gateway), `load` (503, PostgREST is reading the schema) and `hang` (no reply). Passed on, but without its reply: `lose`
 * (the connection breaks) and `stall` (no reply). A function that decides it may also take its time.
 */
export type Fault = "pass" | keyof typeof refusals | "hang" | "lose" | "stall";

/** What PostgREST refuses a request with, before Postgres sees it. */
const refusals = {
  refuse: [503, "PGRST000", "arranged"],
  early: [401, "PGRST303", "JWT issued at future"],
  load: [503, "PGRST002", "Could not query the database for the schema cache. Retrying."],
} as const;

function refuse(fault: keyof typeof refusals): Response {
  const [status, code, message] = refusals[fault];
  return Response.json({ code, message, details: null, hint: null }, { status });
}

/** A proxy between the functions and Supabase that can fail on purpose. */
export type SupabaseProxy = AsyncDisposable & {
  url: string;
  /** The address of the project's functions, for functions that call each other. */
  functionsUrl: string;
  /** Paths of the requests so far, oldest first. */
  requests: string[];
  /** The header `traceparent` of each of them; null where it has none. */
  traceparents: (string | null)[];
  /**
   * Decides the fate of further requests, by their path and the bytes of their body.
   */
  fault: Fault | ((path: string, size: number) => Fault | Promise<Fault>);
  /** Ends all faults, also those of requests that still wait for a reply: these are refused. Disposing does so, too. */
  recover(): void;
  /** Resolves when all requests that were passed on so far have been answered. */
  idle(): Promise<void>;
};

/**
 * Starts a proxy in front of a Supabase project.
 *
 * @param options losesReplies: true if replies may be lost, for which every byte passes through one more server
 */
export function startSupabaseProxy(target: string, { losesReplies = false } = {}): SupabaseProxy {
  const released = Promise.withResolvers<void>();
  const underway = new Set<Promise<Response>>();
  const refusal = () => refuse("refuse");
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request, { remoteAddr }) => {
    const { pathname, search } = new URL(request.url);
    self.requests.push(pathname);
    self.traceparents.push(request.headers.get("traceparent"));
    const fault = typeof self.fault === "function" ? await self.fault(pathname, sizeOf(request)) : self.fault;
    if (fault === "hang") await released.promise;
    if (fault === "hang") return refusal();
    if (fault in refusals) return refuse(fault as keyof typeof refusals);
    const [, functionPath] = /^\/functions\/v1(\/.*)$/.exec(pathname) ?? [];
    const origin = functionPath ? self.functionsUrl + functionPath : target + pathname;
    // Fails where the function breaks its request off.
    const answering = proxy(origin + search, { raw: request }).catch(refusal);
    underway.add(answering);
    const answer = await answering;
    underway.delete(answering);
    if (fault === "pass") return answer;
    await answer.arrayBuffer();
    if (fault === "stall") await released.promise;
    else if (gate !== null) gate.breakOff(remoteAddr.port);
    else throw new TypeError("A reply can be lost only with the option losesReplies");
    return refusal();
  });
  const gate = losesReplies ? startGate(server.addr.port) : null;
  const self: SupabaseProxy = {
    url: `http://127.0.0.1:${(gate ?? server.addr).port}`,
    functionsUrl: "",
    requests: [],
    traceparents: [],
    fault: "pass",
    recover() {
      self.fault = "pass";
      released.resolve();
    },
    idle: async () => void await Promise.all(underway),
    async [Symbol.asyncDispose]() {
      self.recover();
      gate?.close();
      await server.shutdown();
    },
  };
  return self;
}

function sizeOf(request: Request): number {
  return Number(request.headers.get("Content-Length") ?? 0);
}

/** Passes connections on to a server on this machine; unlike the server, it can break them without a reply. */
function startGate(serverPort: number) {
  const hostname = "127.0.0.1";
  const listener = Deno.listen({ hostname, port: 0 });
  /** The connections by the port that the server sees. */
  const clients = new Map<number, Deno.TcpConn>();

  async function letThrough(client: Deno.TcpConn) {
    const inner = await Deno.connect({ hostname, port: serverPort }).catch(() => null);
    // The server was closed at this moment.
    if (inner === null) return client.close();
    clients.set(inner.localAddr.port, client);
    await Promise.all([passOn(client, inner), passOn(inner, client)]);
    for (const each of [client, inner]) close(each);
    clients.delete(inner.localAddr.port);
  }
  void (async () => {
    for await (const client of listener) void letThrough(client);
  })();

  return {
    port: listener.addr.port,
    breakOff(port: number) {
      const client = clients.get(port);
      if (client !== undefined) close(client);
    },
    close: () => listener.close(),
  };
}

/** Copies what one side sends to the other. A loop, since pipes of streams take several times its CPU time. */
async function passOn(from: Deno.TcpConn, to: Deno.TcpConn): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (let size = await from.read(buffer); size !== null; size = await from.read(buffer)) {
      for (let sent = 0; sent < size;) sent += await to.write(buffer.subarray(sent, size));
    }
    await to.closeWrite();
  } catch {
    // One side broke off, which the other must notice.
    for (const each of [from, to]) close(each);
  }
}

/** Closes a connection that may have been closed already. */
function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // It has been.
  }
}
