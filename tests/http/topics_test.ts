import { namingBeginning } from "../../shared/features/topics/prompts.ts";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertInvalid, assertReply, chat, send } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { dayIn, sweep } from "../support/knowledge.ts";
import type { ModelScript } from "../support/model_server.ts";
import { createTenant, operator, type Tenant } from "../support/project.ts";
import { storeQuestion } from "../support/questions.ts";
import { type Service, startService } from "../support/service.ts";

const expertKey = { requests_per_minute: 10_000, scopes: ["chat", "threads:read", "threads:write", "expert"] };

type Listed = { id: string; name: string; conversations: number; examples: string[] } & Record<string, unknown>;

/** Has a person ask in a new conversation, of which a sweep need not wait for the end. */
async function say(service: Service, tenant: Tenant, userId: string, message: string): Promise<string> {
  const { threadId } = await chat(service, tenant, { message, context: { coachId: tenant.coachId, userId } });
  await operator.from("threads").update({ updated_at: new Date(Date.now() - 60_000).toISOString() }).eq("id", threadId)
    .throwOnError();
  return threadId;
}

async function read(service: Service, tenant: Tenant, query = ""): Promise<{ data: Listed[]; is_partial: boolean }> {
  const reply = await ask(service, "GET", `/coaches/${tenant.coachId}/topics${query}`, tenant);
  assertReply(reply, 200);
  return reply.json;
}

/** Sweeps until all conversations with a coach are sorted. Topics of other tests may be due before. */
async function sort(service: Service, tenant: Tenant) {
  await service.turns();
  await eventually(
    async () => {
      await sweep(service);
      return !(await read(service, tenant)).is_partial;
    },
    "all conversations are sorted",
    60,
  );
  return (await read(service, tenant)).data;
}

/** A model that names topics like this, and says something else to people. */
function nameTopics(service: Service, tenant: Tenant, naming: ModelScript) {
  service.model.scriptEach(
    tenant.modelName,
    ({ instructions }) => instructions?.startsWith(namingBeginning) ? naming : { steps: [{ text: "Well." }] },
  );
}
const fails: ModelScript = { steps: [{ status: 400 }] };

const aboutFasting = [
  "Is black coffee allowed while fasting?",
  "Fasting in the morning, is coffee allowed?",
  "Does coffee end my fasting?",
];
const aboutPrices = [
  "What does the first session cost?",
  "How much does a session cost?",
  "Does the first session cost more?",
];

/** Has the answer of a conversation ask the expert, and returns the question's ID. */
async function askedIn(threadId: string, question: string): Promise<string> {
  const { data } = await operator.from("messages").select("id").eq("thread_id", threadId).eq("role", "assistant")
    .single().throwOnError();
  await operator.from("messages").update({ run_id: data.id }).eq("id", data.id).throwOnError();
  return await storeQuestion(data.id, question);
}

/** Three people ask about each of two topics. */
async function sayAll(service: Service, tenant: Tenant): Promise<string[]> {
  const ids = [];
  for (const [index, person] of ["ann", "ben", "cat"].entries()) {
    for (const said of [aboutFasting, aboutPrices]) ids.push(await say(service, tenant, person, said[index]!));
  }
  return ids;
}

