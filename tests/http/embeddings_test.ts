import { assert, assertEquals, assertMatch, assertNotMatch } from "../support/assert.ts";
import { ask, assertReply, chat } from "../support/client.ts";
import {
  deleteRows,
  namesFound,
  rowsOf,
  searchFiles,
  statesAndReasons,
  tryAgain,
  uploadAndIndex,
} from "../support/knowledge.ts";
import { createCoach, createTenant, createUser, issuePublishableKey, operator, type User } from "../support/project.ts";
import { type Service, type ServiceOptions, startService } from "../support/service.ts";

/** The meaning that the scripted model gives to each text; a text that is missing here means something else. */
const meanings: [RegExp, number[]][] = [
  [/exhaust|burn/i, [1, 0, 0, 0]],
  [/tired/i, [0.8, 0.6, 0, 0]],
  [/delegat/i, [0, 0, 1, 0]],
];
const vectorOf = (text: string) => meanings.find(([words]) => words.test(text))?.[1] ?? [0, 0, 0, 1];

const env = { OPENAI_EMBEDDING_MODEL: "embedder" };

async function startWithEmbedder(options: ServiceOptions = {}): Promise<Service> {
  const service = await startService({ env, ...options });
  service.model.scriptEmbeddings("embedder", vectorOf);
  return service;
}

Deno.test("search by meaning", async (t) => {
  await using service = await startWithEmbedder();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const stranger = await createTenant();
  const sibling = { ...tenant, coachId: (await createCoach(tenant.accountId)).id };
  await uploadAndIndex(
    service,
    tenant,
    ["rest.txt", "People who never rest burn out."],
    ["sleep.md", "# Nights\n\nWho is tired decides badly."],
    ["tasks.txt", "Delegate the result, never the way."],
    ["weather.txt", "It rains in autumn."],
  );
  await uploadAndIndex(service, stranger, ["strange.txt", "Burn after reading."]);
  await uploadAndIndex(service, sibling, ["sibling.txt", "Burn before reading."]);

  await t.step("a search finds files that share no word with it, closest in meaning first", async () => {
    const { data, total } = await searchFiles(service, tenant, "exhaustion");
    assertEquals(
      data.map(({ filename, snippet, status }: Record<string, unknown>) => [filename, snippet, status]),
      [
        ["rest.txt", "People who never rest burn out.", "ready"],
        ["sleep.md", "Who is tired decides badly.", "ready"],
      ],
    );
    assertEquals(total, 2);
    assertEquals(data.map(({ score }: { score: number }) => score), [0.5, 0.4919]);
  });

  await t.step("a file found by words and by meaning comes before files found by only one of them", async () => {
    // By words weather.txt comes first, for its name, then sleep.md; by meaning rest.txt, then sleep.md.
    assertEquals(await namesFound(service, tenant, "exhausted weather decides"), [
      "sleep.md",
      "rest.txt",
      "weather.txt",
    ]);
  });

  await t.step("a search of stop words only shows the beginning of the files it finds", async () => {
    service.model.scriptEmbeddings("embedder", (text) => text === "who" ? [0, 0, 1] : vectorOf(text));
    const { data } = await searchFiles(service, tenant, "who");
    assertEquals([data[0].filename, data[0].snippet], ["tasks.txt", "Delegate the result, never the way."]);
  });

  await t.step("a file with another meaning is not found", async () => {
    assertEquals(await namesFound(service, stranger, "delegation"), []);
  });

  await t.step("only files of the category are found", async () => {
    assertEquals(await namesFound(service, tenant, "exhaustion", "&category=images"), []);
    assertEquals((await namesFound(service, tenant, "exhaustion", "&category=documents")).length, 2);
  });

  await t.step("pages add up to the whole", async () => {
    const names = [];
    for (const page of [1, 2, 3]) {
      const { data, total } = await searchFiles(service, tenant, "exhaustion", `&limit=1&page=${page}`);
      assertEquals(total, 2);
      names.push(...data.map(({ filename }: { filename: string }) => filename));
    }
    assertEquals(names, ["rest.txt", "sleep.md"]);
  });

  await t.step("a list without a search does not call the model", async () => {
    const before = service.model.embeddingsOf("embedder").length;
    assertEquals((await namesFound(service, tenant, " ")).length, 4);
    assertEquals(service.model.embeddingsOf("embedder").length, before);
  });

  await t.step("visitors of a page, who may not search, cost no embedding; the coach may, and finds", async () => {
    const [visitor, owner] = [await createUser(), await createUser()];
    await operator.from("coach_profiles").update({ owner_id: owner.id }).eq("id", tenant.coachId).throwOnError();
    const page = await issuePublishableKey(tenant.accountId);
    const search = ({ accessToken }: User, coachId = tenant.coachId) =>
      ask(service, "GET", `/knowledge-handler?coachId=${coachId}&search=exhaustion`, { ...page, accessToken });
    const before = service.model.embeddingsOf("embedder").length;
    assertEquals([(await search(visitor)).status, (await search(visitor, "nobody")).status], [403, 404]);
    assertEquals(service.model.embeddingsOf("embedder").length, before);
    assertEquals((await search(owner)).json.total, 2);
  });

  await t.step("the heading of a passage is part of what it means", () => {
    const asked = service.model.embeddingsOf("embedder");
    assert(
      asked.some(({ input }) => [input].flat().some((text) => /Nights/.test(String(text)))),
      JSON.stringify(asked),
    );
    assertEquals([...new Set(asked.map(({ encoding_format }) => encoding_format))], ["float"]);
  });

  await t.step("vectors of another model are not compared", async () => {
    await using other = await startService({ env: { OPENAI_EMBEDDING_MODEL: "other" } });
    other.model.scriptEmbeddings("other", vectorOf);
    assertEquals(await namesFound(other, tenant, "exhaustion"), []);
    assertEquals(await namesFound(other, tenant, "autumn"), ["weather.txt"]);
    assertEquals(other.model.embeddingsOf("other").length, 2);
  });

  await t.step("a deleted file is not found", async () => {
    await operator.from("knowledge_files").delete().eq("coach_id", tenant.coachId).eq("name", "rest.txt")
      .throwOnError();
    assertEquals(await namesFound(service, tenant, "exhaustion"), ["sleep.md"]);
  });
});

