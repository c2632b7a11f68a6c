/// <reference lib="dom" />
import type { ReactiveControllerHost } from "lit";
import { ServiceError } from "../../../client/service_error.ts";
import { listen } from "../../ui/element.ts";
import { drafts } from "./drafts.ts";
import { Work } from "./work.ts";

type Saving = "saved" | "waiting" | "saving" | "failed";

/** A change by a colleague since the draft was read last. */
export type Meanwhile<Name = string> = {
  /** The version that a colleague has published; null if only the draft has changed. */
  version: number | null;
  /** The name of the colleague, if it is known. */
  by: string | null;
  /** The fields that the colleague has changed. */
  fields: Name[];
};

/** The time without a change after which the draft is saved, in milliseconds. */
const pause = 1_000;
/** Between two attempts to save, in milliseconds. */
const retries = { first: 5_000, longest: 60_000 };
/** A draft that a colleague changes again and again is read again this often before the expert sees an error. */
const attempts = 3;

/**
 * Something that the experts of a persona write: what the service has of it, and what the expert has changed since. It is
 * saved automatically. Whatever has not been saved is kept in the tab. A field that a colleague has changed is taken over,
 * unless the expert has changed it, too: then it is a conflict, which the expert settles.
 */
export abstract class SharedDraft<Shape extends object, Reply> extends Work {
  /** The last reply of the service; null until there is one. */
  draft: Reply | null = null;
  /** The fields as the form shows them; null until the draft was read. */
  shown: Shape | null = null;
  /** The values of a colleague that the expert has to choose from. */
  conflicts: Partial<Shape> = {};
  meanwhile: Meanwhile<keyof Shape> | null = null;
  isSaving = false;
  saveError: unknown = null;

  /** The name under which it is kept in the tab. */
  protected name: string;
  /** The fields as they were when the service and the form last agreed. */
  protected base: Shape | null = null;
  protected abstract readonly names: readonly (keyof Shape)[];
  /** The last of the requests, which are sent one after the other: each needs the revision of the one before. */
  #last: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isShown = false;
  #retry: number = retries.first;

  constructor(name: string) {
    super();
    this.name = name;
  }

  protected abstract fieldsOf(reply: Reply): Shape;
  /** Returns true if two values of a field are stored alike. */
  protected abstract isSame<Name extends keyof Shape>(name: Name, one: Shape[Name], other: Shape[Name]): boolean;
  /** Returns false if a field cannot be stored as it is shown. */
  protected abstract isComplete(name: keyof Shape): boolean;
  /** Returns true if a request was refused because a colleague has changed something since. */
  protected abstract isOutdated(error: unknown): boolean;
  protected abstract fetch(): Promise<Reply>;
  protected abstract send(fields: Shape): Promise<Reply>;
  /** Says what a colleague has changed since another reply; null: nothing. */
  protected abstract describeMeanwhile(
    reply: Reply,
    before: Reply | null,
    fields: (keyof Shape)[],
  ): Meanwhile<keyof Shape> | null;

  /** The fields of the form that are not stored yet. */
  get unsaved(): (keyof Shape)[] {
    const { shown, base } = this;
    if (shown === null || base === null) return [];
    return this.names.filter((name) => !(name in this.conflicts) && !this.isSame(name, shown[name], base[name]));
  }

  /** The draft as it is shown, under the name of everything that is read from the service. */
  get value(): Shape | null {
    return this.shown;
  }

  get saving(): Saving {
    if (this.isSaving) return "saving";
    if (this.saveError !== null) return "failed";
    return this.hasToSave() ? "waiting" : "saved";
  }

  /** The fields that cannot be stored as they are shown. */
  get missing(): (keyof Shape)[] {
    return this.names.filter((name) => this.shown !== null && !this.isComplete(name));
  }

  /** True if something is only in this tab. */
  get isAtRisk(): boolean {
    return this.saving !== "saved" || Object.keys(this.conflicts).length > 0;
  }

  /** The form is shown: what cannot be saved is tried again, until `leave` is called. */
  enter(): void {
    this.#isShown = true;
  }

  /** Saves once more. What cannot be saved stays in the tab, until the form is shown again. */
  async leave(): Promise<void> {
    this.#isShown = false;
    await this.save();
  }

  /** Reads the draft, and takes over what has changed. */
  load(): Promise<void> {
    return this.enqueue(async () => {
      this.begin();
      try {
        await this.read();
        // What was in the way is gone, or is met again.
        this.saveError = null;
        this.end();
      } catch (error) {
        this.end(error);
      }
      if (this.unsaved.length > 0) this.#saveSoon();
    });
  }

  /** Changes a field. */
  set<Name extends keyof Shape>(name: Name, value: Shape[Name]): void {
    this.shown = { ...this.shown!, [name]: value };
    this.#keep();
    this.#saveSoon();
    this.changed();
  }

  /** Settles a conflict: with the value of the colleague, or with that of the expert. */
  settle(name: keyof Shape, whose: "theirs" | "mine"): void {
    const { [name]: theirs, ...others } = this.conflicts;
    this.conflicts = others as Partial<Shape>;
    this.base = { ...this.base!, [name]: theirs };
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
    this.pauseSaving();
    await this.enqueue(() => this.saveNow());
    return this.saveError === null && this.unsaved.length === 0 && Object.keys(this.conflicts).length === 0;
  }

