import { Observable } from "../../ui/observable.ts";

/** Something that is asked of the service. It may be under way, and it may have failed. */
export abstract class Work extends Observable {
  isBusy = false;
  error: unknown = null;
  /** Called with each failure. */
  onFailure: (error: unknown) => void = () => {};

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
    if (this.isBusy) return false;
    this.error = null;
    this.begin();
    try {
      await act();
      this.end();
      return true;
    } catch (error) {
      this.end(error);
      return false;
    }
  }
}

/** A value that is read from the service. While it is read again, the last one stays. */
export class Loading<Value> extends Work {
  value: Value | null = null;

  readonly #read: (signal: AbortSignal) => Promise<Value>;
  #current: AbortController | null = null;

  constructor(read: (signal: AbortSignal) => Promise<Value>) {
    super();
    this.#read = read;
  }

  /** Reads the value. An earlier reading that is still under way is canceled. */
  async load(): Promise<void> {
    this.#current?.abort();
    const current = this.#current = new AbortController();
    this.begin();
    try {
      const value = await this.#read(current.signal);
      if (this.#current !== current) return;
      this.value = value;
      this.end();
    } catch (error) {
      if (this.#current === current) this.end(error);
    }
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
