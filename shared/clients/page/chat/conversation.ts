import type { Answer } from "../../client/answer.ts";
import type { Client } from "../../client/client.ts";
import { ServiceError } from "../../client/service_error.ts";
import type { WatchedEvent } from "../../client/watch.ts";
import { Observable } from "../ui/observable.ts";
import { MessagePages } from "./message_pages.ts";
import {
  addSent,
  hasArrived,
  type LiveAnswer,
  newlyEnded,
  type SentQuestion,
  showMessages,
  type ShownMessage,
  type StoredMessage,
} from "./messages.ts";
import { isNews, ThreadWatch } from "./thread_watch.ts";
import { passes, readTrouble, type Trouble } from "./trouble.ts";

/** What a conversation needs of what is around it. */
export type ConversationOptions = {
  client: Client;
  coachId: string;
  /** The thread to go on with; null for a new one. */
  threadId: string | null;
  /** Called when a new thread has its first question, and when an answer has ended. */
  onChange: () => void;
};

/**
 * An open thread: its messages, and what is under way in it. What is stored is the truth, and is read again whenever
 * something has happened; what is sent and read at the moment is laid over it.
 */
export class Conversation extends Observable {
  readonly threadId: string;
  readonly coachId: string;
  /** Whether the service has nothing of the thread yet. */
  isNew: boolean;
  isLoading = false;
  /** Who answers at the moment. */
  handledBy: "ai" | "expert" = "ai";
  /** Whom the thread is with, where that is somebody else than this is. */
  otherCoachId: string | null = null;
  trouble: Trouble | null = null;
  /** The newest message that came while somebody was looking, for those who listen. */
  announced: ShownMessage | null = null;

