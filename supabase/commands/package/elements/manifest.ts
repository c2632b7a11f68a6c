import { cli } from "@custom-elements-manifest/analyzer/cli.js";
import { relative } from "node:path";
import { projectRoot } from "../../../platform/state.ts";
import { elementScripts } from "../../page/build_page.ts";

type Typed = { type?: { text: string } };

/** A part of an element that a manifest names, with its meaning. */
export type Described = Typed & { name: string; description?: string };

/** A property or a method of an element. */
export type Member = Described & {
  kind: "field" | "method";
  privacy?: "public" | "protected" | "private";
  attribute?: string;
  readonly?: boolean;
  return?: Typed;
};

/** An element, as a manifest describes it. */
export type ElementDeclaration = {
  kind: string;
  name: string;
  tagName: string;
  description: string;
  attributes: Described[];
  members: Member[];
  events?: Described[];
  slots?: Described[];
  cssParts?: Described[];
  cssProperties?: Described[];
};

type Export = { kind: string; name: string; declaration: { name: string; module: string } };

/** A manifest of custom elements; see https://github.com/webcomponents/custom-elements-manifest. */
export type Manifest = {
  schemaVersion: string;
  readme: string;
  modules: { kind: string; path: string; declarations: ElementDeclaration[]; exports: Export[] }[];
};

/** Attributes of the form to sign in that only `npm start` sets, and the property behind `lang`. */
const ofDemo = ["email", "password"];
const internal = ["wanted"];

/** Reads the manifest of the elements from the comments in their sources, which alone describe them. */
export async function readManifest(): Promise<Manifest> {
  const globs = Object.values(elementScripts).flatMap((path) => ["--globs", relative(projectRoot, path)]);
  const argv = ["analyze", "--litelement", "--quiet", ...globs];
  const read: Manifest = await cli({ argv, cwd: projectRoot, noWrite: true });
  const names = Object.entries(elementScripts).map(([script, path]) => [relative(projectRoot, path), script] as const);
  const scripts = new Map<string, string>(names);
  const modules = read.modules.map(({ kind, path, declarations, exports }) => {
    const module = `dist/${scripts.get(path)}`;
    return {
      kind,
      path: module,
      declarations: declarations.filter(({ tagName }) => tagName).map(keepPublic),
      exports: exports.filter(({ kind }) => kind === "custom-element-definition")
        .map((defined) => ({ ...defined, declaration: { ...defined.declaration, module } })),
    };
  });
  return { ...read, modules };
}

/** Keeps what sites use. The analyzer also takes private members, and attributes of properties that have none. */
function keepPublic(element: ElementDeclaration): ElementDeclaration {
  const attributes = element.attributes
    .filter(({ name, type }) => /^(?:string|boolean|".+")$/.test(type?.text ?? "") && !ofDemo.includes(name));
  const isAttribute = (name?: string) => attributes.some((attribute) => attribute.name === name);
  const members = element.members
    .filter(({ name, kind, privacy = "public", type, description, attribute }) =>
      privacy === "public" && !internal.includes(name) && !ofDemo.includes(name) &&
      (kind === "method" ? description : type && (description || isAttribute(attribute)))
    )
    .map(({ attribute, ...member }) => ({ ...member, ...(isAttribute(attribute) ? { attribute } : {}) }));
  return { ...element, description: element.description.replace(/\s+/g, " "), attributes, members };
}

/** The elements of a manifest, by their names. */
export function listElements({ modules }: Manifest): ElementDeclaration[] {
  return modules.flatMap(({ declarations }) => declarations);
}

/** Attributes that React and Vue keep to themselves. */
const reserved = ["key"];

/** The types of the elements: of each an interface for scripts, and one of its attributes for templates. */
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
