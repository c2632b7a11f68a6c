/// <reference lib="dom" />
import type { LitElement, ReactiveController } from "lit";

/** The pauses between two requests, in milliseconds: each is longer than the one before, by the factor. */
export type Pauses = { first: number; longest: number; factor: number };

/**
 * Reads something again for as long as it is under way, while its element is in a document that is visible. `isUnderWay`
 * is asked whenever the element was rendered.
 */
export class Polling implements ReactiveController {
  readonly #host: LitElement;
  readonly #pauses: Pauses;
  readonly #isUnderWay: () => boolean;
  readonly #read: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pause: number;

  constructor(host: LitElement, pauses: Pauses, isUnderWay: () => boolean, read: () => void) {
    this.#host = host;
    this.#pauses = pauses;
    this.#isUnderWay = isUnderWay;
    this.#read = read;
    this.#pause = pauses.first;
    host.addController(this);
  }

  hostUpdated(): void {
    clearTimeout(this.#timer);
    if (this.#isUnderWay() && this.#host.isConnected) this.#wait();
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
    this.#read();
  };
}