  #client: Client;
  #onChange: () => void;
  #pages: MessagePages;
  #live = new Map<string, LiveAnswer>();
  #sent: SentQuestion | null = null;
  #stopsWhenNamed = false;
  #closesWhenNamed = false;
  #isStale = false;
  #refreshing: Promise<void> | null = null;
  /** Another one than before, the thread has changed. */
  #version = "";
  #open = new AbortController();
  #watch: ThreadWatch;
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor({ client, coachId, threadId, onChange }: ConversationOptions) {
    super();
    this.#client = client;
    this.#onChange = onChange;
    this.coachId = coachId;
    this.isNew = threadId === null;
    this.threadId = threadId ?? crypto.randomUUID();
    this.isLoading = !this.isNew;
    this.#pages = new MessagePages(client, this.threadId, this.#open.signal);
    this.#watch = new ThreadWatch({
      client,
      threadId: this.threadId,
      onEvent: (event) => this.#see(event),
      onEnd: (error) => this.#fail(error),
    });
  }

  get messages(): ShownMessage[] {
    return showMessages(this.#stored, this.#live, this.#sent);
  }
  get hasEarlier(): boolean {
    return this.#pages.hasEarlier;
  }
  get #stored(): StoredMessage[] {
    return this.#pages.messages;
  }
  /** Whether an answer is being written that somebody here waits for. */
  get isAnswering(): boolean {
    return this.#sent !== null && !this.#sent.trouble ||
      [...this.#live.values()].some(({ ending, isBroken }) => !ending && !isBroken);
  }
  /** A question that could not be sent. */
  get unsent(): SentQuestion | null {
    return this.#sent?.trouble ? this.#sent : null;
  }

  /**
   * Asks a question; with `replaces`, in the place of an earlier one and all that came after it. Not while an answer is
   * written: a button may be pressed twice before it is gone.
   */
  async say(text: string, replaces?: string): Promise<void> {
    if (!this.isAnswering) {
      await this.#send({ text, replaces, idempotencyKey: crypto.randomUUID(), known: this.#stored });
    }
  }

  async sendAgain(): Promise<void> {
    if (this.unsent) await this.#send({ ...this.unsent, trouble: undefined });
  }

  /** Takes the question that could not be sent back. */
  takeBack(): string {
    const { text = "" } = this.unsent ?? {};
    this.#sent = null;
    this.changed();
    return text;
  }

  /** Ends the answer that is being written. */
  async stop(): Promise<void> {
    this.#stopsWhenNamed = this.#sent !== null && !this.#sent.trouble;
    await this.#try(() =>
      Promise.all(
        [...this.#live].filter(([, { ending }]) => !ending).map(([id]) => this.#client.stopAnswer(id)),
      )
    );
  }

  /** Has the last answer written anew. */
  async retry(id: string): Promise<void> {
    if (!this.isAnswering) await this.#read(id, () => this.#client.retryAnswer(id, { signal: this.#open.signal }));
  }

  async rate(id: string, rating: "up" | "down" | null, comment?: string): Promise<boolean> {
    return await this.#try(async () => {
      const rated = await this.#client.rateAnswer(this.threadId, id, { rating, comment });
      const feedback = rating && { rating, comment: rated.comment };
      this.#pages.messages = this.#stored.map((message) => message.id === id ? { ...message, feedback } : message);
    });
  }

  async loadEarlier(): Promise<void> {
    await this.#try(() => this.#pages.readEarlier());
  }

  /** Puts a trouble away that somebody has read. */
  dismiss(): void {
    this.trouble = null;
    this.changed();
  }

  /** Reads what is stored again. Asked for meanwhile, it is read once more. */
  async refresh(): Promise<void> {
    if (this.isNew || this.#open.signal.aborted) return;
    this.#isStale = true;
    await (this.#refreshing ??= (async () => {
      while (this.#isStale && !this.#open.signal.aborted) {
        this.#isStale = false;
        await this.#load();
      }
    })().finally(() => this.#refreshing = null));
  }

  /** Watches the thread, or leaves off: nobody needs to know what happens on a page that nobody sees. */
  watch(isVisible: boolean): void {
    this.#watch.set(isVisible && !this.isNew && !this.#open.signal.aborted);
  }

  /** Ends all connections. */
  close(): void {
    this.watch(false);
    // A question that is on its way arrives all the same.
    if (this.#sent && !this.#sent.trouble) this.#closesWhenNamed = true;
    else this.#open.abort();
  }

  async #send(sent: SentQuestion): Promise<void> {
    this.#sent = sent;
    this.trouble = null;
    this.changed();
    const { text: message, replaces, idempotencyKey } = sent;
    const thread = this.isNew ? { new_thread_id: this.threadId } : { thread_id: this.threadId };
    let answer: Answer;
    try {
      answer = await this.#client.chat(
        { message, replaces, ...thread, context: { coachId: this.coachId } },
        { idempotencyKey, signal: this.#open.signal },
      );
    } catch (error) {
      if (this.#open.signal.aborted) return;
      const isStored = error instanceof ServiceError && error.messageId !== null;
      if (isStored) this.#begin();
      this.#sent = isStored ? null : { ...sent, trouble: readTrouble(error) };
      this.changed();
      return await this.refresh();
    } finally {
      if (this.#closesWhenNamed) this.#open.abort();
    }
    this.#sent = null;
    if (!this.#stored.some(({ id }) => id === answer.messageId)) {
      this.#pages.messages = addSent(this.#stored, this.threadId, sent);
    }
    this.#begin();
    if (this.#stopsWhenNamed) void this.#try(() => this.#client.stopAnswer(answer.messageId));
    this.#stopsWhenNamed = false;
    await this.#read(answer.messageId, () => Promise.resolve(answer));
  }

  /** The thread is stored. */
  #begin(): void {
    const wasNew = this.isNew;
    this.isNew = false;
    if (wasNew) this.#onChange();
  }

  /** Reads an answer while it is written. */
  async #read(id: string, begin: () => Promise<Answer>): Promise<void> {
    const live: LiveAnswer = { text: "" };
    this.#live.set(id, live);
    this.changed();
    try {
      const answer = await begin();
      for await (const text of answer) {
        live.text += text;
        this.changed();
      }
      const { status = "complete", author = null, sources = [] } = answer.ending ?? {};
      live.ending = { status, author, sources };
    } catch (error) {
      if (this.#open.signal.aborted) return;
      const isFinal = error instanceof ServiceError && error.messageId !== null;
      if (isFinal) live.ending = { status: "failed", author: "ai", sources: [] };
      else {
        live.isBroken = true;
        this.trouble = readTrouble(error);
      }
    }
    this.changed();
    if (!live.isBroken || this.trouble?.kind === "trouble") await this.refresh();
    this.#onChange();
  }

  async #load(): Promise<void> {
    try {
      const before = this.#stored;
      await Promise.all([this.#pages.readNewest(), this.#version === "" && this.#readThread()]);
      // Nobody is told of what was there when the thread was opened.
      if (!this.isLoading) this.announced = newlyEnded(before, this.#stored) ?? this.announced;
      if (passes(this.trouble)) this.trouble = null;
      this.#settle();
    } catch (error) {
      this.#fail(error);
    }
    this.isLoading = false;
    this.changed();
  }

  /** Reads what no message says. Tells whether the messages may have changed since the last time. */
  async #readThread(): Promise<boolean> {
    const { coach_id, handled_by, updated_at, active_message_id } = await this.#client.getThread(
      this.threadId,
      this.#open,
    );
    if (coach_id !== this.coachId) {
      // Under another's name, nothing of it must be shown.
      this.otherCoachId = coach_id;
      throw new Error("The thread is with another coach");
    }
    this.handledBy = handled_by;
    const before = this.#version;
    this.#version = `${updated_at} ${active_message_id}`;
    return before !== this.#version;
  }

  /** Drops what the stored messages say as well, and follows the answers that are written elsewhere. */
  #settle(): void {
    if (this.unsent && hasArrived(this.#stored, this.unsent)) this.#sent = null;
    for (const { id, status } of this.#stored) {
      const live = this.#live.get(id);
      // The notice of an answer that waits for the expert is not stored.
      if (live?.ending && status !== "waiting" || live?.isBroken) this.#live.delete(id);
      if (status === "streaming" && !this.#live.has(id)) {
        void this.#read(id, () => this.#client.followAnswer(id, { signal: this.#open.signal }));
      }
    }
  }

  #see(event: WatchedEvent): void {
    const { kind } = event;
    if (kind === "watching" || kind === "missed") return void this.#catchUp();
    if (kind.startsWith("takeover.")) {
      this.handledBy = kind === "takeover.begun" ? "expert" : "ai";
      this.changed();
    }
    if (isNews(event, this.#stored, this.#live)) this.#refreshSoon();
  }

  /** Events come together: what they tell is read once. */
  #refreshSoon(): void {
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      void this.refresh();
    }, 100);
  }

  /** Catches up with what has happened while nobody watched. */
  async #catchUp(): Promise<void> {
    let isNews = false;
    await this.#try(async () => isNews = await this.#readThread());
    if (isNews) await this.refresh();
  }

  async #try(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    } finally {
      this.changed();
    }
  }

  #fail(error: unknown): void {
    if (this.#open.signal.aborted) return;
    this.trouble = readTrouble(error);
    this.changed();
  }
}
