import { type Host, Loading } from "./loading.ts";

/** A page of a list, as the service gives it. */
export type Page<Item> = { data: Item[]; next_cursor?: string | null };

type Pages<Item> = { items: Item[]; next: string | null };

/** A list that grows by a page at a time. */
export class PagedList<Item extends object> {
  readonly #loading: Loading<Pages<Item>>;
  /** How many pages are shown, or are to be. */
  #pages = 1;

  constructor(host: Host, readPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>) {
    this.#loading = new Loading(host, async (signal) => {
      const items: Item[] = [];
      let next: string | null = null;
      for (let page = 0; page < this.#pages; page++) {
        const { data, next_cursor } = await readPage(next ?? undefined, signal);
        items.push(...data);
        next = next_cursor ?? null;
        if (next === null) break;
      }
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
