/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import {
  type CSSResult,
  type CSSResultGroup,
  type CSSResultOrNative,
  LitElement,
  type PropertyDeclaration,
  type PropertyDeclarations,
  type ReactiveControllerHost,
  unsafeCSS,
} from "lit";
import type { Observable } from "./observable.ts";
import theme from "./theme.css" with { type: "text" };

/** A property as `static properties` declares it: `first` is its value until another one is set. */
export type Property<Value> = PropertyDeclaration & { first?: Value };

/**
 * The fields of an element whose `static properties` declare `Declared`. The two elements for sites take them over with
 * `interface X extends Fields<typeof X.properties> {}`: their documentation is made from what the class itself declares.
 */
export type Fields<Declared> = {
  [Name in keyof Declared]: Declared[Name] extends { first?: infer Value } ? Value : never;
};

/** A base with the properties that an element declares, each of them once. */
export function withProperties<
  // deno-lint-ignore no-explicit-any -- TypeScript demands it of classes that are extended by others.
  Base extends abstract new (...values: any[]) => LitElement,
  Declared extends PropertyDeclarations,
>(base: Base, properties: Declared) {
  abstract class Declaring extends (base as unknown as typeof LitElement) {
    static override properties = properties;
  }
  // deno-lint-ignore no-explicit-any -- As above.
  return Declaring as unknown as Base & (abstract new (...values: any[]) => Fields<Declared>);
}

const sheets = new Map<string, CSSResult>();

/** The styles of an element, from the texts of files in CSS. All elements with a text share its sheet. */
export function styleSheets(...texts: string[]): CSSResult[] {
  for (const text of texts) if (!sheets.has(text)) sheets.set(text, unsafeCSS(text));
  return texts.map((text) => sheets.get(text)!);
}

abstract class ThemedElement extends LitElement {
  protected static override finalizeStyles(styles: CSSResultGroup = []): CSSResultOrNative[] {
    return super.finalizeStyles([styleSheets(theme), styles]);
  }
}

/** The base of an element with the theme and the properties that it declares. `styles` are those that it has besides. */
export function elementWith<Declared extends PropertyDeclarations>(properties: Declared) {
  return withProperties(ThemedElement, properties);
}

// Gives a new element the first values of its properties, as a constructor would.
LitElement.addInitializer((element) => {
  const { elementProperties } = element.constructor as typeof LitElement;
  for (const [name, { first }] of elementProperties as Map<PropertyKey, Property<unknown>>) {
    if (first !== undefined) (element as unknown as Record<PropertyKey, unknown>)[name] = first;
  }
});

/** A value that an element keeps to itself. Setting another one renders the element again. */
export type State<Value> = { value: Value };

/** @param lasts the milliseconds after which another value becomes the first one again; as long as it is set by default */
export function state<Value>(host: ReactiveControllerHost, first: Value, lasts?: number): State<Value> {
  let current = first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    get value() {
      return current;
    },
    set value(value) {
      clearTimeout(timer);
      if (lasts && value !== first) timer = setTimeout(() => this.value = first, lasts);
      if (value === current) return;
      current = value;
      host.requestUpdate();
    },
  };
}

/** Renders an element after each change of a state, while it is in a document. `read` returns the current one. */
export function observe(host: ReactiveControllerHost, read: () => Observable | null): void {
  let observed: Observable | null = null;
  let leave = () => {};
  const follow = (state: Observable | null) => {
    if (state === observed) return;
    leave();
    observed = state;
    leave = state?.observe(() => host.requestUpdate()) ?? (() => {});
  };
  host.addController({
    hostConnected: () => host.requestUpdate(),
    hostUpdate: () => follow(read()),
    hostDisconnected: () => follow(null),
  });
}

/** Listens to events of the page, for as long as an element is in it. */
export function listen(
  host: ReactiveControllerHost,
  target: EventTarget,
  name: string,
  // deno-lint-ignore no-explicit-any -- Each event has a type of its own.
  hear: (event: any) => void,
): void {
  host.addController({
    hostConnected: () => target.addEventListener(name, hear),
    hostDisconnected: () => target.removeEventListener(name, hear),
  });
}

/** Fires an event for the elements around this one, also outside of its shadow root. */
export function tell(element: LitElement, name: string, detail?: unknown): void {
  element.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
}
