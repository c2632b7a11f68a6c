import { assertEquals, assertMatch, assertNotMatch } from "../support/assert.ts";
import { acceptOf, ask, assertReply, chat, readTypedEvents, readTypedText } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { addFile } from "../support/knowledge.ts";
import { createTenant, createUser, operator, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { fallSilent, startTurn, storedAnswer } from "../support/turns.ts";
import { pinAnswer } from "../support/questions.ts";

type Shown = { number?: number; kind: string; filename?: string; question?: string };

/** The sources of an answer: the number of each in the text, and its file or question. */
function namesOf(sources: unknown): string[] {
  return ((sources ?? []) as Shown[]).map(({ number, filename, question }) =>
    `${number ?? "-"} ${filename ?? question}`
  );
}

const question = "How do storms, tides and lamps change the harbor at night?";

/** A coach with three files, of which the model is given all, in this order. */
async function createHarbor(): Promise<Tenant> {
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  await addFile(
    tenant,
    "storms.md",
    "Storms change the harbor at night: ships drag their anchors toward the breakwater.",
  );
  await addFile(tenant, "tides.md", "Tides lift the harbor twice a day, and carry gravel into the dredged channel.");
  await addFile(tenant, "lamps.md", "Lamps burn paraffin behind fresnel lenses.");
  return tenant;
}

/** The files that the last request has quoted, in the order of their numbers. */
function quotedIn(service: Service, { modelName }: Tenant): string[] {
  const { content } = (service.model.requestsOf(modelName).at(-1)!.body.input as { content: string }[]).at(-2)!;
  return content.split("\n").slice(1).map((line) => JSON.parse(line)).map(({ number, source }) =>
    `${number} ${source}`
  );
}

Deno.test("the sources of an answer are those that its text names", async (t) => {
  await using service = await startService({ timeouts: { flush: 20, poll: 20 } });
  const tenant = await createHarbor();
  const { modelName } = tenant;
  const body = { message: question, context: { coachId: tenant.coachId, userId: "u" } };
  const say = async (...said: string[]) => {
    service.model.script(modelName, { steps: said.map((text) => ({ text })) });
    const reply = await ask(service, "POST", "/chat", tenant, body, { headers: { Accept: acceptOf.events } });
    assertReply(reply, 200);
    const sources = readTypedEvents(reply.text).find(({ event }) => event === "sources")!.data;
    const stored = await storedAnswer(reply.headers.get("X-Message-Id")!);
    assertEquals([readTypedText(reply.text), sources], [stored.content, stored.sources], "as it was streamed");
    return { text: stored.content, sources: namesOf(sources), id: stored.id, threadId: stored.thread_id };
  };

  await t.step("numbered in the order in which they appear, however the text arrives", async () => {
    const { text, sources } = await say("Lamps burn [", "3", "]. Ships drag ", "[1, 3]", ".");
    assertEquals(quotedIn(service, tenant), ["1 storms.md", "2 tides.md", "3 lamps.md"]);
    assertEquals([text, sources], ["Lamps burn [1]. Ships drag [2][1].", ["1 lamps.md", "2 storms.md"]]);
  });
  await t.step("a number that no passage has is dropped, links and code stay", async () => {
    const { text, sources } = await say("Gravel [9] moves 【2】 in `a[1]` and [1](https://a.test)", " [7].");
    assertEquals([text, sources], ["Gravel moves [1] in `a[1]` and [1](https://a.test).", ["1 tides.md"]]);
  });
  await t.step("if it names none, those with which it shares rare words", async () => {
    assertEquals((await say("Ships that drag anchors end on the breakwater.")).sources, ["- storms.md"]);
    assertEquals((await say("Paraffin, lenses, gravel, channel: fresnel burns what is dredged.")).sources, [
      "- tides.md",
      "- lamps.md",
    ]);
  });
  await t.step("small talk, and words that only the question shares, draw on none", async () => {
    for (const text of ["You are welcome!", "Two, both blue.", "Night and day they change."]) {
      assertEquals(await say(text).then(({ sources }) => sources), []);
    }
  });
  await t.step("an answer that is stopped or cut keeps those of its text", async () => {
    service.model.script(modelName, { steps: [{ text: "Lamps [3] burn [" }, { text: "2" }, { cut: true }] });
    const reply = await ask(service, "POST", "/chat", tenant, body, { headers: { Accept: acceptOf.object } });
    const stored = await storedAnswer(reply.headers.get("X-Message-Id")!);
    assertEquals([stored.content, namesOf(stored.sources)], ["Lamps [1] burn [2", ["1 lamps.md"]]);
  });
  await t.step("the model is given former answers without numbers", async () => {
    const { threadId } = await say("Lamps burn [3], `a[1]`.");
    await chat(service, tenant, { message: "And storms at night in the harbor?", thread_id: threadId });
    const input = service.model.requestsOf(modelName).at(-1)!.body.input as { content: string }[];
    assertEquals(input[1]!.content, "Lamps burn, `a[1]`.");
    assertMatch(service.model.requestsOf(modelName).at(-1)!.body.instructions!, /that number in square brackets/);
  });
  await t.step("a retry numbers them again", async () => {
    const { id } = await say("Storms [1].");
    service.model.script(modelName, { steps: [{ text: "Lamps [3], storms [1]." }] });
    const reply = await ask(service, "POST", `/chat/${id}/retry`, tenant, undefined, {
      headers: { Accept: acceptOf.object },
    });
    assertEquals([reply.json.message.content, namesOf(reply.json.sources)], [
      "Lamps [1], storms [2].",
      ["1 lamps.md", "2 storms.md"],
    ]);
  });
  // The model was told of no numbers: what is in brackets is a word of its own, such as a footnote or an index.
  await t.step("without passages, the text stays as it is", async () => {
    const other = await createTenant();
    service.model.script(other.modelName, { steps: [{ text: "See [1]." }] });
    const reply = await chat(service, other, { message: "Hi", context: { coachId: other.coachId } });
    assertEquals([reply.answer, (await storedAnswer(reply.messageId)).sources], ["See [1].", null]);
    assertNotMatch(service.model.requestsOf(other.modelName).at(-1)!.body.instructions!, /square brackets/);
  });
});

Deno.test("the sources of an answer while it is written, and after its writer has gone", async (t) => {
  await using service = await startService({ timeouts: { flush: 20, poll: 20 } });
  await using other = await startService({ timeouts: { flush: 20, poll: 20 } });
  const tenant = await createHarbor();
  const body = { message: question };
  const listed = async (threadId: string) =>
    (await ask(other, "GET", `/threads/${threadId}/messages?include=status,sources`, tenant)).json.data[1];

  await t.step("are those that the text has named so far; a reader who resumes gets the same text", async () => {
    const turn = await startTurn(service, tenant, { said: ["Lamps [3]."], rest: [{ text: " Storms [1]." }], body });
    const isStored = async () => (await storedAnswer(turn.messageId)).content === "Lamps [1].";
    await eventually(isStored, "the beginning is stored");
    const { content, status, sources: soFar } = await listed(turn.threadId);
    assertEquals([content, status, namesOf(soFar)], ["Lamps [1].", "streaming", ["1 lamps.md"]]);
    const resumed = ask(other, "GET", `/chat/${turn.messageId}/stream?after=6`, tenant, undefined, {
      headers: { Accept: acceptOf.events },
    });
    turn.goOn();
    await turn.reply;
    const { text } = await resumed;
    assertEquals(readTypedText(text), "[1]. Storms [2].");
    const sources = readTypedEvents(text).find(({ event }) => event === "sources")!.data;
    assertEquals(namesOf(sources), ["1 lamps.md", "2 storms.md"]);
    assertEquals((await listed(turn.threadId)).sources, sources);
  });
  await t.step("of an answer that is completed from the model's server, they are numbered the same way", async () => {
    const responseId = `resp_${crypto.randomUUID()}`;
    const turn = await startTurn(service, tenant, { said: ["Lamps [3]."], rest: [{ hang: true }], responseId, body });
    const isStored = async () => (await storedAnswer(turn.messageId)).content === "Lamps [1].";
    await eventually(isStored, "the beginning is stored");
    other.model.keep(responseId, { status: "completed", text: "Lamps [3]. Storms [1], owls [8]." });
    await fallSilent(service, turn.messageId);
    const { content, status, sources } = await listed(turn.threadId);
    assertEquals([content, status], ["Lamps [1]. Storms [2], owls.", "complete"]);
    assertEquals(namesOf(sources), ["1 lamps.md", "2 storms.md"]);
    service.supabase.fault = () => "pass";
  });
  await t.step("if the text is lost but for its beginning, they are those of the beginning", async () => {
    const turn = await startTurn(service, tenant, { said: ["Lamps [3]."], rest: [{ hang: true }], body });
    const isStored = async () => (await storedAnswer(turn.messageId)).content === "Lamps [1].";
    await eventually(isStored, "the beginning is stored");
    await fallSilent(service, turn.messageId);
    const { status, sources } = await listed(turn.threadId);
    assertEquals([status, namesOf(sources)], ["failed", ["1 lamps.md"]]);
    service.supabase.fault = () => "pass";
  });
});

Deno.test("pinned answers near a question are numbered before the passages", async (t) => {
  await using service = await startService();
  const tenant = await createHarbor();
  const { modelName, coachId } = tenant;
  const expert = await createUser();
  await operator.from("coach_profiles").update({ owner_id: expert.id }).eq("id", coachId).throwOnError();
  const pinned = { question: "Which storms close the harbor?", answer: "Every northerly gale closes it till dawn." };
  await pinAnswer(tenant, pinned);
  const say = async (text: string) => {
    service.model.script(modelName, { steps: [{ text }] });
    const message = "Do storms from the north close the harbor at night?";
    const { messageId, answer } = await chat(service, tenant, { message, context: { coachId } });
    return [answer, namesOf((await storedAnswer(messageId)).sources)];
  };

  await t.step("and named in the same way", async () => {
    assertEquals(await say("Yes [1], ships drag [2]."), ["Yes [1], ships drag [2].", [
      `1 ${pinned.question}`,
      "2 storms.md",
    ]]);
    assertEquals(await say("Ships drag [2]."), ["Ships drag [1].", ["1 storms.md"]]);
  });
  await t.step("or found by the words they share with the answer", async () => {
    assertEquals((await say("A northerly gale closes it until dawn."))[1], [`- ${pinned.question}`]);
  });
  await t.step("an expert who tries a question sees the numbers of the text", async () => {
    const tryOut = async (text: string, question: string) => {
      service.model.script(modelName, { steps: [{ text }] });
      const reply = await ask(service, "POST", `/coaches/${coachId}/try`, {
        apiKey: tenant.apiKey,
        accessToken: expert.accessToken,
      }, { question, answer: true });
      assertReply(reply, 200);
      return [reply.json.answer.text, namesOf(reply.json.answer.sources)];
    };
    assertEquals(await tryOut("Ships drag [2], or [9].", "Do storms from the north close the harbor at night?"), [
      "Ships drag [1], or.",
      ["1 storms.md"],
    ]);
    assertEquals(await tryOut("", pinned.question), [pinned.answer, [`- ${pinned.question}`]]);
  });
});
