import type { components } from "../../../client/api_types.ts";
import type { Client } from "../../../client/client.ts";
import { Observable } from "../../ui/observable.ts";
import { describeError, sayReason } from "../parts/show_state.ts";
import { t } from "../texts.ts";

/** A file on its way to the persona. */
export type Upload = {
  file: File;
  state: "waiting" | "asking" | "sending" | "done" | "refused" | "broken";
  /** The reason why it was refused or interrupted. */
  error: string;
  /** The file with this name that the persona has already: since when, and whether the new one replaces it. */
  earlier?: { uploadedAt: string; isReplaced?: boolean };
};

/** Returns true if the upload has ended, with success or without. */
export function isOver({ state }: Upload): boolean {
  return state !== "waiting" && state !== "asking" && state !== "sending";
}

/** The largest file that the service accepts. A larger one is not sent. */
const maxBytes = 50 * 1024 * 1024;

/** The uploads of files to the persona, one after the other, also while another panel is open. */
export class UploadQueue extends Observable {
  items: Upload[] = [];

  readonly #client: Client;
  readonly #coachId: string;
  #isSending = false;
  /** The uploaded files that the persona has, newest first. Read once for all that are sent in a row. */
  #there: Pick<components["schemas"]["FoundFile"], "filename" | "uploadedAt">[] | null = null;

  constructor(client: Client, coachId: string) {
    super();
    this.#client = client;
    this.#coachId = coachId;
  }

  /** Adds files to the queue. Uploads that have ended are removed from the list. */
  add(files: Iterable<File>): void {
    if (this.items.every(isOver)) this.items = this.items.filter(({ state }) => state === "broken");
    this.items.push(...Array.from(files, (file): Upload => ({ file, state: "waiting", error: "" })));
    this.changed();
    void this.#send();
  }

  /** Retries the uploads that were interrupted. */
  tryAgain(): void {
    for (const item of this.items) if (item.state === "broken") Object.assign(item, { state: "waiting", error: "" });
    this.changed();
    void this.#send();
  }

  /** Goes on with an upload that has asked what becomes of the file with the same name. */
  decide(item: Upload, isReplaced: boolean): void {
    Object.assign(item, { state: "waiting", earlier: { ...item.earlier, isReplaced } });
    this.changed();
    void this.#send();
  }

  /** Removes the uploads that have ended from the list. */
  clear(): void {
    this.items = this.items.filter((item) => !isOver(item));
    this.changed();
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    addEventListener("beforeunload", askFirst);
    for (let item = this.#next(); item !== undefined; item = this.#next()) {
      item.state = "sending";
      this.changed();
      Object.assign(item, await this.#upload(item));
      this.changed();
    }
    removeEventListener("beforeunload", askFirst);
    this.#isSending = false;
    this.#there = null;
  }
  #next(): Upload | undefined {
    return this.items.find(({ state }) => state === "waiting");
  }

  /** Uploads a file, unless the persona has another one of this name. The service stores the same file only once. */
  async #upload({ file, earlier }: Upload): Promise<Pick<Upload, "state" | "error" | "earlier">> {
    if (file.size > maxBytes) return { state: "refused", error: t.files.tooLarge };
    try {
      earlier ??= await this.#findEarlier(file);
      if (earlier && earlier.isReplaced === undefined) return { state: "asking", error: "", earlier };
      const { uploadedFiles, failedFiles: [failed] } = await this.#client.uploadFiles(this.#coachId, [file], {
        replace: earlier?.isReplaced,
      });
      this.#there?.unshift(...uploadedFiles);
      return failed === undefined ? { state: "done", error: "" } : { state: "refused", error: sayReason(failed.error) };
    } catch (error) {
      return { state: "broken", error: describeError(error) };
    }
  }

  /** The newest uploaded file with the same name, among the newest hundred. */
  async #findEarlier({ name }: File): Promise<Upload["earlier"]> {
    this.#there ??= (await this.#client.searchFiles({ coachId: this.#coachId, limit: 100 })).data
      .filter(({ source_id, is_text }) => source_id === null && !is_text);
    return this.#there.find(({ filename }) => filename === name);
  }
}

function askFirst(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
