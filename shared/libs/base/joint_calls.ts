/** Makes calls that come at the same time together. */
export interface JointCalls<Item, Reply> {
  /**
   * Makes a call: at once while few are under way, otherwise together with those that arrive until one of them has ended,
   * or until `maxWait` has passed.
   *
   * @throws what the call throws. Calls that are made together fail together, unless `isSplit`: then each is made again by
   * itself.
   */
  call(item: Item): Promise<Reply>;
  /** Makes those that wait, and settles when that has been tried. Never rejects. */
  flush(): Promise<void>;
}

type Waiting<Item, Reply> = { item: Item; resolve: (reply: Reply) => void; reject: (error: unknown) => void };

/**
 * Joins calls.
 *
 * @param callTogether makes calls together, and returns their replies in the same order
 * @param options.isSplit whether each of some calls is made by itself after such a failure of all
 * @param options.atOnce the number of calls under way with which further ones wait
 * @param options.most the most calls that are made together
 * @param options.maxWait milliseconds that a call waits for those under way: a lock may hold them up
 */
export function createJointCalls<Item, Reply>(
  callTogether: (items: Item[]) => Promise<Reply[]>,
  { isSplit, atOnce = 1, most = Infinity, maxWait = 250 }: {
    isSplit: (error: unknown) => boolean;
    atOnce?: number;
    most?: number;
    maxWait?: number;
  },
): JointCalls<Item, Reply> {
  const waiting: Waiting<Item, Reply>[] = [];
  let underWay = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const together = waiting.splice(0, most);
    if (waiting.length > 0) timer = setTimeout(flush, maxWait);
    underWay++;
    await make(together);
    underWay--;
    void flush();
  }

  async function make(together: Waiting<Item, Reply>[]): Promise<void> {
    try {
      const replies = await callTogether(together.map(({ item }) => item));
      for (const [index, { resolve }] of together.entries()) resolve(replies[index]!);
    } catch (error) {
      if (together.length > 1 && isSplit(error)) await Promise.all(together.map((each) => make([each])));
      else for (const { reject } of together) reject(error);
    }
  }

  return {
    call: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (underWay < atOnce) void flush();
        else timer ??= setTimeout(flush, maxWait);
      }),
    flush,
  };
}
