import type { Client } from "../../client/client.ts";
import { mergeNewest, type StoredMessage } from "./messages.ts";

const pageSize = 50;
const include = "status,sources,feedback,author";

/** The stored messages of a thread, as far back as they were read. */
export class MessagePages {
  messages: StoredMessage[] = [];
  #client: Client;
  #threadId: string;
  #signal: AbortSignal;
  /** The cursor of the earlier messages; null if there are none. */
  #earlier: string | null = null;

  constructor(client: Client, threadId: string, signal: AbortSignal) {
    this.#client = client;
    this.#threadId = threadId;
    this.#signal = signal;
  }

  get hasEarlier(): boolean {
    return this.#earlier !== null;
  }

  async readNewest(): Promise<void> {
    const page = await this.#list();
    const { messages, meets } = mergeNewest(this.messages, page.messages);
    this.messages = messages;
    if (!meets) this.#earlier = page.earlier;
  }

  async readEarlier(): Promise<void> {
    if (this.#earlier === null) return;
    const { messages, earlier } = await this.#list(this.#earlier);
    this.messages = [...messages, ...this.messages];
    this.#earlier = earlier;
  }

  async #list(cursor?: string): Promise<{ messages: StoredMessage[]; earlier: string | null }> {
    const query = { include, order: "desc", limit: pageSize, cursor } as const;
    const options = { signal: this.#signal };
    const { data, next_cursor: earlier = null } = await this.#client.listMessages(this.#threadId, query, options);
    return { messages: data.toReversed(), earlier };
  }
}
