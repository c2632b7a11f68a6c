/**
 * Does at least one step, and more while there are any and `mayGoOn` allows.
 *
 * @param step returns whether there are more
 * @returns whether there are still more
 */
export async function repeat(step: () => Promise<boolean>, mayGoOn: () => boolean): Promise<boolean> {
  let hasMore: boolean;
  do hasMore = await step(); while (hasMore && mayGoOn());
  return hasMore;
}
