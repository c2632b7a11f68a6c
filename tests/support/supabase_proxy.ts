import { proxy } from "hono/proxy";

/** A stretch of road between the functions and Supabase on which accidents can be arranged. */
export type SupabaseProxy = AsyncDisposable & {
  url: string;
  /** Where the functions of the project are, for functions that call each other. */
  functionsUrl: string;
  /** Paths of the requests so far, oldest first. */
  requests: string[];
  /** What happens to requests from now on; `pass` again ends it. Hung requests are let go by disposing. */
  fault: "pass" | "refuse" | "hang" | ((path: string) => "pass" | "refuse" | "hang");
};

/** Starts a proxy in front of a Supabase project. */
export function startSupabaseProxy(target: string): SupabaseProxy {
  const released = Promise.withResolvers<void>();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    self.requests.push(pathname);
    const fault = typeof self.fault === "function" ? self.fault(pathname) : self.fault;
    if (fault === "hang") await released.promise;
    if (fault !== "pass") return Response.json({ code: "PGRST000", message: "arranged" }, { status: 503 });
    const [, functionPath] = /^\/functions\/v1(\/.*)$/.exec(pathname) ?? [];
    const origin = functionPath ? self.functionsUrl + functionPath : target + pathname;
    return await proxy(origin + search, { raw: request });
  });
  const self: SupabaseProxy = {
    url: `http://127.0.0.1:${server.addr.port}`,
    functionsUrl: "",
    requests: [],
    fault: "pass",
    async [Symbol.asyncDispose]() {
      released.resolve();
      await server.shutdown();
    },
  };
  return self;
}
