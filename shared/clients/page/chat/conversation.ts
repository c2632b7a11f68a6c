import type { Answer } from "../../client/answer.ts";
import type { Client } from "../../client/client.ts";
import { ServiceError } from "../../client/service_error.ts";
import type { WatchedEvent } from "../../client/watch.ts";
import type { Kept } from "../connection.ts";
import { Observable } from "../ui/observable.ts";
import { LiveAnswers } from "./live_answers.ts";
import {
  addAnswer,
  addSent,
  hasArrived,
  type KeptQuestions,
  MessagePages,
  newlyEnded,
  Outbox,
  type SentQuestion,
  showMessages,
  type ShownMessage,
  type StoredMessage,
} from "./messages.ts";
import { createRefresh, isNews, ThreadWatch } from "./thread_watch.ts";
import type { ListedThread } from "./thread_list.ts";
import { passes, readTrouble, type Trouble } from "./trouble.ts";

/** The parameters of a conversation. */
export type ConversationOptions = {
  client: Client;
  coachId: string;
  /** The thread to continue; null for a new one. */
  threadId: string | null;
  /** Returns the thread as the list has it, once that was read; undefined if it is not in the list. */
  findListed: () => Promise<ListedThread | undefined>;
  /** The questions that could not be sent before the page was left. */
  kept: Kept<KeptQuestions>;
  /** Called before a question is sent. If it rejects, the question stays unsent. */
  onAsk: () => Promise<void>;
  /** Called when a new thread has its first question, with that, and when an answer has ended. */
  onChange: (firstQuestion?: string) => void;
  /** Called when all of the thread has been read by the user. */
  onRead: () => void;
  /** Called when the thread turns out to belong to another coach. */
  onOtherCoach: (coachId: string) => void;
};

/**
 * An open thread. The stored messages are authoritative: they are read again after each event. The questions that are not
 * sent yet and the answers that are being read are shown on top of them.
 */
export class Conversation extends Observable {
  readonly threadId: string;
  readonly coachId: string;
  /** A new thread is not stored yet; one that is loading has not been read yet. */
  stage: "new" | "loading" | "ready";
  handledBy: "ai" | "expert" = "ai";
  trouble: Trouble | null = null;
  /** The newest answer that ended while the thread was open, for screen readers. */
  announced: ShownMessage | null = null;
  /** Called with each event of the thread. */
  heard: (event: WatchedEvent) => void = () => {};
  /** The questions that have not arrived. */
  readonly outbox: Outbox;
  /** True if the last answer that was asked for here counts on a budget. */
  isBudgeted = false;

  #client: Client;
  #options: ConversationOptions;
  #pages: MessagePages;
  #answers = new LiveAnswers(() => this.changed());
  #refresh = createRefresh(() => this.#load());
  /** Changes whenever the thread changes. Null until the thread was read. */
  #version: string | null = null;
  /** True once the thread was begun here: nobody else knows it yet. */
  #isBegunHere = false;
  /** The answers that were begun here and of which no event has told yet. */
  #begunHere = new Set<string>();
  /** The answers of which events have told while a question was sent. */
  #begunMeanwhile: string[] = [];
  /** The answer that was rated here last. */
  #ratedId: string | null = null;
  #isVisible = false;
  #hasUnread = false;
  #watch: ThreadWatch;
  #connections = new AbortController();
  #isClosed = false;

