import type { Client } from "../../../client/client.ts";
import { ServiceError } from "../../../client/service_error.ts";
import { nameExpert } from "../format.ts";
import { onePerPersona } from "../desk.ts";
import { type Meanwhile, SharedDraft } from "../state/shared_draft.ts";
import {
  differences,
  type Draft,
  type FieldName,
  fieldNames,
  fieldsOf,
  isSame,
  type PersonaFields,
  requiredFields,
  storedValue,
  type Version,
} from "./fields.ts";

/** The parts of the client that a draft needs. */
export type DraftClient = Pick<
  Client,
  | "getDraft"
  | "saveDraft"
  | "deleteDraft"
  | "setPicture"
  | "removePicture"
  | "publish"
  | "getVersion"
  | "restoreVersion"
>;

/** The draft of a persona. */
export class PersonaDraft extends SharedDraft<PersonaFields, Draft> {
  /** The published version; null until it was read. */
  published: Version | null = null;

  protected override readonly names = fieldNames;
  protected override readonly fieldsOf = fieldsOf;
  protected override readonly isSame = isSame;
  protected override readonly isOutdated = isOutdated;
  readonly #client: DraftClient;
  readonly #coachId: string;

  constructor(client: DraftClient, coachId: string) {
    super(`persona ${coachId}`);
    this.#client = client;
    this.#coachId = coachId;
  }

  /** The names of what the draft would change, with the picture. */
  get changes(): string[] {
    const { draft, published, shown } = this;
    if (draft === null || published === null || shown === null) return [];
    const fields = differences(shown, published);
    return draft.picture_url === published.picture_url ? fields : [...fields, "picture"];
  }

  /** Sets the picture of the draft, or with null removes it. */
  setPicture(picture: Blob | null): Promise<void> {
    return this.enqueue(async () => {
      await this.take(
        picture === null
          ? await this.#client.removePicture(this.#coachId)
          : await this.#client.setPicture(this.#coachId, picture),
      );
    });
  }

  /** Drops the draft, so that everything is as published. */
  discard(): Promise<void> {
    return this.enqueue(async () => {
      this.pauseSaving();
      await this.#client.deleteDraft(this.#coachId);
      this.forget();
      await this.read();
    });
  }

  /**
   * Publishes the draft. Returns the number of the version.
   *
   * @throws {ServiceError} 409 if a colleague has changed or published something since. The draft is read again then.
   */
  publish(): Promise<number> {
    return this.enqueue(async () => {
      const { version, revision } = this.draft!;
      try {
        const published = await this.#client.publish(this.#coachId, { if_version: version, if_revision: revision });
        this.forget();
        await this.read();
        return published.version;
      } catch (error) {
        if (isOutdated(error)) await this.read();
        throw error;
      }
    });
  }

  /** Publishes an earlier version again; the draft stays. @throws {ServiceError} 409 if a colleague has published */
  restore(version: number): Promise<number> {
    return this.enqueue(async () => {
      await this.saveNow();
      const restored = await this.#client.restoreVersion(this.#coachId, version, { if_version: this.draft!.version });
      const { meanwhile } = this;
      await this.read();
      // The expert knows.
      this.meanwhile = meanwhile;
      this.changed();
      return restored.version;
    });
  }

  protected override isComplete(name: FieldName): boolean {
    return !requiredFields.includes(name) || storedValue(name, this.shown![name]) !== "";
  }

  protected override fetch(): Promise<Draft> {
    return this.#client.getDraft(this.#coachId);
  }

  /** Sends the fields that differ from what is published. The others are left out, so that they stay as published. */
  protected override send(fields: PersonaFields): Promise<Draft> {
    const { version: if_version, revision: if_revision } = this.draft!;
    const differing = differences(fields, this.published!).map((name) => [name, storedValue(name, fields[name])]);
    return this.#client.saveDraft(this.#coachId, { ...Object.fromEntries(differing), if_version, if_revision });
  }

  protected override async prepare({ version }: Draft): Promise<void> {
    if (this.published?.version === version) return;
    this.published = await this.#client.getVersion(this.#coachId, version);
  }

  protected override describeMeanwhile(
    reply: Draft,
    before: Draft | null,
    fields: FieldName[],
  ): Meanwhile<FieldName> | null {
    // An operator may have changed a setting that the desk does not show.
    const isPublished = before !== null && before.version !== reply.version && (before.version === 0 ||
      this.published!.changes.some((name) => name === "picture" || (fieldNames as readonly string[]).includes(name)));
    if (fields.length === 0 && !isPublished) return null;
    const by = isPublished ? this.published!.published_by : reply.saved_by;
    return { version: isPublished ? reply.version : null, by: by && nameExpert(by), fields };
  }
}

/** The draft of the desk's persona: one for all panels, so that what is being saved goes on when a panel is left. */
export const draftOf = onePerPersona(({ client, coach }) => new PersonaDraft(client, coach.id));

/** Returns true if a request was refused because a colleague has changed or published something since. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === "draft_changed" || error.code === "version_changed");
}
