import { readModelSettings } from "../../infra/env.ts";
import type { ModelServer } from "./model_settings.ts";
import { createEmbedder, formatVector } from "./embedder.ts";
import { ModelRequestError } from "./openai_client.ts";
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertThrows,
} from "../../../tests/support/assert.ts";
import { startModelServer } from "../../../tests/support/model_server.ts";
import { serve } from "../../../tests/support/serve.ts";
import { encodeBase64 } from "../base/std/base64.ts";

const read = (vector: string): number[] => JSON.parse(vector);

Deno.test("formatVector", async (t) => {
  await t.step("a short vector ends in zeros", () => {
    const values = read(formatVector([0, 1]));
    assertEquals([values.length, values[1], values.filter((value) => value !== 0).length], [1536, 1, 1]);
  });

  await t.step("a long vector is cut, and what is left has length 1", () => {
    const values = read(formatVector(Array.from({ length: 3072 }, (_, index) => 100_000 - index)));
    assertEquals(values.length, 1536);
    assertAlmostEquals(Math.hypot(...values), 1, 1e-4);
    assert(values[0]! > values[1535]!, `${values[0]} ${values[1535]}`);
  });

  await t.step("a vector of zeros stays as it is", () => {
    assertEquals(new Set(read(formatVector([0, 0]))), new Set([0]));
  });

  for (const values of [[], [Number.NaN], [Infinity], ["1"], [null], [[1]], undefined, "AAAA"]) {
    await t.step(`${Deno.inspect(values)} is not a vector`, () => {
      assertThrows(() => formatVector(values), TypeError);
    });
  }
});

Deno.test("createEmbedder", async (t) => {
  await using server = await startModelServer();
  const { signal } = new AbortController();
  const env: ModelServer = {
    apiKey: null,
    baseUrl: server.baseUrl,
    model: "chat",
    embeddingModel: "embedder",
    visionModel: null,
    transcriptionModel: null,
    ...readModelSettings(() => null),
  };
  server.scriptEmbeddings("embedder", (text) => [text.length, 0]);

  await t.step("without a model there is no embedder", () => {
    assertEquals(createEmbedder({ ...env, embeddingModel: null }), null);
  });

  await t.step("many texts are sent in requests of 100, and their vectors keep the order", async () => {
    server.scriptEmbeddings("many", (text) => Number(text) % 2 ? [1, 0] : [0, 1]);
    const texts = Array.from({ length: 201 }, (_, index) => String(index));
    const vectors = await createEmbedder({ ...env, embeddingModel: "many" })!.embed(texts, signal);
    assertEquals(vectors.map((vector) => read(vector)[0]), texts.map((text) => Number(text) % 2));
    assertEquals(server.embeddingsOf("many").map(({ input }) => input.length), [100, 100, 1]);
  });

  const limits: [by: string, most: number, status: number, message: string, refused: number[]][] = [
    ["Cohere", 96, 400, "invalid request: total number of texts must be at most 96 - received 100", [100]],
    ["TEI", 32, 422, "batch size 100 > maximum allowed batch size 32", [100, 50]],
    ["DashScope", 10, 400, "Value error, batch size is invalid, it should not be larger than 10", [100, 50, 25, 13]],
  ];
  await t.step("vectors that come in Base64 are read, and a text that is none fails", async () => {
    const written = encodeBase64(new Float32Array([0, 1]).buffer);
    await using gateway = serve(async (request) => {
      const { input }: { input: string[] } = await request.json();
      return Response.json({ data: input.map((text) => ({ embedding: text === "Hi" ? written : "AAA" })) });
    });
    const embedder = createEmbedder({ ...env, baseUrl: gateway.url })!;
    assertEquals((await embedder.embed(["Hi"], signal)).map((vector) => read(vector)[1]), [1]);
    await assertRejects(() => embedder.embed(["Ho"], signal), ModelRequestError);
  });

  for (const [by, most, status, message, refused] of limits) {
    await t.step(`a server that takes fewer texts at once gets fewer, and in any order: ${by}`, async () => {
      const asked: number[] = [];
      await using limited = serve(async (request) => {
        const { input }: { input: string[] } = await request.json();
        asked.push(input.length);
        if (input.length > most) return Response.json({ error: { message } }, { status });
        const data = input.map((text, index) => ({ index, embedding: Number(text) % 2 ? [1, 0] : [0, 1] }));
        return Response.json({ data: data.reverse() });
      });
      const embedder = createEmbedder({ ...env, baseUrl: limited.url })!;
      const texts = Array.from({ length: 100 }, (_, index) => String(index));
      for (let times = 0; times < 2; times++) {
        const vectors = await embedder.embed(texts, signal);
        assertEquals(vectors.map((vector) => read(vector)[0]), texts.map((text) => Number(text) % 2));
      }
      // What is too much is learned once.
      assertEquals(asked.filter((size) => size > most), refused);
    });
  }

  await t.step("a long text is cut, but never inside a character", async () => {
    await createEmbedder(env)!.embed([`${"a".repeat(7_999)}😀`], signal);
    const [{ input } = { input: "" }] = server.embeddingsOf("embedder");
    assertEquals(input, [`${"a".repeat(7_999)}\ufffd`]);
  });

  await t.step("shorter vectors are requested only from models known to support that", async () => {
    for (const model of ["text-embedding-3-large", "text-embedding-ada-002"]) {
      server.scriptEmbeddings(model, () => [1]);
      await createEmbedder({ ...env, embeddingModel: model })!.embed(["a"], signal);
    }
    assertEquals(server.embeddingsOf("text-embedding-3-large").map(({ dimensions }) => dimensions), [1536]);
    assertEquals(server.embeddingsOf("text-embedding-ada-002").map(({ dimensions }) => dimensions), [undefined]);
  });

  await t.step("an error names the model and quotes no text", async () => {
    server.scriptEmbeddings("refusing", { status: 400, code: "bad_input" });
    const embedder = createEmbedder({ ...env, embeddingModel: "refusing" })!;
    const error = await assertRejects(() => embedder.embed(["my secret"], signal), ModelRequestError);
    assert(/^The model refusing has not answered: .*bad_input/.test(error.message), error.message);
    assert(!/Scripted|secret/.test(error.message), error.message);
    assertEquals(server.embeddingsOf("refusing").length, 1);
  });

  await t.step("without a key or a server no request is sent", async () => {
    const embedder = createEmbedder({ ...env, baseUrl: null })!;
    await assertRejects(() => embedder.embed(["a"], signal), ModelRequestError, "openai_api_key_is_missing");
  });
});
