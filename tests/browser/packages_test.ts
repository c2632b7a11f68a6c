/// <reference lib="dom" />
import { join } from "node:path";
import type { Page } from "playwright-core";
import { buildClient } from "../../supabase/commands/package/client/build_client.ts";
import { buildElements } from "../../supabase/commands/package/elements/build_elements.ts";
import type { Manifest } from "../../supabase/commands/package/elements/manifest.ts";
import { packPackage } from "../../supabase/commands/package/package_folder.ts";
import { projectRoot } from "../../supabase/platform/state.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../support/assert.ts";
import { gatewayOf } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { createTenant, issuePublishableKey, publishableKey as supabaseKey } from "../support/project.ts";
import { runCommand } from "../support/run_command.ts";
import { serve } from "../support/serve.ts";
import { startService } from "../support/service.ts";
import { nightly, nightlyStep } from "../support/slow.ts";
import { sharedBrowser } from "./browser.ts";
import { pageScripts, visit } from "./site.ts";
import { de, fr, whole } from "./texts.ts";

/** The tools that the projects of others are made with. One folder has all of it, so that it is installed once. */
const tools = [
  ...["publint@0.3.25", "@arethetypeswrong/core@0.18.5", "typescript@7.0.2", "vite@8.3.8"],
  ...["react@19.3.1", "react-dom@19.3.1", "@types/react@19.3.0", "@types/react-dom@19.3.0"],
  ...["@vitejs/plugin-react@6.3.0", "vue@3.5.45", "@vitejs/plugin-vue@6.0.11"],
  ...["@types/node@26.6.6", "types-react-18@npm:@types/react@18.3.32"],
  ...nightly.ignore ? [] : ["next@16.4.6"],
];

/** Findings of `attw` that are no faults of packages that are ES modules. */
const accepted: Record<string, string> = {
  // `node10` is the resolution of Node before version 12.7, which knows no `exports`.
  NoResolution: "node10",
  // CommonJS has to write `await import(…)`, or `require` from Node 20.19 on.
  CJSResolvesToESM: "node16-cjs",
};

const strict = {
  target: "ES2022",
  lib: ["dom", "dom.iterable", "esnext"],
  module: "esnext",
  moduleResolution: "bundler",
  strict: true,
  skipLibCheck: false,
  types: [],
  noEmit: true,
  jsx: "react-jsx",
  allowImportingTsExtensions: true,
};

const react = `import { createRoot } from "react-dom/client";
import { Launcher } from "./launcher.tsx";
createRoot(document.getElementById("root")!).render(<Launcher />);
`;

/** Elements that the types allow in JSX, and some that they do not. */
const jsx = `import type { HumanChatLauncher } from "human-intelligence-elements/react";

export const launcher = (
  <human-chat-launcher corner="start" open watch publishable-key="hi_pub_1" className="mine" slot="x"
    ref={(element: HumanChatLauncher | null) => { if (element) element.accessToken = async () => null; }} />
);
export const chat = <human-chat publishable-key="hi_pub_1" links lang="de"><a slot="links" href="/">Home</a></human-chat>;
export const desk = <human-desk publishable-key="hi_pub_1" chat-url="/chat" />;
// @ts-expect-error: there is no such corner.
export const wrong = <human-chat-launcher corner="left" />;
// @ts-expect-error: it is a text.
export const alsoWrong = <human-chat publishable-key={1} />;
`;

/** Uses of the types in scripts, and in templates of Vue. */
const typed = `import { defineChat } from "human-intelligence-elements";
import type { GlobalComponents } from "vue";
import type {} from "human-intelligence-elements/vue";

export const defined: Promise<void> = defineChat();
export const launcher = document.querySelector("human-chat-launcher")!;
launcher.addEventListener("unread", ({ detail }) => detail.toFixed());
launcher.addEventListener("toggle", ({ newState }) => newState.length);
launcher.show();
launcher.texts = { newChat: "Begin again", unread: { one: "{count}", other: "{count}" } };
// @ts-expect-error: it is a function.
document.createElement("human-desk").accessToken = "token";

type Props = InstanceType<GlobalComponents["human-chat"]>["$props"];
export const props: Props = { "publishable-key": "hi_pub_1", links: true };
// @ts-expect-error: it is a text.
export const wrong: Props = { "publishable-key": 1 };
`;

async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  const env = { NEXT_TELEMETRY_DISABLED: "1" };
  const { code, stdout, stderr } = await runCommand(command, args, { cwd, env });
  assertEquals(code, 0, `${command} ${args.join(" ")}\n${stdout}\n${stderr}`);
  return stdout;
}

