import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { components } from "../../../shared/clients/client/api_types.ts";
import { CommandError } from "../command_error.ts";
import { languages } from "../../../shared/clients/page/ui/language.ts";
import { projectRoot } from "../../platform/state.ts";
import { createTempFolder } from "../deploy/run_deno.ts";
import { createClient } from "../../../shared/clients/client/client.ts";

const source = join(projectRoot, "shared/clients/page");

/** The elements that any site may use: their sources, by the names under which their scripts are served. */
const elements = {
  "human-chat.js": "chat/human_chat.ts",
  "human-chat-launcher.js": "launcher/human_chat_launcher.ts",
  "human-desk.js": "desk/human_desk.ts",
};

/**
 * What the chat loads when somebody has asked in person, or opens a source. These take
 * [their parts](../../../shared/clients/page/chat/parts.ts) from the chat.
 */
const scriptsOfChat = {
  "human-chat-in-person.js": "chat/request_card.ts",
  "human-reader.js": "reader/human_reader.ts",
};

/** The scripts of the pages. The page on which people give apps access stands by itself. */
const scripts = {
  ...elements,
  "human-consent.js": "consent/human_consent.ts",
  ...scriptsOfChat,
  // Loaded by the elements when chats are downloaded, and when a text has a formula or code.
  "human-download.js": "chat/download_chats.ts",
  "human-formulas.js": "formulas/human_formulas.ts",
  "human-code.js": "code/human_code.ts",
};

/** The sources of the elements that any site may use, by the names of their scripts. */
export const elementScripts: Record<string, string> = Object.fromEntries(
  Object.entries(elements).map(([name, path]) => [name, join(source, path)]),
);

/** The settings of the pages. Everyone who opens a page can read them. */
export type PageSettings = {
  /** The project's address; empty for the page's own. */
  baseUrl: string;
  /** The coach to talk to; empty for a choice of those that the key opens. */
  coach: string;
  /** A publishable key, `hi_pub_…`. */
  key: string;
  /** The Supabase project's publishable or anon key. */
  supabaseKey: string;
  /** The coaches as JSON, to greet new visitors without a request; empty if the page has to ask for them. */
  coaches: string;
  /** The coaches that get a page of their own, as JSON; left out: none is known. */
  personas?: string;
};

/** The description of a coach on a page of its own. */
export type Persona = Pick<components["schemas"]["Coach"], "slug" | "name" | "title" | "greeting" | "picture_url">;

/** The chat page as it is for all coaches. */
const anyone: Persona = {
  slug: null,
  name: "Ask the expert",
  title: "",
  greeting: "Talk to an AI persona that is built on the knowledge of a real person.",
  picture_url: null,
};

/** A form to sign in that is filled in already: for a demo on the same machine only. */
export type FilledIn = { email: string; password: string };

/** Bundles each page's script into one file that browsers run, and each language but English into one more a page. */
export async function bundleScripts(): Promise<Map<string, string>> {
  await using temp = await createTempFolder();
  // The first one alone: with it, Deno fetches its bundler, and two that do so at the same time fail.
  const styles = await shrinkStyles(temp.folder);
  const parts = await takeParts(temp.folder);
  const alone = await writeImportMap(join(temp.folder, "alone.json"), styles);
  const ofChat = await writeImportMap(join(temp.folder, "of_chat.json"), { ...styles, ...parts });
  const bundled = Object.entries(scripts).map(async ([name, path]) => {
    const importMap = name in scriptsOfChat ? ofChat : alone;
    const script = await runBundler("--external=*.json", "--import-map", importMap, join(source, path));
    return [name, await fillInTexts(script)] as const;
  });
  const texts = languages.filter((language) => language !== "en").map(writeTexts);
  return new Map([...await Promise.all(bundled), ...(await Promise.all(texts)).flat()]);
}

async function readTexts(language: string): Promise<Record<string, object>> {
  return JSON.parse(await Deno.readTextFile(join(source, `texts/${language}.json`)));
}

