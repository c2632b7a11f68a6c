import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { CommandError } from "../../supabase/commands/command_error.ts";
import { readCoaches } from "../../supabase/commands/page/build_page.ts";
import { writePage } from "../../supabase/commands/page/write_page.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "../support/assert.ts";
import { gatewayOf } from "../support/client.ts";
import { createTenant, issuePublishableKey, operator, publishableKey as supabaseKey } from "../support/project.ts";
import { serve } from "../support/serve.ts";
import { startService } from "../support/service.ts";
import { sharedBrowser } from "./browser.ts";
import { pageScripts, visit } from "./site.ts";
import { en } from "./texts.ts";

const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  webmanifest: "application/manifest+json",
};

/** The headers of a file `_headers`, whose only rule is for all paths. */
function readHeaders(text: string): Headers {
  const [first, ...lines] = text.trim().split("\n");
  assertEquals(first, "/*");
  return new Headers(lines.map((line) => /^ {2}([\w-]+): (.*)$/.exec(line)!.slice(1) as [string, string]));
}

/** Serves a folder of files as a host of static pages does, below a path of its own. */
function serveFolder(folder: string, headers: Headers) {
  return serve(async ({ url }) => {
    const path = new URL(url).pathname.replace(/\/$/, "/index.html").replace(/^\/chat\//, "");
    try {
      const reply = new Response(await Deno.readFile(join(folder, path)), { headers });
      reply.headers.set("Content-Type", types[path.split(".").at(-1)!] ?? "application/octet-stream");
      return reply;
    } catch {
      return new Response(null, { status: 404 });
    }
  });
}

/** A persona, as the page of its own takes it. */
const personaOf = (slug: string, name = slug) => ({ slug, name, title: "", greeting: "", picture_url: null });

Deno.test("the pages as a folder of static files", async (t) => {
  await using service = await startService();
  await sharedBrowser();
  await using project = serve(gatewayOf(service.url));
  const tenant = await createTenant({}, { name: "Ada Byron", greeting: "Hello, I am Ada." });
  const folder = await Deno.makeTempDir();
  const headers = new Headers();
  await using host = serveFolder(folder, headers);
  const { publishableKey } = await issuePublishableKey(tenant.accountId, { origins: [host.url] });
  const settings = { baseUrl: project.url, coach: tenant.coachId, key: publishableKey, supabaseKey, coaches: "" };
  try {
    await t.step("hold publishable keys alone, and no form that is filled in", async () => {
      await writePage(folder, settings, await pageScripts());
      for (
        const name of [
          ...["index.html", "desk/index.html", "oauth/consent/index.html", "_headers"],
          ...["human-chat.js", "human-desk.js", "human-consent.js"],
        ]
      ) {
        const text = await Deno.readTextFile(join(folder, name));
        assert(!/hi_live_[0-9A-Za-z]|sb_secret_\w/.test(text), name);
        assert(!/(?:email|password)="[^"]/.test(text), name);
      }
    });

    await t.step("load a desk of less than 140 KB compressed", async () => {
      const { byteLength } = gzipSync(await Deno.readFile(join(folder, "human-desk.js")), { level: 9 });
      assert(byteLength < 140 * 1024, `${byteLength}`);
    });

    await t.step("come with headers for the usual hosts, which say the same", async () => {
      for (const [name, value] of readHeaders(await Deno.readTextFile(join(folder, "_headers")))) {
        headers.set(name, value);
      }
      const policy = headers.get("Content-Security-Policy")!;
      assertMatch(policy, /default-src 'none'; script-src 'self'; style-src 'self';.* frame-ancestors 'none'/);
      assert(!/unsafe|\*/.test(policy), policy);
      const vercel = JSON.parse(await Deno.readTextFile(join(folder, "vercel.json")));
      const same = [...headers].sort();
      const listed = vercel.headers[0].headers.map(({ key, value }: Record<string, string>) => [
        key!.toLowerCase(),
        value,
      ]);
      assertEquals(listed.sort(), same);
      for (const name of [".htaccess", "headers.nginx.conf"]) {
        const lines = (await Deno.readTextFile(join(folder, name))).trim().split("\n");
        const pairs = lines.map((line) => /^(?:Header always set|add_header) ([\w-]+) "([^"]*)"/.exec(line)!.slice(1));
        assertEquals(pairs.map(([name, value]) => [name!.toLowerCase(), value]).sort(), same, name);
      }
    });

    for (const path of ["/", "/chat/"]) {
      await t.step(`work at ${path}, and ask nobody but the host and the project`, async () => {
        await using chat = await visit(host.url + path);
        await chat.page.getByText("Hello, I am Ada.").first().waitFor();
        await using desk = await visit(`${host.url}${path}desk/`);
        await desk.page.getByLabel(en.shared.password).waitFor();
        await using consent = await visit(`${host.url}${path}oauth/consent/?authorization_id=a`);
        await consent.page.getByLabel(en.shared.password).waitFor();
        for (const { errors, origins } of [chat, desk, consent]) {
          assertEquals(errors, []);
          assertEquals([...origins].filter((origin) => ![host.url, project.url].includes(origin)), []);
        }
      });
    }

    await t.step("are written anew into their own folder, and into no other", async () => {
      await writePage(folder, settings, await pageScripts());
      await Deno.writeTextFile(join(folder, "notes.txt"), "mine");
      await assertRejects(
        async () => await writePage(folder, settings, await pageScripts()),
        CommandError,
        "contains other files, such as notes.txt",
      );
    });

    await t.step("have a page for each persona, which goes with its persona", async () => {
      const parent = await Deno.makeTempDir();
      const other = join(parent, "pages");
      const [ada, bob] = [personaOf("ada"), personaOf("bob")];
      const write = async (personas: unknown[] | undefined) => {
        const known = personas && JSON.stringify(personas);
        await writePage(other, { ...settings, personas: known }, await pageScripts());
        const folders = Array.from(Deno.readDirSync(other)).filter(({ isDirectory }) => isDirectory);
        return folders.map(({ name }) => name).filter((name) => !["desk", "oauth"].includes(name)).toSorted();
      };
      assertEquals(await write([ada, bob]), ["ada", "bob"]);
      // Renamed.
      assertEquals(await write([{ ...ada, slug: "ada-byron" }, bob]), ["ada-byron", "bob"]);
      // Without a key, nobody knows whether they are still there.
      assertEquals(await write(undefined), ["ada-byron", "bob"]);
      const outside = join(other, "../outside");
      await Deno.mkdir(outside);
      await Deno.writeTextFile(join(other, "personas.json"), '["../outside", "ada-byron", "bob"]');
      assertEquals(await write([]), []);
      assertEquals((await Deno.stat(outside)).isDirectory, true);
      await Deno.remove(parent, { recursive: true });
    });

    await t.step("can be installed, each as its persona", async () => {
      const installed = await Deno.makeTempDir();
      const personas = JSON.stringify([personaOf("ada", "Ada Byron")]);
      await writePage(installed, { ...settings, personas }, await pageScripts());
      await using host = serveFolder(installed, headers);
      for (const [path, name] of [["", "Ask the expert"], ["ada/", "Ada Byron"]]) {
        await using visitor = await visit(`${host.url}/chat/${path}`);
        const session = await visitor.context.newCDPSession(visitor.page);
        const { url, errors, data } = await session.send("Page.getAppManifest");
        assertEquals([url, errors], [`${host.url}/chat/${path}manifest.webmanifest`, []]);
        assertEquals([JSON.parse(data!).name, JSON.parse(data!).display], [name, "standalone"]);
        assertEquals((await session.send("Page.getInstallabilityErrors")).installabilityErrors, []);
        for (const { src } of JSON.parse(data!).icons) {
          const icon = await fetch(new URL(src, url));
          assertEquals([icon.status, icon.headers.get("Content-Type")], [200, types.svg]);
          await icon.body?.cancel();
        }
      }
      await Deno.remove(installed, { recursive: true });
    });

    await t.step("greet from the page itself if they have the card of the coach, whatever is in it", async () => {
      const name = `Ada "><script>globalThis.attacked = true</script>`;
      await operator.from("coach_profiles").update({ name }).eq("id", tenant.coachId).throwOnError();
      const coaches = await readCoaches(project.url, tenant.apiKey, tenant.coachId);
      const other = await Deno.makeTempDir();
      await writePage(other, { ...settings, coaches }, await pageScripts());
      await using host = serveFolder(other, headers);
      await using visitor = await visit(`${host.url}/chat/`);
      await visitor.page.getByText("Hello, I am Ada.").waitFor();
      assertEquals(await visitor.page.title(), name);
      assertEquals([[...visitor.origins], visitor.errors], [[host.url], []]);
      assert(!(await Deno.readTextFile(join(other, "index.html"))).includes(tenant.apiKey));
      await Deno.remove(other, { recursive: true });
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
