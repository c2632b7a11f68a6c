import { ServiceError } from "../../../client/service_error.ts";
import { Observable } from "../../ui/observable.ts";

/** Something that is asked of the service. It may be under way, and it may have failed. */
export abstract class Work extends Observable {
  isBusy = false;
  error: unknown = null;
  onFailure: (error: unknown) => void = () => {};

  /** True if what was asked for is not there, or not any more. */
  get isGone(): boolean {
    return this.error instanceof ServiceError && this.error.status === 404;
  }

  protected begin(): void {
    this.isBusy = true;
    this.changed();
  }

  protected end(error: unknown = null): void {
    this.isBusy = false;
    this.error = error;
    if (error !== null) this.onFailure(error);
    this.changed();
  }
}

/** A command of the expert. It runs once, however often its button is pressed. */
export class Action extends Work {
  /** Runs a command, unless another one is under way. Returns true if it succeeded. */
  async run(act: () => Promise<unknown>): Promise<boolean> {
    return await this.ask(act) !== null;
  }

  /** The same for a command with a reply. Returns it in an object; null if the command did not succeed. */
  async ask<Reply>(act: () => Promise<Reply>): Promise<{ reply: Reply } | null> {
    if (this.isBusy) return null;
    this.error = null;
    this.begin();
    try {
      const reply = await act();
      this.end();
      return { reply };
    } catch (error) {
      this.end(error);
      return null;
    }
  }
}

/** The options of a request that may be canceled. */
export type Cancelable = { signal: AbortSignal };

/** A value that is read from the service. While it is read again, the last one stays. */
export class Loading<Value> extends Work {
  value: Value | null = null;

  readonly #read: (options: Cancelable) => Promise<Value>;
  #current: AbortController | null = null;

  constructor(read: (options: Cancelable) => Promise<Value>) {
    super();
    this.#read = read;
  }

  /** Reads the value. An earlier reading that is still under way is canceled. */
  async load(): Promise<void> {
    this.#current?.abort();
    const current = this.#current = new AbortController();
    this.begin();
    try {
      const value = await this.#read({ signal: current.signal });
      if (this.#current !== current) return;
      this.value = value;
      this.end();
    } catch (error) {
      if (this.#current === current) this.end(error);
    }
  }

  /** Takes over a value that the service has returned elsewhere. */
  set(value: Value): void {
    this.value = value;
    this.changed();
  }

  /** Drops the value, before another one is asked for. */
  clear(): void {
    this.#cancel();
    this.value = null;
    this.error = null;
    this.changed();
  }

  /** Calls back after every change. The reading is canceled when its observer, an element, leaves. */
  override observe(callBack: () => void): () => void {
    const leave = super.observe(callBack);
    return () => {
      leave();
      this.#cancel();
    };
  }

  #cancel(): void {
    this.#current?.abort();
    this.#current = null;
    this.isBusy = false;
  }
}

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

  constructor(readPage: (query: PageQuery, options: Cancelable) => Promise<Page<Item>>) {
    super(async (options) => {
      const wanted = this.#pages * pageSize;
      const limit = Math.min(wanted, maxLimit);
      const items: Item[] = [];
      let next: string | null = null;
      do {
        const { data, next_cursor }: Page<Item> = await readPage({ cursor: next ?? undefined, limit }, options);
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

/** An idempotency key that stays the same for the same request until it has succeeded. */
export class RepeatKey {
  #key = crypto.randomUUID();
  #sent: string | null = null;

  /** Returns the key of a request with a body. */
  of(body: unknown): string {
    const text = JSON.stringify(body);
    if (this.#sent !== null && this.#sent !== text) this.#key = crypto.randomUUID();
    this.#sent = text;
    return this.#key;
  }
  /** The request has succeeded. The same body again is another request. */
  done(): void {
    this.#key = crypto.randomUUID();
    this.#sent = null;
  }
}
