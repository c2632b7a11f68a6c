import { assert, assertEquals } from "../../support/assert.ts";
import { ask, assertReply } from "../../support/client.ts";
import { uploadAndIndex } from "../../support/knowledge.ts";
import { chatOf, complete, heardBy, type Said } from "../../support/openai_clients.ts";
import { createTenant, issueKey, operator, type Tenant } from "../../support/project.ts";
import { startService } from "../../support/service.ts";

const chat = "USER: How long should dough rest?\nASSISTANT: For about an hour.";
const history = `<chat_history>\n${chat}\n</chat_history>`;
const user = (content: string): Said[] => [{ role: "user", content }];
const system = (instructions: string, content: string): Said[] => [
  { role: "system", content: instructions },
  ...user(content),
];

/** Requests of chat interfaces, shortened, by what they are for. */
const tasks: Record<string, Said[]> = {
  "Open WebUI, a title": user(
    `### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Output:\nJSON\n${history}`,
  ),
  "Open WebUI, a title, newer": user(
    `### Task:\nGenerate a concise title summarizing the chat history.\n### Output:\nJSON\n### Chat History:\n${history}\n`,
  ),
  "Open WebUI, a title, behind the system prompt of the model": system(
    "You are a helpful assistant.",
    `### Task:\nGenerate a concise, 3-5 word title summarizing the chat history.\n${history}`,
  ),
  "Open WebUI, tags": user(
    `### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history, and more.\n${history}`,
  ),
  "Open WebUI, questions to go on with": user(
    `### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might ask.\n${history}`,
  ),
  "Open WebUI, a search": user(
    `### Task:\nAnalyze the chat history to determine the necessity of generating search queries.\n${history}`,
  ),
  "Open WebUI, an image": user(`### Task:\nGenerate a detailed prompt for am image generation task.\n${history}`),
  "Open WebUI, a title of a note": user(
    "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the content in the content's primary " +
      "language.\n### Content:\n<content>\nDough rests.\n</content>",
  ),
  "Open WebUI, a summary of what no longer fits": user(
    "### Task:\nSummarize the conversation history that will be compacted out of the active chat context.\n\n" +
      `### Previous Summary:\n\n\n### Messages Being Compacted:\n${chat}\n\n### Recent Messages Kept In Context:\n`,
  ),
  "Open WebUI, a reply made of those of several models": user(
    'You have been provided with a set of responses from various models to the latest user query: "Hi"\n\n' +
      "Responses from models: Hello",
  ),
  "Open WebUI, the end of a sentence": user(
    "### Task:\nYou are an autocompletion system. Continue.\n<type>General</type>\n<text>How lo</text>\n#### Output:",
  ),
  "Open WebUI, an emoji": user(
    "Your task is to reflect the speaker's likely facial expression through an emoji.\n\nMessage: ```Great!```",
  ),
  "Open WebUI, a tool": system(
    "Available Tools: []\nYour task is to choose and return the correct tool(s) from the list",
    `Query: And in the fridge?`,
  ),
  "LibreChat, a title": user(
    "Provide a concise, 5-word-or-less title for the conversation, in title case.\n\nConversation:\nUser: Hi\nAI: Hello",
  ),
  "LibreChat, a title with its language": user(
    "Analyze this conversation and provide:\n1. The detected language\n2. A concise title\n\nUser: Hi\nAI: Hello",
  ),
  "LibreChat, a title, in one system message": [{
    role: "system",
    content:
      'Please generate a concise, 5-word-or-less title for the conversation.\n\n||>User:\n"Hi"\n||>Response:\n"Hello"',
  }],
  "LibreChat, a summary": user(
    "Summarize the conversation by integrating new lines into the current summary.\n\nNew lines:\nUser: Hi",
  ),
  "LibreChat, a header of what was done": system(
    "Write a short label describing what this block of agent activity accomplished. It appears as the header.",
    "Searched for dough",
  ),
  "LibreChat, what to remember": system(
    "Use the `set_memory` tool to save important information about the user, but only when asked.",
    "How long should dough rest?",
  ),
  "Cherry Studio, a title": system(
    "You are an assistant skilled in conversation. You need to summarize the user's conversation into a title.",
    "user: Hi",
  ),
  "LobeChat, a title": system(
    "You are a professional conversation summarizer. Generate a concise title that fits.",
    "user: Hi\nassistant: Hello",
  ),
};

const onlyCheckpoint = "Only the checkpoint, don't respond to me or continue the conversation.";

