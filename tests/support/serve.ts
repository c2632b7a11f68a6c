/** Serves HTTP on a free port of this machine, until it is disposed of. */
export function serve(
  answer: (request: Request) => Response | Promise<Response>,
): AsyncDisposable & { url: string } {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, answer);
  return { url: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}