/** Puts into a script the texts that it names. The bundler would put in all of a language's. */
async function fillInTexts(script: string): Promise<string> {
  let filled = script;
  const named = new Set(Array.from(script.matchAll(/(?<![\w$])[\w$]+\.\w+/g), ([reference]) => reference));
  const imports = script.matchAll(/import ([\w$]+) from"[./]+(?:texts\/)?(\w+)\.json"with\{type:"json"\};/g);
  for (const [statement, name, language] of imports) {
    const parts = Object.entries(await readTexts(language!)).filter(([part]) => named.has(`${name}.${part}`));
    filled = filled.replace(statement, () => `var ${name}=${JSON.stringify(Object.fromEntries(parts))};`);
  }
  return filled;
}

/** The scripts with the texts of a language, by their names. */
async function writeTexts(language: string): Promise<[name: string, script: string][]> {
  const { shared, reader, chat, desk, consent } = await readTexts(language);
  const write = (texts: unknown) => `export default ${JSON.stringify(texts)};\n`;
  return [
    [`human-chat.${language}.js`, write({ ...shared, ...reader, ...chat })],
    [`human-desk.${language}.js`, write({ ...desk, shared, reader })],
    [`human-consent.${language}.js`, write({ ...consent, shared })],
  ];
}

/** The functions of marked that render HTML. Pages only use its parser, but assignments to them keep it all. */
const renderingOfMarked =
  /,([\w$]+)=new [\w$]+;function ([\w$]+)\([\w$]+,[\w$]+\)\{return \1\.parse\([\w$]+,[\w$]+\)\}\2\.options=[^]*?;\2\.parse=\2;(?:var (?:[\w$]+=[\w$]+\.[\w$]+,?)+;)*/;

/** Makes scripts about a tenth smaller than the bundler does. It takes some seconds. */
export async function shrinkScripts(scripts: Map<string, string>): Promise<Map<string, string>> {
  const { minify } = await import("terser");
  const shrink = async (script: string) => {
    // Indentation is left in templates, where it has no meaning.
    const lines = script.replace(renderingOfMarked, ";").replace(/\n {2,}/g, "\n");
    // Compressed, statements are smaller than the expressions that they could be joined into, and comparisons are smaller
    // with the constant on the same side as in the sources.
    const compress = { passes: 3, keep_fargs: false, sequences: false, if_return: false, lhs_constants: false };
    // One kind of quotes repeats more often than two.
    return (await minify(lines, { module: true, ecma: 2022, compress, format: { quote_style: 2 } })).code!;
  };
  return new Map(
    await Promise.all(Array.from(scripts, async ([name, script]) => [name, await shrink(script)] as const)),
  );
}

/** A page with its settings filled in. */
export async function readPage(
  name: "index.html" | "desk.html" | "consent.html",
  settings: PageSettings & FilledIn,
  persona = anyone,
): Promise<string> {
  const page = await Deno.readTextFile(join(source, name));
  // For hosts without custom headers. A page cannot forbid framing in its own policy.
  const policy = contentSecurityPolicy(settings.baseUrl).replace(/ frame-ancestors [^;]*;/, "");
  const isOwn = persona !== anyone;
  const values: Record<string, string> = {
    ...settings,
    policy,
    root: isOwn ? "../" : "",
    title: isOwn ? `${persona.name} – ${persona.title}` : persona.name,
    description: (persona.greeting ?? persona.title).replace(/\s+/g, " ").slice(0, 200),
    image: persona.picture_url ?? "",
  };
  const written = isOwn ? page.replace(' data-text="pageTitle"', "") : page;
  return written.replace(/{{ ?(\w+) ?}}/g, (_, name: string) => escapeAttribute(values[name] ?? ""))
    .replace(/ *<meta property="og:image" content="">\n/, "");
}

/** The page of a coach, with a title, a description and a picture that do not need its script. */
export async function readPersonaPage(
  settings: PageSettings & FilledIn,
  persona: Persona & { slug: string },
): Promise<string> {
  const shown = { ...settings, coach: persona.slug, coaches: JSON.stringify([persona]) };
  return await readPage("index.html", shown, persona);
}

