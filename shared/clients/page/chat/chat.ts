import type { components } from "../../client/api_types.ts";
import { type Connection, keep, type Kept } from "../connection.ts";
import type { SignInOptions } from "../../client/client.ts";
import type { Session, SessionTokens } from "../../client/session.ts";
import { pageAddress, readClaims } from "../ui/mailed_link.ts";
import { Observable } from "../ui/observable.ts";
import { BudgetWatch } from "./budget_watch.ts";
import { Conversation } from "./conversation.ts";
import type { KeptQuestions } from "./messages.ts";
import type { Place } from "./place.ts";
import { type Company, type ListedThread, ThreadList } from "./thread_list.ts";
import { passes, readTrouble, Recovery, type Trouble } from "./trouble.ts";

export type Coach = components["schemas"]["Coach"];

/** The signed-in user. */
export type Account = {
  /** Null for a visitor who has not said anything yet, and is no user before they do. */
  userId: string | null;
  /** Null for a visitor without an account. */
  email: string | null;
};

/** The parameters of a chat. */
export type ChatOptions = {
  connection: Connection;
  /** The coach to talk to; empty for a choice. */
  coachId: string;
  /** True if the site signs its users in itself. */
  isSignedInBySite: boolean;
  place: Place;
  /** The coaches as the page shows them to somebody who has not said anything yet; empty if it has to ask for them. */
  cards: Coach[];
  /** The name of the element, which separates the stored values of several elements on one page. */
  name: string;
};

/** The pause, in milliseconds, between two readings of the list. */
const lookingPause = 120_000;

/** The state of one `<human-chat>`: the coach, the open thread, the list of threads, and the signed-in user. */
export class Chat extends Observable {
  coaches: Coach[] = [];
  coach: Coach | null = null;
  conversation: Conversation | null = null;
  threads: ThreadList | null = null;
  /** The reason why nothing can be shown. */
  trouble: Trouble | null = null;
  account: Account | null = null;
  /** How long the expert of the coach usually takes, and whether mails tell of answers; null until it was read. */
  times: components["schemas"]["CoachWithTimes"] | null = null;
  /** Watches the user's share of a budget; null while there is no coach. */
  budget: BudgetWatch | null = null;
  readonly isSignedInBySite: boolean;

  #connection: Connection;
  #coachId: string;
  #cards: Coach[];
  #place: Place;
  #name: string;
  #chosen;
  #isVisible = true;
  /** True once the open conversation has got an answer that nobody looked at. The service takes it for read. */
  #hasMissed = false;
  #isStopped = false;
  #recovery = new Recovery(() => this.recover());
  #leaveConversation = () => {};
  #looking: ReturnType<typeof setInterval> | undefined;
  #unreadByCoach = new Map<string, number>();
  /** True if the user is known to have no threads with any coach. */
  #hasNoThreads = false;

  constructor({ connection, coachId, isSignedInBySite, place, cards, name }: ChatOptions) {
    super();
    this.#connection = connection;
    this.#coachId = coachId;
    this.#cards = coachId ? cards.filter((card) => isNamed(card, coachId)) : cards;
    this.#place = place;
    this.#name = name;
    this.isSignedInBySite = isSignedInBySite;
    this.#chosen = keep<string>(`human-chat coach ${name}`, "browser");
  }

  /** The client of the service. */
  get client(): Connection["client"] {
    return this.#connection.client;
  }

  /** The number of chats with something new, without the one that the visitor looks at. */
  get unread(): number {
    const seen = this.#isVisible || this.#hasMissed ? this.conversation?.threadId : undefined;
    return (this.threads?.countUnread(seen) ?? 0) + this.unreadElsewhere + +this.#hasMissed;
  }

  /** The number of chats with something new, of other coaches than the one whose chats are listed. */
  get unreadElsewhere(): number {
    return this.coaches.reduce((sum, coach) => coach.id === this.coach?.id ? sum : sum + this.unreadOf(coach), 0);
  }

  /** The number of chats with a coach that have something new, as it was last looked for. */
  unreadOf({ id }: Coach): number {
    return this.#unreadByCoach.get(id) ?? 0;
  }

