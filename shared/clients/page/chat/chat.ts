import type { components } from "../../client/api_types.ts";
import { type Connection, keep, type Kept } from "../connection.ts";
import { Observable } from "../ui/observable.ts";
import { type Account, readAccount } from "./account.ts";
import { Conversation } from "./conversation.ts";
import type { Place } from "./place.ts";
import { ThreadList } from "./thread_list.ts";
import { Recovery } from "./recovery.ts";
import { passes, readTrouble, type Trouble } from "./trouble.ts";

/** Whom one talks to. */
export type Coach = components["schemas"]["Coach"];

/** What a chat needs. */
export type ChatOptions = {
  connection: Connection;
  /** Whom to talk to; empty for a choice. */
  coachId: string;
  /** Whether the site signs its users in itself. */
  isSignedInBySite: boolean;
  place: Place;
  /** Tells several elements apart in what is stored. */
  name: string;
};

/** All that one element shows: whom one talks to, the open thread and the others, and who is signed in. */
export class Chat extends Observable {
  coaches: Coach[] = [];
  coach: Coach | null = null;
  conversation: Conversation | null = null;
  threads: ThreadList | null = null;
  /** Why nothing can be shown yet. */
  trouble: Trouble | null = null;
  account: Account | null = null;
  readonly isSignedInBySite: boolean;

  #connection: Connection;
  #coachId: string;
  #place: Place;
  #name: string;
  #chosen;
  #isVisible = true;
  #isStopped = false;
  #recovery = new Recovery(() => this.recover());
  #leaveConversation = () => {};

  constructor({ connection, coachId, isSignedInBySite, place, name }: ChatOptions) {
    super();
    this.#connection = connection;
    this.#coachId = coachId;
    this.#place = place;
    this.#name = name;
    this.isSignedInBySite = isSignedInBySite;
    this.#chosen = keep<string>(`human-chat coach ${name}`, "browser");
  }