/** The web app manifest, with which the page can be installed. */
export function writeManifest({ name, slug }: Pick<Persona, "name" | "slug"> = anyone): string {
  const src = `${slug === null ? "" : "../"}icon.svg`;
  const colors = { theme_color: "#0f6b5c", background_color: "#ffffff" };
  const icons = [{ src, type: "image/svg+xml", sizes: "any", purpose: "any" }];
  return JSON.stringify({
    name,
    short_name: name,
    start_url: "./",
    scope: "./",
    display: "standalone",
    ...colors,
    icons,
  });
}

/** A file of the pages that is shown as it is. */
export async function readAsset(name: "page.css" | "icon.svg" | "icon-unread.svg"): Promise<string> {
  return await Deno.readTextFile(join(source, name));
}

/** The Content-Security-Policy of a page. `baseUrl` is the project's address; empty for the page's own. */
export function contentSecurityPolicy(baseUrl: string): string {
  const project = baseUrl ? new URL(baseUrl).origin : "'self'";
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // The pictures of coaches are in the project's storage.
    `img-src ${[...new Set(["'self'", project])].join(" ")}`,
    // Recordings, which the service sends.
    `media-src ${[...new Set(["'self'", project])].join(" ")}`,
    // The desk looks for pages of personas beside it.
    `connect-src ${[...new Set(["'self'", project])].join(" ")}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html",
  ].join("; ");
}

/** Writes the styles into a folder as small as they can be, and returns these modules by those of the sources. */
async function shrinkStyles(folder: string): Promise<Record<string, string>> {
  const paths = (await readdir(source, { recursive: true })).filter((path) => path.endsWith(".css"));
  await runBundler("--outdir", folder, ...paths.map((path) => join(source, path)));
  return Object.fromEntries(paths.map((path) => [moduleOf(join(source, path)), moduleOf(join(folder, path))]));
}

/** Writes a module that takes the parts of the chat from its element, and returns it by the modules that have them. */
async function takeParts(folder: string): Promise<Record<string, string>> {
  const [parts, taken] = [join(source, "chat/parts.ts"), join(folder, "taken.js")];
  const exported = [...(await Deno.readTextFile(parts)).matchAll(/^export \{(.+)\} from "(.+)";$/gm)];
  const names = exported.map(([, names]) => names).join();
  await Deno.writeTextFile(taken, `export const {${names}} = customElements.get("human-chat").parts;`);
  const moduleFrom = (from: string) => from.startsWith(".") ? new URL(from, moduleOf(parts)).href : from;
  return Object.fromEntries(exported.map(([, , from]) => [moduleFrom(from!), moduleOf(taken)]));
}

/** Writes an import map with the modules that stand in the place of others, and returns its path. */
async function writeImportMap(path: string, modules: Record<string, string>): Promise<string> {
  const { imports } = JSON.parse(await Deno.readTextFile(join(projectRoot, "deno.json")));
  await Deno.writeTextFile(path, JSON.stringify({ imports: { ...imports, ...modules } }));
  return path;
}

const moduleOf = (path: string) => pathToFileURL(path).href;

async function runBundler(...options: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--frozen", "--platform=browser", "--minify", ...options],
    cwd: projectRoot,
    stdin: "null",
  }).output();
  if (!success) throw new CommandError(`The pages cannot be built: ${new TextDecoder().decode(stderr).trim()}`);
  return new TextDecoder().decode(stdout);
}

function escapeAttribute(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
}

/**
 * Reads what a page shows of coaches before the first message, as JSON. A publishable key cannot read it without a user.
 *
 * @param apiKey a secret key of the account
 * @param coachId a coach; empty for all of the account
 * @throws {ServiceError} if the service refuses.
 */
export async function readCoaches(baseUrl: string, apiKey: string, coachId: string): Promise<string> {
  const client = createClient({ baseUrl, apiKey });
  return JSON.stringify(coachId ? [await client.getCoach(coachId)] : (await client.listCoaches()).data);
}
