import { Loading } from "./work.ts";

/** A page of a list, as the service returns it. */
export type Page<Item> = { data: Item[]; next_cursor?: string | null };

type Pages<Item> = { items: Item[]; next: string | null };

/** The place and the length of a page that is asked for. */
export type PageQuery = { cursor: string | undefined; limit: number };

const pageSize = 20;
/** The largest page that the service returns. */
const maxLimit = 100;

/** A list that grows by a page at a time. A refresh reads all pages that are shown, in as few requests as possible. */
export class PagedList<Item extends object> extends Loading<Pages<Item>> {
  /** The number of pages that are shown or asked for. */
  #pages = 1;

  constructor(readPage: (query: PageQuery, signal: AbortSignal) => Promise<Page<Item>>) {
    super(async (signal) => {
      const wanted = this.#pages * pageSize;
      const limit = Math.min(wanted, maxLimit);
      const items: Item[] = [];
      let next: string | null = null;
      do {
        const { data, next_cursor }: Page<Item> = await readPage({ cursor: next ?? undefined, limit }, signal);
        items.push(...data);
        next = next_cursor ?? null;
      } while (next !== null && items.length < wanted);
      return { items, next };
    });
  }

  /** Null until the list was read. */
  get items(): Item[] | null {
    return this.value?.items ?? null;
  }
  get hasMore(): boolean {
    return this.value?.next != null;
  }

  /** Reads the list from the start, after its filter has changed. */
  async restart(): Promise<void> {
    this.#pages = 1;
    this.clear();
    await this.load();
  }
  async more(): Promise<void> {
    if (this.isBusy) return;
    this.#pages++;
    await this.load();
    // The next attempt asks for the same page.
    if (this.error !== null) this.#pages--;
  }
}
