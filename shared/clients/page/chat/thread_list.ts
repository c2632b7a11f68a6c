import type { components } from "../../client/api_types.ts";
import type { Client } from "../../client/client.ts";
import { Observable } from "../ui/observable.ts";
import { readTrouble, type Trouble } from "./trouble.ts";

/** A thread as the list shows it. */
export type ListedThread = components["schemas"]["Thread"];

const pageSize = 30;
const largestPage = 100;

/** The coaches that a list comes with. */
export type Company = Pick<components["schemas"]["ThreadList"], "coaches" | "unread_by_coach">;

/** The parameters of a list. */
export type ThreadListOptions = {
  client: Client;
  coachId: string;
  /** Whether it comes with all coaches, or only with this one. */
  company: "coach" | "coaches";
  onCompany: (company: Company) => void;
  /** True if it is known that there are none. */
  isEmpty?: boolean;
};

/** The threads of a user with a coach, pinned ones first and then the newest; or those that match a search. */
export class ThreadList extends Observable {
  search = "";
  showsArchived = false;
  isLoading = false;
  hasMore = false;
  trouble: Trouble | null = null;
  /** The coach whose threads they are: an ID or a slug. */
  readonly coachId: string;
  /** Settles when the list was read once, or could not be read. */
  readonly isRead: Promise<void>;

  #options: ThreadListOptions;
  #threads: ListedThread[] = [];
  /** The threads that have had a message since the list was asked for. */
  #moved = new Set<string>();
  #cursor: string | null = null;
  /** The threads with unread messages, also those that the list does not show at the moment. */
  #unread = new Set<string>();
  #reading = new AbortController();

  constructor(options: ThreadListOptions) {
    super();
    this.#options = options;
    this.coachId = options.coachId;
    this.isRead = options.isEmpty ? Promise.resolve() : this.refresh();
  }

  /** The pinned threads, and the others. The results of a search keep their order, the best match first. */
  get pinned(): ListedThread[] {
    return this.search ? [] : this.#threads.filter((thread) => thread.is_pinned);
  }
  get others(): ListedThread[] {
    return this.search ? this.#threads : this.#threads.filter((thread) => !thread.is_pinned);
  }

  /** A thread was read by the user. */
  noteRead(id: string): void {
    this.#threads = this.#threads.map((thread) => thread.id === id ? { ...thread, unread: 0 } : thread);
    this.#unread.delete(id);
    this.changed();
  }

  /** Notes whether the expert is waited for in a thread. */
  noteRequest(id: string, request_status: ListedThread["request_status"]): void {
    const noted = this.threadOf(id);
    if (!noted || (noted.request_status ?? null) === request_status) return;
    this.#threads = this.#threads.map((thread) => thread === noted ? { ...thread, request_status } : thread);
    this.changed();
  }

  /** Counts the threads with unread messages, except one that is being looked at. */
  countUnread(exceptId: string | undefined): number {
    return [...this.#unread].filter((id) => id !== exceptId).length;
  }

  /** The thread with an ID, if the list has it. */
  threadOf(id: string | null): ListedThread | undefined {
    return this.#threads.find((thread) => thread.id === id);
  }

  /** Reads the list again, as far as it was read before. */
  async refresh(): Promise<void> {
    await this.#read(null, Math.min(Math.max(pageSize, this.#threads.length), largestPage));
  }

  /** Reads the list again, if there is anything that could be new. */
  look(): void {
    if (this.#threads.length > 0 || this.#options.company === "coaches") void this.refresh();
  }

  /** A thread has a new message, so it becomes the first one; `thread` if it is new. */
  moveUp(id: string, thread?: ListedThread): void {
    const moved = this.threadOf(id) ?? thread;
    if (this.trouble) return void this.refresh();
    // The results of a search keep their order, and an archived thread or one far below is shown where it is.
    if (!moved || this.search || Boolean(moved.is_archived) !== this.showsArchived) return;
    this.#moved.add(id);
    const others = this.#threads.filter((other) => other !== moved);
    this.#threads = [{ ...moved, updated_at: new Date().toISOString() }, ...others];
    this.changed();
  }

  async loadMore(): Promise<void> {
    await this.#read(this.#cursor, pageSize);
  }

  async find(words: string): Promise<void> {
    this.search = words.trim();
    await this.#read(null, pageSize);
  }

  async showArchived(showsArchived: boolean): Promise<void> {
    this.showsArchived = showsArchived;
    this.#threads = [];
    await this.#read(null, pageSize);
  }

  async rename(id: string, title: string): Promise<void> {
    await this.#change(id, { title });
  }

  async pin(id: string, isPinned: boolean): Promise<void> {
    await this.#change(id, { is_pinned: isPinned });
  }

  async archive(id: string, isArchived: boolean): Promise<void> {
    await this.#change(id, { is_archived: isArchived });
  }

  /** Deletes a thread for good. Returns true if it was deleted. */
  async remove(id: string): Promise<boolean> {
    return await this.#try(async () => {
      // Another tab may have deleted it already.
      await this.#options.client.deleteThread(id).catch((error) => {
        if (error?.code !== "thread_not_found") throw error;
      });
      this.#threads = this.#threads.filter((thread) => thread.id !== id);
      this.#unread.delete(id);
    });
  }

  close(): void {
    this.#reading.abort();
  }

  async #change(id: string, body: components["schemas"]["UpdateThreadBody"]): Promise<void> {
    await this.#try(async () => {
      const changed = await this.#options.client.updateThread(id, body);
      this.#threads = this.#threads.map((thread) => thread.id === id ? { ...thread, ...changed } : thread)
        .filter((thread) => this.search || Boolean(thread.is_archived) === this.showsArchived);
    });
  }

  /** If several requests overlap, the last one counts. */
  async #read(cursor: string | null, limit: number): Promise<void> {
    this.#reading.abort();
    const { signal } = this.#reading = new AbortController();
    this.#moved.clear();
    this.isLoading = true;
    this.changed();
    await this.#try(async () => {
      const { data, next_cursor = null, ...company } = await this.#options.client.listThreads("me", {
        coachId: this.coachId,
        include: this.search || cursor ? "state" : `state,${this.#options.company}`,
        // A search finds all chats.
        archived: this.search ? undefined : this.showsArchived ? "true" : "false",
        search: this.search || undefined,
        cursor: cursor ?? undefined,
        limit,
      }, { signal });
      const known = new Set(data.map(({ id }) => id));
      const stays = ({ id }: ListedThread) => !known.has(id) && (cursor !== null || this.#moved.has(id));
      this.#threads = [...this.#threads.filter(stays), ...data];
      if (company.coaches) this.#options.onCompany(company);
      for (const { id, unread } of data) unread ? this.#unread.add(id) : this.#unread.delete(id);
      this.#cursor = next_cursor;
      this.hasMore = next_cursor !== null;
    }, signal);
  }

  async #try(act: () => Promise<void>, signal?: AbortSignal): Promise<boolean> {
    try {
      await act();
      this.trouble = null;
      return true;
    } catch (error) {
      if (!signal?.aborted) this.trouble = readTrouble(error);
      return false;
    } finally {
      if (!signal?.aborted) {
        this.isLoading = false;
        this.changed();
      }
    }
  }
}
