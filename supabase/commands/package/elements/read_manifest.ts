import { cli } from "@custom-elements-manifest/analyzer/cli.js";
import { relative } from "node:path";
import { projectRoot } from "../../../platform/state.ts";
import { elementScripts } from "../../page/build_page.ts";

/** A type in a manifest. */
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

/**
 * Reads the manifest of the elements from the comments in their sources, which are the only description of attributes,
 * properties, events, slots, parts and custom properties.
 */
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
