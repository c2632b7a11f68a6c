import type { Described, ElementDeclaration, Member } from "./read_manifest.ts";

/** Attributes that React and Vue keep to themselves. */
const reserved = ["key"];

/**
 * The types of the elements: an interface of each for scripts, which `document.querySelector` returns, and one of its
 * attributes for templates.
 */
export function writeElementTypes(elements: ElementDeclaration[]): string {
  return `${elements.map(writeElement).join("\n")}
declare global {
  interface HTMLElementTagNameMap {
${list(elements, ({ tagName, name }) => `    "${tagName}": ${name};`)}
  }
}
`;
}

function writeElement({ name, tagName, description, attributes, members, events = [] }: ElementDeclaration): string {
  const map = events.length > 0 ? `${name}EventMap` : "HTMLElementEventMap";
  return `${comment(description)}export interface ${name} extends HTMLElement {
${list(members, writeMember)}
  addEventListener<Name extends keyof ${map}>(type: Name, listener: (this: ${name}, event: ${map}[Name]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Name extends keyof ${map}>(type: Name, listener: (this: ${name}, event: ${map}[Name]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

${
    events.length === 0 ? "" : `/** The events of \`<${tagName}>\`. */
export interface ${map} extends HTMLElementEventMap {
${list(events, ({ name, type, description }) => `${comment(description, "  ")}  "${name}": ${type!.text};`)}
}

`
  }/** The attributes of \`<${tagName}>\`. */
export interface ${name}Attributes {
${
    list(
      attributes.filter(({ name }) => !reserved.includes(name)),
      ({ name, type, description }) => `${comment(description, "  ")}  "${name}"?: ${type!.text};`,
    )
  }
}
`;
}

function writeMember({ name, kind, type, return: returned, readonly, description }: Member): string {
  const sentence = comment(description, "  ");
  return kind === "method"
    ? `${sentence}  ${name}(): ${returned?.type?.text ?? "void"};`
    : `${sentence}  ${readonly ? "readonly " : ""}${name}: ${type!.text};`;
}

/** The types of the elements in JSX of React, in versions 18 and 19. */
export function writeReactTypes(elements: ElementDeclaration[]): string {
  return `import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { ${namesOf(elements)} } from "./elements.js";
export type * from "./elements.js";

type Props<Element, Attributes> = Attributes & Omit<DetailedHTMLProps<HTMLAttributes<Element>, Element>, keyof Attributes>;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
${list(elements, ({ tagName, name }) => `      "${tagName}": Props<${name}, ${name}Attributes>;`)}
    }
  }
}
`;
}

/** The types of the elements in templates of Vue. */
export function writeVueTypes(elements: ElementDeclaration[]): string {
  return `import type { DefineComponent, HTMLAttributes } from "vue";
import type { ${namesOf(elements)} } from "./elements.js";
export type * from "./elements.js";

type Props<Attributes> = Attributes & Omit<HTMLAttributes, keyof Attributes>;

declare module "vue" {
  interface GlobalComponents {
${list(elements, ({ tagName, name }) => `    "${tagName}": DefineComponent<Props<${name}Attributes>>;`)}
  }
}
`;
}

/** The description of the elements as tables of Markdown, for the page of the package. */
export function writeTables({ tagName, attributes, members, ...rest }: ElementDeclaration): string {
  const { events = [], slots = [], cssParts = [], cssProperties = [] } = rest;
  const properties = members.filter(({ kind, attribute }) => kind === "field" && attribute === undefined)
    .filter(({ name }) => !attributes.some((attribute) => attribute.name === name));
  const methods = members.filter(({ kind }) => kind === "method").map((it) => ({ ...it, name: `${it.name}()` }));
  const tables: [title: string, rows: Described[]][] = [
    ["Attribute", attributes],
    ["Property", properties],
    ["Method", methods],
    ["Event", events],
    ["Slot", slots],
    ["Part", cssParts],
    ["Custom property", cssProperties],
  ];
  return tables.filter(([, rows]) => rows.length > 0).map(([title, rows]) =>
    `| ${title} of \`<${tagName}>\` | Meaning |
| --- | --- |
${list(rows, ({ name, description = "" }) => `| \`${name}\` | ${description.replaceAll("|", "\\|")} |`)}
`
  ).join("\n");
}

function namesOf(elements: ElementDeclaration[]): string {
  return elements.flatMap(({ name }) => [name, `${name}Attributes`]).join(", ");
}

function comment(text = "", indent = ""): string {
  return text && `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n`;
}

function list<Item>(items: Item[], line: (item: Item) => string): string {
  return items.map(line).join("\n");
}
