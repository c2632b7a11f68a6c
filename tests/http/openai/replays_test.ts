/** The requests that Open WebUI and LibreChat make, one conversation each, as their sources build them. */
import { assert, assertEquals } from "../../support/assert.ts";
import { ask, assertReply, readTypedEvents, type Reply } from "../../support/client.ts";
import { chatOf, heardBy, type Said, textsOf } from "../../support/openai_clients.ts";
import { allScopes, createTenant } from "../../support/project.ts";
import { type Service, startService } from "../../support/service.ts";

type Post = (messages: Said[], more?: Record<string, unknown>) => Promise<Reply>;

/** Prepares a key for an interface, what the coach says, and the lists of what is stored. */
async function start(service: Service) {
  const tenant = await createTenant({ requests_per_minute: 1_000, scopes: allScopes, options: ["tasks"] });
  const list = async (userId: string, query = "") =>
    (await ask(service, "GET", `/users/${userId}/threads${query}`, tenant)).json.data as { id: string }[];
  return {
    tenant,
    say: (...texts: string[]) =>
      service.model.script(tenant.modelName, ...texts.map((text) => ({ steps: [{ text }] }))),
    post: (headers: Record<string, string>): Post => (messages, more = {}) =>
      ask(service, "POST", "/openai/v1/chat/completions", {}, { model: tenant.coachId, messages, ...more }, {
        headers: { Authorization: `Bearer ${tenant.apiKey}`, ...headers },
      }),
    list,
    textsOf: async (userId: string) =>
      await Promise.all((await list(userId)).map(({ id }) => textsOf(service, tenant, id))),
  };
}

/** The text of a stream. */
function readText({ text }: Reply): string {
  assert(text.endsWith("data: [DONE]\n\n"), text);
  return readTypedEvents(text.slice(0, text.lastIndexOf("data: [DONE]")))
    .map(({ data }) => data.choices[0]?.delta.content ?? "").join("");
}

const history = (chat: string) => `### Chat History:\n<chat_history>\n${chat}\n</chat_history>`;

/** The tasks that Open WebUI has done after an answer. */
const openWebuiTasks = [
  "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.",
  "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history, along with 1-3 more specific tags.",
  "### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might naturally ask next.",
];

Deno.test("a conversation in Open WebUI", async (t) => {
  await using service = await startService();
  const { tenant, say, post, list, textsOf } = await start(service);
  const userHeaders = (id: string) => ({
    "X-OpenWebUI-User-Name": "Ada%20B.",
    "X-OpenWebUI-User-Id": id,
    "X-OpenWebUI-User-Email": "ada@example.com",
    "X-OpenWebUI-User-Role": "user",
  });
  const [ada, bob] = [crypto.randomUUID(), crypto.randomUUID()];
  const chat = post({ ...userHeaders(ada), "X-OpenWebUI-Chat-Id": crypto.randomUUID() });
  const stream: Post = (messages) => chat(messages, { stream: true, stream_options: { include_usage: true } });

  await t.step("lists the models", async () => {
    const headers = { Authorization: `Bearer ${tenant.apiKey}`, ...userHeaders(ada) };
    const { json } = await ask(service, "GET", "/openai/v1/models", {}, undefined, { headers });
    assertEquals(json.data.map(({ id }: { id: string }) => id), [tenant.coachId]);
  });

  await t.step("asks, has its tasks done, and goes on: one thread with what was said", async () => {
    say("One");
    assertEquals(readText(await stream(chatOf("1?"))), "One");
    for (const task of openWebuiTasks) {
      say('{ "title": "T" }');
      const quoted = `${task}\n${history("USER: 1?\nASSISTANT: One")}`;
      const reply = await chat([{ role: "user", content: quoted }], { stream: false, max_completion_tokens: 1_000 });
      assertReply(reply, 200);
      assertEquals(heardBy(service, tenant), [quoted]);
    }
    say("Two");
    const withSystem = [{ role: "system", content: "You are a helpful assistant." }, ...chatOf("1?", "One", "2?")];
    assertEquals(readText(await stream(withSystem)), "Two");
    assertEquals(await textsOf(ada), [["1?", "One", "2?", "Two"]]);
  });

  await t.step("regenerates the last answer, and edits an earlier question", async () => {
    say("Two, better");
    assertEquals(readText(await stream(chatOf("1?", "One", "2?"))), "Two, better");
    assertEquals(await textsOf(ada), [["1?", "One", "2?", "Two, better"]]);
    say("Three");
    await stream(chatOf("1!", "Uno", "3?"));
    assertEquals(heardBy(service, tenant), ["1!", "Uno", "3?"]);
    assertEquals(await textsOf(ada), [["1?", "One", "2?", "Two, better", "3?", "Three"]]);
  });

  await t.step("a temporary chat stands alone, and another person's chat is another thread", async () => {
    const temporary = post({ ...userHeaders(ada), "X-OpenWebUI-Chat-Id": "local:socket" });
    say("One");
    await temporary(chatOf("1?"));
    await temporary(chatOf("1?", "One", "2?"));
    assertEquals([(await list(ada)).length, (await list(ada, "?standalone=true")).length], [1, 2]);
    await post({ ...userHeaders(bob), "X-OpenWebUI-Chat-Id": crypto.randomUUID() })(chatOf("1?"));
    assertEquals([(await list(bob)).length, (await list(ada)).length], [1, 1]);
  });
});

