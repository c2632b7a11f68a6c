/// <reference lib="dom" />
import type { Client } from "../../../client/client.ts";
import { ServiceError } from "../../../client/service_error.ts";
import { nameExpert } from "../format.ts";
import { onePerPersona } from "../desk.ts";
import { drafts } from "../state/drafts.ts";
import { Work } from "../state/work.ts";
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

/** A change by a colleague since the draft was read last. */
export type Meanwhile = {
  /** The version that a colleague has published; null if only the draft has changed. */
  version: number | null;
  /** The name of the colleague, if it is known. */
  by: string | null;
  /** The fields that the colleague has changed. */
  fields: FieldName[];
};

/** The progress of saving. */
export type Saving = "saved" | "waiting" | "saving" | "failed";

/** The time without a change after which the draft is saved, in milliseconds. */
const pause = 1_000;
/** Between two attempts to save, in milliseconds. */
const retries = { first: 5_000, longest: 60_000 };
/** A draft that a colleague changes again and again is read again this often before the expert sees an error. */
const attempts = 3;

type Kept = { shown: PersonaFields; base: PersonaFields };

/**
 * The draft of a persona: what the service has of it, and what the expert has changed since. It is saved automatically.
 * Whatever has not been saved is kept in the tab. A field that a colleague has changed is taken over, unless the expert has
 * changed it, too: then it is a conflict, which the expert settles.
 */
export class PersonaDraft extends Work {
  /** The last reply of the service; null until the draft was read. */
  draft: Draft | null = null;
  /** The published version; null until it was read. */
  published: Version | null = null;
  /** The fields as the form shows them; null until the draft was read. */
  shown: PersonaFields | null = null;
  /** The values of a colleague that the expert has to choose from. */
  conflicts: Partial<PersonaFields> = {};
  meanwhile: Meanwhile | null = null;
  isSaving = false;
  saveError: unknown = null;

  readonly #client: DraftClient;
  readonly #coachId: string;
  readonly #name: string;
  /** The fields as they were when the service and the form last agreed. */
  #base: PersonaFields | null = null;
  /** The last of the requests, which are sent one after the other: each needs the revision of the one before. */
  #last: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isShown = false;
  #retry: number = retries.first;

  constructor(client: DraftClient, coachId: string) {
    super();
    this.#client = client;
    this.#coachId = coachId;
    this.#name = `persona ${coachId}`;
  }

  /** The fields of the form that are not stored yet. */
  get unsaved(): FieldName[] {
    const { shown } = this;
    const base = this.#base;
    if (shown === null || base === null) return [];
    return fieldNames.filter((name) => !(name in this.conflicts) && !isSame(name, shown[name], base[name]));
  }

  get saving(): Saving {
    if (this.isSaving) return "saving";
    if (this.saveError !== null) return "failed";
    return this.unsaved.some((name) => this.#isComplete(name)) ? "waiting" : "saved";
  }

  /** The names of what the draft would change, with the picture. */
  get changes(): string[] {
    const { draft, published, shown } = this;
    if (draft === null || published === null || shown === null) return [];
    const fields = fieldNames.filter((name) => !isSame(name, shown[name], published[name]));
    return draft.picture_url === published.picture_url ? fields : [...fields, "picture"];
  }

  /** The required fields that are empty. */
  get missing(): FieldName[] {
    return requiredFields.filter((name) => this.shown !== null && !this.#isComplete(name));
  }

  /** The panel is shown: what cannot be saved is tried again, until `leave` is called. */
  enter(): void {
    this.#isShown = true;
  }

  /** Saves once more. What cannot be saved stays in the tab, until the panel is shown again. */
  async leave(): Promise<void> {
    this.#isShown = false;
    await this.save();
  }

  /** Reads the draft, and takes over what has changed. */
  load(): Promise<void> {
    return this.#enqueue(async () => {
      this.begin();
      try {
        await this.#read();
        this.end();
      } catch (error) {
        this.end(error);
      }
      if (this.unsaved.length > 0) this.#saveSoon();
    });
  }

  /** Changes a field. */
  set<Name extends FieldName>(name: Name, value: PersonaFields[Name]): void {
    this.shown = { ...this.shown!, [name]: value };
    this.#keep();
    this.#saveSoon();
    this.changed();
  }