  /**
   * Signs in as a visitor if nobody is signed in, reads the coaches, and opens the thread of the place. If the page contains
   * cards of the coaches, a new visitor is signed in only when they send the first message.
   */
  async start(): Promise<void> {
    try {
      const isNew = !this.isSignedInBySite && !this.#connection.session();
      const mayWait = isNew && this.#cards.length > 0 && !this.#place.read() && !this.#place.readCoach();
      if (isNew && !mayWait) await this.#connection.client.signInAnonymously();
      if (this.#isStopped) return;
      this.#readAccount();
      const chosen = this.#coachId || (this.#place.readCoach() ?? this.#chosen.load());
      if (mayWait) this.coaches = this.#cards;
      else await this.#meet(chosen);
      if (this.#isStopped) return;
      this.trouble ??= this.coaches.length === 0 && !chosen ? { kind: "coachNotFound" } : null;
      const named = this.#coachId || this.#place.readCoach();
      const coach = this.coaches.find((one) => isNamed(one, chosen)) ??
        (named ? await this.#find(named) : this.coaches.length === 1 ? this.coaches[0] : null);
      const threadId = this.#place.read();
      if (this.trouble) this.#close();
      else if (coach) this.#talkTo(coach, threadId);
      else if (threadId) await this.#talkInThread(threadId);
      if (!this.coach) this.#look();
    } catch (error) {
      if (this.#isStopped) return;
      this.trouble = readTrouble(error);
    }
    this.changed();
    this.#recovery.after(this.trouble ?? this.conversation?.passing ?? null);
  }

  /** Reads the coaches, with the threads of the chosen one: one request has both. */
  async #meet(chosen: string | null): Promise<void> {
    this.trouble = null;
    if (!chosen) return this.#note(await this.#readCompany());
    this.#readThreads(chosen);
    await this.threads!.isRead;
    this.trouble = this.threads!.trouble;
  }

  /** Finds a coach by a slug that it had before. @throws the reason why nobody can talk to it. */
  async #find(name: string): Promise<Coach> {
    const coach = await this.#connection.client.getCoach(name);
    this.coaches = this.coaches.some(({ id }) => id === coach.id) ? this.coaches : [...this.coaches, coach];
    return coach;
  }

  async #readCompany(): Promise<Company> {
    const reply = await this.#connection.client.listThreads("me", { include: "coaches", limit: 1 });
    this.#hasNoThreads = reply.count === 0;
    return reply;
  }

  /** Notes the coaches as they are now, and how many chats with each have something new. */
  #note({ coaches = [], unread_by_coach: unread = {} }: Company): void {
    if (this.#isStopped) return;
    this.coaches = coaches;
    this.coach = coaches.find(({ id }) => id === this.coach?.id) ?? this.coach;
    this.#unreadByCoach = new Map(Object.entries(unread));
    this.changed();
  }

  /** Makes a user of a new visitor, who is about to say something. */
  async arrive(): Promise<void> {
    if (this.account?.userId !== null) return;
    await this.#connection.client.signInAnonymously();
    if (this.#isStopped) return;
    this.#readAccount();
    // This also shows what has changed since the cards were written.
    if (this.coach) this.#readThreads(this.coach.id);
    this.changed();
  }

  /** Reads how long the expert usually takes, once. It is not needed before something is asked in person. */
  async readTimes(): Promise<void> {
    const { coach } = this;
    if (!coach || this.times?.id === coach.id) return;
    const times = await this.#connection.client.getCoach(coach.id).catch(() => null);
    if (times === null || this.coach?.id !== times.id) return;
    this.times = times;
    this.changed();
  }

  /** Ends all connections. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#looking);
    this.#recovery.stop();
    this.#close();
  }

  /** Starts to talk to a coach; null leads back to the choice. */
  choose(coach: Coach | null): void {
    this.#chosen.save(coach?.id ?? null);
    if (coach) {
      this.#place.writeCoach(coach.slug ?? coach.id);
      this.#place.write(null);
      this.#talkTo(coach, null);
    } else {
      this.#close();
      this.coach = null;
      void this.#lookElsewhere();
    }
    this.changed();
  }

  /** Opens a thread; null opens a new one. */
  open(threadId: string | null): void {
    if (!this.coach) return;
    const { conversation } = this;
    const isOpen = threadId === null ? conversation?.stage === "new" : threadId === conversation?.threadId;
    this.#place.write(threadId);
    if (isOpen) return;
    this.#openThread(threadId);
    this.changed();
  }

  /** Opens the thread of the place, after the visitor has navigated back or forward. */
  followPlace(): void {
    const named = this.#place.readCoach();
    const coach = this.coaches.find((one) => isNamed(one, named)) ?? null;
    if (!this.#coachId && coach?.id !== this.coach?.id && (coach || !named && this.coaches.length > 1)) {
      if (coach) this.#talkTo(coach, this.#place.read());
      else {
        this.#close();
        this.coach = null;
      }
      return this.changed();
    }
    const threadId = this.#place.read();
    const { conversation } = this;
    const current = conversation?.stage === "new" ? null : conversation?.threadId ?? null;
    if (threadId !== current) this.open(threadId);
  }

  /** Deletes a thread. If it is open, a new one is opened. */
  async remove(threadId: string): Promise<void> {
    if (await this.threads?.remove(threadId) && this.conversation?.threadId === threadId) this.open(null);
  }

  /** Watches the thread while the element is visible, and catches up when it becomes visible again. */
  see(isVisible: boolean): void {
    if (isVisible === this.#isVisible) return;
    this.#isVisible = isVisible;
    this.#hasMissed = false;
    this.conversation?.watch(isVisible);
    this.changed();
    if (isVisible) this.recover();
  }

  /**
   * Immediately retries requests that have failed, and reads again what may have changed.
   *
   * @param isBack true if the network is back, so that connections need not wait for their next attempt
   */
  recover(isBack = false): void {
    this.#recovery.stop();
    if (this.#isStopped) return;
    if (this.trouble) {
      if (passes(this.trouble)) void this.start();
      return;
    }
    const { conversation } = this;
    if (!conversation) return;
    // As long as the thread is watched, nothing is missed.
    const isBroken = isBack || conversation.trouble !== null || conversation.passing !== null;
    if (isBack || passes(conversation.trouble)) conversation.watch(false);
    if (isBroken) void conversation.recover().then(() => conversation.watch(this.#isVisible));
    else conversation.watch(this.#isVisible);
    void this.threads?.refresh();
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.#connection.client.signIn(email, password);
    await this.#restartSignedIn();
  }

  /** Sets a new password, with the tokens of a mailed link, and signs in. */
  async setPassword(password: string, tokens: SessionTokens): Promise<void> {
    await this.#connection.client.setPassword(password, tokens);
    await this.#restartSignedIn();
  }

  async sendPasswordLink(email: string): Promise<void> {
    await this.#connection.client.sendPasswordLink(email, pageAddress());
  }

  async #restartSignedIn(): Promise<void> {
    // The visitor may have followed a link to a thread of the account.
    await this.#restart(this.conversation?.trouble?.kind === "threadNotFound" ? this.conversation.threadId : null);
  }

  /** Returns what the visitor may do besides signing in: `signUp` makes an account that keeps their chats. */
  async readSignInOptions(): Promise<SignInOptions> {
    const none = { signUp: false, newPassword: false };
    if (this.isSignedInBySite) return none;
    const { signUp, newPassword } = await this.#connection.client.readSignInOptions().catch(() => none);
    return { signUp: signUp && this.account?.email === null, newPassword };
  }

  /** Makes an account of the visit. Returns false if the email address has to be confirmed first. */
  async makeAccount(email: string, password: string): Promise<boolean> {
    await this.arrive();
    const isMade = await this.#connection.client.becomePermanent(email, password);
    this.#readAccount();
    this.changed();
    return isMade;
  }

  /** Starts again as a new visitor. */
  async goOnAsVisitor(): Promise<void> {
    this.#connection.client.signOut();
    await this.#restart();
  }

  /** Signs out, and drops all state of the user. */
  signOut(isErased = false): void {
    this.#connection.client.signOut();
    this.#forget(isErased);
  }

  /** Deletes the chats of the visitor, then signs out. Returns what went wrong: the visitor is still signed in then. */
  async erase(): Promise<Trouble | null> {
    const { account } = this;
    try {
      await this.#connection.client.eraseUser("me");
    } catch (error) {
      return readTrouble(error);
    }
    // Otherwise somebody else has been signed in meanwhile.
    if (account === this.account) this.signOut(true);
    return null;
  }

  /** Handles a change of user in another tab. Returns true if another user is signed in now. */
  checkAccount(): boolean {
    // While the chat starts, nobody is signed in yet.
    if (this.isSignedInBySite || !this.account && !this.trouble) return false;
    const userId = this.#connection.session()?.userId ?? null;
    if (userId === (this.account?.userId ?? null)) return false;
    this.#forget();
    return userId !== null;
  }

  /** The text of a thread that was not sent yet. */
  draft({ stage, coachId, threadId }: Conversation): Kept<string> {
    return this.#draftOf(stage === "new" ? `new ${coachId}` : threadId);
  }

  #draftOf(thread: string): Kept<string> {
    return keep<string>(`human-chat draft ${this.#name} ${thread}`, "tab");
  }

  #unsentOf(thread: string): Kept<KeptQuestions> {
    return keep<KeptQuestions>(`human-chat unsent ${this.#name} ${thread}`, "tab");
  }

  /** Nothing may be sent as another user: what has not arrived is in the draft of the next new thread. */
  #dropUnsent(): void {
    const { conversation } = this;
    if (conversation?.stage === "new") {
      const draft = this.draft(conversation);
      draft.save([...conversation.outbox.questions.map(({ text }) => text), draft.load()].filter(Boolean).join("\n"));
    }
    for (const { id } of this.coaches) this.#unsentOf(`new ${id}`).save(null);
  }

  #forget(isErased = false): void {
    this.#place.write(null);
    this.#dropUnsent();
    this.#close();
    this.account = null;
    this.coach = null;
    this.#unreadByCoach.clear();
    this.trouble = { kind: "signedOut", isErased };
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
    this.account = session ? readAccount(session) : this.isSignedInBySite ? null : { userId: null, email: null };
  }

  async #talkInThread(threadId: string): Promise<void> {
    this.#switchTo((await this.#connection.client.getThread(threadId)).coach_id, threadId);
  }

  /** Opens a thread with the coach it belongs to, if this page offers that coach. */
  #switchTo(coachId: string, threadId: string): void {
    const coach = this.coaches.find(({ id }) => id === coachId);
    if (coach) this.#talkTo(coach, threadId);
    this.changed();
  }