/** The first part of a page of Markdown that is in a language. */
function exampleOf(readme: string, language: string): string {
  const [, example] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(readme)!;
  return example!;
}

const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  mjs: "text/javascript",
};

async function prepare() {
  await using stack = new AsyncDisposableStack();
  await sharedBrowser();
  const service = stack.use(await startService());
  const project = stack.use(serve(gatewayOf(service.url)));
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  // Everything that the projects have built, and their packages.
  const host = stack.use(serve(async ({ url }) => {
    const path = new URL(url).pathname.replace(/\/$/, "/index.html");
    if (path === "/favicon.ico") return new Response(null, { status: 204 });
    const file = await Deno.readFile(join(folder, path)).catch(() => null);
    const headers = { "Content-Type": types[path.split(".").at(-1)!] ?? "application/octet-stream" };
    return new Response(file, { status: file ? 200 : 404, headers });
  }));
  const tenant = await createTenant({}, { name: "Ada Byron", greeting: "Hello, I am Ada." });
  const { publishableKey: key } = await issuePublishableKey(tenant.accountId, { origins: [host.url] });

  await buildClient(join(folder, "built/client"));
  await buildElements(join(folder, "built/elements"), await pageScripts());
  const archives = [await packPackage(join(folder, "built/client")), await packPackage(join(folder, "built/elements"))];
  await Deno.writeTextFile(join(folder, "package.json"), `{ "private": true, "type": "module" }`);
  const quietly = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts", "--prefer-offline"];
  await run(folder, "npm", "install", ...quietly, ...tools, ...archives);

  const read = (path: string) => Deno.readTextFile(join(folder, path));
  const fill = (example: string) =>
    example.replaceAll("https://<ref>.supabase.co", project.url).replaceAll("hi_pub_…", key)
      .replaceAll("sb_publishable_…", supabaseKey).replaceAll("demo-coach", tenant.coachId);
  const readme = fill(await read("node_modules/human-intelligence-elements/README.md"));
  return handOver(stack, {
    ...{ folder, host, readme, read, fill, archives },
    write: async (files: Record<string, string>) => {
      for (const [path, content] of Object.entries(files)) {
        await Deno.mkdir(join(folder, path, ".."), { recursive: true });
        await Deno.writeTextFile(join(folder, path), content);
      }
    },
    bin: (name: string, ...args: string[]) => run(folder, join("node_modules/.bin", name), ...args),
    script: (...texts: string[]) => service.model.script(tenant.modelName, { steps: texts.map((text) => ({ text })) }),
  });
}

/** Asks in German, which is loaded for it, and waits for the answer. */
async function askInGerman(page: Page, opener: string | null): Promise<void> {
  if (opener) await page.getByRole("button", { name: opener }).click();
  const field = page.getByRole("textbox", { name: whole(de.chat.messageLabel) });
  await field.fill("Wie geht es?");
  await field.press("Enter");
  await page.locator("article.answer[aria-busy=false]").getByText("Es geht gut.").waitFor();
}

type Projects = Awaited<ReturnType<typeof prepare>>;

