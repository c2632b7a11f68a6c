import { LitElement, type PropertyDeclarations } from "lit";
import type { WatchedEvent } from "../../client/watch.ts";
import { theme } from "../ui/theme.ts";
import { type Desk, tellDesk } from "./desk.ts";
import { deskStyles } from "./desk_styles.ts";

/** What the panels of the desk and their parts have in common. */
export abstract class DeskPart extends LitElement {
  static override styles = [theme, deskStyles];

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

  /** What a part does when something has happened to the persona. */
  protected heard?(event: WatchedEvent): void;

  /** Tells the reader that something was done. */
  protected say(sentence: string): void {
    tellDesk(this, "notice", sentence);
  }
}