  #talkTo(coach: Coach, threadId: string | null): void {
    this.coach = coach;
    if (!this.threads || !isNamed(coach, this.threads.coachId)) this.#readThreads(coach.id);
    else this.#look();
    const { client } = this.#connection;
    this.budget = new BudgetWatch({ client, coachId: coach.id, onChange: () => this.changed() });
    this.#openThread(threadId);
  }

  /** Reads the list of threads, which a visitor who is no user yet has none of. */
  #readThreads(coachId: string): void {
    this.threads?.close();
    this.threads = this.account?.userId === null ? null : new ThreadList({
      client: this.#connection.client,
      coachId,
      company: this.#coachId ? "coach" : "coaches",
      onCompany: (company) => this.#note(company),
      isEmpty: this.#hasNoThreads,
    });
    this.#hasNoThreads = false;
    this.#look();
  }

  /** Looks for something new in other chats, from now on, also while nobody looks at the page. */
  #look(): void {
    clearInterval(this.#looking);
    this.#looking = setInterval(() => this.threads ? this.threads.look() : void this.#lookElsewhere(), lookingPause);
  }

  /** Looks for something new where no coach is chosen. If it fails, what is known stays. */
  async #lookElsewhere(): Promise<void> {
    const { account } = this;
    if (this.coaches.length < 2 || this.trouble || account?.userId === null) return;
    const company = await this.#readCompany().catch(() => null);
    if (company && account === this.account) this.#note(company);
  }

  #openThread(threadId: string | null): void {
    this.#closeConversation();
    const conversation = this.conversation = new Conversation({
      client: this.#connection.client,
      coachId: this.coach!.id,
      threadId,
      findListed: async () => (await this.threads?.isRead, this.threads?.threadOf(threadId)),
      kept: this.#unsentOf(threadId ?? `new ${this.coach!.id}`),
      onAsk: () => this.arrive(),
      onChange: (firstQuestion) => {
        if (conversation !== this.conversation) return;
        if (this.#place.read() !== conversation.threadId) this.#moveDraft(conversation);
        this.#place.write(conversation.threadId, true);
        conversation.watch(this.#isVisible);
        this.threads?.moveUp(
          conversation.threadId,
          firstQuestion === undefined ? undefined : newThread(conversation, firstQuestion, this.coach!),
        );
        if (conversation.isAnswering) return;
        this.#hasMissed ||= !this.#isVisible;
        this.changed();
        if (conversation.isBudgeted) void this.budget?.read();
      },
      onRead: () => this.threads?.noteRead(conversation.threadId),
      onOtherCoach: (coachId) => this.#switchTo(coachId, conversation.threadId),
    });
    this.#leaveConversation = conversation.observe(() => {
      this.#recovery.after(this.trouble ?? conversation.passing);
      if (conversation.stage === "ready") this.threads?.noteRequest(conversation.threadId, conversation.requestStatus);
    });
    void conversation.recover();
    conversation.watch(this.#isVisible);
  }

  /** Text that was typed while the first question was sent belongs to the thread that the question began. */
  #moveDraft({ coachId, threadId, outbox }: Conversation): void {
    outbox.moveTo(this.#unsentOf(threadId));
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
    const { conversation } = this;
    this.#leaveConversation();
    // A question that is being sent begins its thread, and not the next one.
    if (conversation?.outbox.isSending) conversation.outbox.moveTo(this.#unsentOf(conversation.threadId));
    conversation?.close();
    this.conversation = null;
  }
}

function isNamed({ id, slug }: Coach, name: string | null): boolean {
  return name !== null && (id === name || slug === name);
}

/** A thread that was begun here, as the list will have it. */
function newThread(
  { threadId: id, coachId: coach_id }: Conversation,
  firstQuestion: string,
  { name, title: coachTitle }: Coach,
): ListedThread {
  const now = new Date().toISOString();
  const title = firstQuestion.trim().replace(/\s+/g, " ");
  return {
    id,
    coach_id,
    title,
    created_at: now,
    updated_at: now,
    user_id: "",
    coach_profiles: { name, title: coachTitle },
  };
}

function readAccount({ userId, accessToken }: Session): Account {
  const { email, is_anonymous } = readClaims(accessToken);
  return { userId, email: !is_anonymous && email || null };
}