/** Checks the packages as they are, with their types. */
async function checkPackages(t: Deno.TestContext, { folder, readme, write, bin, archives }: Projects): Promise<void> {
  await t.step("publint and attw find nothing in them", async () => {
    await write({
      "lint.js": `import { readFile } from "node:fs/promises";
        import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
        import { publint } from "publint";
        const [archives, names] = [${JSON.stringify(archives)}, ["client", "elements"]];
        const linted = await Promise.all(names.map((name) =>
          publint({ pkgDir: "node_modules/human-intelligence-" + name, pack: false })));
        const checked = await Promise.all(archives.map(async (path) =>
          await checkPackage(createPackageFromTarballData(await readFile(path)))));
        console.log(JSON.stringify({
          linted: linted.flatMap(({ messages }) => messages),
          entryPoints: checked.flatMap(({ entrypoints }) => Object.keys(entrypoints)).length,
          problems: checked.flatMap(({ problems }) => problems),
        }));`,
    });
    const { linted, entryPoints, problems } = JSON.parse(await run(folder, "node", "lint.js"));
    assertEquals(linted, []);
    assert(entryPoints >= 11, `${entryPoints}`);
    const faults = problems.filter(({ kind, resolutionKind }: Record<string, string>) =>
      accepted[kind!] !== resolutionKind
    );
    assertEquals(faults, []);
  });

  await t.step("every entry point can be imported on a server, by Node and by Deno", async () => {
    const names = ["", "/chat", "/desk", "/launcher", "/react", "/vue"].map((path) =>
      `human-intelligence-elements${path}`
    );
    const imports = [...names, "human-intelligence-client", "human-intelligence-client/ai-sdk"];
    await write({
      "server.js": `${imports.map((name, at) => `import * as module${at} from "${name}";`).join("\n")}
        await module0.defineChat();
        console.log([${imports.map((_, at) => `Object.keys(module${at}).length`)}].join());`,
    });
    for (const command of [["node"], [Deno.execPath(), "run", "--quiet", "-A"]]) {
      const [program, ...args] = command as [string, ...string[]];
      assertMatch(await run(folder, program, ...args, "server.js"), /^3,0,0,0,0,0,\d+,2$/m);
    }
  });

  await t.step("types: strict, without a look away, for scripts, Vue, and JSX of React 18 and 19", async () => {
    await write({
      "types/typed.ts": typed,
      "types/jsx.tsx": jsx,
      "types/launcher.tsx": exampleOf(readme, "tsx"),
      "types/tsconfig.json": JSON.stringify({ compilerOptions: strict }),
      "types/react18.json": JSON.stringify({
        compilerOptions: {
          ...strict,
          paths: { "react": ["../node_modules/types-react-18"], "react/*": ["../node_modules/types-react-18/*"] },
        },
        files: ["jsx.tsx", "launcher.tsx"],
      }),
    });
    await bin("tsc", "--project", "types/tsconfig.json");
    const listed = await bin("tsc", "--project", "types/react18.json", "--listFiles");
    assertStringIncludes(listed, "types-react-18/index.d.ts");
    assert(!listed.includes("@types/react/index.d.ts"), listed);
  });
}

