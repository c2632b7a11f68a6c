import {
  bundleScripts,
  contentSecurityPolicy,
  type FilledIn,
  type PageSettings,
  type Persona,
  readAsset,
  readPage,
  readPersonaPage,
  writeManifest,
} from "../commands/page/build_page.ts";
import { consentPath } from "./oauth/oauth_server.ts";
import { type LocalFile, serveLocalFiles } from "./local_files.ts";

/** The pages of the stack: serves them, and builds their scripts. */
export interface ChatPages {
  fetch(request: Request): Promise<Response>;
  /** Bundles the scripts, again if they have changed. Rejects with their errors. */
  build(): Promise<void>;
}

/**
 * The chat page at `/`, the expert's desk at `/desk/` and the consent page, as they are on a host of static files, but with the two demo
 * users' forms filled in.
 *
 * @param readSettings returns null as long as there are none
 * @param translate translates the scripts
 */
export function createChatPages(
  readSettings: () => Promise<PageSettings & { visitor: FilledIn; expert: FilledIn } | null>,
  translate: typeof bundleScripts = bundleScripts,
): ChatPages {
  let scripts: Map<string, string> | null = null;
  const files = serveLocalFiles({ contentSecurityPolicy: contentSecurityPolicy(""), read });
  return {
    async build() {
      scripts = await translate();
    },
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      // What these pages load is named from below them.
      if (pathname !== "/desk" && pathname !== "/oauth/consent") return await files(request);
      return new Response(null, { status: 308, headers: { Location: `${pathname}/${search}` } });
    },
  };

  /** The coach with a slug, if the pages know it. */
  async function findPersona(slug: string | undefined) {
    const settings = slug === undefined || scripts === null ? null : await readSettings();
    const personas: Persona[] = JSON.parse(settings?.personas || settings?.coaches || "[]");
    const coach = personas.find((one) => one.slug === slug);
    return settings && coach
      ? { settings: { ...settings, ...settings.visitor }, coach: { ...coach, slug: slug! } }
      : null;
  }

  async function read(path: string): Promise<LocalFile | null | undefined> {
    if (path === "/" || path === "/desk/" || path === consentPath) {
      const settings = await readSettings();
      if (settings === null || scripts === null) return undefined;
      const { visitor, expert, ...shared } = settings;
      const content = path === "/desk/"
        ? await readPage("desk.html", { ...shared, ...expert })
        : await readPage(path === "/" ? "index.html" : "consent.html", { ...shared, ...visitor });
      return { type: "text/html; charset=utf-8", content };
    }
    const persona = await findPersona(/^\/([a-z0-9-]+)\/(manifest\.webmanifest)?$/.exec(path)?.[1]);
    if (persona) {
      return path.endsWith("/")
        ? { type: "text/html; charset=utf-8", content: await readPersonaPage(persona.settings, persona.coach) }
        : { type: "application/manifest+json", content: writeManifest(persona.coach) };
    }
    if (path === "/manifest.webmanifest") return { type: "application/manifest+json", content: writeManifest() };
    if (path === "/page.css") return { type: "text/css; charset=utf-8", content: await readAsset("page.css") };
    if (path === "/icon.svg" || path === "/icon-unread.svg") {
      return { type: "image/svg+xml", content: await readAsset(path === "/icon.svg" ? "icon.svg" : "icon-unread.svg") };
    }
    const script = scripts?.get(path.slice(1));
    return script === undefined ? null : { type: "text/javascript; charset=utf-8", content: script };
  }
}
