import { proxy } from "hono/proxy";

/**
 * What happens to a request: `refuse` answers 503 and `hang` nothing, without passing it on; `lose` and `stall` pass it
 * on and keep the answer back: one breaks the connection instead, the other lets it wait.
 */
export type Fault = "pass" | "refuse" | "hang" | "lose" | "stall";

/** A stretch of road between the functions and Supabase on which accidents can be arranged. */
export type SupabaseProxy = AsyncDisposable & {
  url: string;
  /** Where the functions of the project are, for functions that call each other. */
  functionsUrl: string;
  /** Paths of the requests so far, oldest first. */
  requests: string[];
  /** What happens to requests from now on; `pass` again ends it. What waits is let go by disposing. */
  fault: Fault | ((path: string) => Fault | Promise<Fault>);
};

/** Starts a proxy in front of a Supabase project. */
export function startSupabaseProxy(target: string): SupabaseProxy {
  const released = Promise.withResolvers<void>();
  const refusal = () => Response.json({ code: "PGRST000", message: "arranged" }, { status: 503 });
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request, { remoteAddr }) => {
    const { pathname, search } = new URL(request.url);
    self.requests.push(pathname);
    const fault = typeof self.fault === "function" ? await self.fault(pathname) : self.fault;
    if (fault === "hang") await released.promise;
    if (fault === "hang" || fault === "refuse") return refusal();
    const [, functionPath] = /^\/functions\/v1(\/.*)$/.exec(pathname) ?? [];
    const origin = functionPath ? self.functionsUrl + functionPath : target + pathname;
    const answer = await proxy(origin + search, { raw: request });
    if (fault === "pass") return answer;
    await answer.arrayBuffer();
    if (fault === "lose") gate.breakOff(remoteAddr.port);
    else await released.promise;
    return refusal();
  });
  const gate = startGate(server.addr.port);
  const self: SupabaseProxy = {
    url: `http://127.0.0.1:${gate.port}`,
    functionsUrl: "",
    requests: [],
    fault: "pass",
    async [Symbol.asyncDispose]() {
      released.resolve();
      gate.close();
      await server.shutdown();
    },
  };
  return self;
}

/** Lets connections through to a server of this machine; unlike the server itself, it can break them without an answer. */
function startGate(serverPort: number) {
  const hostname = "127.0.0.1";
  const listener = Deno.listen({ hostname, port: 0 });
  /** By the port that the server sees. */
  const clients = new Map<number, Deno.TcpConn>();

  async function letThrough(client: Deno.TcpConn) {
    const inner = await Deno.connect({ hostname, port: serverPort }).catch(() => null);
    // The server has just been closed.
    if (inner === null) return client.close();
    clients.set(inner.localAddr.port, client);
    await Promise.allSettled([client.readable.pipeTo(inner.writable), inner.readable.pipeTo(client.writable)]);
    clients.delete(inner.localAddr.port);
  }
  void (async () => {
    for await (const client of listener) void letThrough(client);
  })();

  return {
    port: listener.addr.port,
    breakOff: (port: number) => clients.get(port)?.close(),
    close: () => listener.close(),
  };
}
