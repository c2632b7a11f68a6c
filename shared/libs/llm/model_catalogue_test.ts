import { unset } from "./model_settings.ts";
import type { ModelServer } from "./model_settings.ts";
import { createModelCatalogue, type ListedModel, readModelList } from "./model_catalogue.ts";
import { MissingApiKey } from "./openai_client.ts";
import { assertEquals, assertRejects } from "../../../tests/support/assert.ts";
import { startModelServer } from "../../../tests/support/model_server.ts";
import { serve } from "../../../tests/support/serve.ts";

function envOf(baseUrl: string | null): ModelServer {
  return {
    apiKey: baseUrl && "sk-test",
    baseUrl,
    model: "chat",
    embeddingModel: null,
    visionModel: null,
    transcriptionModel: null,
    settings: unset,
    contextTokens: null,
  };
}

Deno.test("readModelList", async (t) => {
  const rows: [name: string, model: Record<string, unknown>, fields: Partial<ListedModel>][] = [
    ["OpenAI", { object: "model", owned_by: "openai", shutdown_date: null }, {}],
    ["a model that ends", { shutdown_date: "2026-12-11" }, { shutdownDate: "2026-12-11" }],
    ["a date with a time", { shutdown_date: "2026-12-11T23:00:00-08:00" }, { shutdownDate: "2026-12-11" }],
    ["seconds since 1970", { shutdown_date: 1_796_947_200 }, { shutdownDate: "2026-12-11" }],
    ["a date that is none", { shutdown_date: "soon 5" }, {}],
    ["a day that is none", { shutdown_date: "2026-13-41" }, {}],
    ["a number that is no date", { shutdown_date: 1e300 }, {}],
    ["an object as a date", { shutdown_date: {} }, {}],
    ["vLLM", { root: "chat", max_model_len: 8_192, permission: [] }, { contextTokens: 8_192 }],
    ["llama.cpp: in force", { meta: { n_ctx: 65_536, n_ctx_train: 32_768 } }, { contextTokens: 65_536 }],
    ["llama.cpp: in training", { meta: { n_vocab: 9, n_ctx_train: 32_768 } }, { contextTokens: 32_768 }],
    ["LM Studio: not loaded", { max_context_length: 131_072 }, { contextTokens: 131_072 }],
    ["LM Studio: loaded", { max_context_length: 131_072, loaded_context_length: 4_096 }, { contextTokens: 4_096 }],
    ["OpenRouter", {
      context_length: 400_000,
      top_provider: { context_length: 128_000 },
      expiration_date: "2027-01-31",
      architecture: { output_modalities: ["text"] },
    }, { contextTokens: 128_000, shutdownDate: "2027-01-31", outputs: ["text"] }],
    ["OpenRouter without a provider", { context_length: 9, top_provider: { context_length: null } }, {
      contextTokens: 9,
    }],
    ["Groq", { active: true, context_window: 131_072 }, { contextTokens: 131_072 }],
    ["Mistral", { max_context_length: 262_144, aliases: ["x"] }, { contextTokens: 262_144 }],
    ["Anthropic", { type: "model", max_input_tokens: 200_000 }, { contextTokens: 200_000 }],
    ["DeepInfra", { metadata: { context_length: 40_960 } }, { contextTokens: 40_960 }],
    ...["8192", 0, -1, 1.5, null, {}].map((value): typeof rows[number] => [
      `no context: ${Deno.inspect(value)}`,
      { max_model_len: value, meta: value },
      {},
    ]),
  ];
  for (const [name, model, fields] of rows) {
    await t.step(name, () => {
      const expected = { id: "x", shutdownDate: null, contextTokens: null, ...fields };
      assertEquals(readModelList({ object: "list", data: [{ id: "x", ...model }] }), [expected]);
    });
  }

  await t.step("a bare array is a list", () => {
    assertEquals(readModelList([{ id: "x" }]), [{ id: "x", shutdownDate: null, contextTokens: null }]);
  });

  await t.step("entries without an id are left out", () => {
    const data = [null, "x", {}, { id: 5 }, { id: "" }, { id: "y" }];
    assertEquals(readModelList({ data })?.map(({ id }) => id), ["y"]);
  });

  await t.step("Azure's list is one of other names", () => {
    assertEquals(readModelList({ data: [{ id: "x", lifecycle_status: "generally-available" }] }), null);
  });

  for (const reply of [null, "text", 5, {}, { data: {} }, { data: null }, { error: { message: "no" } }]) {
    await t.step(`${Deno.inspect(reply)} is no list`, () => assertEquals(readModelList(reply), null));
  }
});

