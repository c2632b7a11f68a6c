import { join } from "node:path";
import { tools as allTools } from "../../../shared/api/mcp/tools.ts";
import { listFunctions } from "../../../supabase/platform/list_functions.ts";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { ask, assertReply, chat, type NewFile, upload } from "../../support/client.ts";
import { clearQueue, deleteRows, namesFound, statesAndReasons } from "../../support/knowledge.ts";
import { eventually } from "../../support/eventually.ts";
import { copyProject } from "../../support/local_stack.ts";
import { callTool, connect } from "../../support/mcp.ts";
import { startModelServer } from "../../support/model_server.ts";
import { createTenant, createUser, secretKey, type Tenant } from "../../support/project.ts";
import { makeDocx, makePdfOfStreams, packed, showLines, wordParagraph } from "../../support/sample_documents.ts";
import { sampleFiles } from "../../support/sample_files.ts";
import { projectVariable } from "../../support/service.ts";
import { nightly, nightlyStep } from "../../support/slow.ts";
import { startSupabaseProxy } from "../../support/supabase_proxy.ts";
import { deployBundles, type Deployment, deployPlainly } from "./deploy_project.ts";
import { findFaults } from "./find_faults.ts";
import type { Upload } from "./management_api.ts";
import { limits, measureUpload, type Size } from "./measure_upload.ts";
import { type RunningUpload, startUpload } from "./start_upload.ts";

const secret = "sk-that-stays-at-home";

