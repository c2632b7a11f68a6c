import type { Answer } from "../answer.ts";
import type { Client } from "../client.ts";
import { ServiceError } from "../service_error.ts";
import { describeError, type MessageChunk, readChunks } from "./message_chunks.ts";
import { type ChatMessage, readText } from "./ui_messages.ts";

/** The coach and the user of all chats of a transport. */
export type ChatTransportOptions = {
  coachId: string;
  /** The user of the threads, for servers with a secret key. In pages, the token identifies the user. */
  userId?: string;
  /** `context.mode` of every message. */
  mode?: string;
};

/** A request of a chat, as the AI SDK makes it. */
export type SendMessagesOptions = {
  trigger: "submit-message" | "regenerate-message";
  chatId: string;
  messageId: string | undefined;
  messages: readonly ChatMessage[];
  abortSignal: AbortSignal | undefined;
};

/** The AI SDK's `ChatTransport`, in versions 5, 6 and 7. */
export interface ChatTransport {
  /** A resumed stream has the whole answer, not only the rest. */
  readonly resumeStreamIsReplay: true;
  /** @throws {ServiceError} when the service refuses, with a sentence that users can read */
  sendMessages(options: SendMessagesOptions): Promise<ReadableStream<MessageChunk>>;
  /** The answer that is being written in a chat, from its beginning; null if there is none. */
  reconnectToStream(
    options: { chatId: string; abortSignal?: AbortSignal },
  ): Promise<ReadableStream<MessageChunk> | null>;
}

/** A question that is sent, over a connection that can be given up. `hasThread`: its chat was answered before. */
type Asking = { chatId: string; question: ChatMessage; hasThread: boolean; signal: AbortSignal };

/** The methods of the client that a transport calls. */
export type TransportClient = Pick<
  Client,
  "chat" | "retryAnswer" | "followAnswer" | "stopAnswer" | "getThread" | "listMessages"
>;

/**
 * Connects `useChat` to the service. Use a random UUID as the ID of a chat: it becomes the ID of its thread, so that a
 * page finds the conversation when it is loaded again.
 *
 * - Stopping a chat stops its answer. Closing or reloading the page does not.
 * - Regenerating an earlier answer deletes everything after it, as `useChat` does.
 * - Only the text of the last message is sent: the service has the others.
 */