  /** Finds out whom one can talk to, as a visitor where nobody is signed in, and opens the thread of the place. */
  async start(): Promise<void> {
    try {
      if (!this.isSignedInBySite && !this.#connection.session()) await this.#connection.client.signInAnonymously();
      if (this.#isStopped) return;
      this.#readAccount();
      const { client } = this.#connection;
      this.coaches = this.#coachId ? [await client.getCoach(this.#coachId)] : (await client.listCoaches()).data;
      if (this.#isStopped) return;
      this.trouble = this.coaches.length === 0 ? { kind: "coachNotFound" } : null;
      const chosen = this.#chosen.load();
      const coach = this.coaches.find(({ id }) => id === chosen) ??
        (this.coaches.length === 1 ? this.coaches[0] : null);
      const threadId = this.#place.read();
      if (coach) this.#talkTo(coach, threadId);
      else if (threadId) await this.#talkInThread(threadId);
    } catch (error) {
      if (this.#isStopped) return;
      this.trouble = readTrouble(error);
    }
    this.changed();
    this.#recovery.after(this.trouble ?? this.conversation?.trouble ?? null);
  }

  /** Ends all connections. */
  stop(): void {
    this.#isStopped = true;
    this.#recovery.stop();
    this.#close();
  }

  /** Talks to somebody from now on; with null, the choice is open again. */
  choose(coach: Coach | null): void {
    this.#chosen.save(coach?.id ?? null);
    this.#place.write(null);
    if (coach) this.#talkTo(coach, null);
    else {
      this.#close();
      this.coach = null;
    }
    this.changed();
  }

  /** Opens a thread, or with null a new one. */
  open(threadId: string | null): void {
    if (!this.coach) return;
    const isOpen = threadId !== null && threadId === this.conversation?.threadId ||
      threadId === null && this.conversation?.isNew;
    this.#place.write(threadId);
    if (isOpen) return;
    this.#openThread(threadId);
    this.changed();
  }

  /** Opens what the place says, after somebody has gone back. */
  followPlace(): void {
    const threadId = this.#place.read();
    const current = this.conversation?.isNew ? null : this.conversation?.threadId ?? null;
    if (threadId !== current) this.open(threadId);
  }

  /** Deletes a thread. What is open then is a new one. */
  async remove(threadId: string): Promise<void> {
    if (await this.threads?.remove(threadId) && this.conversation?.threadId === threadId) this.open(null);
  }

  /** Whether somebody sees the page. Whoever comes back to it gets to know what happened meanwhile. */
  see(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.conversation?.watch(isVisible);
    if (isVisible) this.recover();
  }

  /**
   * Tries again at once what has failed, and reads again what may have changed.
   *
   * @param isBack whether there is a network again: what waits for one need not wait any longer
   */
  recover(isBack = false): void {
    this.#recovery.stop();
    if (this.#isStopped) return;
    if (this.trouble) {
      if (passes(this.trouble)) void this.start();
      return;
    }
    if (isBack || passes(this.conversation?.trouble ?? null)) this.conversation?.watch(false);
    void this.conversation?.refresh().then(() => this.conversation?.watch(this.#isVisible));
    if (this.conversation) void this.threads?.refresh();
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.#connection.client.signIn(email, password);
    // A link may lead to a thread of the account.
    await this.#restart(this.conversation?.trouble?.kind === "threadNotFound" ? this.conversation.threadId : null);
  }

  /** Begins anew as somebody whom nobody knows. */
  async goOnAsVisitor(): Promise<void> {
    this.#connection.client.signOut();
    await this.#restart();
  }

  /** Forgets who was here. Nobody is signed in then. */
  signOut(): void {
    this.#connection.client.signOut();
    this.#forget();
  }

  /** Another tab may have signed somebody in or out. Tells whether somebody else is signed in now. */
  checkAccount(): boolean {
    // Nobody is, as long as it begins.
    if (this.isSignedInBySite || !this.account && !this.trouble) return false;
    const userId = this.#connection.session()?.userId;
    if (userId === this.account?.userId) return false;
    this.#forget();
    return userId !== undefined;
  }

  /** What was written and not sent yet in a thread. */
  draft(conversation: Conversation): Kept<string> {
    return this.#draftOf(conversation.isNew ? `new ${conversation.coachId}` : conversation.threadId);
  }

  /** What could not be sent is found in the draft again, when the page is left. */
  keepUnsent(): void {
    const { conversation } = this;
    if (!conversation?.unsent) return;
    const draft = this.draft(conversation);
    draft.save([conversation.unsent.text, draft.load()].filter(Boolean).join("\n"));
  }

  #draftOf(thread: string): Kept<string> {
    return keep<string>(`human-chat draft ${this.#name} ${thread}`, "tab");
  }

  #forget(): void {
    this.#place.write(null);
    this.#close();
    this.account = null;
    this.coach = null;
    this.trouble = { kind: "signedOut" };
    this.changed();
  }

  async #restart(threadId: string | null = null): Promise<void> {
    this.#forget();
    this.#place.write(threadId, true);
    this.trouble = null;
    this.changed();
    await this.start();
  }

  #readAccount(): void {
    const session = this.#connection.session();
    this.account = session && readAccount(session);
  }

  async #talkInThread(threadId: string): Promise<void> {
    this.#talkToOther((await this.#connection.client.getThread(threadId)).coach_id, threadId);
  }

  /** Talks to the coach of a thread, if that is one of those who can be talked to. */
  #talkToOther(coachId: string, threadId = this.conversation?.threadId ?? null): void {
    const coach = this.coaches.find(({ id }) => id === coachId);
    if (coach) this.#talkTo(coach, threadId);
    else if (this.conversation) {
      this.conversation.otherCoachId = null;
      this.conversation.trouble = { kind: "threadNotFound" };
    }
    this.changed();
  }

  #talkTo(coach: Coach, threadId: string | null): void {
    this.coach = coach;
    this.threads?.close();
    this.threads = new ThreadList(this.#connection.client, coach.id);
    void this.threads.refresh();
    this.#openThread(threadId);
  }

  #openThread(threadId: string | null): void {
    this.#closeConversation();
    const conversation = this.conversation = new Conversation({
      client: this.#connection.client,
      coachId: this.coach!.id,
      threadId,
      onChange: () => {
        if (conversation !== this.conversation) return;
        if (this.#place.read() !== conversation.threadId) this.#moveDraft(conversation);
        this.#place.write(conversation.threadId, true);
        conversation.watch(this.#isVisible);
        this.threads?.moveUp(conversation.threadId);
      },
    });
    this.#leaveConversation = conversation.observe(() => {
      this.#recovery.after(this.trouble ?? this.conversation?.trouble ?? null);
      if (conversation.otherCoachId) this.#talkToOther(conversation.otherCoachId);
    });
    void conversation.refresh();
    conversation.watch(this.#isVisible);
  }

  /** What was typed while the first question was sent belongs to the thread that it began. */
  #moveDraft({ coachId, threadId }: Conversation): void {
    const old = this.#draftOf(`new ${coachId}`);
    this.#draftOf(threadId).save(old.load());
    old.save(null);
  }

  #close(): void {
    this.#closeConversation();
    this.threads?.close();
    this.threads = null;
  }

  #closeConversation(): void {
    this.#leaveConversation();
    this.keepUnsent();
    this.conversation?.close();
    this.conversation = null;
  }
}
