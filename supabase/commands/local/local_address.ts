import { delay } from "../../../shared/base/std/async.ts";

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

/** A port that was free a moment ago. */
export function freePort(): number {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return listener.addr.port;
}

/** Returns true if a URL is on this machine. */
export function isThisMachine({ hostname }: URL): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
}
