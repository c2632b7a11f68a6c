import type { components } from "../../client/api_types.ts";
import type { Client } from "../../client/client.ts";
import { Observable } from "../ui/observable.ts";
import { readTrouble, type Trouble } from "./trouble.ts";

/** A thread as the list shows it. */
export type ListedThread = components["schemas"]["Thread"];

const pageSize = 30;
const largestPage = 100;

/**
 * The threads of a user with a coach, pinned ones first and then the newest; or the threads that match a search. They are
 * read immediately.
 */
export class ThreadList extends Observable {
  search = "";
  showsArchived = false;
  isLoading = false;
  hasMore = false;
  trouble: Trouble | null = null;
  /** Settles when the list was read once, or could not be read. */
  readonly isRead: Promise<void>;

  #client: Client;
  #coachId: string;
  #threads: ListedThread[] = [];
  #cursor: string | null = null;
  /** The threads with unread messages, also those that the list does not show at the moment. */
  #unread = new Set<string>();
  #reading = new AbortController();

  constructor(client: Client, coachId: string) {
    super();
    this.#client = client;
    this.#coachId = coachId;
    this.isRead = this.refresh();
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
    if (this.#threads.length > 0) void this.refresh();
  }

  /** A thread has a new message, so it becomes the first one. */
  moveUp(id: string): void {
    const newest = [...this.#threads].sort((one, other) => other.updated_at.localeCompare(one.updated_at))[0];
    if (newest?.id !== id || this.search || this.trouble) void this.refresh();
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
      await this.#client.deleteThread(id).catch((error) => {
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
      const changed = await this.#client.updateThread(id, body);
      this.#threads = this.#threads.map((thread) => thread.id === id ? { ...thread, ...changed } : thread)
        .filter((thread) => this.search || Boolean(thread.is_archived) === this.showsArchived);
    });
  }

  /** If several requests overlap, the last one counts. */
  async #read(cursor: string | null, limit: number): Promise<void> {
    this.#reading.abort();
    const { signal } = this.#reading = new AbortController();
    this.isLoading = true;
    this.changed();
    await this.#try(async () => {
      const { data, next_cursor = null } = await this.#client.listThreads("me", {
        coachId: this.#coachId,
        include: "state",
        // A search finds all chats.
        archived: this.search ? undefined : this.showsArchived ? "true" : "false",
        search: this.search || undefined,
        cursor: cursor ?? undefined,
        limit,
      }, { signal });
      const known = new Set(data.map(({ id }) => id));
      this.#threads = [...(cursor === null ? [] : this.#threads.filter(({ id }) => !known.has(id))), ...data];
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
