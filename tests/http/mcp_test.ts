import type { Progress } from "@modelcontextprotocol/client";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "../support/assert.ts";
import { acceptOf, ask, type Credentials, send } from "../support/client.ts";
import { uploadAndIndex } from "../support/knowledge.ts";
import { callTool, connect, envelope, post, refusedCall, revisions } from "../support/mcp.ts";
import { allScopes, createTenant, createUser, issueKey, operator } from "../support/project.ts";
import { sampleFiles } from "../support/sample_files.ts";
import { startService } from "../support/service.ts";
import { slow } from "../support/slow.ts";
import { storedAnswer } from "../support/turns.ts";

const toolNames = [
  "list-coaches",
  "chat",
  "get-user-threads",
  "threads",
  "ask-expert",
  "list-requests",
  "search-knowledge",
  "read-source",
  "upload-knowledge",
  "add-source",
  "delete-knowledge",
  "list-questions",
  "answer-question",
  "revise-answer",
];

/** Every property of a schema, including nested ones. */
function* propertiesOf(schema: unknown): Generator<[name: string, schema: Record<string, unknown>]> {
  if (typeof schema !== "object" || schema === null) return;
  const { properties = {}, ...parts } = schema as { properties?: Record<string, Record<string, unknown>> };
  for (const [name, property] of Object.entries(properties)) {
    yield [name, property];
    yield* propertiesOf(property);
  }
  for (const part of Object.values(parts).flat()) yield* propertiesOf(part);
}