Deno.test("GET /coaches/{coachId}/topics, without a model that names them", async (t) => {
  await using service = await startService();
  const [tenant, stranger] = [await createTenant(expertKey), await createTenant(expertKey)];
  for (const each of [tenant, stranger]) nameTopics(service, each, fails);
  let threads: string[] = [];

  await t.step("before anybody has asked: an empty list", async () => {
    assertEquals(await read(service, tenant), { data: [], is_partial: false });
  });

  await t.step("two people make no topic, not even with many conversations", async () => {
    for (const person of ["ann", "ben"]) for (const said of aboutFasting) await say(service, stranger, person, said);
    assertEquals(await sort(service, stranger), []);
  });

  let first: Listed[] = [];
  await t.step("what three people asked is a topic, named by words of all three, the largest first", async () => {
    threads = await sayAll(service, tenant);
    threads.push(await say(service, tenant, "dan", "Fasting without coffee, please, says Zebediah"));
    first = await sort(service, tenant);
    assertEquals(first.map(({ name, conversations }) => [name, conversations]), [["coffee, fasting", 4], [
      "session cost",
      3,
    ]]);
    const [{ id: _, name: __, examples, ...counts }] = first as [Listed];
    assertEquals(counts, { share: 0.5714, conversations: 4, trend: 4, not_known: 0, rated_down: 0, answered: null });
    const shared = /^(?:is|coffee|fasting|allowed|does|session|cost|first|the|[ ?,])+$/i;
    for (const example of examples) assertMatch(example, shared);
  });

  await t.step("and stays the same with further conversations", async () => {
    for (const person of ["eve", "fay"]) await say(service, tenant, person, "May I drink coffee when fasting?");
    await operator.rpc("reindex_coach", { coach_id: tenant.coachId }).throwOnError();
    const later = await sort(service, tenant);
    assertEquals(later.map(({ id, name }) => ({ id, name })), first.map(({ id, name }) => ({ id, name })));
    assertEquals(later[0]!.conversations, 6);
  });

  await t.step("its conversations are listed, newest first, page by page", async () => {
    const path = `/coaches/${tenant.coachId}/topics/${first[1]!.id}/threads`;
    const { json: page } = await ask(service, "GET", `${path}?limit=2`, tenant);
    const { json: rest } = await ask(service, "GET", `${path}?limit=2&cursor=${page.next_cursor}`, tenant);
    const listed = [...page.data, ...rest.data].map(({ id }: { id: string }) => id);
    assertEquals([listed, rest.next_cursor], [[threads[5], threads[3], threads[1]], null]);
    assertEquals([page.data[0].user_id, page.data[0].has_down], ["cat", false]);
  });

  await t.step("a day is that of a time zone, for topics, their conversations and the sheet", async () => {
    const late = await createTenant(expertKey);
    nameTopics(service, late, fails);
    for (const [index, person] of ["ann", "ben", "cat"].entries()) {
      const id = await say(service, late, person, aboutFasting[index]!);
      await operator.from("threads").update({ created_at: `${dayIn(-3)}T23:30:00Z` }).eq("id", id).throwOnError();
    }
    const [topic] = await sort(service, late);
    const path = `/coaches/${late.coachId}/topics`;
    for (const [zone, daysAgo] of [["UTC", 3], ["Europe/Berlin", 2], ["America/New_York", 3]] as const) {
      for (const day of [2, 3]) {
        const query = `?from=${dayIn(-day)}&to=${dayIn(-day)}&time_zone=${zone}`;
        const { data } = await read(service, late, query);
        const { json: { count } } = await ask(service, "GET", `${path}/${topic!.id}/threads${query}`, late);
        const sheet = await send(service, "GET", path + query, late, undefined, {
          headers: { Accept: "text/csv" },
        });
        const rows = (await sheet.text()).split("\r\n").length - 2;
        assertEquals([data.length, count, rows], day === daysAgo ? [1, 3, 1] : [0, 0, 0], `${zone}, ${day} days ago`);
      }
    }
    for (const each of [path, `${path}/${topic!.id}/threads`, `/coaches/${late.coachId}/threads`]) {
      const reply = await ask(service, "GET", `${each}?time_zone=Europe`, late);
      assertInvalid(reply, "time_zone must be the name of a time zone, such as Europe/Berlin");
    }
  });

  await t.step("what was asked in it and nobody has answered", async () => {
    const inTopic = await askedIn(threads[0]!, "May I have coffee?");
    await askedIn(threads[1]!, "What is the price?");
    const list = (topicId: string, credentials = tenant) =>
      ask(service, "GET", `/coaches/${credentials.coachId}/questions?topic_id=${topicId}`, credentials);
    const idsOf = async (reply: ReturnType<typeof list>) => (await reply).json.data.map(({ id }: Listed) => id);
    assertEquals(await idsOf(list(first[0]!.id)), [inTopic]);
    assertEquals(await idsOf(list(crypto.randomUUID())), []);
    assertEquals(await idsOf(list(first[0]!.id, stranger)), []);
    assertReply(await list("coffee"), 400, { error: "topic_id must be a UUID" });
    await ask(service, "POST", `/coaches/${tenant.coachId}/questions/${inTopic}/dismiss`, tenant);
    assertEquals(await idsOf(list(first[0]!.id)), []);
  });

  await t.step("archived conversations do not count, and neither does the time before", async () => {
    await ask(service, "PATCH", `/threads/${threads[6]}`, tenant, { is_archived: true });
    assertEquals((await read(service, tenant))[`data`][0]!.conversations, 5);
    const past = "?from=2026-01-01&to=2026-01-31";
    assertEquals((await read(service, tenant, past)).data, []);
  });

  await t.step("who is erased no longer counts, nor do their words: below three people there is no topic", async () => {
    await ask(service, "DELETE", `/threads/${threads[1]}`, tenant);
    assertEquals((await read(service, tenant)).data.map(({ name }) => name), ["coffee, fasting"]);
    await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: "ben" }).throwOnError();
    const kept = await sort(service, tenant);
    assertEquals(kept.map(({ id, conversations }) => [id, conversations]), [[first[0]!.id, 4]]);
    for (const person of ["ann", "cat", "dan", "eve"]) {
      await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: person }).throwOnError();
    }
    assertEquals((await read(service, tenant)).data, []);
  });

  await t.step("nothing of it is seen by others", async () => {
    assertEquals(await sort(service, stranger), []);
    for (
      const [path, error] of [["topics", "Coach not found"], [`topics/${first[0]!.id}/threads`, "Coach not found"]]
    ) {
      assertReply(await ask(service, "GET", `/coaches/${tenant.coachId}/${path}`, stranger), 404, { error });
    }
    const own = `/coaches/${stranger.coachId}/topics/${first[0]!.id}/threads`;
    assertReply(await ask(service, "GET", own, stranger), 404, { error: "Topic not found" });
  });
});

