import * as ai5 from "ai5";
import * as ai6 from "ai6";
import * as ai7 from "ai7";
import { createChatTransport } from "../../shared/clients/client/ai_sdk/chat_transport.ts";
import { loadMessages, type StoredMessage } from "../../shared/clients/client/ai_sdk/ui_messages.ts";
import type { MessageChunk } from "../../shared/clients/client/ai_sdk/message_chunks.ts";
import type { Client } from "../../shared/clients/client/client.ts";
import { setBudget } from "../support/budgets.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { eventually } from "../support/eventually.ts";
import { clientOf, gatewayOf } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import type { Step } from "../support/model_server.ts";
import { createTenant, issueKey, type KeyOptions, type Tenant } from "../support/project.ts";
import { sentenceOf } from "../support/refusals.ts";
import { type Service, startService } from "../support/service.ts";
import { storedAnswer } from "../support/turns.ts";

type Message = {
  id: string;
  role: string;
  parts: { type: string; text?: string; [name: string]: unknown }[];
  metadata?: unknown;
};

/** The state of `useChat`, the same in every version. */
type Chat = {
  status: string;
  error: Error | undefined;
  messages: Message[];
  sendMessage(message: { text: string; messageId?: string }): Promise<void>;
  regenerate(options?: { messageId: string }): Promise<void>;
  resumeStream(): Promise<void>;
  stop(): Promise<void>;
};

/** The parts of a version of the package `ai` that a test needs. */
type Sdk = { AbstractChat: new (init: Record<string, unknown>) => Chat; uiMessageChunkSchema: unknown };

const versions: [string, Sdk][] = [["5", ai5], ["6", ai6], ["7", ai7]].map((
  [version, module],
) => [version as string, module as unknown as Sdk]);

// Fails to compile where a version's own types say otherwise.
const typed = createChatTransport({} as Client, { coachId: "c" });
typed satisfies ai5.ChatTransport<ai5.UIMessage> & ai6.ChatTransport<ai6.UIMessage> & ai7.ChatTransport<ai7.UIMessage>;
([] as StoredMessage[]) satisfies ai5.UIMessage[] & ai6.UIMessage[] & ai7.UIMessage[];

/** Fails for a chunk that a version's own schema refuses. */
async function assertValid({ uiMessageChunkSchema }: Sdk, chunk: MessageChunk): Promise<void> {
  const schema = typeof uiMessageChunkSchema === "function" ? uiMessageChunkSchema() : uiMessageChunkSchema;
  const { success } = await schema.validate(chunk);
  assert(success, JSON.stringify(chunk));
}

/** A chat as a page has it, without the page. */
function openChat(sdk: Sdk, client: Client, { coachId, id = crypto.randomUUID(), messages = [] }: {
  coachId: string;
  id?: string;
  messages?: StoredMessage[];
}) {
  const chunks: MessageChunk[] = [];
  const stopped: string[] = [];
  const waiting = new Set<() => void>();
  const stopping = Promise.withResolvers<void>();
  const transport = createChatTransport({
    ...client,
    async stopAnswer(messageId, options) {
      const reply = await client.stopAnswer(messageId, options);
      stopped.push(messageId);
      stopping.resolve();
      return reply;
    },
  }, { coachId, userId: "u" });

  function observe(stream: ReadableStream<MessageChunk>) {
    return stream.pipeThrough(
      new TransformStream<MessageChunk, MessageChunk>({
        async transform(chunk, controller) {
          await assertValid(sdk, chunk);
          chunks.push(chunk);
          controller.enqueue(chunk);
        },
      }),
    );
  }
  const changed = () => waiting.forEach((look) => look());
  const state = {
    status: "ready",
    error: undefined,
    messages: messages as Message[],
    pushMessage(message: Message) {
      this.messages = [...this.messages, message];
      changed();
    },
    popMessage() {
      this.messages = this.messages.slice(0, -1);
    },
    replaceMessage(index: number, message: Message) {
      this.messages = this.messages.with(index, structuredClone(message));
      changed();
    },
    snapshot: <Value>(value: Value): Value => structuredClone(value),
  };
  const chat = new sdk.AbstractChat({
    id,
    state,
    transport: {
      resumeStreamIsReplay: transport.resumeStreamIsReplay,
      sendMessages: async (options: Parameters<typeof transport.sendMessages>[0]) =>
        observe(await transport.sendMessages(options)),
      async reconnectToStream(options: Parameters<typeof transport.reconnectToStream>[0]) {
        const stream = await transport.reconnectToStream(options);
        return stream && observe(stream);
      },
    },
  });
  /** Resolves when the last message of the chat is an answer with that text. */
  function shows(text: string): Promise<void> {
    return new Promise((resolve) => {
      function look() {
        const last = chat.messages.at(-1);
        if (last?.role !== "assistant" || textOf(last) !== text) return;
        waiting.delete(look);
        resolve();
      }
      waiting.add(look);
      look();
    });
  }
  return { id, chat, transport, chunks, stopped, stopping: stopping.promise, shows };
}

