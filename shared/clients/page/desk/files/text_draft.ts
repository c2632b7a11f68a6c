import type { Client } from "../../../client/client.ts";
import { ServiceError } from "../../../client/service_error.ts";
import { type Desk, onePerPersona, type Schemas } from "../desk.ts";
import { nameExpert } from "../format.ts";
import { drafts } from "../state/drafts.ts";
import { type Meanwhile, SharedDraft } from "../state/shared_draft.ts";

type Written = Schemas["WrittenText"];
type TextFields = Pick<Written, "title" | "content">;

/** The parts of the client that a text needs. */
export type TextClient = Pick<Client, "createText" | "getText" | "saveText">;

/** The most characters of a field. */
export const mostCharacters = { title: 200, content: 200_000 };

/** A text that is written at the desk. A new one is stored as soon as it has a title and some words. */
export class TextDraft extends SharedDraft<TextFields, Written> {
  /** Called with the ID of a new text that was stored. */
  onStored: (fileId: string) => void = () => {};

  protected override readonly names = ["title", "content"] as const;
  readonly #client: TextClient;
  readonly #coachId: string;
  #fileId: string | null;
  /** A new text as it was sent first. */
  #begun: TextFields | null = null;

  /** @param fileId null for a new text */
  constructor(client: TextClient, coachId: string, fileId: string | null) {
    super(nameOf(coachId, fileId));
    this.#client = client;
    this.#coachId = coachId;
    this.#fileId = fileId;
    if (fileId !== null) return;
    ({ shown: this.shown, base: this.base } = this.readKept() ?? { shown: nothing, base: nothing });
  }

  get fileId(): string | null {
    return this.#fileId;
  }

  /** A colleague has deleted the text. */
  override get isGone(): boolean {
    return [this.error, this.saveError].some((it) => it instanceof ServiceError && it.code === "file_not_found");
  }

  /** What a new text has so far is only in this tab, and so is what cannot be saved as it is. */
  override get isAtRisk(): boolean {
    return super.isAtRisk || this.unsaved.length > 0;
  }

  /** Reads the text. There is nothing to read of a new one. */
  override async load(): Promise<void> {
    if (this.#fileId === null) return void await this.save();
    await super.load();
    // What was not saved before it was deleted is in the tab.
    if (this.shown !== null || !this.isGone) return;
    ({ shown: this.shown, base: this.base } = this.readKept() ?? { shown: null, base: null });
    this.changed();
  }

  /** Stores what is shown as a text of its own, since a colleague has deleted this one. */
  async saveAsNew(): Promise<void> {
    this.#fileId = null;
    this.#begun = null;
    this.base = nothing;
    this.conflicts = {};
    this.meanwhile = this.saveError = null;
    this.end();
    await this.save();
  }

  protected override hasToSave(): boolean {
    return super.hasToSave() && (this.#fileId !== null || this.missing.length === 0);
  }

  protected override fieldsOf({ title, content }: Written): TextFields {
    return { title, content };
  }

  protected override isSame(name: keyof TextFields, one: string, other: string): boolean {
    return stored(name, one) === stored(name, other);
  }

  protected override isComplete(name: keyof TextFields): boolean {
    const value = this.shown![name];
    return value.trim() !== "" && value.length <= mostCharacters[name];
  }

  protected override isOutdated(error: unknown): boolean {
    return error instanceof ServiceError && error.code === "text_changed";
  }

  protected override fetch(): Promise<Written> {
    return this.#client.getText(this.#coachId, this.#fileId!);
  }

  protected override async send({ title, content }: TextFields): Promise<Written> {
    const text = { title: stored("title", title), content };
    if (this.#fileId === null) {
      // If the reply to the first request was lost, the text may be there. The same again is the text that there is.
      const first = this.#begun ??= text;
      const written = await this.#create(first);
      if (first === text) return written;
      this.draft = written;
    }
    return await this.#client.saveText(this.#coachId, this.#fileId!, { ...text, if_version: this.draft!.version });
  }

  async #create(text: TextFields): Promise<Written> {
    try {
      const written = await this.#client.createText(this.#coachId, text);
      drafts.drop(this.name);
      this.#fileId = written.fileId;
      this.name = nameOf(this.#coachId, written.fileId);
      this.onStored(written.fileId);
      return written;
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500) this.#begun = null;
      throw error;
    }
  }

  protected override describeMeanwhile(
    { saved_by: by }: Written,
    before: Written | null,
    fields: (keyof TextFields)[],
  ): Meanwhile<keyof TextFields> | null {
    return before === null || fields.length === 0 ? null : { version: null, by: by && nameExpert(by), fields };
  }
}

const nothing: TextFields = { title: "", content: "" };

const nameOf = (coachId: string, fileId: string | null) => `text ${coachId} ${fileId ?? "new"}`;

/** A field as it is stored: a title without blanks around it. */
function stored(name: keyof TextFields, value: string): string {
  return name === "title" ? value.trim() : value;
}

const draftsOf = onePerPersona(() => new Map<string | null, TextDraft>());

/** The draft of a text, or with null of a new one. One that is not stored yet goes on where it was left. */
export function textOf(desk: Desk, fileId: string | null): TextDraft {
  const known = draftsOf(desk);
  const left = known.get(fileId);
  const draft = left?.isAtRisk ? left : new TextDraft(desk.client, desk.coach.id, fileId);
  draft.onStored = (fileId) => {
    known.delete(null);
    known.set(fileId, draft);
  };
  known.set(fileId, draft);
  return draft;
}