/** Requests of LibreChat that end a conversation instead of going on with it. */
const checkpoints = [
  `Hold on, before you continue I need you to write me a checkpoint of everything so far. ${onlyCheckpoint}`,
  `Hold on again, update your checkpoint. ${onlyCheckpoint}`,
  `Write a checkpoint of everything so far. This checkpoint replaces the messages above. ${onlyCheckpoint}`,
  `Update the checkpoint. Merge the new messages into the existing checkpoint. ${onlyCheckpoint}`,
];

/** Messages of people that look like one of these. */
const lookalikes: Record<string, Said[]> = {
  "a question with material of the interface": user(
    "### Task:\nRespond to the user query using the provided context.\n<context>Dough rests.</context>\nHow long?",
  ),
  "a person who wants a title": user("Generate a concise, 3-5 word title with an emoji for my text about rye."),
  "a person who wants questions": user(
    "### Task:\nSuggest 3-5 relevant follow-up questions or prompts that I could ask a baker.",
  ),
  "a person who asks about such a text": user(`What does this do?\n\n### Task:\nGenerate a concise title\n${history}`),
  "a person who asks for a checkpoint": user("Write a checkpoint of everything so far."),
  "a person in a conversation": [
    ...chatOf("Hi", "Hello"),
    ...user("Provide a concise, 5-word-or-less title for the conversation.\n\nConversation:\nall of it"),
  ],
};

/** The number of threads of an account, also of those that stand alone. */
async function countAll(tenant: Tenant): Promise<number> {
  const { data } = await operator.from("threads").select("id").eq("account_id", tenant.accountId).throwOnError();
  return data.length;
}

Deno.test("requests of the application itself", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000, options: ["tasks"] });
  await uploadAndIndex(service, tenant, ["dough.md", "# Dough\n\nDough rests for about an hour."]);

  for (const [name, messages] of Object.entries(tasks)) {
    await t.step(`${name}: goes to the model as it is, and leaves no thread`, async () => {
      const reply = await complete(service, tenant, messages, { user: "u", headers: { "X-Chat-Id": "c" } });
      assertReply(reply, 200);
      assertEquals(reply.json.choices[0].message.content, "Hello world");
      assertEquals([reply.headers.get("X-Thread-Id"), await countAll(tenant)], [null, 0]);
      const { instructions = "", tools, max_output_tokens } = service.model.requestsOf(tenant.modelName).at(-1)!.body;
      assert(!String(instructions).includes("Ada Byron"), String(instructions));
      assertEquals([tools, max_output_tokens], [undefined, 1_000]);
      const heard = heardBy(service, tenant);
      assertEquals(heard, [messages.at(-1)!.content as string]);
    });
  }

  for (const checkpoint of checkpoints) {
    await t.step(`LibreChat, ${checkpoint.slice(0, 30)}…: goes to the model with the conversation`, async () => {
      const reply = await complete(service, tenant, chatOf("Hi", "Hello", checkpoint), {
        headers: { "X-Chat-Id": "c" },
      });
      assertReply(reply, 200);
      assertEquals([reply.headers.get("X-Thread-Id"), await countAll(tenant)], [null, 0]);
      assertEquals(heardBy(service, tenant), ["Hi", "Hello", checkpoint]);
    });
  }

  await t.step("one that quotes more than a question may have, up to what the model reads", async () => {
    const chat = `<chat_history>\n${"USER: How long? ".repeat(3_000)}\n</chat_history>`;
    const title = user(`### Task:\nGenerate a concise title summarizing the chat history.\n${chat}`);
    assertReply(await complete(service, tenant, title), 200);
    assertEquals(heardBy(service, tenant), [title[0]!.content as string]);
    const other = await createTenant();
    assertEquals((await complete(service, other, title)).status, 400);
  });

  for (const [name, messages] of Object.entries(lookalikes)) {
    await t.step(`${name}: is answered by the persona`, async () => {
      const reply = await complete(service, tenant, messages);
      assertReply(reply, 200);
      assert(reply.headers.get("X-Thread-Id") !== null);
    });
  }

  await t.step("without the option of the key, such a text is a question", async () => {
    const other = await createTenant();
    for (const [name, messages] of Object.entries(tasks)) {
      const reply = await complete(service, other, messages);
      assert(reply.headers.get("X-Thread-Id") !== null, name);
    }
  });
});

