import { createServer } from "node:http";
import { concat } from "../../shared/libs/base/std/bytes.ts";

/**
 * Serves a stand-in at the port that the variable `PORT` names. Not with `Deno.serve`: that of Deno 2.9.5 closes a
 * connection after each request of more than 1 KB, that of 2.1.4 holds small pieces back for 40 ms. Both would be counted
 * for those who call.
 */
export function serveStandingIn(handle: (request: Request) => Promise<Response>): void {
  const server = createServer(async (incoming, outgoing) => {
    const body = concat(await Array.fromAsync<Uint8Array>(incoming));
    const { status, headers, body: reply } = await handle(
      new Request(`http://127.0.0.1${incoming.url}`, {
        method: incoming.method,
        headers: incoming.headers as Record<string, string>,
        body: body.length > 0 ? body : null,
      }),
    );
    outgoing.writeHead(status, Object.fromEntries(headers));
    for await (const piece of reply ?? []) outgoing.write(piece);
    outgoing.end();
  });
  server.keepAliveTimeout = 60_000;
  server.listen(Number(Deno.env.get("PORT")), "127.0.0.1");
}
