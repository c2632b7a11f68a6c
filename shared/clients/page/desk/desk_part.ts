import {
  type CSSResultGroup,
  type CSSResultOrNative,
  html,
  LitElement,
  type PropertyDeclarations,
  type TemplateResult,
} from "lit";
import type { Client } from "../../client/client.ts";
import type { WatchedEvent } from "../../client/watch.ts";
import "../ui/confirm_button.ts";
import { observe, styleSheets, withProperties } from "../ui/element.ts";
import { type Desk, type Notice, tellDesk } from "./desk.ts";
import citationStyles from "../reader/citation.css" with { type: "text" };
import theme from "../ui/theme.css" with { type: "text" };
import controls from "./controls.css" with { type: "text" };
import layout from "./layout.css" with { type: "text" };
import prose from "./prose.css" with { type: "text" };
import { describeError } from "./parts/show_state.ts";
import { Action, type Loading, type Work } from "./state/work.ts";
import { t } from "./texts.ts";

/** The styles that all elements of the desk share. */
export const deskStyles = styleSheets(theme, layout, controls, prose, citationStyles);

/** The base of the panels of the desk and of their parts. `styles` are those that a part has besides the desk's. */
export abstract class DeskPart extends LitElement {
  static override properties: PropertyDeclarations = { desk: { attribute: false } };

  declare desk: Desk;

  /** The command of the part, one at a time. A part with several that may go together has more. */
  protected readonly action: Action = this.use(new Action());
  protected readonly run: Action["run"] = (act) => this.action.run(act);
  protected readonly ask: Action["ask"] = (act) => this.action.ask(act);
  protected get isBusy(): boolean {
    return this.action.isBusy;
  }

  #unwatch: (() => void) | undefined;
  #around: LitElement | undefined;

  /** The same base with the properties that an element declares. */
  static with<Base extends typeof DeskPart, Declared extends PropertyDeclarations>(this: Base, properties: Declared) {
    return withProperties(this, properties);
  }

  protected static override finalizeStyles(styles: CSSResultGroup = []): CSSResultOrNative[] {
    return super.finalizeStyles([deskStyles, styles]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#around = (this.getRootNode() as ShadowRoot).host as LitElement | undefined;
    if (this.heard) this.#unwatch = this.desk.watch((event) => this.heard!(event));
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unwatch?.();
  }

  protected get client(): Client {
    return this.desk.client;
  }
  get coachId(): string {
    return this.desk.coach.id;
  }
  protected get isOwner(): boolean {
    return this.desk.role === "owner";
  }
  /** True for an expert who may change the persona and what it knows: its files, tests and pinned answers. */
  protected get mayEdit(): boolean {
    return this.desk.role !== "answerer";
  }

  /** Handles an event of the persona. */
  protected heard?(event: WatchedEvent): void;

  /** Shows the progress of some work here, and reports its failures to the desk. */
  protected use<Kind extends Work>(work: Kind): Kind {
    work.onFailure = (error) => this.failed(error);
    observe(this, () => work);
    return work;
  }

  /** The same with something that is read whenever the element comes into the page. */
  protected show<Kind extends Loading<unknown>>(loading: Kind): Kind {
    this.addController({ hostConnected: () => void loading.load() });
    return this.use(loading);
  }

  /** Reports a failure to the desk, with a notice if the element is no longer there to show it. */
  protected failed(error: unknown): void {
    tellDesk(this.#inPage, "failure", error);
    if (!this.isConnected) this.say(describeError(error));
  }

  /** Shows a notice about something that was done. */
  protected say(sentence: string, undo?: Notice["undo"]): void {
    tellDesk(this.#inPage, "notice", { sentence, undo } satisfies Notice);
  }

  /** The element, or the nearest around it that is still in the page: an event may have taken it out meanwhile. */
  get #inPage(): LitElement {
    if (this.isConnected || !this.#around) return this;
    return this.#around instanceof DeskPart ? this.#around.#inPage : this.#around;
  }

  /** Says that something was done here, also to the element around this one. */
  protected done(sentence: string, undo?: Notice["undo"]): void {
    this.say(sentence, undo);
    this.dispatchEvent(new CustomEvent("done"));
  }

  /** A button for what cannot be undone, which asks a question first. */
  protected confirmButton(label: string, question: string, act: () => void): TemplateResult {
    return html`
      <human-confirm .words=${t.shared} .question=${question} ?disabled=${this.isBusy}
        @confirm=${act}>${label}</human-confirm>
    `;
  }

  /** Moves the focus to the first element that fits, once it is there. */
  protected async focusOn(selector: string): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }
}