const textOf = ({ parts }: Message) => parts.map(({ text = "" }) => text).join("");
const shown = ({ messages }: Chat) => messages.map((message) => [message.role, textOf(message)]);

for (const [version, sdk] of versions) {
  Deno.test(`useChat of the AI SDK ${version}`, async (t) => {
    await using service = await startService();
    const start = (key?: KeyOptions) => startChats(service, sdk, key);

    await t.step("sends, streams and goes on: the chat's id is the thread's", async () => {
      const { open, client, script } = await start();
      const { chat, chunks, id } = open();
      script([{ text: "One" }, { text: " two" }], [{ text: "Three" }]);
      await chat.sendMessage({ text: "Count" });
      assertEquals([chat.status, chat.error], ["ready", undefined]);
      assertEquals(shown(chat), [["user", "Count"], ["assistant", "One two"]]);
      const { data } = await client.listMessages(id);
      assertEquals(data.map(({ content }) => content), ["Count", "One two"]);
      assertEquals(chat.messages[1]?.id, data[1]?.id);
      const deltas = chunks.filter(({ type }) => type === "text-delta");
      assertEquals(chunks, [
        { type: "start", messageId: data[1]!.id },
        { type: "text-start", id: "text" },
        ...deltas,
        { type: "text-end", id: "text" },
        { type: "finish", messageMetadata: { author: "ai", status: "complete" } },
      ]);
      await chat.sendMessage({ text: "And then?" });
      assertEquals((await client.listMessages(id)).count, 4);
    });

    await t.step("a chat whose id is no UUID goes on in its thread, too", async () => {
      const { open, client } = await start();
      const { chat } = open({ id: "sidebar" });
      await chat.sendMessage({ text: "Hi" });
      await chat.sendMessage({ text: "Again" });
      assertEquals((await client.listThreads("u")).data.map(({ title }) => title), ["Hi"]);
    });

    await t.step("names the files an answer draws on, and quotes the passages", async () => {
      const { open, tenant } = await start();
      await addFile(tenant, "foxes.md", "Foxes sleep by day.");
      service.model.script(tenant.modelName, { steps: [{ text: "By day [1]." }] });
      const { chat, id } = open();
      await chat.sendMessage({ text: "When do foxes sleep?" });
      const [text, file, sources] = chat.messages[1]!.parts;
      assertEquals([text?.type, file?.type, sources?.type], ["text", "source-document", "data-sources"]);
      assertEquals([file?.mediaType, file?.title, file?.filename], ["text/markdown", "foxes.md", "foxes.md"]);
      const [source] = sources?.data as { number: number; fileId: string; quote: string }[];
      assertEquals([source?.number, source?.fileId, source?.quote], [1, file?.sourceId, "Foxes sleep by day."]);
      // What is loaded later is what was streamed.
      const loaded = await loadMessages(clientOf(service, tenant), id);
      assertEquals(loaded[1]?.parts.map(({ type }) => type), ["text", "source-document", "data-sources"]);
      assertEquals(loaded[1]?.parts[2], { type: "data-sources", data: sources?.data } as never);
    });

    await t.step("says who wrote an answer: the model or the person; and when it waits for that person", async () => {
      const { open, tenant, client } = await start();
      const expert = clientOf(service, await issueKey(tenant.accountId, { scopes: ["expert"] }));
      await expert.createPinnedAnswer(tenant.coachId, { question: "Why foxes?", answer: "I like them." });
      const { chat, id } = open();
      const metadata = () => chat.messages.slice(-1).map((message) => [textOf(message), message.metadata]);
      await chat.sendMessage({ text: "Why foxes?" });
      assertEquals(metadata(), [["I like them.", { author: "expert", status: "complete" }]]);
      assertEquals(chat.messages[1]?.parts.map(({ type, title }) => [type, title]), [
        ["text", undefined],
        ["source-document", "Why foxes?"],
        ["data-sources", undefined],
      ]);
      await chat.sendMessage({ text: "Tell me more" });
      assertEquals(metadata()[0]?.[1], { author: "ai", status: "complete" });

      await expert.takeOver(id);
      await chat.sendMessage({ text: "Are you there?" });
      assertEquals(metadata()[0]?.[1], { author: "ai", status: "waiting" });
      const waiting = chat.messages.at(-1)!.id;
      const load = () => loadMessages(client, id);
      assertEquals((await load()).at(-1)?.role, "user", "the notice is not stored");
      await expert.sayAsExpert(id, { content: "I am." });
      assertEquals((await load()).at(-1), {
        id: waiting,
        role: "assistant",
        parts: [{ type: "text", text: "I am." }],
        metadata: { author: "expert", status: "complete" },
      });
      assertEquals((await load()).map(({ metadata }) => metadata?.author), [
        undefined,
        "expert",
        undefined,
        "ai",
        undefined,
        "expert",
      ]);
    });

    await t.step("stopping a chat stops its answer, not the connection alone", async () => {
      const { open, waitingTurn } = await start();
      const { chat, shows, stopping, stopped } = open();
      const turn = waitingTurn("So far");
      const sending = chat.sendMessage({ text: "Talk" });
      await shows("So far");
      await chat.stop();
      await sending;
      assertEquals([chat.status, chat.error], ["ready", undefined]);
      await stopping;
      turn.goOn();
      await service.turns();
      const answer = await storedAnswer(chat.messages[1]!.id);
      assertEquals([answer.status, answer.content], ["stopped", "So far"]);
      assertEquals(stopped, [chat.messages[1]!.id]);
      // The chat goes on afterwards.
      await chat.sendMessage({ text: "Go on" });
      assertEquals(shown(chat).at(-1), ["assistant", "All of it"]);
    });

    await t.step("a chat that is stopped before the first word is free at once, and its answer stops", async () => {
      const { open, script } = await start();
      const { chat, stopping, stopped } = open();
      const asked = Promise.withResolvers<void>();
      const model = Promise.withResolvers<void>();
      const firstWord = {
        then: (...rest: Parameters<typeof model.promise.then>) => {
          asked.resolve();
          return model.promise.then(...rest);
        },
      } as Promise<void>;
      script([{ waitFor: firstWord }, { text: "Never wanted" }, { waitFor: new Promise<void>(() => {}) }]);
      const sending = chat.sendMessage({ text: "Talk" });
      await asked.promise;
      await chat.stop();
      await sending;
      assertEquals([chat.status, chat.error, chat.messages.length], ["ready", undefined, 1]);
      model.resolve();
      await stopping;
      await service.turns();
      assertEquals((await storedAnswer(stopped[0]!)).status, "stopped");
    });

    await t.step("a page that is closed stops nothing, and one that is loaded again resumes the answer", async () => {
      const { open, waitingTurn, client } = await start();
      const first = open();
      const turn = waitingTurn("From");
      void first.chat.sendMessage({ text: "Talk" });
      await first.shows("From");

      const { id } = first;
      await eventually(async () => (await storedAnswer(first.chat.messages[1]!.id)).content !== "", "it is stored");
      const second = open({ id, messages: await loadMessages(client, id) });
      // The stored text of the answer is part of the resumed stream, once.
      assertEquals(shown(second.chat), [["user", "Talk"]]);
      const resuming = second.chat.resumeStream();
      await second.shows("From");
      turn.goOn();
      await resuming;
      assertEquals(shown(second.chat), [["user", "Talk"], ["assistant", "FromAll of it"]]);
      assertEquals(second.chat.messages[1]!.id, first.chat.messages[1]!.id);
      assertEquals([first.stopped, second.stopped], [[], []]);
    });

    await t.step("a reader who leaves without stopping leaves the answer alone", async () => {
      const { open, waitingTurn } = await start();
      const { transport, id, stopped } = open();
      const turn = waitingTurn("Half");
      const stream = await transport.sendMessages({
        trigger: "submit-message",
        chatId: id,
        messageId: undefined,
        messages: [{ id: "q", role: "user", parts: [{ type: "text", text: "Talk" } as { type: string }] }],
        abortSignal: undefined,
      });
      const reader = stream.getReader();
      const { value } = await reader.read();
      if (value?.type !== "start") throw new Error("The stream does not begin");
      await reader.cancel();
      turn.goOn();
      await service.turns();
      assertEquals((await storedAnswer(value.messageId)).status, "complete");
      assertEquals(stopped, []);
    });

    await t.step("resuming twice, as React does in development, stops nothing; stopping then does", async () => {
      const { open, waitingTurn, client } = await start();
      const first = open();
      const turn = waitingTurn("From");
      void first.chat.sendMessage({ text: "Talk" });
      await first.shows("From");
      const second = open({ id: first.id, messages: await loadMessages(client, first.id) });
      const resuming = second.chat.resumeStream();
      const again = second.chat.resumeStream();
      await second.shows("From");
      void second.chat.resumeStream();
      await Promise.all([resuming, again]);
      await second.shows("From");
      assertEquals(second.stopped, []);
      assertEquals((await storedAnswer(first.chat.messages[1]!.id)).status, "streaming");
      await second.chat.stop();
      await second.stopping;
      turn.goOn();
      await service.turns();
      assertEquals((await storedAnswer(first.chat.messages[1]!.id)).status, "stopped");
    });

    await t.step("there is nothing to resume in a new chat, nor after the end of an answer", async () => {
      const { open } = await start();
      const { chat, transport, id } = open();
      assertEquals(await transport.reconnectToStream({ chatId: id }), null);
      assertEquals(await transport.reconnectToStream({ chatId: "sidebar" }), null);
      await chat.sendMessage({ text: "Hi" });
      assertEquals(await transport.reconnectToStream({ chatId: id }), null);
      await chat.resumeStream();
      assertEquals([chat.status, chat.messages.length], ["ready", 2]);
    });

    await t.step("a new conversation has no messages", async () => {
      const { client } = await start();
      assertEquals(await loadMessages(client, crypto.randomUUID()), []);
    });

    await t.step("a thread that was deleted elsewhere does not come back, in this session or a later one", async () => {
      const { open, client, tenant } = await start();
      const { chat, id } = open();
      await chat.sendMessage({ text: "One" });
      const later = open({ id, messages: await loadMessages(client, id) });
      await clientOf(service, tenant).deleteThread(id);
      for (const { sendMessage } of [chat, later.chat]) await sendMessage({ text: "Two" });
      for (const { error } of [chat, later.chat]) assertEquals(error?.message, sentenceOf("thread_not_found"));
      assertEquals((await client.listThreads("u")).count, 0);
    });

    await t.step("a first message that was lost can be sent again, below a greeting too", async () => {
      const { tenant } = await start();
      const gateway = gatewayOf(service.url);
      let isAway = true;
      const client = clientOf(service, tenant, {
        send: (request) => isAway ? Promise.reject(new TypeError("Failed to fetch")) : gateway(request),
      });
      const greeting: StoredMessage = { id: "hello", role: "assistant", parts: [{ type: "text", text: "Hello" }] };
      const { chat, id } = openChat(sdk, client, { coachId: tenant.coachId, messages: [greeting] });
      await chat.sendMessage({ text: "One" });
      assertEquals(chat.error?.message, "The service cannot be reached. Check the network connection.");
      isAway = false;
      await chat.regenerate();
      await chat.sendMessage({ text: "Two" });
      assertEquals([chat.status, chat.error], ["ready", undefined]);
      const { data } = await client.listMessages(id);
      assertEquals(data.filter(({ role }) => role === "user").map(({ content }) => content), ["One", "Two"]);
    });

    await t.step("regenerates the last answer in its place, in this session and in a later one", async () => {
      const { open, script, client } = await start();
      const { chat, id } = open();
      script([{ text: "First" }], [{ text: "Second" }], [{ text: "Third" }], [{ text: "Fourth" }]);
      await chat.sendMessage({ text: "Say" });
      const answerId = chat.messages[1]!.id;
      await chat.regenerate();
      assertEquals(shown(chat), [["user", "Say"], ["assistant", "Second"]]);
      assertEquals(chat.messages[1]!.id, answerId);
      const later = open({ id, messages: await loadMessages(client, id) });
      await later.chat.regenerate();
      assertEquals(shown(later.chat), [["user", "Say"], ["assistant", "Third"]]);
      await later.chat.regenerate({ messageId: answerId });
      const { data } = await client.listMessages(id);
      assertEquals(data.map(({ content }) => content), ["Say", "Fourth"]);
    });

    await t.step("regenerating an earlier answer drops what was said after it", async () => {
      const { open, script, client } = await start();
      const { chat, id } = open();
      script([{ text: "First" }], [{ text: "Second" }], [{ text: "Third" }]);
      await chat.sendMessage({ text: "Say" });
      await chat.sendMessage({ text: "More" });
      await chat.regenerate({ messageId: chat.messages[1]!.id });
      assertEquals(shown(chat), [["user", "Say"], ["assistant", "Third"]]);
      assertEquals((await client.listMessages(id)).data.map(({ content }) => content), ["Say", "Third"]);
    });

    await t.step("edits a question, again and again, and drops what was said after it", async () => {
      const { open, script, client } = await start();
      const { chat, id } = open();
      script([{ text: "A1" }], [{ text: "A2" }], [{ text: "A3" }], [{ text: "A4" }]);
      await chat.sendMessage({ text: "Q1" });
      await chat.sendMessage({ text: "Q2" });
      const messageId = chat.messages[0]!.id;
      await chat.sendMessage({ text: "Q3", messageId });
      assertEquals(shown(chat), [["user", "Q3"], ["assistant", "A3"]]);
      await chat.sendMessage({ text: "Q4", messageId });
      assertEquals((await client.listMessages(id)).data.map(({ content }) => content), ["Q4", "A4"]);
    });

    await t.step("edits a question of an earlier session", async () => {
      const { open, script, client } = await start();
      const { chat, id } = open();
      script([{ text: "A1" }], [{ text: "A2" }], [{ text: "A3" }]);
      await chat.sendMessage({ text: "Q1" });
      await chat.sendMessage({ text: "Q2" });
      const later = open({ id, messages: await loadMessages(client, id) });
      await later.chat.sendMessage({ text: "Q3", messageId: later.chat.messages[2]!.id });
      const { data } = await client.listMessages(id);
      assertEquals(data.map(({ content }) => content), ["Q1", "A1", "Q3", "A3"]);
    });

    await t.step("a failure before the first word reads as the service says it, and can be mended", async () => {
      const { open, script, client } = await start();
      const { chat, id } = open();
      script([{ cut: true }], [{ cut: true }], [{ cut: true }], [{ text: "Now" }]);
      await chat.sendMessage({ text: "Broken" });
      assertEquals([chat.status, chat.error?.message], ["error", sentenceOf("model_unavailable")]);
      assertEquals(chat.messages.slice(1).map(textOf).join(""), "");
      script([{ text: "Now" }]);
      await chat.sendMessage({ text: "Mended", messageId: chat.messages[0]!.id });
      assertEquals([chat.status, chat.error], ["ready", undefined]);
      assertEquals((await client.listMessages(id)).data.map(({ content }) => content), ["Mended", "Now"]);
    });

    await t.step("a failure in the middle keeps what was said, and reads as the service says it", async () => {
      const { open, script } = await start();
      const { chat, chunks } = open();
      script([{ text: "Half" }, { cut: true }]);
      await chat.sendMessage({ text: "Fail" });
      assertEquals([chat.status, chat.error?.message], ["error", sentenceOf("model_unavailable")]);
      assertEquals(shown(chat).at(-1), ["assistant", "Half"]);
      assertEquals(chunks.at(-1), { type: "error", errorText: sentenceOf("model_unavailable") });
      script([{ text: "Whole" }]);
      await chat.regenerate();
      assertEquals(shown(chat), [["user", "Fail"], ["assistant", "Whole"]]);
    });

    await t.step("refusals read as the service says them, a rate limit with its seconds", async () => {
      const { open, tenant } = await start({ requests_per_minute: 1 });
      const { chat } = open({ coachId: "nobody" });
      await chat.sendMessage({ text: "Hi" });
      assertEquals([chat.status, chat.error?.message], ["error", sentenceOf("coach_not_found")]);
      const limited = open({ coachId: tenant.coachId });
      await limited.chat.sendMessage({ text: "Hi" });
      const sentence = limited.chat.error?.message ?? "";
      assert(/^Rate limit exceeded\. Try again in \d+ seconds?\.$/.test(sentence), sentence);
    });

    await t.step("a budget that is used up says until when, or that it is used up", async () => {
      const { open, tenant } = await start();
      await setBudget(tenant, { amount: 1 });
      const { chat } = open({ coachId: tenant.coachId });
      await chat.sendMessage({ text: "Hi" });
      const sentence = chat.error?.message ?? "";
      assert(/^That is all for now\. You can continue on .+\d.+\.$/.test(sentence), sentence);
      await setBudget(tenant, { amount: 1, period: "total" });
      await chat.sendMessage({ text: "Hi" });
      assertEquals(chat.error?.message, "The budget for this conversation is used up.");
    });

    await t.step("a message with a file is refused here, and nothing is sent", async () => {
      const { open, client } = await start();
      const { transport, id } = open();
      const parts = [{ type: "text", text: "Look" }, { type: "file", url: "data:," }];
      const error = await transport.sendMessages({
        trigger: "submit-message",
        chatId: id,
        messageId: undefined,
        messages: [{ id: "q", role: "user", parts }],
        abortSignal: undefined,
      }).catch((error) => error);
      assertEquals(error.message, "A message can hold text, not a part of the type file");
      assertEquals((await client.listThreads("u")).count, 0);
    });

    await t.step("another user's thread is no chat of this user", async () => {
      const { open, client, tenant } = await start();
      const other = await client.chat({ message: "Secret", context: { coachId: tenant.coachId, userId: "v" } });
      await Array.fromAsync(other);
      const { chat } = open({ id: other.threadId });
      await chat.sendMessage({ text: "Hi" });
      assertEquals([chat.status, chat.error?.message], ["error", sentenceOf("thread_not_found")]);
      assertEquals((await client.listMessages(other.threadId)).count, 2);
    });
  });
}

/** An account with a coach, whose chats a test opens. */
async function startChats(service: Service, sdk: Sdk, key?: KeyOptions) {
  const tenant: Tenant = await createTenant(key);
  const client = clientOf(service, tenant);
  return {
    tenant,
    client,
    open: (options: { id?: string; messages?: StoredMessage[]; coachId?: string } = {}) =>
      openChat(sdk, client, { coachId: tenant.coachId, ...options }),
    script: (...answers: Step[][]) => service.model.script(tenant.modelName, ...answers.map((steps) => ({ steps }))),
    /** Has the model say something and wait; then, and in every later turn, it says all of it. */
    waitingTurn(said: string) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const all = { text: "All of it" };
      service.model.script(tenant.modelName, { steps: [{ text: said }, { waitFor: promise }, all] }, { steps: [all] });
      return { goOn: resolve };
    },
  };
}