/** A copy of the project, with secrets in the files where people keep them. Disposing of it deletes it. */
async function copyWithSecrets() {
  const folder = await copyProject();
  for (const path of [".env", ".env.local", "supabase/.env", "functions/.env", "functions/chat/.env", "shared/.env"]) {
    await Deno.writeTextFile(join(folder, path), `OPENAI_API_KEY=${secret}\n`);
  }
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

/** Checks that no upload contains one of these secrets. */
function assertNoSecret({ uploads }: Deployment): void {
  const decoder = new TextDecoder();
  for (const { name, files } of uploads) {
    for (const [path, bytes] of files) assert(!decoder.decode(bytes).includes(secret), `${name}: ${path}`);
  }
}

/** Measures the uploads from a folder, prints the sizes, and returns the uploads that the platform would refuse. */
async function findTooLarge(folder: string, { uploads }: Deployment): Promise<string[]> {
  const sizes = new Map<string, Size>();
  for (const upload of uploads) sizes.set(upload.name, await measureUpload(folder, upload));
  const inMegabytes = (bytes: number) => (bytes / 1_000_000).toFixed(2);
  console.table(Object.fromEntries(
    [...sizes].map(([name, size]) => [
      name,
      Object.fromEntries(Object.entries(size).map(([what, bytes]) => [`${what} (MB)`, inMegabytes(bytes)])),
    ]),
  ));
  return [...sizes].filter(([, { compressed }]) => compressed >= limits.onServer)
    .map(([name, { compressed }]) => `${name}: ${inMegabytes(compressed)} MB`);
}

/** The backends of deployed functions: a model, and a Supabase through which they call each other. */
async function startSurroundings() {
  const stack = new AsyncDisposableStack();
  const model = stack.use(await startModelServer());
  const supabase = stack.use(startSupabaseProxy(projectVariable("SUPABASE_URL")));
  const env = {
    SUPABASE_URL: supabase.url,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: "sk-of-the-project",
    OPENAI_MODEL: "",
    OPENAI_EMBEDDING_MODEL: "",
    OPENAI_VISION_MODEL: "seer",
    OPENAI_TRANSCRIPTION_MODEL: "",
    UPSTASH_REDIS_REST_URL: "",
  };
  const running = new Map<string, RunningUpload>();
  return {
    model,
    async start(upload: Upload, lock?: string) {
      const started = stack.use(await startUpload(upload, { env, lock }));
      running.set(upload.name, started);
      if (upload.name === "indexer") supabase.functionsUrl = started.url;
    },
    functionOf(name: string): RunningUpload {
      const found = running.get(name);
      if (found === undefined) throw new Error(`The function ${name} does not run`);
      return found;
    },
    /** Ends all functions, and returns their log lines above the level of info. */
    async stop(): Promise<string[]> {
      const printed = await Promise.all([...running.values()].map(({ stop }) => stop()));
      return printed.join("\n").split("\n").filter((line) => line !== "" && !line.startsWith('{"level":"info"'));
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Has the indexer read all queued files, and returns the states of a tenant's files. */
async function indexAll(indexer: Pick<RunningUpload, "url">, tenant: Tenant) {
  assertReply(await ask(indexer, "POST", "/indexer", {}, undefined, { headers: { apikey: secretKey } }), 202);
  const isDone = async () =>
    (await statesAndReasons(tenant)).every(([, status]) => !["queued", "indexing"].includes(status!));
  await eventually(isDone, "all files were indexed");
  return await statesAndReasons(tenant);
}

/** Documents of the kinds that are read with npm packages. */
const sampleDocuments = (): NewFile[] =>
  [
    ["retro.pdf", makePdfOfStreams([packed(showLines(["A retrospective needs a clock and a cake."]))])],
    ["mentor.docx", makeDocx(wordParagraph("A mentor keeps a heron in the office."))],
  ].map(([name, bytes]) => [name, bytes] as NewFile);

Deno.test("the functions, deployed as npm run deploy does", async (t) => {
  await using project = await copyWithSecrets();
  const deployment = await deployBundles(project.folder);

  await t.step("all of them are in service, each with all files of its bundle and no others", () => {
    const names = listFunctions();
    assertEquals(deployment.inService.toSorted(), names);
    assertEquals(
      deployment.uploads.map(({ name, entrypoint, importMap, verifyJwt, files }) => [
        ...[name, entrypoint, importMap, verifyJwt],
        [...files.keys()].toSorted(),
      ]).toSorted(),
      names.map((name) => {
        const file = `supabase/functions/${name}/index.js`;
        return [name, file, null, false, deployment.bundled.get(name)!];
      }),
    );
  });

  await t.step("no upload holds a secret", () => assertNoSecret(deployment));

  await t.step("no upload is too large", async () => {
    assertEquals(await findTooLarge(project.folder, deployment), []);
  });

  await using surroundings = await startSurroundings();
  const { model, functionOf } = surroundings;
  await t.step("each function starts from only its upload", async () => {
    for (const upload of deployment.uploads) await surroundings.start(upload);
  });

  const { accessToken, id: userId } = await createUser();
  const tenant = await createTenant({ requests_per_minute: 1_000 }, { owner_id: userId });
  const owner = { apiKey: tenant.apiKey, accessToken };
  let threadId = "";

  await clearQueue();
  await t.step("knowledge-handler accepts files of every kind", async () => {
    const german = Uint8Array.from("Schöne Grüße an die Bürgermeisterin für die Brücke.", (c) => c.charCodeAt(0));
    const reply = await upload(functionOf("knowledge-handler"), owner, tenant.coachId, [
      ...sampleDocuments(),
      ["brief.txt", german],
      ["plan.md", "# Plan\n\nBuy a ladder for the library."],
      ["photo.png", sampleFiles.png],
    ]);
    assertReply(reply, 200);
    assertEquals(reply.json.failedFiles, []);
  });

  await t.step("indexer reads them", async () => {
    model.script("seer", { steps: [{ text: "A whiteboard with a lighthouse." }] });
    assertEquals(
      await indexAll(functionOf("indexer"), tenant),
      ["retro.pdf", "mentor.docx", "brief.txt", "plan.md", "photo.png"].map((name) => [name, "ready", null]),
    );
  });

  await t.step("knowledge-handler finds each by its content", async () => {
    const found = async (text: string) =>
      await namesFound({ ...functionOf("knowledge-handler"), turns: async () => {} }, tenant, text);
    assertEquals(await found("retrospective cake"), ["retro.pdf"]);
    assertEquals(await found("heron"), ["mentor.docx"]);
    assertEquals(await found("Bürgermeisterin"), ["brief.txt"]);
    assertEquals(await found("ladder"), ["plan.md"]);
    assertEquals(await found("lighthouse"), ["photo.png"]);
  });

  await t.step("chat answers a signed-in user with passages from them, and stores a note", async () => {
    model.script(tenant.modelName, { steps: [{ text: "In the office." }] });
    const context = { coachId: tenant.coachId, userId, isAuthenticated: true };
    const reply = await chat(functionOf("chat"), owner, { message: "Where is the heron?", context });
    assertEquals(reply.answer, "In the office.");
    assertMatch(JSON.stringify(model.requestsOf(tenant.modelName)[0]?.body.input), /A mentor keeps a heron/);
    threadId = reply.threadId;
    const note = await chat(functionOf("chat"), owner, {
      message: "Bring a coat.",
      context: { coachId: tenant.coachId, mode: "create_knowledge" },
    });
    assertMatch(note.answer, /\.md/);
  });

  await t.step("coaches lists the coach", async () => {
    const reply = await ask(functionOf("coaches"), "GET", "/coaches", owner);
    assertReply(reply, 200);
    assertEquals(reply.json.data.map(({ id }: { id: string }) => id), [tenant.coachId]);
  });

  await t.step("users lists the thread", async () => {
    const reply = await ask(functionOf("users"), "GET", `/users/${userId}/threads`, owner);
    assertReply(reply, 200);
    assert(reply.text.includes(threadId), reply.text);
  });

  await t.step("threads lists its messages", async () => {
    const reply = await ask(functionOf("threads"), "GET", `/threads/${threadId}/messages`, owner);
    assertReply(reply, 200);
    const contents = reply.json.data.map(({ content }: { content: string }) => content);
    assertEquals(contents, ["Where is the heron?", "In the office."]);
  });

  await t.step("mcp lists its tools, and they work", async () => {
    await using client = await connect(functionOf("mcp"), owner);
    const { tools } = await client.listTools();
    assertEquals(tools.map(({ name }) => name), allTools.map(({ name }) => name));
    const { json } = await callTool(client, "search-knowledge", { coachId: tenant.coachId, search: "heron" });
    assertEquals(json.data[0].filename, "mentor.docx");
    const answer = await callTool(client, "chat", { message: "Hello", context: { coachId: tenant.coachId } });
    assert(!answer.isError, answer.text);
  });

  await t.step("docs returns the OpenAPI document", async () => {
    const reply = await ask(functionOf("docs"), "GET", "/docs/openapi.json", {});
    assertReply(reply, 200);
    assertMatch(reply.json.openapi, /^3\.1/);
  });

  await t.step("no function has logged a warning or an error", async () => {
    assertEquals(await surroundings.stop(), []);
  });
  await deleteRows(tenant.coachId);
});

Deno.test("the functions, deployed unbundled with the Supabase CLI", async (t) => {
  await using project = await copyWithSecrets();
  const deployment = await deployPlainly(project.folder);

  await t.step("all of them are deployed, each with the files it needs and no others", async () => {
    assertEquals(await findFaults(project.folder, deployment), []);
    assert(deployment.uploads.length > 0);
  });

  await t.step("no upload holds a secret", () => assertNoSecret(deployment));

  await t.step("none is too large, with all that the platform puts into it", async () => {
    assertEquals(await findTooLarge(project.folder, deployment), []);
  });

  const readLock = (name: string) => Deno.readTextFile(join(project.folder, "functions", name, "deno.lock"));
  const places: Record<string, (name: string) => Promise<string | undefined>> = {
    "with the lock files of the checkout, each function starts and works": readLock,
    "from only their uploads, each function starts and works": () => Promise.resolve(undefined),
  };
  for (const [name, lockOf] of Object.entries(places)) {
    await nightlyStep(t, name, async () => {
      await using surroundings = await startSurroundings();
      const { model, functionOf } = surroundings;
      for (const upload of deployment.uploads) await surroundings.start(upload, await lockOf(upload.name));
      await clearQueue();
      const { accessToken, id: userId } = await createUser();
      const tenant = await createTenant({ requests_per_minute: 1_000 }, { owner_id: userId });
      const owner = { apiKey: tenant.apiKey, accessToken };
      assertReply(await upload(functionOf("knowledge-handler"), owner, tenant.coachId, sampleDocuments()), 200);
      assertEquals(
        await indexAll(functionOf("indexer"), tenant),
        sampleDocuments().map(([name]) => [name, "ready", null]),
      );

      model.script(tenant.modelName, { steps: [{ text: "A cake." }] });
      const context = { coachId: tenant.coachId, userId, isAuthenticated: true };
      const { answer, threadId } = await chat(functionOf("chat"), owner, { message: "What does it need?", context });
      assertEquals(answer, "A cake.");
      assertReply(await ask(functionOf("threads"), "GET", `/threads/${threadId}/messages`, owner), 200);
      assertReply(await ask(functionOf("users"), "GET", `/users/${userId}/threads`, owner), 200);
      assertReply(await ask(functionOf("coaches"), "GET", `/coaches/${tenant.coachId}`, owner), 200);
      assertReply(await ask(functionOf("docs"), "GET", "/docs/openapi.json", {}), 200);
      await using client = await connect(functionOf("mcp"), owner);
      const { json } = await callTool(client, "search-knowledge", { coachId: tenant.coachId, search: "cake" });
      assertEquals(json.data[0].filename, "retro.pdf");
      assertEquals(await surroundings.stop(), []);
      await deleteRows(tenant.coachId);
    });
  }
});

/** Replaces a text in a file of a project; fails when the text is not there. */
async function replaceIn(folder: string, path: string, text: string, replacement: string): Promise<void> {
  const before = await Deno.readTextFile(join(folder, path));
  assert(before.includes(text), `${path} has no ${text}`);
  await Deno.writeTextFile(join(folder, path), before.replace(text, replacement));
}

/** Mistakes with which the CLI reports success, and the faults that must be found, possibly among others. */
const mistakes: Record<string, { make: (folder: string) => Promise<void>; faults: string[] }> = {
  "a missing module that is imported": {
    make: (folder) => Deno.remove(join(folder, "shared/features/chat/stop_answer.ts")),
    faults: ["chat: shared/features/chat/stop_answer.ts is missing"],
  },
  "an entry in the import map for a whole folder": {
    make: (folder) =>
      replaceIn(folder, "functions/users/deno.json", '"imports": {', '"imports": { "@shared/": "../../shared/",'),
    faults: [
      "users: shared/.env does not belong there",
      "users: shared/clients/terminal/main.ts does not belong there",
    ],
  },
  "a module that imports something of the tests": {
    make: (folder) => replaceIn(folder, "shared/core/wire/ids.ts", "", 'import "../../support/fake_clock.ts";\n'),
    faults: ["users: tests/support/fake_clock.ts does not belong there"],
  },
  "an .env file among the static files": {
    make: (folder) =>
      replaceIn(folder, "supabase/config.toml", "[functions.chat]", '[functions.chat]\nstatic_files = ["../.env"]'),
    faults: ["chat: .env does not belong there"],
  },
  "a function without a section": {
    make: (folder) => replaceIn(folder, "supabase/config.toml", "[functions.users]", "[functions.members]"),
    faults: [
      "members: no such function",
      "users: not deployed, supabase/config.toml has no [functions.users] that is enabled",
    ],
  },
  "an entry point that does not exist": {
    make: (folder) => Deno.remove(join(folder, "functions/users/index.ts")),
    faults: ["users: the entry point functions/users/index.ts does not exist"],
  },
  "a section with the import map of the tools": {
    make: (folder) =>
      replaceIn(
        folder,
        "supabase/config.toml",
        'import_map = "../functions/chat/deno.json"',
        'import_map = "../deno.json"',
      ),
    faults: ["chat: the import map is deno.json, not functions/chat/deno.json"],
  },
  "a function behind the platform's own check of tokens": {
    make: (folder) => replaceIn(folder, "supabase/config.toml", "verify_jwt = false", "verify_jwt = true"),
    faults: ["chat: verify_jwt is on"],
  },
};

// Of npm run deploy: npm_deploy_test.ts.
Deno.test({ name: "findFaults reports a deployment with", ...nightly }, async (t) => {
  for (const [name, { make, faults }] of Object.entries(mistakes)) {
    await t.step(name, async () => {
      await using project = await copyWithSecrets();
      await make(project.folder);
      const found = await findFaults(project.folder, await deployPlainly(project.folder));
      const others = found.filter((fault) => !faults.includes(fault));
      assertEquals(found.filter((fault) => faults.includes(fault)), faults, `Found besides: ${others.join("; ")}`);
    });
  }
});