Deno.test("requests that say they are the application's own", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const { modelName } = tenant;
  const body = () => service.model.requestsOf(modelName).at(-1)!.body;

  await t.step("by a header, or by the metadata", async () => {
    for (const name of ["X-OpenWebUI-Task", "X-LibreChat-Task", "X-Task"]) {
      const reply = await complete(service, tenant, user("Name this."), { headers: { [name]: "title_generation" } });
      assertEquals([reply.status, reply.headers.get("X-Thread-Id")], [200, null], name);
    }
    const reply = await complete(service, tenant, user("Name this."), { metadata: { task: "title" } });
    assertEquals(reply.headers.get("X-Thread-Id"), null);
    assertEquals(await countAll(tenant), 0);
  });

  await t.step("they open no question, and have no pinned answer", async () => {
    const { apiKey } = await issueKey(tenant.accountId, { scopes: ["expert"] });
    const path = `/coaches/${tenant.coachId}`;
    assertReply(await ask(service, "POST", `${path}/answers`, { apiKey }, { question: "Why?", answer: "So." }), 200);
    const reply = await complete(service, tenant, user("Why?"), { headers: { "X-Task": "title" } });
    assertEquals(reply.json.choices[0].message.content, "Hello world");
    assertEquals((await ask(service, "GET", `${path}/questions`, { apiKey })).json.count, 0);
  });

  await t.step("an empty header or name, or one with a placeholder, says nothing", async () => {
    for (const task of ["", " ", null, 5]) {
      const reply = await complete(service, tenant, user("Hi"), { metadata: { task } });
      assert(reply.headers.get("X-Thread-Id") !== null, String(task));
    }
    for (const value of ["", "{{TASK}}"]) {
      const reply = await complete(service, tenant, user("Hi"), { headers: { "X-OpenWebUI-Task": value } });
      assert(reply.headers.get("X-Thread-Id") !== null, value);
    }
  });

  const headers = { "X-Task": "title" };
  await t.step("the form of the reply and lower limits are passed on", async () => {
    const format = { type: "json_schema", json_schema: { name: "title", schema: { type: "object" }, strict: true } };
    await complete(service, tenant, user("Name this."), { headers, response_format: format, max_tokens: 50 });
    assertEquals(body().text?.format, { type: "json_schema", name: "title", schema: { type: "object" }, strict: true });
    assertEquals(body().max_output_tokens, 50);
    await complete(service, tenant, user("Name this."), { headers, max_tokens: 5_000 });
    assertEquals(body().max_output_tokens, 1_000);
    await complete(service, tenant, user("Name this."), { headers, response_format: { type: "json_object" } });
    assertEquals(body().text?.format, { type: "json_object" });
    await complete(service, tenant, user("Name this."), { headers, response_format: { type: "text" } });
    assertEquals(body().text?.format, undefined);
  });

  await t.step("a form that does not exist is refused by its name", async () => {
    for (
      const format of [{ type: "xml" }, { type: "json_schema" }, { type: "json_schema", json_schema: { name: 1 } }]
    ) {
      const { status, json } = await complete(service, tenant, user("Hi"), { headers, response_format: format });
      assertEquals([status, json.error.param], [400, "response_format"]);
      const request = { model: tenant.coachId, input: "Hi", text: { format } };
      const reply = await ask(service, "POST", "/openai/v1/responses", tenant, request, { headers });
      assertEquals([reply.status, reply.json.error.param], [400, "text.format"]);
    }
  });

  await t.step("they stream, too", async () => {
    const request = { model: tenant.coachId, messages: user("Name this."), stream: true };
    const reply = await ask(service, "POST", "/openai/v1/chat/completions", tenant, request, { headers });
    assert(reply.text.endsWith("data: [DONE]\n\n"), reply.text);
  });

  await t.step("so does the Responses API", async () => {
    const format = { type: "json_schema", name: "title", schema: { type: "object" }, strict: true };
    const request = { model: tenant.coachId, input: "Name this.", text: { format }, max_output_tokens: 50 };
    const reply = await ask(service, "POST", "/openai/v1/responses", tenant, request, { headers });
    assertEquals([reply.status, reply.headers.get("X-Thread-Id")], [200, null]);
    assertEquals(reply.json.output[0].content[0].text, "Hello world");
    assertEquals([body().text?.format, body().max_output_tokens], [format, 50]);
    assertEquals([reply.json.store, reply.json.text.format], [false, format]);
    assertEquals((await ask(service, "GET", `/openai/v1/responses/${reply.json.id}`, tenant)).status, 404);
  });

  await t.step("an unknown coach is 404, a failure of the model its own error", async () => {
    const unknown = await complete(service, { ...tenant, coachId: "nobody" }, user("Name this."), { headers });
    assertEquals([unknown.status, unknown.json.error.code], [404, "model_not_found"]);
    service.model.script(modelName, { steps: [{ status: 401 }] });
    const failed = await complete(service, tenant, user("Name this."), { headers });
    assertEquals([failed.status, failed.json.error.type], [502, "server_error"]);
    assertEquals(failed.headers.get("x-should-retry"), "false");
  });
});
