import { createRandom as createNumbers } from "../random.ts";

/** Random draws from a seed. */
export type Random = {
  /** A number from 0 to below 1. */
  number(): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** One of the items; there must be at least one. */
  pick<Item>(items: readonly Item[]): Item;
  /** One of the items, drawn by their weights. */
  weigh<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item;
};

/** Starts a sequence of draws. */
export function createRandom(seed: number): Random {
  const number = createNumbers(seed);
  return {
    number,
    chance: (probability) => number() < probability,
    pick: (items) => items[Math.floor(number() * items.length)]!,
    weigh(items) {
      let rest = number() * items.reduce((sum, [weight]) => sum + weight, 0);
      return (items.find(([weight]) => (rest -= weight) < 0) ?? items.at(-1)!)[1];
    },
  };
}