Deno.test("a search whose embedding fails uses words only, and logs a warning", async (t) => {
  await using service = await startWithEmbedder({ timeouts: { embedQuery: 200 } });
  const tenant = await createTenant();
  await uploadAndIndex(service, tenant, ["rest.txt", "People who never rest burn out."]);
  const failures = {
    "a model that refuses": { status: 400 },
    "a model that fails": { status: 500 },
    "a model that is gone": { status: 404, code: "model_not_found" },
    "a model that says nothing": { hang: true },
    "a vector without numbers": () => [],
    "a vector of something else": () => ["1"] as unknown as number[],
  } as const;
  for (const [what, script] of Object.entries(failures)) {
    await t.step(what, async () => {
      service.model.scriptEmbeddings("embedder", script);
      await service.clearLogs();
      const asked = service.model.embeddingsOf("embedder").length;
      assertEquals(await namesFound(service, tenant, "exhaustion"), []);
      assertEquals(await namesFound(service, tenant, "rest"), ["rest.txt"]);
      const warnings = (await service.logs()).filter(({ event }) => event === "query_not_embedded");
      assertEquals(warnings.map(({ level }) => level), ["warn", "warn"]);
      assertNotMatch(JSON.stringify(await service.logs()), /exhaustion|never rest/);
      assertEquals(service.model.embeddingsOf("embedder").length, asked + 2);
    });
  }
});

