import { join } from "node:path";
import { release } from "../../shared/infra/release.ts";
import { buildClient } from "../../supabase/commands/package/client/build_client.ts";
import { packPackage } from "../../supabase/commands/package/package_folder.ts";
import { projectRoot } from "../../supabase/platform/state.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { gatewayOf } from "../support/client.ts";
import { createTenant } from "../support/project.ts";
import { runCommand } from "../support/run_command.ts";
import { serve } from "../support/serve.ts";
import { startService } from "../support/service.ts";
import { slowStep } from "../support/slow.ts";

/** Packages of an application that is built with the client. */
const tools = ["vite@8.3.8", "typescript@5.9.3"];
/** The packages of the README's page, in addition to the AI SDK itself. */
const reactTools = ["@ai-sdk/react@4.0.177", "react@19.2.1", "@types/react@19.2.1"];

/** The output of `create-next-app`, without the parts that need Next itself. */
const nextConfig = {
  compilerOptions: {
    target: "ES2017",
    lib: ["dom", "dom.iterable", "esnext"],
    types: [],
    skipLibCheck: true,
    strict: true,
    noEmit: true,
    esModuleInterop: true,
    module: "esnext",
    moduleResolution: "bundler",
    resolveJsonModule: true,
    isolatedModules: true,
    jsx: "preserve",
    incremental: true,
  },
  include: ["typed.ts", "readme.tsx"],
};

/** A conversation, the threads and a refusal, printed as one line of JSON. */
const program = `
import { createClient, ServiceError } from "human-intelligence-client";

export async function run({ baseUrl, apiKey, coachId }) {
  const client = createClient({ baseUrl, apiKey });
  const answer = await client.chat({ message: "Hello", context: { coachId, userId: "u" } });
  const pieces = [];
  for await (const text of answer) pieces.push(text);
  const { data } = await client.listThreads("u");
  const refusal = await client.listMessages("nowhere").catch((error) => error);
  return JSON.stringify([
    pieces.join(""), answer.ending.status, data.some(({ id }) => id === answer.threadId),
    refusal instanceof ServiceError, refusal.code,
  ]);
}
`;

const typed = `
import { type Answer, type Client, type components, createClient, ServiceError, type Session } from "human-intelligence-client";

import { type ChatTransport, createChatTransport, loadMessages, type StoredMessage } from "human-intelligence-client/ai-sdk";

export const client: Client = createClient({ baseUrl: "https://x.test", publishableKey: "hi_pub_1", supabaseKey: "sb" });
createClient({ baseUrl: "/api", accessToken: async () => null });
// @ts-expect-error: a client has one key of the account.
createClient({ baseUrl: "https://x.test", apiKey: "hi_live_1", publishableKey: "hi_pub_1" });
// @ts-expect-error: the context has no such field.
export const answer: Promise<Answer> = client.chat({ message: "Hi", context: { coach: "c" } });
export const threads: Promise<components["schemas"]["ThreadList"]> = client.listThreads("u", { limit: 1 });
export const session: Promise<Session> = client.signInAnonymously();
export const transport: ChatTransport = createChatTransport(client, { coachId: "c" });
export const messages: Promise<StoredMessage[]> = loadMessages(client, "t");
export const codeOf = (error: unknown): string | null => error instanceof ServiceError ? error.code : null;
`;

async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, args, { cwd });
  assertEquals(code, 0, `${command} ${args.join(" ")}\n${stdout}\n${stderr}`);
  return stdout;
}

async function readAll(folder: string): Promise<string> {
  const texts: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    texts.push(isDirectory ? await readAll(path) : await Deno.readTextFile(path));
  }
  return texts.join("\n");
}

