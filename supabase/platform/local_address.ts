import { delay } from "../../shared/libs/base/std/async.ts";

/** Waits until something answers at a URL, with any status. @throws {Error} after `patience` milliseconds. */
export async function waitForAnswer(url: string, patience = 120_000): Promise<void> {
  const end = performance.now() + patience;
  while (performance.now() < end) {
    const response = await fetch(url).catch(() => null);
    await response?.body?.cancel();
    if (response) return;
    await delay(50);
  }
  throw new Error(`Nothing answers at ${url}`);
}

let ports = 0;

/**
 * A free port that stays free until it is used: it is below those that the system gives to connections and to whoever
 * asks for any, and other processes try others first. It is above 10,080, the highest that `fetch` refuses.
 */
export function freePort(): number {
  while (true) {
    const port = 11_000 + (Deno.pid * 16 + ports++) % 20_000;
    try {
      Deno.listen({ port, hostname: "127.0.0.1" }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/** Returns true if a URL is on this machine. */
export function isThisMachine({ hostname }: URL): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
}
