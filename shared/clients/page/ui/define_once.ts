/**
 * Defines an element under a name. Chat and desk share some, and both may be loaded by one page: the first definition
 * stays.
 */
export function defineOnce(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}