  /** Settles a conflict: with the value of the colleague, or with that of the expert. */
  settle(name: FieldName, whose: "theirs" | "mine"): void {
    const { [name]: theirs, ...others } = this.conflicts;
    this.conflicts = others;
    this.#base = { ...this.#base!, [name]: theirs };
    if (whose === "theirs") this.shown = { ...this.shown!, [name]: theirs };
    if (Object.keys(others).length === 0) this.meanwhile = null;
    this.#keep();
    this.#saveSoon();
    this.changed();
  }

  /** Closes the sentence about a colleague. Conflicts stay. */
  acknowledge(): void {
    this.meanwhile = null;
    this.changed();
  }

  /** Saves what has not been saved yet. Returns true if nothing is left to be saved. */
  async save(): Promise<boolean> {
    clearTimeout(this.#timer);
    await this.#enqueue(() => this.#save());
    return this.saveError === null && this.unsaved.length === 0 && Object.keys(this.conflicts).length === 0;
  }

  /** Sets the picture of the draft, or with null removes it. */
  setPicture(picture: Blob | null): Promise<void> {
    return this.#enqueue(async () => {
      await this.#take(
        picture === null
          ? await this.#client.removePicture(this.#coachId)
          : await this.#client.setPicture(this.#coachId, picture),
      );
    });
  }

  /** Drops the draft, so that everything is as published. */
  discard(): Promise<void> {
    return this.#enqueue(async () => {
      clearTimeout(this.#timer);
      await this.#client.deleteDraft(this.#coachId);
      this.#forget();
      await this.#read();
    });
  }

  /**
   * Publishes the draft. Returns the number of the version.
   *
   * @throws {ServiceError} 409 if a colleague has changed or published something since. The draft is read again then.
   */
  publish(): Promise<number> {
    return this.#enqueue(async () => {
      const { version, revision } = this.draft!;
      try {
        const published = await this.#client.publish(this.#coachId, { if_version: version, if_revision: revision });
        this.#forget();
        await this.#read();
        return published.version;
      } catch (error) {
        if (isOutdated(error)) await this.#read();
        throw error;
      }
    });
  }

  /**
   * Publishes an earlier version again. The draft stays. Returns the number of the new version.
   *
   * @throws {ServiceError} 409 if a colleague has published something since
   */
  restore(version: number): Promise<number> {
    return this.#enqueue(async () => {
      await this.#save();
      const restored = await this.#client.restoreVersion(this.#coachId, version, { if_version: this.draft!.version });
      const { meanwhile } = this;
      await this.#read();
      // The expert knows.
      this.meanwhile = meanwhile;
      this.changed();
      return restored.version;
    });
  }

  #isComplete(name: FieldName): boolean {
    return !requiredFields.includes(name) || storedValue(name, this.shown![name]) !== "";
  }

  #saveSoon(delay = pause): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), delay);
  }

  async #save(): Promise<void> {
    for (let attempt = 0; this.#hasToSave(); attempt++) {
      // What was typed meanwhile is saved now.
      clearTimeout(this.#timer);
      this.isSaving = true;
      this.changed();
      const sent = this.#complete();
      try {
        const { version: if_version, revision: if_revision } = this.draft!;
        const body = { ...this.#differing(sent), if_version, if_revision };
        await this.#take(await this.#client.saveDraft(this.#coachId, body), sent);
        this.saveError = null;
        this.#retry = retries.first;
      } catch (error) {
        const failure = await this.#resolve(error, attempt);
        if (failure === null) continue;
        this.#failToSave(failure);
        break;
      } finally {
        this.isSaving = false;
        this.changed();
      }
    }
  }

  #hasToSave(): boolean {
    return this.unsaved.some((name) => this.#isComplete(name));
  }

  /** Takes over what a colleague has changed since the draft was read. Returns null if that was what is wrong. */
  async #resolve(error: unknown, attempt: number): Promise<unknown> {
    if (!isOutdated(error) || attempt >= attempts) return error;
    try {
      await this.#read();
      this.saveError = null;
      return null;
    } catch (failure) {
      return failure;
    }
  }

  /** A request that the service did not understand or allow is not sent again before something was changed. */
  #failToSave(error: unknown): void {
    this.saveError = error;
    this.onFailure(error);
    const isFinal = error instanceof ServiceError && error.status < 500 && error.status !== 429;
    if (isFinal || !this.#isShown) return;
    this.#saveSoon(this.#retry);
    this.#retry = Math.min(this.#retry * 2, retries.longest);
  }

  /** The form as it is stored: with the colleague's values where there is a conflict, and the last value of what is empty. */
  #complete(): PersonaFields {
    const fields = { ...this.shown!, ...this.conflicts };
    for (const name of requiredFields) {
      if (storedValue(name, fields[name]) === "") Object.assign(fields, { [name]: this.#base![name] });
    }
    return fields;
  }

  /** The fields that differ from what is published. The others are left out, so that they stay as published. */
  #differing(fields: PersonaFields): Partial<PersonaFields> {
    const names = differences(fields, this.published!);
    return Object.fromEntries(names.map((name) => [name, storedValue(name, fields[name])]));
  }

  async #read(): Promise<void> {
    await this.#take(await this.#client.getDraft(this.#coachId));
  }

  /**
   * Takes over a reply, and what is published by now.
   *
   * @param sent what the request has stored
   */
  async #take(reply: Draft, sent: PersonaFields | null = null): Promise<void> {
    if (this.published?.version !== reply.version) {
      this.published = await this.#client.getVersion(this.#coachId, reply.version);
    }
    this.#adopt(reply, sent);
    this.#keep();
    this.changed();
  }

  #adopt(reply: Draft, sent: PersonaFields | null): void {
    const before = this.draft;
    const theirs = fieldsOf(reply);
    const { shown, base } = this.#start(theirs);
    const conflicts: Partial<PersonaFields> = {};
    const changed: FieldName[] = [];
    const set = (fields: Partial<PersonaFields>, name: FieldName, value: unknown) =>
      Object.assign(fields, { [name]: value });
    for (const name of fieldNames) {
      const wasConflict = name in this.conflicts;
      const expected = sent !== null
        ? sent[name]
        : wasConflict
        ? this.conflicts[name] as typeof base[typeof name]
        : base[name];
      // A request that was accepted has seen what colleagues have changed. What else differs, the service has tidied up.
      const isChanged = sent === null && !isSame(name, theirs[name], expected);
      if (isChanged) changed.push(name);
      const isMine = wasConflict || !isSame(name, shown[name], expected);
      // A conflict that is not settled yet keeps the value that it began with.
      if (isMine && (isChanged || wasConflict) && !isSame(name, shown[name], theirs[name])) {
        set(conflicts, name, theirs[name]);
        continue;
      }
      if (!isMine && !isSame(name, shown[name], theirs[name])) set(shown, name, theirs[name]);
      set(base, name, theirs[name]);
    }
    this.draft = reply;
    this.shown = shown;
    this.#base = base;
    this.conflicts = conflicts;
    // An operator may have changed a setting that the desk does not show.
    const isPublished = before !== null && before.version !== reply.version && (before.version === 0 ||
      this.published!.changes.some((name) => name === "picture" || (fieldNames as readonly string[]).includes(name)));
    if (changed.length === 0 && !isPublished) return;
    const by = isPublished ? this.published!.published_by : reply.saved_by;
    this.meanwhile = { version: isPublished ? reply.version : null, by: by && nameExpert(by), fields: changed };
  }

  /** The fields that the form shows, and those it began with: at first as kept in the tab, or as the service has them. */
  #start(theirs: PersonaFields): Kept {
    if (this.shown !== null && this.#base !== null) return { shown: { ...this.shown }, base: { ...this.#base } };
    return this.#readKept() ?? { shown: { ...theirs }, base: { ...theirs } };
  }

  #keep(): void {
    const { shown } = this;
    const base = this.#base;
    if (shown !== null && base !== null && differences(shown, base).length > 0) {
      drafts.keep(this.#name, { kept: JSON.stringify({ shown, base } satisfies Kept) });
    } else drafts.drop(this.#name);
  }

  #readKept(): Kept | null {
    const { kept } = drafts.read(this.#name);
    return kept === undefined ? null : JSON.parse(kept);
  }

  /** Forgets what the form has, so that the next reply is shown as it is. */
  #forget(): void {
    drafts.drop(this.#name);
    this.draft = null;
    this.shown = null;
    this.#base = null;
    this.conflicts = {};
    this.meanwhile = null;
    this.saveError = null;
  }

  #enqueue<Value>(act: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => {});
    return done;
  }
}

/** The draft of the desk's persona: one for all panels, so that what is being saved goes on when a panel is left. */
export const draftOf = onePerPersona(({ client, coach }) => new PersonaDraft(client, coach.id));

/** Returns true if a request was refused because a colleague has changed or published something since. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === "draft_changed" || error.code === "version_changed");
}
