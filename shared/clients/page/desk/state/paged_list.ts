import { type Host, Loading } from "./loading.ts";

/** A page of a list, as the service gives it. */
export type Page<Item> = { data: Item[]; next_cursor?: string | null };

type Pages<Item> = { items: Item[]; next: string | null };

/** Which page is read, and how much of it. */
export type PageQuery = { cursor: string | undefined; limit: number };

const pageSize = 20;
/** What the service gives at most at once. */
const maxLimit = 100;

/** A list that grows by a page at a time. What is shown is always read anew as a whole, in as few requests as it takes. */
export class PagedList<Item extends object> {
  readonly #loading: Loading<Pages<Item>>;
  /** How many pages are shown, or are to be. */
  #pages = 1;

  constructor(host: Host, readPage: (query: PageQuery, signal: AbortSignal) => Promise<Page<Item>>) {
    this.#loading = new Loading(host, async (signal) => {
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

  /** Null until they were read. */
  get items(): Item[] | null {
    return this.#loading.value?.items ?? null;
  }
  get hasMore(): boolean {
    return this.#loading.value?.next != null;
  }
  get isBusy(): boolean {
    return this.#loading.isBusy;
  }
  get error(): unknown {
    return this.#loading.error;
  }

  /** Reads another list: the filter has changed. */
  async restart(): Promise<void> {
    this.#pages = 1;
    this.#loading.clear();
    await this.#loading.load();
  }
  /** Reads all anew that is shown. */
  async refresh(): Promise<void> {
    await this.#loading.load();
  }
  async more(): Promise<void> {
    if (this.isBusy) return;
    this.#pages++;
    await this.#loading.load();
    // Asking again asks for the same page.
    if (this.error !== null) this.#pages--;
  }
}