Deno.test("topics that a model names", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(expertKey);
  nameTopics(service, tenant, {
    steps: [{ text: "# =Coffee(fasting).\n- Is coffee allowed?\n- Write to ann@example.org?\n" }],
  });

  await t.step("have its name, and its examples but for those that may tell who asked", async () => {
    for (const [index, person] of ["ann", "ben", "cat"].entries()) {
      await say(service, tenant, person, aboutFasting[index]!);
    }
    const [topic] = await sort(service, tenant);
    assertEquals([topic!.name, topic!.examples], ["=Coffee(fasting)", ["Is coffee allowed?"]]);
  });

  await t.step("what people asked is material, never an instruction", () => {
    const asked = service.model.requestsOf(tenant.modelName).filter(({ body }) =>
      body.instructions?.startsWith(namingBeginning)
    );
    assertEquals(asked.length, 1);
    assertEquals([asked[0]!.body.store, asked[0]!.body.instructions!.includes("coffee")], [false, false]);
    for (const said of aboutFasting) assert(JSON.stringify(asked[0]!.body.input).includes(said));
  });

  await t.step("as a sheet, are no formulas", async () => {
    const headers = { Accept: "text/csv" };
    const reply = await send(service, "GET", `/coaches/${tenant.coachId}/topics`, tenant, undefined, { headers });
    const [head, row] = (await reply.text()).split("\r\n");
    assertMatch(reply.headers.get("Content-Type")!, /^text\/csv/);
    assertEquals(head, "name,share,conversations,trend,not_known,rated_down,examples,id");
    assert(row!.startsWith("'=Coffee(fasting),1,3,3,0,0,Is coffee allowed?,"), row);
  });

  await t.step("keep their name when examples are made again", async () => {
    nameTopics(service, tenant, { steps: [{ text: "Something else\nDoes coffee count?" }] });
    await say(service, tenant, "dan", aboutFasting[0]!);
    await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: "cat" }).throwOnError();
    await operator.rpc("reindex_coach", { coach_id: tenant.coachId }).throwOnError();
    const [topic] = await sort(service, tenant);
    assertEquals([topic!.name, topic!.examples], ["=Coffee(fasting)", ["Does coffee count?"]]);
  });
});

Deno.test("conversations without a common word are of one topic if they mean the same", async () => {
  const embeddingModel = crypto.randomUUID();
  await using service = await startService({ env: { OPENAI_EMBEDDING_MODEL: embeddingModel } });
  const tenant = await createTenant(expertKey);
  nameTopics(service, tenant, { steps: [{ text: "A topic" }] });
  const [ofCoffee, ofBills] = [["Espresso at noon?", "Latte tomorrow?", "Mocha early?"], [
    "Invoice?",
    "Billing?",
    "Receipt?",
  ]];
  const [drink, bill] = [0, 1].map((place) =>
    Array.from({ length: 1_536 }, (_, index) => index % 2 === place ? 0.03 : 0)
  );
  service.model.scriptEmbeddings(embeddingModel, (text) => ofBills!.includes(text) ? bill! : drink!);
  for (const [index, person] of ["ann", "ben", "cat"].entries()) {
    for (const said of [ofCoffee!, ofBills!]) await say(service, tenant, person, said[index]!);
  }
  assertEquals((await sort(service, tenant)).map(({ conversations }) => conversations), [3, 3]);
});
