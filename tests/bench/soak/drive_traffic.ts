import { createZipfText } from "../zipf_text.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { makeMistake, operations } from "./operations.ts";
import { createRandom } from "./random.ts";
import type { SoakTarget } from "./target.ts";

const mistakes = 0.02;

/**
 * Makes clients perform one operation after the other at full speed, and records the promises in the replies. The seed
 * decides the operations of each client; which requests run at the same time depends on the machine.
 *
 * @param options.clients the number of clients
 * @param options.goesOn called before every operation with the number of operations so far; false ends the traffic
 */
export async function driveTraffic(
  target: SoakTarget,
  { seed, clients, goesOn }: { seed: number; clients: number; goesOn: (operations: number) => boolean },
): Promise<Ledger> {
  const ledger = createLedger();
  const text = createZipfText(seed);
  await Promise.all(Array.from({ length: clients }, async (_, client) => {
    const random = createRandom(seed + client);
    while (goesOn(ledger.operations)) {
      ledger.operations++;
      const operate = random.chance(mistakes) ? makeMistake : random.weigh(operations);
      await operate({ target, ledger, random, text });
    }
  }));
  return ledger;
}
