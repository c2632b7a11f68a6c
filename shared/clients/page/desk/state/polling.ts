/// <reference lib="dom" />
import type { LitElement, ReactiveController } from "lit";
import type { Loading } from "./work.ts";

/** The pauses between two requests, in milliseconds: each is longer than the one before, by the factor. */
type Pauses = { first: number; longest: number; factor: number };

/** Reads something again for as long as it is under way, while its element is in a document that is visible. */
export class Polling<Value> implements ReactiveController {
  readonly #host: LitElement;
  readonly #loading: Loading<Value>;
  readonly #isUnderWay: (value: Value) => boolean;
  readonly #pauses: Pauses;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pause: number;

  /** @param isUnderWay is asked whenever the element was rendered */
  constructor(
    host: LitElement,
    loading: Loading<Value>,
    isUnderWay: (value: Value) => boolean,
    pauses: Pauses = { first: 2_000, longest: 15_000, factor: 1.5 },
  ) {
    this.#host = host;
    this.#loading = loading;
    this.#isUnderWay = isUnderWay;
    this.#pauses = pauses;
    this.#pause = pauses.first;
    host.addController(this);
  }

  hostUpdated(): void {
    clearTimeout(this.#timer);
    const { value, isBusy } = this.#loading;
    if (value !== null && !isBusy && this.#isUnderWay(value) && this.#host.isConnected) this.#wait();
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  /** Begins with the first pause again. */
  restart(): void {
    this.#pause = this.#pauses.first;
  }

  #wait(): void {
    this.#timer = setTimeout(this.#poll, this.#pause);
  }

  #poll = (): void => {
    if (document.visibilityState !== "visible") return this.#wait();
    this.#pause = Math.min(this.#pause * this.#pauses.factor, this.#pauses.longest);
    void this.#loading.load();
  };
}
