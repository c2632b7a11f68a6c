/// <reference lib="dom" />
import type { LitElement } from "lit";
import type { components } from "../../client/api_types.ts";
import { observe, tell } from "../ui/element.ts";
import { Observable } from "../ui/observable.ts";
import { hashBeneath, linkToSource, readSourcePlace, type SourcePlace } from "./source_place.ts";

/** A source of an answer: a passage of a file, or a pinned answer of the expert. */
export type Source = components["schemas"]["Source"];

/** The sources of an answer, and the one that is shown. */
export type Opened = {
  coachId: string;
  sources: Source[];
  place: number;
  /** True if the files can be read. Otherwise, only the quotes are shown. */
  isReadable: boolean;
};

const eventName = "human-source";

/** Opens the reader of the page around an element. */
export function openSource(from: LitElement, opened: Opened): void {
  tell(from, eventName, opened);
}

/** The source that the reader of a page shows. The address names it: to share it, and so that going back closes it. */
export class Reading extends Observable {
  opened: Opened | null = null;
  #hasAddress: () => boolean;
  #last: Opened | null = null;
  /** True while the browser goes back, which takes a moment. */
  #isLeaving = false;

  /**
   * @param host the element that shows the reader, for what is inside of it
   * @param hasAddress returns true if the element may change the address
   */
  constructor(host: LitElement, hasAddress: () => boolean) {
    super();
    this.#hasAddress = hasAddress;
    host.addEventListener(eventName, (event) => {
      event.stopPropagation();
      this.#open((event as CustomEvent<Opened>).detail);
    });
    observe(host, () => this);
    host.addController({
      hostConnected: () => {
        addEventListener("popstate", this.#leave);
        addEventListener("hashchange", this.follow);
        this.follow();
      },
      hostDisconnected: () => {
        removeEventListener("popstate", this.#leave);
        removeEventListener("hashchange", this.follow);
      },
    });
  }

  /** Shows another source of the same answer, in the place of this one. */
  step(by: 1 | -1): void {
    const { opened } = this;
    if (!opened?.sources[opened.place + by]) return;
    this.#show({ ...opened, place: opened.place + by });
    if (this.#hasAddress()) history.replaceState(history.state, "", addressOf(this.opened!));
  }

  /** Closes the reader, and leaves the address as it was before. */
  close(): void {
    if (!this.opened) return;
    this.#show(null);
    if (!this.#hasAddress()) return;
    if (!hasEntry()) return history.replaceState(null, "", addressWith(hashBeneath()));
    this.#isLeaving = true;
    history.back();
  }

  /** Shows the passage that the address names, or closes the reader if it names none. */
  follow = (event?: Event): void => {
    if (!this.#hasAddress()) return;
    const named = readSourcePlace();
    if (!named) return this.#leave();
    const { oldURL } = event as HashChangeEvent ?? {};
    // A link, or somebody who typed, has changed the address.
    if (oldURL && !history.state) history.replaceState({ beneath: new URL(oldURL).hash }, "");
    const opened = this.opened ?? this.#last;
    const place = opened?.coachId === named.coachId ? opened.sources.findIndex((it) => isNamed(it, named)) : -1;
    if (this.opened && place === this.opened.place) return;
    this.#show(place < 0 ? openAlone(named) : { ...opened!, place });
  };

  #open(opened: Opened): void {
    this.#show(opened);
    if (!this.#isLeaving) this.#enter();
  }

  /** Adds an entry to the history, from which going back closes the reader. */
  #enter(): void {
    if (this.#hasAddress()) history.pushState({ beneath: hashBeneath() }, "", addressOf(this.opened!));
  }

  /** The browser has gone back to what was before the reader. */
  #leave = (): void => {
    if (this.#isLeaving) {
      this.#isLeaving = false;
      // Something was opened in the meantime.
      if (this.opened) this.#enter();
    } else if (this.opened && !readSourcePlace() && !hasEntry()) this.#show(null);
  };

  #show(opened: Opened | null): void {
    this.#last = opened ?? this.opened;
    this.opened = opened;
    this.changed();
  }
}

/** Returns true if the reader has added the entry of the history that is open. */
function hasEntry(): boolean {
  return history.state?.beneath !== undefined;
}

function isNamed(source: Source, { fileId, passageId }: SourcePlace): boolean {
  return source.kind === "passage" && source.fileId === fileId && source.passageId === passageId;
}

/** A passage of which only the address is known. */
function openAlone({ coachId, fileId, passageId }: SourcePlace): Opened {
  const unknown = { filename: "", heading: null, page: null, quote: "", score: 0, position: 0, source_url: null };
  const source: Source = { kind: "passage", fileId, file_id: fileId, passageId, ...unknown };
  return { coachId, sources: [source], place: 0, isReadable: true };
}

/** The address of the page with a source. One that cannot be read has none of its own. */
function addressOf({ coachId, sources, place, isReadable }: Opened): string {
  const source = sources[place]!;
  const isNamed = isReadable && source.kind === "passage";
  return addressWith(isNamed ? linkToSource({ coachId, ...source }) : hashBeneath());
}

function addressWith(hash: string): string {
  return location.pathname + location.search + hash;
}

type ReadPassage = Pick<components["schemas"]["ReadPassage"], "content" | "repeats">;

/** The texts of passages in a row, each sentence once. The passage at the place `whole` keeps all of its text. */
export function withoutRepeats(passages: ReadPassage[], whole: number): string[] {
  return passages.map(({ content, repeats }, place) => {
    const start = place > whole ? repeats : 0;
    const end = content.length - (place < whole ? passages[place + 1]!.repeats : 0);
    return content.slice(start, Math.max(start, end)).trim();
  });
}