  constructor(options: ConversationOptions) {
    super();
    const { client, coachId, threadId, kept } = this.#options = options;
    this.#client = client;
    this.coachId = coachId;
    this.threadId = threadId ?? kept.load()?.threadId ?? crypto.randomUUID();
    this.stage = threadId === null ? "new" : "loading";
    this.outbox = new Outbox(this.threadId, kept);
    this.#pages = new MessagePages(client, this.threadId, this.#connections.signal);
    this.#watch = new ThreadWatch({
      client,
      threadId: this.threadId,
      onEvent: (event) => this.#handle(event),
      onEnd: (error) => this.#fail(error),
    });
  }

  get messages(): ShownMessage[] {
    return showMessages(this.#pages.messages, this.#answers.all, this.outbox);
  }
  /** The state of a request of the thread that waits; null: none does. */
  get requestStatus(): "waiting" | "seen" | null {
    for (const { request } of this.#pages.messages) {
      if (request?.status === "waiting" || request?.status === "seen") return request.status;
    }
    return null;
  }
  get hasEarlier(): boolean {
    return this.#pages.hasEarlier;
  }
  /** True while a question is sent or an answer is read here. */
  get isAnswering(): boolean {
    return this.outbox.isSending || this.#answers.isReading;
  }
  /** The problem that the page is trying to recover from; null for none. */
  get passing(): Trouble | null {
    return [this.trouble, this.outbox.trouble].find(passes) ?? null;
  }
  /** True while a further question would have to wait. */
  get isBusy(): boolean {
    return this.isAnswering || this.outbox.questions.length > 0;
  }

  /**
   * Asks a question; with `replaces`, in place of an earlier one and everything after it. While an answer is written, or
   * an earlier question has not arrived, it waits until it is its turn.
   */
  say(text: string, replaces?: string): void {
    this.outbox.add({ text, replaces, idempotencyKey: crypto.randomUUID() });
    this.changed();
    this.#sendNext();
  }

  /** Tries again to send a question that was refused. */
  sendAgain(): void {
    this.#sendNext(true);
  }

  /** Takes back a question that has not arrived. */
  takeBack(key: string): string {
    const { text = "" } = this.outbox.remove(key) ?? {};
    this.changed();
    this.#sendNext();
    return text;
  }

  /** Reads the stored messages again, and sends what could not be sent. */
  async recover(): Promise<void> {
    await this.refresh();
    if (!passes(this.trouble)) this.#sendNext(passes(this.outbox.trouble));
  }

  /** Stops the answer that is being written. */
  async stop(): Promise<void> {
    this.outbox.isToStop = this.outbox.isSending;
    await this.#try(() => Promise.all(this.#answers.unended.map((id) => this.#client.stopAnswer(id))));
  }

  /** Asks the expert in person, about a message or with a new question. Returns false if that failed. */
  async askInPerson(call: { message_id: string } | { question: string }): Promise<boolean> {
    const idempotency_key = crypto.randomUUID();
    this.trouble = await this.changeRequest(async () => {
      await this.#options.onAsk();
      const coachId = this.stage === "new" ? this.coachId : undefined;
      await this.#client.askExpert(this.threadId, { ...call, coachId, idempotency_key });
      this.#begin("question" in call ? call.question : "");
    });
    this.changed();
    return this.trouble === null;
  }

  /** Does something about a request, and reads what has become of it. Returns what went wrong; null if nothing did. */
  async changeRequest(act: () => Promise<unknown>): Promise<Trouble | null> {
    try {
      await act();
    } catch (error) {
      return readTrouble(error);
    }
    await this.refresh();
    this.#options.onChange();
    return null;
  }

  /** Asks for another version of the last answer. */
  async retry(id: string): Promise<void> {
    if (this.isAnswering) return;
    this.#begunHere.add(id);
    await this.#read(id, () => this.#client.retryAnswer(id, { signal: this.#connections.signal }));
  }

  async rate(id: string, rating: "up" | "down" | null, comment?: string): Promise<boolean> {
    this.#ratedId = id;
    return await this.#try(async () => {
      const rated = await this.#client.rateAnswer(this.threadId, id, { rating, comment });
      const feedback = rating && { rating, comment: rated.comment };
      this.#pages.messages = this.#pages.messages.map((one) => one.id === id ? { ...one, feedback } : one);
    });
  }

  async loadEarlier(): Promise<void> {
    await this.#try(() => this.#pages.readEarlier());
  }

  /** Hides the trouble that the reader has closed. */
  dismiss(): void {
    this.trouble = null;
    this.changed();
  }

  /** Reads the stored messages again. */
  async refresh(): Promise<void> {
    if (this.stage !== "new" && !this.#connections.signal.aborted) await this.#refresh.now();
  }

  /** Watches the thread while the page is visible. */
  watch(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#watch.set(isVisible && this.stage !== "new" && !this.#connections.signal.aborted);
  }

  /** Ends all connections. A question that is being sent still arrives. */
  close(): void {
    this.watch(false);
    this.#isClosed = true;
    if (!this.outbox.isSending) this.#connections.abort();
  }

  /** Sends the question whose turn it is, if nothing else has to happen before. */
  #sendNext(isRetry = false): void {
    const { outbox } = this;
    const [question] = outbox.questions;
    if (!question || this.isAnswering || this.stage === "loading" || this.#isClosed) return;
    if (!outbox.trouble || isRetry) void this.#send(question);
  }

  async #send(question: SentQuestion): Promise<void> {
    const { outbox } = this;
    outbox.isSending = true;
    outbox.isToStop = false;
    question.known ??= this.#pages.messages;
    this.trouble = null;
    this.changed();
    let answer: Answer;
    try {
      answer = await this.#ask(question);
    } catch (error) {
      if (this.#connections.signal.aborted) return;
      const isStored = error instanceof ServiceError && error.messageId !== null;
      if (isStored) {
        outbox.remove(question.idempotencyKey);
        this.#begin(question.text);
      } else outbox.trouble = readTrouble(error);
      outbox.isSending = false;
      this.#begunMeanwhile = [];
      this.changed();
      return await this.refresh();
    } finally {
      if (this.#isClosed) this.#connections.abort();
    }
    outbox.isSending = false;
    outbox.remove(question.idempotencyKey);
    const { messages } = this.#pages;
    if (!messages.some(({ id }) => id === answer.messageId)) {
      this.#pages.messages = addSent(messages, this.threadId, question);
    }
    const begun = this.#begunMeanwhile.splice(0);
    if (this.stage !== "new" && !begun.includes(answer.messageId)) this.#begunHere.add(answer.messageId);
    if (begun.some((id) => id !== answer.messageId)) this.#refresh.soon();
    this.#begin(question.text);
    if (outbox.isToStop) void this.#try(() => this.#client.stopAnswer(answer.messageId));
    await this.#read(answer.messageId, () => Promise.resolve(answer), () => this.#keep(answer));
  }

  /** Keeps an answer that was read to its end as it will be read again. Returns false if that has to be read. */
  #keep({ messageId: id, ending }: Answer): boolean {
    const live = this.#answers.all.get(id);
    this.isBudgeted = ending?.is_budgeted === true;
    if (live?.kind !== "ended" || ending?.status !== "complete") return false;
    const before = this.#pages.messages;
    const answer: StoredMessage = {
      id,
      thread_id: this.threadId,
      role: "assistant",
      content: live.text,
      response_id: ending.response_id,
      created_at: new Date().toISOString(),
      status: "complete",
      author: ending.author,
      sources: ending.sources,
      feedback: null,
      is_passed_on: ending.is_passed_on,
    };
    this.#pages.messages = addAnswer(before, answer);
    this.announced = newlyEnded(before, this.#pages.messages) ?? this.announced;
    this.#answers.settle(answer);
    this.changed();
    this.#sendNext();
    return true;
  }

  async #ask({ text: message, replaces, idempotencyKey }: SentQuestion): Promise<Answer> {
    await this.#options.onAsk();
    const thread = this.stage === "new" ? { new_thread_id: this.threadId } : { thread_id: this.threadId };
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    // What follows the path may be secret, and is of no use to the expert.
    const [page_url] = location.href.split(/[?#]/);
    const place = { time_zone: timeZone, page_url, language: navigator.language };
    return await this.#client.chat(
      { message, replaces, ...thread, context: { coachId: this.coachId, ...place } },
      { idempotencyKey, signal: this.#connections.signal },
    );
  }

  /** Called when the service has stored a question of the thread. */
  #begin(firstQuestion: string): void {
    if (this.stage !== "new") return;
    this.stage = "ready";
    this.#isBegunHere = true;
    this.#options.onChange(firstQuestion);
  }

  /** Reads an answer while it is written. `keep` returns true if nothing has to be read again. */
  async #read(id: string, begin: () => Promise<Answer>, keep = () => false): Promise<void> {
    let isBroken = false;
    try {
      await this.#answers.read(id, begin);
    } catch (error) {
      if (this.#connections.signal.aborted) return;
      this.#fail(error);
      isBroken = this.trouble?.kind !== "trouble";
    }
    if (!isBroken && !keep()) await this.refresh();
    this.#options.onChange();
  }

  async #load(): Promise<void> {
    if (this.#connections.signal.aborted) return;
    try {
      const before = this.#pages.messages;
      await Promise.all([this.#pages.readNewest(), this.#version === null && this.#readFirst()]);
      // Messages that were there when the thread was opened are not announced.
      const news = this.stage === "ready" ? newlyEnded(before, this.#pages.messages) : null;
      this.announced = news ?? this.announced;
      // The service knows that an answer is read that was followed to its end.
      if (news?.id && !this.#answers.all.has(news.id)) this.#hasUnread = true;
      if (passes(this.trouble)) this.trouble = null;
      this.#settle();
      this.stage = "ready";
      void this.#markRead();
      this.#sendNext();
    } catch (error) {
      this.#fail(error);
      this.stage = "ready";
    }
    this.changed();
  }

  /** Notes that the messages are read, if somebody looks at them. They stay unread if that fails. */
  async #markRead(): Promise<void> {
    if (!this.#hasUnread || !this.#isVisible) return;
    this.#hasUnread = false;
    try {
      await this.#client.markThreadRead(this.threadId);
      this.#options.onRead();
    } catch {
      // The next visit tries again.
    }
  }

  /** Takes the thread from the list, which is of this coach, if it is there. Otherwise, it has to be read. */
  async #readFirst(): Promise<void> {
    const listed = await this.#options.findListed();
    if (!listed) return void await this.#readThread();
    this.#note(listed);
    this.changed();
  }

  /** Reads the thread itself. Returns true if it has changed since the last time. */
  async #readThread(): Promise<boolean> {
    const thread = await this.#client.getThread(this.threadId, this.#connections);
    // Nothing of the thread may be shown under the name of another coach.
    if (thread.coach_id !== this.coachId) throw new OtherCoach(thread.coach_id);
    return this.#note(thread);
  }

  /** Returns true if the thread has changed since it was noted before. */
  #note(
    { handled_by = "ai", updated_at, active_message_id = null, unread = 0 }: Omit<Partial<ListedThread>, "id">,
  ): boolean {
    const before = this.#version;
    this.#hasUnread ||= unread > 0;
    this.handledBy = handled_by;
    this.#version = `${updated_at} ${active_message_id}`;
    return before !== this.#version;
  }

  /** Drops what the stored messages now show as well, and follows the answers that are written elsewhere. */
  #settle(): void {
    const { messages } = this.#pages;
    const { isSending, questions: [first] } = this.outbox;
    if (first && !isSending && hasArrived(messages, first)) this.outbox.remove(first.idempotencyKey);
    for (const message of messages) {
      const { id, status } = message;
      this.#answers.settle(message);
      if (status === "streaming" && !this.#answers.all.has(id)) {
        void this.#read(id, () => this.#client.followAnswer(id, { signal: this.#connections.signal }));
      }
    }
  }

  #handle(event: WatchedEvent): void {
    const { kind } = event;
    this.heard(event);
    if (kind === "watching" || kind === "missed") return void this.#catchUp(event);
    if (kind === "message.begun") {
      const { message_id: id = "" } = event;
      if (this.#begunHere.delete(id)) return;
      if (this.outbox.isSending) return void this.#begunMeanwhile.push(id);
    }
    if (kind.startsWith("takeover.")) {
      this.handledBy = kind === "takeover.begun" ? "expert" : "ai";
      this.changed();
    }
    // The reply to a rating that was given here may come after its event.
    if (kind.startsWith("feedback.") && event.message_id === this.#ratedId) return void (this.#ratedId = null);
    if (isNews(event, this.#pages.messages, this.#answers.all)) this.#refresh.soon();
    if (kind.startsWith("request.")) this.#options.onChange();
  }

  /** Reads the messages after a time without events, if the thread has changed. */
  async #catchUp(state: WatchedEvent): Promise<void> {
    const isBegunHere = this.#isBegunHere;
    this.#isBegunHere = false;
    let hasChanged = false;
    if (state.updated_at) hasChanged = this.#note(state);
    else await this.#try(async () => hasChanged = await this.#readThread());
    this.changed();
    const active = state.active_message_id;
    const isKnown = isBegunHere &&
      (!active || this.#answers.all.has(active) || this.#pages.messages.some(({ id }) => id === active));
    if (hasChanged && !isKnown) await this.refresh();
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
    if (this.#connections.signal.aborted) return;
    if (error instanceof OtherCoach) {
      this.trouble = { kind: "threadNotFound" };
      this.#options.onOtherCoach(error.coachId);
    } else this.trouble = readTrouble(error);
    this.changed();
  }
}

class OtherCoach extends Error {
  coachId: string;
  constructor(coachId: string) {
    super();
    this.coachId = coachId;
  }
}
