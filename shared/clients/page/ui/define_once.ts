/**
 * Defines an element, unless it is defined already. A page may load both the chat and the desk, which share some
 * elements.
 */
export function defineOnce(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}