export function createChatTransport(client: TransportClient, options: ChatTransportOptions): ChatTransport {
  const { coachId, userId, mode } = options;
  const context = { coachId, userId, mode };
  /** Threads of the chats that were answered in this session. */
  const threads = new Map<string, string>();
  /** Answers to the questions of this session, whose IDs the service does not know. Null if there is none. */
  const answers = new Map<string, string | null>();
  /** The number of times a chat was resumed. */
  const resumptions = new Map<string, number>();
  /** Answers that must be stopped before a chat continues. */
  const stops = new Map<string, Promise<void>>();

  const threadOf = (chatId: string): string | undefined => threads.get(chatId) ?? (isUuid(chatId) ? chatId : undefined);

  async function ask({ chatId, question, hasThread, signal }: Asking, replaces?: string): Promise<Answer> {
    if (replaces === undefined) answers.set(question.id, null);
    // A thread that was deleted elsewhere must not be created again.
    const isFirst = !hasThread && !threads.has(chatId) && replaces === undefined && isUuid(chatId);
    const thread = isFirst ? { new_thread_id: chatId } : { thread_id: threadOf(chatId) };
    try {
      const body = { message: readText(question), ...thread, replaces, context };
      const answer = await client.chat(body, { signal });
      answers.set(question.id, answer.messageId);
      threads.set(chatId, answer.threadId);
      return answer;
    } catch (error) {
      // An answer may have failed before its first word. Its question is stored then.
      if (error instanceof ServiceError && error.messageId !== null) answers.set(question.id, error.messageId);
      throw error;
    }
  }

  /** Sends a question, in the place of the one with its ID if there is one. */
  async function submit(asking: Asking, isEdited: boolean): Promise<Answer> {
    const { chatId, question } = asking;
    const answerId = answers.get(question.id);
    if (!isEdited || answerId === null) return await ask(asking);
    if (answerId === undefined) return await ask(asking, question.id);
    return await ask(asking, (await findTurn(chatId, answerId)).questionId);
  }

  /** Writes the answer to a question again. */
  async function regenerate(asking: Asking, messageId?: string): Promise<Answer> {
    const { chatId, question, signal } = asking;
    const known = messageId ?? answers.get(question.id);
    if (known === null) return await ask(asking);
    const answerId = known ?? (await findTurn(chatId, question.id)).answerId;
    try {
      return await client.retryAnswer(answerId, { signal });
    } catch (error) {
      // An earlier answer is regenerated by asking its question again.
      const isEarlier = error instanceof ServiceError && error.code === "not_the_last_answer";
      if (!isEarlier) throw error;
      return await ask(asking, (await findTurn(chatId, answerId)).questionId);
    }
  }

  /** The ids of a question and its answer, of which one is known. */
  async function findTurn(chatId: string, messageId: string): Promise<{ questionId: string; answerId: string }> {
    const threadId = threadOf(chatId) ?? "";
    let answerId = "";
    let cursor: string | undefined;
    do {
      // With the status, answers without any text are listed as well.
      const page = await client.listMessages(threadId, { order: "desc", include: "status", limit: 100, cursor });
      for (const { id, role } of page.data) {
        if (role === "assistant") answerId = id;
        else if (id === messageId || answerId === messageId) return { questionId: id, answerId };
      }
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    throw new Error("This message is not in the conversation any more");
  }

  /**
   * Stops an answer when its chat is stopped. If a chat is immediately resumed, it only moved to another component:
   * React mounts components twice in development, and the SDK aborts the first request when it resumes a second time.
   */
  function stopWhenAborted(
    findMessageId: () => Promise<string | null>,
    { chatId, connection, abortSignal }: { chatId: string; connection: AbortController; abortSignal?: AbortSignal },
  ): void {
    async function stop() {
      const before = resumptions.get(chatId);
      try {
        await Promise.resolve();
        // The ID of a new answer arrives with its first word, or after ten seconds.
        const id = resumptions.get(chatId) === before ? await findMessageId() : null;
        if (id !== null) await client.stopAnswer(id);
      } catch {
        // The answer has failed, or it continues and will be there when the thread is loaded again.
      } finally {
        connection.abort();
      }
    }
    abortSignal?.addEventListener("abort", () => stops.set(chatId, stop()), { once: true });
  }

  return {
    resumeStreamIsReplay: true,
    async sendMessages({ trigger, chatId, messageId, messages, abortSignal }) {
      const question = messages.at(-1);
      if (question?.role !== "user") throw new Error("There is no message to answer");
      await stops.get(chatId);
      abortSignal?.throwIfAborted();
      const connection = new AbortController();
      const hasThread = hasAnswer(messages);
      const asking = { chatId, question, hasThread, signal: connection.signal };
      const isQuestion = messages.some(({ id }) => id === messageId);
      const beginning = trigger === "submit-message"
        ? submit(asking, messageId === question.id)
        : regenerate(asking, isQuestion ? undefined : messageId);
      stopWhenAborted(async () => (await beginning).messageId, { chatId, connection, abortSignal });
      return streamAnswer(await orAborted(beginning, abortSignal), connection);
    },
    async reconnectToStream({ chatId, abortSignal }) {
      resumptions.set(chatId, (resumptions.get(chatId) ?? 0) + 1);
      await stops.get(chatId);
      const threadId = threadOf(chatId);
      if (threadId === undefined) return null;
      abortSignal?.throwIfAborted();
      const connection = new AbortController();
      const active = findActiveAnswer(client, threadId);
      stopWhenAborted(() => active, { chatId, connection, abortSignal });
      const messageId = await active;
      if (messageId === null) return null;
      abortSignal?.throwIfAborted();
      return streamAnswer(await client.followAnswer(messageId, { signal: connection.signal }), connection);
    },
  };
}

async function findActiveAnswer(client: TransportClient, threadId: string): Promise<string | null> {
  try {
    return (await client.getThread(threadId)).active_message_id;
  } catch (error) {
    // A chat without messages.
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
}

/** Returns the result of a promise, unless the signal is aborted first. */
async function orAborted(promise: Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => abort = () => reject(signal?.reason));
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } catch (error) {
    throw error instanceof ServiceError ? describeError(error) : error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** The chunks of an answer. If the reader stops, the connection ends, but not the answer. */
function streamAnswer(answer: Answer, connection: AbortController): ReadableStream<MessageChunk> {
  const chunks = readChunks(answer);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => connection.abort(),
  });
}

/** Returns true if a question was answered. A greeting is not an answer. */
function hasAnswer(messages: readonly ChatMessage[]): boolean {
  const first = messages.findIndex(({ role }) => role === "user");
  return messages.slice(first + 1).some(({ role }) => role === "assistant");
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