Deno.test("the client as an npm package", async (t) => {
  await using service = await startService();
  await using gateway = serve(gatewayOf(service.url));
  const tenant = await createTenant();
  const folder = await Deno.makeTempDir();
  const write = (path: string, text: string) => Deno.writeTextFile(join(folder, path), text);
  const settings = JSON.stringify({ baseUrl: gateway.url, apiKey: tenant.apiKey, coachId: tenant.coachId });
  const expected = JSON.stringify(["Hello world", "complete", true, true, "thread_not_found"]);
  const install = (...packages: string[]) =>
    run(folder, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error", ...packages);
  let archive = "";

  await t.step("is packed with its types, its license and its dependencies, and names no Deno", async () => {
    await buildClient(join(folder, "build/package"));
    archive = await packPackage(join(folder, "build/package"));
    await run(folder, "tar", "-xzf", archive);
    const names = [...Deno.readDirSync(join(folder, "package"))].map(({ name }) => name).toSorted();
    assertEquals(names, ["LICENSE", "README.md", "dist", "package.json"]);
    const { name, version, dependencies, engines } = JSON.parse(
      await Deno.readTextFile(join(folder, "package/package.json")),
    );
    assertEquals([name, version, engines.node], ["human-intelligence-client", release.version, ">=20"]);
    const { imports } = JSON.parse(await Deno.readTextFile(join(projectRoot, "deno.json")));
    assertEquals(`npm:openapi-fetch@${dependencies["openapi-fetch"].slice(1)}`, imports["openapi-fetch"]);
    const code = await readAll(join(folder, "package/dist"));
    assert(!/\bDeno\b/.test(code));
    // Every module that a module names is in the package, or a dependency.
    const modules = [...code.matchAll(/\b(?:from|import) ?\(?"([^"\s]+)"/g)].map(([, name]) => name!);
    const outside = modules.filter((name) => !/^\.\.?\/[\w./]+\.js$/.test(name)).map((name) => name.split("/")[0]!);
    assertEquals(outside.filter((name) => !(name in dependencies)), []);
  });

  await t.step("names the repository that publishes it, as a provenance requires, and none otherwise", async () => {
    const describe = async () => JSON.parse(await Deno.readTextFile(join(folder, "named/package.json")));
    const before = Deno.env.get("GITHUB_REPOSITORY");
    try {
      Deno.env.set("GITHUB_REPOSITORY", "somebody/chat");
      await buildClient(join(folder, "named"));
      const { repository, publishConfig } = await describe();
      assertEquals(repository, { type: "git", url: "git+https://github.com/somebody/chat.git" });
      assertEquals(publishConfig, { access: "public", provenance: true });
      Deno.env.delete("GITHUB_REPOSITORY");
      await buildClient(join(folder, "named"));
      assertEquals("repository" in await describe(), false);
    } finally {
      if (before !== undefined) Deno.env.set("GITHUB_REPOSITORY", before);
    }
  });

  await t.step("a second build leaves nothing of the first", async () => {
    const stale = join(folder, "build/package/dist/stale.js");
    await Deno.writeTextFile(stale, "");
    await buildClient(join(folder, "build/package"));
    assert(![...Deno.readDirSync(join(folder, "build/package/dist"))].some(({ name }) => name === "stale.js"));
  });

  await t.step("is installed and used by a plain program in Node", async () => {
    await write("package.json", JSON.stringify({ name: "application", private: true, type: "module" }));
    await install(archive);
    await write("program.js", program);
    await write("node.js", `import { run } from "./program.js";\nconsole.log(await run(${settings}));`);
    service.model.script(tenant.modelName, { steps: [{ text: "Hello" }, { text: " world" }] });
    assertEquals((await run(folder, "node", "node.js")).trim(), expected);
    // Its dependencies ask for no newer Node than it does.
    for (const name of ["eventsource-parser", "openapi-fetch"]) {
      const { engines } = JSON.parse(await Deno.readTextFile(join(folder, "node_modules", name, "package.json")));
      assert([undefined, ">=18.0.0"].includes(engines?.node), `${name} ${engines?.node}`);
    }
  });

  await t.step("the first example of its page runs as it is there", async () => {
    const [, example] = /```ts\n(.*?)```/s.exec(await Deno.readTextFile(join(folder, "package/README.md")))!;
    await write(
      "example.js",
      example!.replace("https://<ref>.supabase.co", gateway.url).replace("demo-coach", tenant.coachId),
    );
    service.model.script(tenant.modelName, { steps: [{ text: "Begin" }, { text: " small." }] });
    const { stdout, stderr } = await runCommand("node", ["example.js"], {
      cwd: folder,
      env: { API_KEY: tenant.apiKey },
    });
    assertEquals(/^Begin small\.[0-9a-f-]{36} \[\]$/m.test(stdout), true, stdout + stderr);
  });

  await t.step("the example of the project's README runs at its root", async () => {
    const [, example] = /```ts\n(.*?)```/s.exec(await Deno.readTextFile(join(projectRoot, "README.md")))!;
    service.model.script(tenant.modelName, { steps: [{ text: "Begin" }, { text: " small." }] });
    const { stdout, stderr } = await runCommand(
      Deno.execPath(),
      ["eval", "--quiet", "--ext=ts", example!.replace("demo-coach", tenant.coachId)],
      { cwd: projectRoot, env: { BASE_URL: gateway.url, API_KEY: tenant.apiKey } },
    );
    assertEquals(/^Begin small\.\n\nThread [0-9a-f-]{36} \[\]$/m.test(stdout), true, stdout + stderr);
  });

  await t.step("and in Deno", async () => {
    await write("deno.ts", `import { run } from "./program.js";\nconsole.log(await run(${settings}));`);
    service.model.script(tenant.modelName, { steps: [{ text: "Hello" }, { text: " world" }] });
    assertEquals(
      (await run(folder, Deno.execPath(), "run", "--quiet", "--no-check", "-A", "deno.ts")).trim(),
      expected,
    );
  });

  await slowStep(t, "is built into a page by Vite", async () => {
    await install(...tools);
    await write("index.html", '<script type="module" src="./page.js"></script>');
    await write("page.js", `import { run } from "./program.js";\nrun(${settings}).then(console.log);`);
    // Only the code that Vite adds for older browsers would need a document.
    await write("vite.config.js", "export default { build: { modulePreload: false } };");
    await run(folder, "node_modules/.bin/vite", "build", "--logLevel=warn");
    const assets = join(folder, "dist/assets");
    const [bundle] = [...Deno.readDirSync(assets)].map(({ name }) => name).filter((name) => name.endsWith(".js"));
    assert(!/\bDeno\b/.test(await readAll(assets)));
    service.model.script(tenant.modelName, { steps: [{ text: "Hello" }, { text: " world" }] });
    assertEquals((await run(assets, "node", bundle!)).trim(), expected);
  });

  await slowStep(t, "its types are right with Next's settings, and so is the page of its README", async () => {
    await install(...tools, ...reactTools);
    await write("typed.ts", typed);
    const [, page] = /```tsx\n(.*?)```/s.exec(await Deno.readTextFile(join(folder, "package/README.md")))!;
    const client = 'declare const client: import("human-intelligence-client").Client;\n';
    await write("readme.tsx", client + page!.replace("…", "return <p>{chat.status}</p>;"));
    await write("tsconfig.json", JSON.stringify(nextConfig));
    await run(folder, "node_modules/.bin/tsc", "--project", "tsconfig.json");
  });
  await Deno.remove(folder, { recursive: true });
});