/** Builds sites of different kinds, and opens them. */
async function buildSites(t: Deno.TestContext, projects: Projects): Promise<void> {
  const { folder, host, readme, read, write, bin, script } = projects;
  const see = async (path: string, opener: string | null) => {
    await using visitor = await visit(`${host.url}${path}`, { locale: "de-AT" });
    script("Es geht", " gut.");
    await askInGerman(visitor.page, opener);
    assertEquals(visitor.errors, []);
  };

  await t.step(
    "Vite: the launcher in React and the chat in Vue stream an answer, in a language that is loaded",
    async () => {
      await write({
        "vite/index.html":
          `<!doctype html><title>React</title><div id="root"></div><script type="module" src="react.tsx"></script>`,
        "vite/vue.html":
          `<!doctype html><title>Vue</title><div id="root"></div><script type="module" src="vue.js"></script>`,
        "vite/react.tsx": react,
        "vite/launcher.tsx": exampleOf(readme, "tsx"),
        "vite/vue.js":
          `import { createApp } from "vue";\nimport Chat from "./chat.vue";\ncreateApp(Chat).mount("#root");`,
        "vite/chat.vue": exampleOf(readme, "vue"),
        "vite/vite.config.js": `import react from "@vitejs/plugin-react";
        import { plugins } from "./vue.config.js";
        const input = ["index.html", "vue.html"].map((name) => new URL(name, import.meta.url).pathname);
        export default { base: "./", plugins: [react(), ...plugins], build: { rolldownOptions: { input } } };`,
        "vite/vue.config.js": exampleOf(readme, "ts").replace(
          /export default \{\s*plugins: (.*),\s*\};/s,
          "export const plugins = $1;",
        ),
        "vite/tsconfig.json": JSON.stringify({ compilerOptions: strict, include: ["*.tsx"] }),
      });
      await bin("tsc", "--project", "vite");
      await bin("vite", "build", "vite", "--logLevel=warn");
      const assets = Array.from(Deno.readDirSync(join(folder, "vite/dist/assets")), ({ name }) => name);
      assertEquals(assets.filter((name) => /^human-chat\.\w\w-/.test(name)).length, 5, assets.join());
      await see("/vite/dist/", de.launcher.open);
      await see("/vite/dist/vue.html", null);
    },
  );

  // Every run imports the packages on a server, and builds the launcher in React.
  await nightlyStep(t, "Next: the launcher is rendered on the server, and streams an answer", async () => {
    await write({
      "next/next.config.mjs": `export default { output: "export", basePath: "/next/out", trailingSlash: true };`,
      "next/app/layout.tsx": `export default function Layout({ children }: { children: React.ReactNode }) {
        return <html lang="en"><body>{children}</body></html>;
      }`,
      "next/app/page.tsx": `import { Launcher } from "./launcher";
        export default function Page() { return <main><h1>Next</h1><Launcher /></main>; }`,
      "next/app/launcher.tsx": exampleOf(readme, "tsx"),
    });
    await run(join(folder, "next"), "../node_modules/.bin/next", "build");
    assertMatch(await read("next/out/index.html"), /<human-chat-launcher [^>]*publishable-key="hi_pub_/);
    await see("/next/out/", de.launcher.open);
  });

  await t.step("plain HTML: two lines are a launcher, and the client signs a visitor in by an import map", async () => {
    const modules = "/node_modules";
    const html = exampleOf(readme, "html");
    assertEquals(html.trim().split("\n").length, 2);
    const client = projects.fill(await read("node_modules/human-intelligence-client/README.md"));
    const [, , page] = client.split("```ts\n").map((part) => part.split("```")[0]!);
    assertStringIncludes(page!, "signInAnonymously");
    const imports = {
      "human-intelligence-client": `${modules}/human-intelligence-client/dist/index.js`,
      "eventsource-parser/stream": `${modules}/eventsource-parser/dist/stream.js`,
      "openapi-fetch": `${modules}/openapi-fetch/dist/index.mjs`,
    };
    await write({
      "plain.html": `<!doctype html><title>Plain</title>\n${html.replace("/human-", `${modules}/human-`)}`,
      "desk.html": `<!doctype html><title>Desk</title>\n${
        html.replace("/human-", `${modules}/human-`).replaceAll("human-chat-launcher", "human-desk")
          .replace(" key=", ' lang="fr" key=')
      }`,
      "client.html": `<!doctype html><title>Client</title><script type="importmap">${
        JSON.stringify({ imports })
      }</script>
        <script type="module">import { createClient } from "human-intelligence-client";\n${page}
        document.title = (await client.listCoaches()).data[0].name;</script>`,
    });
    await see("/plain.html", de.launcher.open);
    await using expert = await visit(`${host.url}/desk.html`);
    await expert.page.getByRole("heading", { name: fr.desk.frame.title }).waitFor();
    assertEquals(expert.errors, []);
    await using visitor = await visit(`${host.url}/client.html`);
    await visitor.page.waitForFunction(() => document.title === "Ada Byron");
    assertEquals(visitor.errors, []);
  });
}

/** Compares the manifest with the elements themselves, and with the pages of the project. */
async function checkManifest(t: Deno.TestContext, { host, read }: Projects): Promise<void> {
  await t.step(
    "the manifest names every attribute of the elements, and the pages of the project name them, too",
    async () => {
      const manifest: Manifest = JSON.parse(
        await read("node_modules/human-intelligence-elements/custom-elements.json"),
      );
      const elements = manifest.modules.flatMap(({ declarations }) => declarations);
      await using visitor = await visit(`${host.url}/client.html`);
      const observed = await visitor.page.evaluate(
        async (paths) => {
          await Promise.all(paths.map((path) => import(`/node_modules/human-intelligence-elements/${path}`)));
          const names = ["human-chat", "human-chat-launcher", "human-desk"];
          return Object.fromEntries(
            names.map((name) =>
              [
                name,
                (customElements.get(name) as unknown as { observedAttributes: string[] }).observedAttributes,
              ] as const
            ),
          );
        },
        manifest.modules.map(({ path }) => path),
      );
      const ofDemo = ["email", "password"];
      // The launcher reads these when it needs them.
      const unobserved = ["corner", "watch"];
      const docs = await Promise.all(
        ["pages", "packages"].map((name) => Deno.readTextFile(join(projectRoot, `supabase/docs/${name}.md`))),
      );
      for (const { tagName, attributes, cssProperties = [], cssParts = [], slots = [] } of elements) {
        const named = attributes.map(({ name }) => name).filter((name) => !unobserved.includes(name));
        assertEquals(named.toSorted(), observed[tagName]!.filter((name) => !ofDemo.includes(name)).toSorted(), tagName);
        for (const { name } of [...attributes, ...cssProperties, ...cssParts, ...slots]) {
          assert(
            docs.some((text) => text.includes(name.replace(/^--human-chat-(?!launcher)/, ""))),
            `${tagName} ${name}`,
          );
        }
      }
    },
  );
}

Deno.test("the packages in projects of others", async (t) => {
  await using projects = await prepare();
  await checkPackages(t, projects);
  await buildSites(t, projects);
  await checkManifest(t, projects);
});