Deno.test("an answer uses passages that mean the same as the message", async (t) => {
  await using service = await startWithEmbedder({ timeouts: { embedQuery: 200 } });
  const tenant = await createTenant();
  const { modelName, coachId } = tenant;
  await uploadAndIndex(service, tenant, ["rest.txt", "People who never rest burn out."]);
  const lastInput = () => JSON.stringify(service.model.requestsOf(modelName).at(-1)?.body.input);

  await t.step("the passage is quoted to the model", async () => {
    await chat(service, tenant, { message: "Exhausted!", context: { coachId } });
    assertMatch(lastInput(), /never rest burn out/);
  });

  await t.step("a message with an idempotency key is embedded once, however often it is sent", async () => {
    const body = { message: "I feel exhausted, and it shows", context: { coachId: tenant.coachId } };
    service.model.script(modelName, { steps: [{ text: "Then rest [1]." }] });
    const init = { headers: { "Idempotency-Key": crypto.randomUUID(), Accept: "application/json" } };
    const first = await ask(service, "POST", "/chat", tenant, body, init);
    assertReply(first, 200);
    assertEquals(first.json.sources.map(({ filename }: { filename: string }) => filename), ["rest.txt"]);
    assertReply(await ask(service, "POST", "/chat", tenant, body, init), 200, first.json);
    const embedded = service.model.embeddingsOf("embedder").filter(({ input }) =>
      [input].flat().includes(body.message)
    );
    assertEquals(embedded.length, 1);
  });

  await t.step("while embedding fails, passages are found by words only", async () => {
    service.model.scriptEmbeddings("embedder", { hang: true });
    await chat(service, tenant, { message: "Exhausted!", context: { coachId } });
    assertNotMatch(lastInput(), /never rest burn out/);
    await chat(service, tenant, { message: "Who burns?", context: { coachId } });
    assertMatch(lastInput(), /never rest burn out/);
    assertEquals((await service.logs()).filter(({ event }) => event === "query_not_embedded").length, 2);
    assertNotMatch(JSON.stringify(await service.logs()), /Exhausted|never rest/);
  });

  await t.step("a note is not embedded as a question", async () => {
    const asked = service.model.embeddingsOf("embedder").length;
    const reply = await ask(service, "POST", "/chat", tenant, {
      message: "A note",
      context: { coachId, mode: "create_knowledge" },
    });
    assertReply(reply, 401);
    assertEquals(service.model.embeddingsOf("embedder").length, asked);
  });
});

Deno.test("passages without their embeddings are not stored: the file waits", async (t) => {
  await using service = await startWithEmbedder({ timeouts: { embedPassages: 200 } });
  const tenant = await createTenant();

  await t.step("while the model is down, the file is queued with the reason", async () => {
    service.model.scriptEmbeddings("embedder", { status: 503 });
    await uploadAndIndex(service, tenant, ["rest.txt", "People who never rest burn out."]);
    const [[name, status, reason] = []] = await statesAndReasons(tenant);
    assertEquals([name, status], ["rest.txt", "queued"]);
    assertMatch(String(reason), /^The model embedder has not answered: .*503/);
  });

  await t.step("when it is back, the file is found", async () => {
    service.model.scriptEmbeddings("embedder", vectorOf);
    await tryAgain(service, tenant.coachId);
    assertEquals(await statesAndReasons(tenant), [["rest.txt", "ready", null]]);
    assertEquals(await namesFound(service, tenant, "exhaustion"), ["rest.txt"]);
  });

  await t.step("after three failed attempts the file fails", async () => {
    service.model.scriptEmbeddings("embedder", { hang: true });
    await uploadAndIndex(service, tenant, ["more.txt", "Burn."]);
    for (const expected of ["queued", "queued", "failed"]) {
      assertEquals((await statesAndReasons(tenant))[1]?.[1], expected);
      if (expected === "queued") await tryAgain(service, tenant.coachId);
    }
    assertEquals(service.model.embeddingsOf("embedder").filter(({ input }) => String(input) === "Burn.").length, 3);
  });

  await t.step("embedding counts as work: a long file takes several requests, and no passage is lost", async () => {
    await using busy = await startWithEmbedder({ timeouts: { indexing: 50 } });
    const text = Array.from({ length: 400 }, (_, index) => `${`Sentence ${index} is here.`.padEnd(600, " and more")}.`);
    await uploadAndIndex(busy, tenant, ["long.txt", text.join("\n\n")]);
    const ends = (await busy.logs()).filter(({ event, status }) => event === "indexed" && status === "queued");
    assertEquals(ends.length > 0, true, JSON.stringify(await busy.logs()));
    const { id } = (await rowsOf(tenant.coachId)).at(-1)!;
    const { count } = await operator.from("passages").select("id", { count: "exact", head: true }).eq("file_id", id)
      .throwOnError();
    // Sweeps also embed what other coaches are asked.
    const embedded = busy.model.embeddingsOf("embedder").flatMap(({ input }) => [input].flat());
    assertEquals(embedded.filter((input) => String(input).includes("Sentence ")).length, count);
  });

  await t.step("neither texts nor vectors are logged", async () => {
    assertNotMatch(JSON.stringify(await service.logs()), /never rest|Burn\.|\[1,0/);
  });
  await deleteRows(tenant.coachId);
});