Deno.test("a conversation in LibreChat", async (t) => {
  await using service = await startService();
  const { tenant, say, post, list, textsOf } = await start(service);
  const user = "66f1c0ffee";
  const send = (conversationId: string, messages: Said[], more = {}) =>
    post({ "X-Conversation-Id": conversationId, "X-OpenWebUI-User-Id": user })(messages, { user, ...more });
  const id = crypto.randomUUID();
  const stream = (messages: Said[]) => send(id, messages, { stream: true, temperature: 1, top_p: 1 });

  await t.step("asks, and goes on: one thread", async () => {
    say("One");
    assertEquals(readText(await stream(chatOf("1?"))), "One");
    say("Two");
    const parts = [{ type: "text", text: "2?" }];
    assertEquals(readText(await stream([...chatOf("1?", "One"), { role: "user", content: parts }])), "Two");
    assertEquals(await textsOf(user), [["1?", "One", "2?", "Two"]]);
  });

  await t.step("has a title made, with the headers of the conversation", async () => {
    const content =
      "Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only " +
      "return the title itself.\n\nConversation:\nUser: 1?\nAI: One";
    say("A Title");
    const reply = await send(id, [{ role: "user", content }]);
    assertEquals(reply.json.choices[0].message.content, "A Title");
    assertEquals([reply.headers.get("X-Thread-Id"), (await list(user)).length], [null, 1]);
  });

  await t.step("has a title made with its language, in a form that it asks for", async () => {
    const content = "Analyze this conversation and provide:\n1. The detected language of the conversation\n" +
      "2. A concise title in the detected language\n\nUser: 1?\nAI: One";
    const schema = { type: "object", properties: { title: { type: "string" } } };
    const format = { type: "json_schema", json_schema: { name: "extract", strict: false, schema } };
    say('{"title":"A Title"}');
    assertReply(await send(id, [{ role: "user", content }], { response_format: format }), 200);
    const { text } = service.model.requestsOf(tenant.modelName).at(-1)!.body;
    assertEquals(text?.format, { type: "json_schema", name: "extract", strict: false, schema });
  });

  await t.step("a conversation that has no ID yet stands alone, and its next turn has what was said", async () => {
    say("One");
    for (const none of ["new", "PENDING", "{{LIBRECHAT_BODY_CONVERSATIONID}}"]) await send(none, chatOf("1?"));
    assertEquals([(await list(user)).length, (await list(user, "?standalone=true")).length], [1, 3]);
    await send(crypto.randomUUID(), chatOf("1?", "One", "2?"));
    assertEquals(heardBy(service, tenant), ["1?", "One", "2?"]);
    assertEquals((await list(user)).length, 2);
  });
});
