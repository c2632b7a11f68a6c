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
