import type { Interrupt } from "./command.ts";

/** CI systems send one or the other. Windows has no SIGTERM. */
const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];

/** Catches the first Ctrl-C. A second one ends the program. */
export function catchInterrupt(): Interrupt {
  const controller = new AbortController();
  const dispose = () => {
    for (const signal of signals) Deno.removeSignalListener(signal, interrupt);
  };
  const interrupt = () => {
    dispose();
    controller.abort();
  };
  for (const signal of signals) Deno.addSignalListener(signal, interrupt);
  return { signal: controller.signal, [Symbol.dispose]: dispose };
}
