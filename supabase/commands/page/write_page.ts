import { dirname, join } from "node:path";
import { CommandError } from "../command_error.ts";
import {
  bundleScripts,
  contentSecurityPolicy,
  type PageSettings,
  type Persona,
  readAsset,
  readPage,
  readPersonaPage,
  shrinkScripts,
  writeManifest,
} from "./build_page.ts";

const notFilledIn = { email: "", password: "" };

/**
 * Writes the pages as static files, with their headers in the forms of the usual hosts. A folder with other files is
 * not changed.
 *
 * @param scripts the scripts of the pages, small; by default they are made
 * @throws {CommandError} if the folder contains other files, or the scripts cannot be built.
 */
export async function writePage(folder: string, settings: PageSettings, scripts?: Map<string, string>): Promise<void> {
  const headers = headersOf(settings.baseUrl);
  const files: Record<string, string> = {
    "index.html": await readPage("index.html", { ...settings, ...notFilledIn }),
    "desk/index.html": await readPage("desk.html", { ...settings, ...notFilledIn }),
    "oauth/consent/index.html": await readPage("consent.html", { ...settings, ...notFilledIn }),
    "page.css": await readAsset("page.css"),
    "manifest.webmanifest": writeManifest(),
    "icon.svg": await readAsset("icon.svg"),
    "icon-unread.svg": await readAsset("icon-unread.svg"),
    ...Object.fromEntries(scripts ?? await shrinkScripts(await bundleScripts())),
    // Netlify and Cloudflare Pages; Vercel; Apache; nginx, to be included in a `server`.
    "_headers": `/*\n${list(headers, ([name, value]) => `  ${name}: ${value}`)}`,
    "vercel.json": `${JSON.stringify({ headers: [{ source: "/(.*)", headers: entries(headers) }] }, null, 2)}\n`,
    ".htaccess": list(headers, ([name, value]) => `Header always set ${name} "${value}"`),
    "headers.nginx.conf": list(headers, ([name, value]) => `add_header ${name} "${value}" always;`),
  };
  const earlier = await readEarlier(folder);
  const personas: Persona[] = JSON.parse(settings.personas ?? "[]");
  for (const { slug, ...persona } of personas) {
    if (slug === null) continue;
    files[`${slug}/index.html`] = await readPersonaPage({ ...settings, ...notFilledIn }, { slug, ...persona });
    files[`${slug}/manifest.webmanifest`] = writeManifest({ slug, name: persona.name });
  }
  // Without a key, nobody knows which personas there are: their pages stay.
  const slugs = settings.personas === undefined ? earlier : personas.flatMap(({ slug }) => slug ?? []);
  files[record] = `${JSON.stringify(slugs)}\n`;
  await requireOwnFolder(folder, [...Object.keys(files), ...earlier]);
  for (const slug of earlier) {
    if (!slugs.includes(slug)) await Deno.remove(join(folder, slug), { recursive: true }).catch(() => {});
  }
  for (const [name, content] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(folder, name)), { recursive: true });
    await Deno.writeTextFile(join(folder, name), content);
  }
}

/** The file that names the personas who have a page in the folder. */
const record = "personas.json";

async function readEarlier(folder: string): Promise<string[]> {
  try {
    const slugs: unknown = JSON.parse(await Deno.readTextFile(join(folder, record)));
    // Nothing outside of the folder is removed, whatever the file says.
    return Array.isArray(slugs) ? slugs.filter((slug) => /^[a-z0-9-]+$/.test(slug)) : [];
  } catch {
    return [];
  }
}

function headersOf(baseUrl: string): [name: string, value: string][] {
  return [
    ["Content-Security-Policy", contentSecurityPolicy(baseUrl)],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    ["Permissions-Policy", "camera=(), geolocation=(), microphone=()"],
    ["Referrer-Policy", "no-referrer"],
    ["X-Content-Type-Options", "nosniff"],
    // For browsers that do not know frame-ancestors.
    ["X-Frame-Options", "DENY"],
    // Other sites may take the element from here.
    ["Access-Control-Allow-Origin", "*"],
    // The scripts keep their names when they change.
    ["Cache-Control", "no-cache"],
  ];
}

function list<Item>(items: Item[], line: (item: Item) => string): string {
  return items.map((item) => `${line(item)}\n`).join("");
}

function entries(headers: [name: string, value: string][]): { key: string; value: string }[] {
  return headers.map(([key, value]) => ({ key, value }));
}

/** A mistyped folder must not be strewn with files, nor files of another site be written over. */
async function requireOwnFolder(folder: string, names: string[]): Promise<void> {
  const own = new Set(names.map((name) => name.split("/")[0]!));
  try {
    for await (const { name } of Deno.readDir(folder)) {
      if (!own.has(name)) {
        throw new CommandError(`${folder} contains other files, such as ${name}. Choose an empty folder.`);
      }
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotADirectory) throw new CommandError(`${folder} is not a folder.`);
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
