/** Keys that make a request safe to repeat: the same for the same request until it has succeeded, and otherwise a new one. */
export class RepeatKey {
  #key = crypto.randomUUID();
  #sent: string | null = null;

  /** The key of a request with a body. */
  of(body: unknown): string {
    const text = JSON.stringify(body);
    if (this.#sent !== null && this.#sent !== text) this.#key = crypto.randomUUID();
    this.#sent = text;
    return this.#key;
  }
  /** The request has succeeded: the same words again are meant. */
  done(): void {
    this.#key = crypto.randomUUID();
    this.#sent = null;
  }
}
