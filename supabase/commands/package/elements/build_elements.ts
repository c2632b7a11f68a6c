import { join } from "node:path";
import { release } from "../../../../shared/infra/release.ts";
import { languages } from "../../../../shared/clients/page/ui/language.ts";
import { CommandError } from "../../command_error.ts";
import { bundleScripts, shrinkScripts } from "../../page/build_page.ts";
import { beginPackage, describeBoth, packageNames } from "../package_folder.ts";
import {
  listElements,
  readManifest,
  writeElementTypes,
  writeReactTypes,
  writeTables,
  writeVueTypes,
} from "./manifest.ts";

/** The entry points that define an element, and the functions of the main entry point that do it. */
const definitions = {
  chat: { name: "defineChat", tagName: "human-chat" },
  desk: { name: "defineDesk", tagName: "human-desk" },
  launcher: { name: "defineLauncher", tagName: "human-chat-launcher" },
};

/**
 * Writes the package of the elements into a folder, whose earlier content is deleted: the scripts of the pages, entry
 * points that do nothing on a server, types, and the manifest.
 *
 * @param scripts the scripts of the pages, small; by default they are made
 * @throws {CommandError} when the scripts cannot be built.
 */
export async function buildElements(folder: string, scripts?: Map<string, string>): Promise<void> {
  const manifest = await readManifest();
  const elements = listElements(manifest);
  let readme = (await Deno.readTextFile(join(import.meta.dirname!, "README.md"))).replace(
    "<!-- deno-fmt-ignore -->\n",
    "",
  );
  for (const element of elements) readme = readme.replace(`<!-- ${element.tagName} -->\n`, () => writeTables(element));
  await beginPackage(folder, { description: await describePackage(), readme });
  const bundled = [...scripts ?? await shrinkScripts(await bundleScripts())]
    // The consent page belongs to a project, not to a site that uses it.
    .filter(([name]) => !name.startsWith("human-consent"))
    .map(([name, script]) => [name, nameImports(script)] as const);
  const files: Record<string, string> = {
    "elements.d.ts": writeElementTypes(elements),
    "react.d.ts": writeReactTypes(elements),
    "react.js": "export {};\n",
    "vue.d.ts": writeVueTypes(elements),
    "vue.js": "export {};\n",
    ...writeEntryPoints(),
    ...Object.fromEntries(bundled),
  };
  for (const [name, content] of Object.entries(files)) await Deno.writeTextFile(join(folder, "dist", name), content);
  await Deno.writeTextFile(join(folder, "custom-elements.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The modules that programs import. They load a script only where there are custom elements. */
function writeEntryPoints(): Record<string, string> {
  const all = Object.entries(definitions);
  return {
    "index.js": all.map(([, { name, tagName }]) =>
      `export async function ${name}() {
  if (typeof customElements === "undefined" || customElements.get("${tagName}")) return;
  await import("./${tagName}.js");
}
`
    ).join("\n"),
    "index.d.ts": `export type * from "./elements.js";
${
      all.map(([, { name, tagName }]) => `
/** Loads and defines \`<${tagName}>\`, unless it is defined. On a server, it does nothing. */
export declare function ${name}(): Promise<void>;
`).join("")
    }`,
    ...Object.fromEntries(all.flatMap(([path, { name }]) => [
      [`${path}.js`, `import { ${name} } from "./index.js";\n\nvoid ${name}();\n`],
      [`${path}.d.ts`, `export type * from "./elements.js";\n`],
    ])),
  };
}

/**
 * Names each script that another one loads. On a page, a script is loaded from its place next to the other one, which
 * bundlers do not understand.
 *
 * @throws {CommandError} if a script loads another one in an unknown way.
 */
function nameImports(script: string): string {
  const named = script
    .replace(/\bimport\(new URL\("([\w-]+\.js)",import\.meta\.url\)\.href\)/g, 'import("./$1")')
    .replace(
      /\bimport\(new URL\(`(human-\w+)\.\$\{([\w$]+)\}\.js`,import\.meta\.url\)\.href\)/g,
      (_, name, language) => `({${nameLanguages(name)}})[${language}]()`,
    );
  if (/\bimport\.meta\b|\bimport\((?!")/.test(named)) {
    throw new CommandError("A script loads another one by a new way.");
  }
  return named;
}

function nameLanguages(script: string): string {
  return languages.filter((language) => language !== "en")
    .map((language) => `${language}:()=>import("./${script}.${language}.js")`).join(",");
}

async function describePackage() {
  const paths = ["index", ...Object.keys(definitions), "react", "vue"];
  const modules = paths.map((path) => [
    path === "index" ? "." : `./${path}`,
    { types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` },
  ]);
  return {
    ...await describeBoth(packageNames.elements, `The pages of the ${release.title} service as custom elements`),
    keywords: ["custom-elements", "web-components", "chat"],
    sideEffects: [...Object.keys(definitions).map((path) => `./dist/${path}.js`), "./dist/human-*.js"],
    files: ["dist", "custom-elements.json"],
    customElements: "custom-elements.json",
    exports: {
      ...Object.fromEntries(modules),
      // The scripts themselves, for pages without a bundler.
      "./dist/*": "./dist/*",
      "./custom-elements.json": "./custom-elements.json",
      "./package.json": "./package.json",
    },
    peerDependencies: { "@types/react": ">=18.2.6", vue: ">=3.3" },
    peerDependenciesMeta: { "@types/react": { optional: true }, vue: { optional: true } },
  };
}