  protected pauseSaving(): void {
    clearTimeout(this.#timer);
  }

  #saveSoon(delay = pause): void {
    this.pauseSaving();
    this.#timer = setTimeout(() => void this.save(), delay);
  }

  protected async saveNow(): Promise<void> {
    for (let attempt = 0; this.hasToSave(); attempt++) {
      // What was typed meanwhile is saved now.
      this.pauseSaving();
      this.isSaving = true;
      this.changed();
      const sent = this.#complete();
      try {
        await this.take(await this.send(sent), sent);
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

  protected hasToSave(): boolean {
    return this.unsaved.some((name) => this.isComplete(name));
  }

  /** Takes over what a colleague has changed since the draft was read. Returns null if that was what is wrong. */
  async #resolve(error: unknown, attempt: number): Promise<unknown> {
    if (!this.isOutdated(error) || attempt >= attempts) return error;
    try {
      await this.read();
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
  #complete(): Shape {
    const fields = { ...this.shown!, ...this.conflicts };
    for (const name of this.missing) {
      if (!(name in this.conflicts)) Object.assign(fields, { [name]: this.base![name] });
    }
    return fields;
  }

  protected async read(): Promise<void> {
    await this.take(await this.fetch());
  }

  /** Takes over a reply. `sent` is what the request has stored. */
  protected async take(reply: Reply, sent: Shape | null = null): Promise<void> {
    await this.prepare(reply);
    this.#adopt(reply, sent);
    this.#keep();
    this.changed();
  }

  /** Reads what belongs to a reply. */
  protected prepare(_: Reply): Promise<void> {
    return Promise.resolve();
  }

  #adopt(reply: Reply, sent: Shape | null): void {
    const before = this.draft;
    const theirs = this.fieldsOf(reply);
    const { shown, base } = this.#start(theirs);
    const conflicts: Partial<Shape> = {};
    const changed: (keyof Shape)[] = [];
    const set = (fields: Partial<Shape>, name: keyof Shape, value: unknown) => Object.assign(fields, { [name]: value });
    for (const name of this.names) {
      const wasConflict = name in this.conflicts;
      const expected = sent !== null
        ? sent[name]
        : wasConflict
        ? this.conflicts[name] as Shape[typeof name]
        : base[name];
      // A request that was accepted has seen what colleagues have changed. What else differs, the service has tidied up.
      const isChanged = sent === null && !this.isSame(name, theirs[name], expected);
      if (isChanged) changed.push(name);
      const isMine = wasConflict || !this.isSame(name, shown[name], expected);
      // A conflict that is not settled yet keeps the value that it began with.
      if (isMine && (isChanged || wasConflict) && !this.isSame(name, shown[name], theirs[name])) {
        set(conflicts, name, theirs[name]);
        continue;
      }
      if (!isMine && !this.isSame(name, shown[name], theirs[name])) set(shown, name, theirs[name]);
      set(base, name, theirs[name]);
    }
    this.draft = reply;
    this.shown = shown;
    this.base = base;
    this.conflicts = conflicts;
    this.meanwhile = this.describeMeanwhile(reply, before, changed) ?? this.meanwhile;
  }

  /** The fields that the form shows, and those it began with: at first as kept in the tab, or as the service has them. */
  #start(theirs: Shape): { shown: Shape; base: Shape } {
    if (this.shown !== null && this.base !== null) return { shown: { ...this.shown }, base: { ...this.base } };
    return this.readKept() ?? { shown: { ...theirs }, base: { ...theirs } };
  }

  #keep(): void {
    const { shown, base } = this;
    if (shown !== null && base !== null && this.names.some((name) => !this.isSame(name, shown[name], base[name]))) {
      drafts.keep(this.name, { kept: JSON.stringify({ shown, base }) });
    } else drafts.drop(this.name);
  }

  protected readKept(): { shown: Shape; base: Shape } | null {
    const { kept } = drafts.read(this.name);
    return kept === undefined ? null : JSON.parse(kept);
  }

  /** Forgets what the form has, so that the next reply is shown as it is. */
  protected forget(): void {
    drafts.drop(this.name);
    this.draft = null;
    this.shown = null;
    this.base = null;
    this.conflicts = {};
    this.meanwhile = null;
    this.saveError = null;
  }

  protected enqueue<Value>(act: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => {});
    return done;
  }
}

type KeptDraft = Pick<SharedDraft<object, unknown>, "save" | "load" | "enter" | "leave" | "isAtRisk">;

/** Keeps a draft saved while an element shows its form. The browser asks before it closes a tab with unsaved text. */
export function keepSaved(host: ReactiveControllerHost, read: () => KeptDraft): void {
  // The page may be closed after it was hidden. When it is seen again, a colleague may have changed the draft.
  const onVisibility = () => void (document.visibilityState === "hidden" ? read().save() : read().load());
  listen(host, document, "visibilitychange", onVisibility);
  listen(host, globalThis, "online", () => void read().load());
  listen(host, globalThis, "beforeunload", (event: Event) => read().isAtRisk && event.preventDefault());
  host.addController({ hostConnected: () => read().enter(), hostDisconnected: () => void read().leave() });
}
