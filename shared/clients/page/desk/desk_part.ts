import { type CSSResultGroup, LitElement, type PropertyDeclarations } from "lit";
import type { WatchedEvent } from "../../client/watch.ts";
import { observe } from "../ui/element.ts";
import { theme } from "../ui/theme.ts";
import { type Desk, type Notice, tellDesk } from "./desk.ts";
import type { Work } from "./state/work.ts";
import { controlStyles } from "./styles/control.ts";
import { layoutStyles } from "./styles/layout.ts";
import { citationStyles } from "../reader/citation.ts";
import { proseStyles } from "./styles/prose.ts";

/** The styles that all elements of the desk share. */
export const deskStyles = [theme, layoutStyles, controlStyles, proseStyles, citationStyles];

/** The base of the panels of the desk and of their parts. */
export abstract class DeskPart extends LitElement {
  static override styles: CSSResultGroup = deskStyles;

  static override properties: PropertyDeclarations = { desk: { attribute: false } };

  declare desk: Desk;

  #unwatch: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.heard) this.#unwatch = this.desk.watch((event) => this.heard!(event));
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unwatch?.();
  }

  /** Handles an event of the persona. */
  protected heard?(event: WatchedEvent): void;

  /** Shows the progress of some work here, and reports its failures to the desk. */
  protected use<Kind extends Work>(work: Kind): Kind {
    work.onFailure = (error) => tellDesk(this, "failure", error);
    observe(this, () => work);
    return work;
  }

  /** Shows a notice about something that was done. */
  protected say(sentence: string, undo?: Notice["undo"]): void {
    tellDesk(this, "notice", { sentence, undo } satisfies Notice);
  }
}