Deno.test("createModelCatalogue", async (t) => {
  await using server = await startModelServer();
  const { signal } = new AbortController();
  const { list } = createModelCatalogue(envOf(server.baseUrl));

  await t.step("the configured models, each with its setting", () => {
    const all = { embeddingModel: "vectors", visionModel: "seer", transcriptionModel: "scribe" };
    const configured = (more: Partial<ModelServer>) =>
      createModelCatalogue({ ...envOf(null), ...more }).configured.map(({ setting, model }) => `${setting}=${model}`);
    assertEquals(configured(all), [
      "OPENAI_MODEL=chat",
      "OPENAI_EMBEDDING_MODEL=vectors",
      "OPENAI_VISION_MODEL=seer",
      "OPENAI_TRANSCRIPTION_MODEL=scribe",
    ]);
    // A vision model that is not set is the one that answers.
    assertEquals(configured({ visionModel: "chat" }), ["OPENAI_MODEL=chat"]);
  });

  await t.step("lists the models, with the key", async () => {
    server.scriptModels([{ id: "chat", shutdown_date: "2026-12-11" }, { id: "other", max_model_len: 8_192 }]);
    assertEquals(await list(signal), [
      { id: "chat", shutdownDate: "2026-12-11", contextTokens: null },
      { id: "other", shutdownDate: null, contextTokens: 8_192 },
    ]);
    assertEquals(server.listings.splice(0), [{ url: "/v1/models", authorization: "Bearer sk-test" }]);
  });

  for (const status of [404, 405, 501]) {
    await t.step(`a server that answers ${status} has no list`, async () => {
      server.scriptModels({ status });
      assertEquals(await list(signal), null);
      assertEquals(server.listings.splice(0).length, 1);
    });
  }

  for (const status of [401, 429, 500]) {
    await t.step(`an error ${status} is thrown, and not tried again`, async () => {
      server.scriptModels({ status });
      assertEquals((await assertRejects(() => list(signal), Error) as Error & { status: number }).status, status);
      assertEquals(server.listings.splice(0).length, 1);
    });
  }

  await t.step("a page of HTML is no list", async () => {
    await using other = serve(() => new Response("<p>Welcome", { headers: { "Content-Type": "text/html" } }));
    assertEquals(await createModelCatalogue(envOf(`${other.url}/v1`)).list(signal), null);
  });

  await t.step("all pages of a list are read", async () => {
    const pages = new Map<string, unknown>([
      ["/v1/models", { data: [{ id: "a" }], has_more: true, last_id: "a" }],
      ["/v1/models?after_id=a", { data: [{ id: "b" }], links: { next: "/v1/models?offset=2" } }],
      ["/v1/models?offset=2", { data: [{ id: "c" }], has_more: false, last_id: "c", links: { next: null } }],
    ]);
    await using other = serve(({ url }) => Response.json(pages.get(url.slice(new URL(url).origin.length)) ?? null));
    const listed = await createModelCatalogue(envOf(`${other.url}/v1`)).list(signal);
    assertEquals(listed?.map(({ id }) => id), ["a", "b", "c"]);
  });

  for (
    const [name, reply] of [
      ["pages without an end", { data: [{ id: "a" }], has_more: true, last_id: "a" }],
      ["a next page of which nothing is said", { data: [{ id: "a" }], has_more: true }],
      ["a next page that is no address", { data: [{ id: "a" }], links: { next: "http://" } }],
    ] as const
  ) {
    await t.step(`${name}: a part of a list is none`, async () => {
      server.scriptModels({ reply });
      assertEquals(await list(signal), null);
    });
  }

  await t.step("a next page of another server is not asked", async () => {
    let asked = 0;
    await using other = serve(() => {
      asked++;
      return Response.json({ data: [] });
    });
    server.scriptModels({ reply: { data: [{ id: "a" }], links: { next: other.url } } });
    assertEquals([await list(signal), asked], [null, 0]);
  });

  await t.step("of an endless list only the beginning is read", async () => {
    let sent = 0;
    const { promise: isLeft, resolve } = Promise.withResolvers<void>();
    await using other = serve(() =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent++;
            controller.enqueue(new Uint8Array(1024 * 1024));
          },
          cancel: () => resolve(),
        }),
      )
    );
    assertEquals(await createModelCatalogue(envOf(`${other.url}/v1`)).list(signal), null);
    await isLeft;
    assertEquals(sent < 100, true, String(sent));
  });

  await t.step("the signal ends the waiting for the reply, and for the rest of it", async () => {
    const reason = new Error("enough");
    for (const script of ["headers", "body"]) {
      const abort = new AbortController();
      const { promise: isAsked, resolve } = Promise.withResolvers<void>();
      const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
      await using other = serve(async () => {
        resolve();
        if (script === "headers") await isOver;
        return new Response(new ReadableStream({ start: (c) => c.enqueue(new TextEncoder().encode("{")) }));
      });
      const listing = createModelCatalogue(envOf(`${other.url}/v1`)).list(abort.signal);
      await isAsked;
      abort.abort(reason);
      assertEquals(await assertRejects(() => listing), reason);
      end();
    }
  });

  await t.step("without a key or a server it is not asked", async () => {
    await assertRejects(() => createModelCatalogue(envOf(null)).list(signal), MissingApiKey);
  });
});
