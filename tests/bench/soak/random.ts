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
  let state = seed >>> 0;
  // The algorithm is Mulberry32.
  function number(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
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
