import { createZipfText } from "../bench/zipf_text.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { makeMistake, operations } from "./operations.ts";
import { createRandom } from "./random.ts";
import type { SoakTarget } from "./target.ts";

const mistakes = 0.02;

/**
 * Has clients do one thing after the other, all at full speed, and writes down what they were promised. The seed
 * decides what each of them does; which of their requests meet is up to the machine.
 *
 * @param options.clients how many there are at once
 * @param options.goesOn asked before every operation, with the number of those so far
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