for (const revision of revisions) {
  // How the revisions differ on the wire is in mcp_refusals_test.ts.
  Deno.test(`MCP ${revision}, with the official client`, revision === revisions[0] ? {} : slow, async (t) => {
    await using service = await startService();
    const tenant = await createTenant({ requests_per_minute: 1_000, scopes: allScopes });
    const { coachId } = tenant;
    await using client = await connect(service, tenant, { revision });

    await t.step("the server says who it is, what it offers and how to use it", () => {
      assertEquals(client.getNegotiatedProtocolVersion(), revision);
      assertEquals(client.getServerVersion()?.name, "human-intelligence-chat");
      assertEquals(client.getServerCapabilities(), { tools: {} });
      assertMatch(client.getInstructions() ?? "", /thread_id/);
    });

    await t.step("each tool has a title, a description, both schemas and all hints", async () => {
      const { tools } = await client.listTools();
      assertEquals(tools.map(({ name }) => name), toolNames);
      for (const { title, description, inputSchema, outputSchema } of tools) {
        assert(title && description && description.length > 60, description);
        assertEquals([inputSchema.type, outputSchema?.type], ["object", "object"]);
        for (const [name, { description, type }] of propertiesOf(inputSchema)) {
          assert(description && typeof type === "string", `${title}: ${name}`);
        }
        assertEquals(JSON.stringify([inputSchema, outputSchema]).includes("additionalProperties"), false, title);
      }
      const hints = tools.map(({ name, annotations }) => [
        name,
        annotations?.readOnlyHint,
        annotations?.destructiveHint,
        annotations?.idempotentHint,
        annotations?.openWorldHint,
      ]);
      assertEquals(hints, [
        ["list-coaches", true, false, true, false],
        ["chat", false, false, false, true],
        ["get-user-threads", true, false, true, false],
        ["threads", true, false, true, false],
        ["ask-expert", false, false, true, false],
        ["list-requests", true, false, true, false],
        ["search-knowledge", true, false, true, false],
        ["read-source", true, false, true, false],
        ["upload-knowledge", false, false, true, false],
        ["add-source", false, false, true, true],
        ["delete-knowledge", false, true, true, false],
        ["list-questions", true, false, true, false],
        ["answer-question", false, true, true, false],
        ["revise-answer", false, true, false, false],
      ]);
    });

    await t.step("validators of the newest dialect and of the older one both take the schemas", async () => {
      const { tools } = await client.listTools();
      for (const ajv of [new Ajv2020({ strict: false }), new Ajv({ strict: false })]) {
        addFormats.default(ajv);
        for (const { inputSchema, outputSchema } of tools) {
          [inputSchema, outputSchema!].forEach((it) => ajv.compile(it));
        }
      }
    });

    await t.step("a key is shown the tools that it may call", async () => {
      const listed = async (credentials: Credentials) => {
        await using client = await connect(service, credentials, { revision });
        return (await client.listTools()).tools.map(({ name }) => name);
      };
      const usual = await issueKey(tenant.accountId);
      assertEquals(await listed(usual), toolNames.slice(0, 11));
      const reading = await issueKey(tenant.accountId, { scopes: ["threads:read"] });
      assertEquals(await listed(reading), ["get-user-threads", "threads", "list-requests"]);
    });

    await t.step("chat returns the object that HTTP returns, and continues a thread", async () => {
      await uploadAndIndex(service, tenant, ["engines.md", "# Care\n\nEngines need rest and oil."]);
      service.model.script(tenant.modelName, { steps: [{ text: "Rest " }, { text: "and oil [1]." }] });
      const first = await callTool(client, "chat", {
        message: "What do engines need?",
        context: { coachId, userId: "u" },
      });
      assertEquals(JSON.parse(first.text), first.json);
      const { thread_id, message, sources } = first.json;
      const { json: { data } } = await ask(service, "GET", `/threads/${thread_id}/messages`, tenant);
      assertEquals([message.content, message], ["Rest and oil [1].", data[1]]);
      const named = sources.map(({ number, filename }: { number: number; filename: string }) => [number, filename]);
      assertEquals(named, [[1, "engines.md"]]);
      const second = await callTool(client, "chat", { message: "And then?", thread_id });
      assertEquals(second.json.thread_id, thread_id);
      const asObject = { headers: { Accept: acceptOf.object } };
      const http = await ask(service, "POST", "/chat", tenant, { message: "Again", thread_id }, asObject);
      assertEquals(Object.keys(second.json), Object.keys(http.json));
    });

    await t.step("chat with an idempotency_key is safe to repeat", async () => {
      const args = { message: "Once", context: { coachId, userId: "u" }, idempotency_key: crypto.randomUUID() };
      const first = await callTool(client, "chat", args);
      const count = service.model.requestsOf(tenant.modelName).length;
      assertEquals((await callTool(client, "chat", args)).json, first.json);
      assertEquals(service.model.requestsOf(tenant.modelName).length, count);
    });

    await t.step("chat reports each piece as it arrives, counted in characters, if progress is wanted", async () => {
      service.model.script(tenant.modelName, {
        steps: [{ text: "So " }, { text: "good" }, { text: " 👍🏽" }, { text: "!\n\n" }, { text: "Bye." }],
      });
      const reports: Progress[] = [];
      const { json } = await callTool(
        client,
        "chat",
        { message: "Well?", context: { coachId } },
        (report) => reports.push(report),
      );
      const [first, ...pieces] = reports;
      assertEquals(first, { progress: 0 });
      assertEquals(pieces.map(({ message }) => message).join(""), json.message.content);
      let characters = 0;
      for (const { progress, message = "", total } of pieces) {
        assertNotEquals(message, "");
        assertEquals([progress, total], [characters += [...message].length, undefined]);
      }
    });

    await t.step("the first report comes before the first word, and the second before the last", async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const more = Promise.withResolvers<void>();
      service.model.script(tenant.modelName, {
        steps: [{ waitFor: promise }, { text: "Wait" }, { waitFor: more.promise }, { text: " over" }],
      });
      const { json } = await callTool(client, "chat", { message: "Well?", context: { coachId } }, ({ message }) => {
        if (message === undefined) resolve();
        else more.resolve();
      });
      assertEquals(json.message.content, "Wait over");
    });

    await t.step("while the model is silent the stream is kept open, with and without progress", async () => {
      await using quiet = await startService({ timeouts: { quiet: 20 } });
      const { promise, resolve } = Promise.withResolvers<void>();
      quiet.model.script(tenant.modelName, { steps: [{ waitFor: promise }, { text: "At last" }] });
      const { message, headers } = envelope(revision, "tools/call", {
        name: "chat",
        arguments: { message: "Well?", context: { coachId } },
      });
      const response = await send(quiet, "POST", "/mcp", tenant, message, { headers });
      let text = "";
      for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
        text += part;
        if (/^: keepalive$/m.test(text)) resolve();
      }
      assertMatch(text, /^: keepalive$[^]*At last/m);
    });

    await t.step("null counts as an argument left out", async () => {
      const nothing = { coachId: null, limit: null, cursor: null };
      assertEquals((await callTool(client, "get-user-threads", { userId: "nobody", ...nothing })).json.count, 0);
      const found = await callTool(client, "search-knowledge", {
        ...{ coachId, search: null, category: null, page: null, limit: null },
      });
      assertEquals([found.isError, found.json?.page, found.json?.limit], [false, 1, 20]);
      const uploaded = await callTool(client, "upload-knowledge", {
        coachId,
        files: [{ filename: "a.md", text: "Text", base64: null }, { filename: "b.md", text: null, base64: "Qg==" }],
      });
      assertEquals([uploaded.isError, uploaded.json?.totalUploaded], [false, 2]);
      const context = { coachId, userId: null, mode: null, isAuthenticated: null };
      const answered = await callTool(client, "chat", { message: "Hi", thread_id: null, context });
      const { thread_id } = answered.json;
      assertEquals(
        (await callTool(client, "threads", { threadId: thread_id, limit: null, cursor: null })).json.count,
        2,
      );
      assertEquals((await callTool(client, "threads", { threadId: null })).text, "threadId is required");
      for (const { fileId } of uploaded.json.uploadedFiles) {
        await callTool(client, "delete-knowledge", { coachId, fileId });
      }
    });

    await t.step("no progress is reported unless it is requested", async () => {
      const args = { message: "Well?", context: { coachId } };
      const { message, headers } = envelope(revision, "tools/call", { name: "chat", arguments: args });
      assertEquals((await post(service, tenant, message, headers)).messages.length, 1);
    });

    await t.step("a hundred pieces at once arrive in order", async () => {
      const texts = Array.from({ length: 100 }, (_, index) => `${index} `);
      service.model.script(tenant.modelName, { steps: texts.map((text) => ({ text })) });
      const reports: Progress[] = [];
      await callTool(client, "chat", { message: "Count", context: { coachId } }, (report) => reports.push(report));
      assertEquals(reports.map(({ message }) => message ?? "").join(""), texts.join(""));
    });

    await t.step("list-coaches returns what HTTP returns, and its ids are those of chat", async () => {
      const { text, json } = await callTool(client, "list-coaches", {});
      assertEquals(JSON.parse(text), json);
      assertEquals(json, (await ask(service, "GET", "/coaches", tenant)).json);
      assertEquals(json.data.map(({ id }: { id: string }) => id), [coachId]);
      const page = await callTool(client, "list-coaches", { limit: 1 });
      assertEquals(page.json, { ...json, next_cursor: null });
    });

    await t.step("get-user-threads returns what HTTP returns, also in pages and by coach", async () => {
      const userId = crypto.randomUUID();
      for (const message of ["One", "Two", "Three"]) {
        await callTool(client, "chat", { message, context: { coachId, userId } });
      }
      const http = await ask(service, "GET", `/users/${userId}/threads`, tenant);
      const all = await callTool(client, "get-user-threads", { userId });
      assertEquals([all.json.count, all.json], [3, http.json]);
      const page = await callTool(client, "get-user-threads", { userId, limit: 2 });
      assertEquals(page.json.data, all.json.data.slice(0, 2));
      const rest = await callTool(client, "get-user-threads", { userId, limit: 2, cursor: page.json.next_cursor });
      assertEquals([rest.json.data, rest.json.next_cursor], [all.json.data.slice(2), null]);
      const others = await callTool(client, "get-user-threads", { userId, coachId: "another" });
      assertEquals(others.json, { data: [], count: 0 });
    });

    await t.step("threads returns what HTTP returns, also in pages", async () => {
      const { json: { thread_id: threadId } } = await callTool(client, "chat", { message: "Hi", context: { coachId } });
      const http = await ask(service, "GET", `/threads/${threadId}/messages`, tenant);
      assertEquals((await callTool(client, "threads", { threadId })).json, http.json);
      const page = await callTool(client, "threads", { threadId, limit: 1 });
      assertEquals([page.json.data, page.json.count], [http.json.data.slice(0, 1), 2]);
      const rest = await callTool(client, "threads", { threadId, cursor: page.json.next_cursor });
      assertEquals([rest.json.data, rest.json.next_cursor], [http.json.data.slice(1), null]);
    });

    await t.step("upload-knowledge takes text and base64, file by file", async () => {
      const { json } = await callTool(client, "upload-knowledge", {
        coachId,
        files: [
          { filename: "grüße.md", text: "# Grüße\n\nPonies eat clover." },
          { filename: "a.pdf", base64: sampleFiles.pdf.toBase64() },
          { filename: "b.png", base64: sampleFiles.png.toBase64().replaceAll(/.{76}/g, "$&\r\n") },
          { filename: "c.exe", text: "x" },
          { filename: "d.txt", text: "" },
          { filename: "e.pdf", text: "Hello" },
        ],
      });
      assertEquals(
        json.uploadedFiles.map((file: Record<string, unknown>) => [file.filename, file.size, file.contentType]),
        [
          ["grüße.md", 29, "text/markdown"],
          ["a.pdf", sampleFiles.pdf.length, "application/pdf"],
          ["b.png", sampleFiles.png.length, "image/png"],
        ],
      );
      assertEquals(json.failedFiles, [
        {
          filename: "c.exe",
          error:
            "The file type is not supported. Supported types: PDF, DOCX, PPTX, XLSX, ODT, EPUB, HTML, CSV, TXT, MD, JPG, " +
            "PNG, GIF, WEBP, MP4, AVI, MOV, WEBM, MP3, M4A, WAV, OGG. Save other documents as PDF",
        },
        { filename: "d.txt", error: "The file is empty" },
        { filename: "e.pdf", error: "The content is not that of a PDF file" },
      ]);
      assertEquals([json.totalUploaded, json.totalFailed], [3, 3]);
      await service.turns();
    });

    await t.step("an uploaded file is found, as over HTTP, and chat uses it", async () => {
      const { json } = await callTool(client, "search-knowledge", { coachId, search: "clover" });
      const http = await ask(service, "GET", `/knowledge-handler?coachId=${coachId}&search=clover`, tenant);
      assertEquals([json, json.data[0].filename, json.data[0].status], [http.json, "grüße.md", "ready"]);
      const images = await callTool(client, "search-knowledge", { coachId, category: "images", page: 1, limit: 1 });
      assertEquals([images.json.data[0].filename, images.json.total, images.json.limit], ["b.png", 1, 1]);
      service.model.script(tenant.modelName, { steps: [{ text: "Clover [1]." }] });
      const answer = await callTool(client, "chat", { message: "What do ponies eat? Clover?", context: { coachId } });
      assertEquals(answer.json.sources[0].filename, "grüße.md");
    });

    await t.step("read-source shows the passage of an answer in its file, as over HTTP, or the sections", async () => {
      const { fileId, passageId, filename } = (await callTool(client, "chat", {
        message: "What do ponies eat? Clover?",
        context: { coachId },
      })).json.sources[0];
      const { json } = await callTool(client, "read-source", { coachId, fileId, passageId, before: 0 });
      const path = `/knowledge-handler/${fileId}/passages/${passageId}?coachId=${coachId}&before=0`;
      assertEquals(json, (await ask(service, "GET", path, tenant)).json);
      assertEquals([json.filename, json.passage.content.includes("lover")], [filename, true]);
      const file = (await callTool(client, "read-source", { coachId, fileId })).json;
      assertEquals([file.file_id, file.filename, file.passage], [fileId, filename, undefined]);
      assertEquals(file.sections[0].passage_id, passageId);
      const gone = await callTool(client, "read-source", { coachId, fileId, passageId: "0".repeat(32) });
      assertEquals(gone, refusedCall("passage_not_found/gone"));
    });

    await t.step("add-source adds an address, once", async () => {
      const args = { coachId, url: "https://example.com/", kind: "page", refresh: "never" };
      const { json } = await callTool(client, "add-source", args);
      assertEquals([json.url, json.status], [args.url, "queued"]);
      assertEquals((await callTool(client, "add-source", args)).json, json);
      await operator.from("knowledge_sources").delete().eq("id", json.id).throwOnError();
    });

    await t.step("delete-knowledge deletes a file, once", async () => {
      const { json: { data: [{ fileId }] } } = await callTool(client, "search-knowledge", {
        coachId,
        search: "clover",
      });
      const deleted = await callTool(client, "delete-knowledge", { coachId, fileId });
      assertEquals(deleted.json, { message: "File deleted successfully", fileId });
      assertEquals(await callTool(client, "delete-knowledge", { coachId, fileId }), refusedCall("file_not_found"));
    });

    await t.step("the coach's own user stores a note through chat; no other user can", async () => {
      const [coach, stranger] = [await createUser(), await createUser()];
      await operator.from("coach_profiles").update({ owner_id: coach.id }).eq("id", coachId).throwOnError();
      const note = { message: "Engines like tea.", context: { coachId, mode: "create_knowledge" } };
      await using ofCoach = await connect(service, { ...tenant, accessToken: coach.accessToken }, { revision });
      assertMatch((await callTool(ofCoach, "chat", note)).json.message.content, /Engines like tea/);
      await using ofStranger = await connect(service, { ...tenant, accessToken: stranger.accessToken }, { revision });
      assertEquals(await callTool(ofStranger, "chat", note), refusedCall("not_the_coach"));
      await service.turns();
    });

    await t.step("when a client disconnects in the middle, the whole answer is still stored", async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      service.model.script(tenant.modelName, {
        steps: [{ text: "Half" }, { waitFor: promise }, { text: " and half" }],
      });
      const userId = crypto.randomUUID();
      const leaving = new AbortController();
      const params = { name: "chat", arguments: { message: "Stay?", context: { coachId, userId } } };
      const left = client.callTool(params, {
        signal: leaving.signal,
        onprogress: ({ message }) => message === "Half" && leaving.abort(),
      });
      await assertRejects(() => left);
      resolve();
      await service.turns();
      const { data: [thread] } = (await ask(service, "GET", `/users/${userId}/threads`, tenant)).json;
      const { data } = (await ask(service, "GET", `/threads/${thread.id}/messages`, tenant)).json;
      assertEquals([data[1].content, (await storedAnswer(data[1].id)).status], ["Half and half", "complete"]);
    });

    await t.step("structured content fits the output schema, or the client refuses it", async () => {
      await using doubting = await connect(service, tenant, {
        revision,
        // Removes a field that the schema promises.
        fetch: async (...args) => {
          const response = await fetch(...args);
          return new Response(
            (await response.text()).replaceAll(`"structuredContent":{"data"`, `"structuredContent":{"x"`),
            response,
          );
        },
      });
      await doubting.listTools();
      await assertRejects(() => callTool(doubting, "get-user-threads", { userId: "u" }), Error, "schema");
    });
  });
}
