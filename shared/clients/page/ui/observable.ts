/** A state that notifies its observers of each change. It knows nothing of elements. */
export abstract class Observable {
  #observers = new Set<() => void>();

  /** Calls back after every change, until the returned function is called. */
  observe(callBack: () => void): () => void {
    this.#observers.add(callBack);
    return () => this.#observers.delete(callBack);
  }

  protected changed(): void {
    for (const callBack of [...this.#observers]) callBack();
  }
}
