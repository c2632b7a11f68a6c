import type { Client } from "../../../client/client.ts";
import { describeError } from "../describe_error.ts";

/** A file on its way to the persona. */
export type Upload = {
  file: File;
  state: "waiting" | "sending" | "done" | "refused" | "broken";
  /** Why it was refused, for good, or has broken off. */
  error: string;
};

/** Whether nothing more is done about a file by itself. */
export function isOver({ state }: Upload): boolean {
  return state !== "waiting" && state !== "sending";
}

/** The largest file that the service takes; a larger one is not sent first. */
const maxBytes = 50 * 1024 * 1024;

/**
 * Files on their way to the persona, one after the other. It goes on while its reader looks at another panel, and asks
 * before the page is left.
 */
export class UploadQueue {
  items: Upload[] = [];

  readonly #client: Client;
  readonly #coachId: string;
  readonly #listeners = new Set<() => void>();
  #isSending = false;

  constructor(client: Client, coachId: string) {
    this.#client = client;
    this.#coachId = coachId;
  }

  /** Calls back with every change, until the function that it gives is called. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Sends files, after those that are on their way. What has ended before is forgotten. */
  add(files: Iterable<File>): void {
    if (this.items.every(isOver)) this.items = this.items.filter(({ state }) => state === "broken");
    this.items.push(...Array.from(files, (file): Upload => ({ file, state: "waiting", error: "" })));
    this.#tell();
    void this.#send();
  }

  /** Sends those again that have broken off. */
  tryAgain(): void {
    for (const item of this.items) if (item.state === "broken") Object.assign(item, { state: "waiting", error: "" });
    this.#tell();
    void this.#send();
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    addEventListener("beforeunload", askFirst);
    for (let item = this.#next(); item !== undefined; item = this.#next()) {
      item.state = "sending";
      this.#tell();
      Object.assign(item, await this.#upload(item.file));
      this.#tell();
    }
    removeEventListener("beforeunload", askFirst);
    this.#isSending = false;
  }
  #next(): Upload | undefined {
    return this.items.find(({ state }) => state === "waiting");
  }

  /** The same file again is the one that is there already. */
  async #upload(file: File): Promise<Pick<Upload, "state" | "error">> {
    if (file.size > maxBytes) return { state: "refused", error: "The file is larger than 50 MB" };
    try {
      const { failedFiles: [failed] } = await this.#client.uploadFiles(this.#coachId, [file]);
      return failed === undefined ? { state: "done", error: "" } : { state: "refused", error: failed.error };
    } catch (error) {
      return { state: "broken", error: describeError(error) };
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function askFirst(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
