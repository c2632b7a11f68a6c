/// <reference lib="dom" />
import { html, nothing, type PropertyValues } from "lit";
import type { WatchedEvent } from "../../client/watch.ts";
import { listen, observe, type Property, state, styleSheets } from "../ui/element.ts";
import "../reader/human_reader.ts";
import { Reading } from "../reader/reading.ts";
import { hashBeneath } from "../reader/source_place.ts";
import { describeError } from "./parts/show_state.ts";
import { chatAddress, deskEvents, type Notice, type Schemas, tellDesk } from "./desk.ts";
import { DeskPart } from "./desk_part.ts";
import { formatNumber } from "./format.ts";
import styles from "./desk_frame.css" with { type: "text" };
import { icons } from "./icons.ts";
import { notify } from "./notices/browser_notices.ts";
import { linkTo, type Panel, panels, readRoute, type Route } from "./route.ts";
import { plural, t } from "./texts.ts";
import { mostCounted, WaitingCounts } from "./state/coach_feed.ts";
import "./answers/answers_panel.ts";
import "./conversations/conversations_panel.ts";
import "./files/files_panel.ts";
import "./overview/overview_panel.ts";
import "./persona/persona_panel.ts";
import "./questions/questions_panel.ts";
import "./share/share_panel.ts";
import "./team/team_panel.ts";
import "./tests/tests_panel.ts";
import "./try/try_panel.ts";
import "./usage/usage_panel.ts";

/** The title of a page of the desk's own. On any other page there is nothing to change. */
function ownTitle(): HTMLTitleElement | null {
  return document.querySelector<HTMLTitleElement>("title[data-text]");
}

/** Shows in the name of the browser's tab how many people wait for a reply. */
const titleOfPage = {
  /** @param waiting their number as it is shown; empty for none */
  show(name: string, waiting: string): void {
    const title = ownTitle();
    if (title) title.textContent = waiting ? `(${waiting}) ${name}` : name;
  },
  reset(): void {
    const title = ownTitle();
    if (title) title.textContent = t.frame.title;
  },
};

/** The number of panels that a narrow screen shows in its bar. A menu has the others. */
const inBar = 4;

/** The time for which a notice is shown, in milliseconds. */
const noticeTime = 7_000;

/** Marks a persona that nobody can talk to: it was never published, or is paused. */
export function showUnavailable({ is_active, slug }: Pick<Schemas["OwnCoach"], "is_active" | "slug">) {
  return is_active ? nothing : html`<span class="tag">${slug === null ? t.team.notPublished : t.share.paused}</span>`;
}

/** The desk: the names of its panels, and the panel that the address names. */
export class DeskFrame extends DeskPart.with({
  /** Leads to the choice of a persona; null if there is only one. */
  leave: {} as Property<(() => void) | null>,
  /** Null if the site itself signs its users in and out. */
  signOut: {} as Property<(() => void) | null>,
}) {
  static override styles = styleSheets(styles);

  #hash = hashBeneath();
  #route = state<Route>(this, readRoute(this.#hash));
  #reading = new Reading(this, () => true);
  #isMenuOpen = state(this, false);
  #notice = state<Notice>(this, { sentence: "" }, noticeTime);
  #waiting: WaitingCounts | null = null;

  constructor() {
    super();
    observe(this, () => this.#waiting);
    listen(this, globalThis, "hashchange", this.#readRoute);
    this.addEventListener(deskEvents.notice, (event) => this.#notice.value = (event as CustomEvent<Notice>).detail);
    this.addEventListener(deskEvents.change, () => this.#waiting?.refresh());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#waiting = null;
    titleOfPage.reset();
  }
  override willUpdate(changed: PropertyValues<this>): void {
    // Another role is no reason to count again.
    if (!changed.has("desk") || changed.get("desk")?.watch === this.desk.watch) return;
    this.#waiting = new WaitingCounts(this.desk);
    this.#waiting.refresh();
  }

  override updated(): void {
    titleOfPage.show(this.desk.coach.name, showCount(this.#waiting?.conversations ?? 0));
  }

  protected override heard(event: WatchedEvent): void {
    notify(event, this.desk.coach);
  }

  override render() {
    const { coach } = this.desk;
    const chat = chatAddress(this.desk);
    return html`
      <div class="frame">
        <header>
          <h1><bdi>${coach.name}</bdi></h1>
          <p class="muted small">${t.frame.desk}</p>
          ${coach.is_active ? nothing : html`<p class="small">${showUnavailable(coach)}</p>`}
        </header>
        ${this.#renderNames()}
        <footer>
          ${chat === null ? nothing : html`<a href=${chat}>${t.frame.toChat}</a>`}
          <slot name="links"></slot>
          ${this.leave === null
            ? nothing
            : html`<button class="quiet" @click=${this.leave}>${t.frame.switchPersona}</button>`}
          ${this.signOut === null
            ? nothing
            : html`<button class="quiet" @click=${this.signOut}>${t.frame.signOut}</button>`}
        </footer>
        <main tabindex="-1" @click=${() => this.#isMenuOpen.value = false}>${this.#renderPanel()}</main>
        <p class="notice" role="status">${this.#notice.value.sentence}${this.#renderUndo()}</p>
        <human-reader .reading=${this.#reading} .client=${this.desk.client} .name=${coach.name}
          .texts=${t.reader} .describe=${this.#describe}></human-reader>
      </div>
    `;
  }

  #renderUndo() {
    const { undo } = this.#notice.value;
    const run = async () => {
      this.#notice.value = { sentence: "" };
      await undo?.();
    };
    return undo ? html`<button class="quiet" @click=${run}>${t.frame.undo}</button>` : nothing;
  }

  /** The names of the panels. On narrow screens, a button opens those that have no room in the bar. */
  #renderNames() {
    const isOpen = this.#isMenuOpen.value;
    const isCurrent = panels.indexOf(this.#route.value.panel) >= inBar;
    return html`
      <nav aria-label=${t.frame.panels} @keydown=${this.#onMenuKey} @focusout=${this.#onMenuFocusOut}>
        ${panels.slice(0, inBar).map((panel) => this.#renderLink(panel))}
        <button class="more" aria-expanded=${isOpen} aria-controls="rest" data-current=${isCurrent || nothing}
          @click=${() => this.#isMenuOpen.value = !isOpen}>${icons.more}<span>${t.frame.more}</span></button>
        <div id="rest" class="rest ${isOpen ? "open" : ""}" @click=${() => this.#isMenuOpen.value = false}>
          ${panels.slice(inBar).map((panel) => this.#renderLink(panel))}
        </div>
      </nav>
    `;
  }

  #onMenuKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !this.#isMenuOpen.value) return;
    this.#isMenuOpen.value = false;
    this.renderRoot.querySelector<HTMLElement>(".more")?.focus();
  };
  #onMenuFocusOut = ({ relatedTarget, currentTarget }: FocusEvent): void => {
    if (!(currentTarget as Element).contains(relatedTarget as Node | null)) this.#isMenuOpen.value = false;
  };

  #renderLink(panel: Panel) {
    const waiting = panel === "questions" || panel === "conversations" ? this.#waiting?.[panel] ?? 0 : 0;
    return html`
      <a href=${linkTo(panel)} aria-current=${this.#route.value.panel === panel ? "page" : nothing}>
        ${icons[panel]}<span>${panel === "share" ? t.share.title : t.frame[panel]}</span>
        ${waiting === 0 ? nothing : renderCount(waiting)}
      </a>
    `;
  }

  #renderPanel() {
    const { desk } = this;
    const route = this.#route.value;
    switch (route.panel) {
      case "overview":
        return html`<human-desk-overview .desk=${desk}></human-desk-overview>`;
      case "questions":
        return html`<human-desk-questions .desk=${desk} .route=${route}></human-desk-questions>`;
      case "conversations":
        return html`<human-desk-conversations .desk=${desk} .route=${route}></human-desk-conversations>`;
      case "answers":
        return html`<human-desk-answers .desk=${desk} .route=${route}></human-desk-answers>`;
      case "files":
        return html`<human-desk-files .desk=${desk} .route=${route}></human-desk-files>`;
      case "persona":
        return html`<human-desk-persona .desk=${desk} .route=${route}></human-desk-persona>`;
      case "share":
        return html`<human-desk-share .desk=${desk}></human-desk-share>`;
      case "try":
        return html`<human-desk-try .desk=${desk} .route=${route}></human-desk-try>`;
      case "tests":
        return html`<human-desk-tests .desk=${desk} .route=${route}></human-desk-tests>`;
      case "usage":
        return html`<human-desk-usage .desk=${desk} .route=${route}></human-desk-usage>`;
      case "team":
        return html`<human-desk-team .desk=${desk} .route=${route}></human-desk-team>`;
    }
  }

  #readRoute = (): void => {
    const hash = hashBeneath();
    // Opening or closing the reader leaves the panel as it is.
    if (hash === this.#hash) return;
    this.#hash = hash;
    const before = this.#route.value;
    const now = this.#route.value = readRoute(hash);
    if (now.panel !== before.panel) this.renderRoot.querySelector("main")?.scrollTo(0, 0);
  };

  /** Describes a failure of the reader. */
  #describe = (error: unknown): string => {
    tellDesk(this, "failure", error);
    return describeError(error);
  };
}

/** Shows a number; empty for none. */
function showCount(waiting: number): string {
  if (waiting === 0) return "";
  return waiting > mostCounted ? `${formatNumber(mostCounted)}+` : formatNumber(waiting);
}

/** Shows how many wait, in full for screen readers. */
function renderCount(waiting: number) {
  const number = showCount(waiting);
  return html`
    <span class="count"><span aria-hidden="true">${number}</span><span class="visually-hidden">${plural(
      t.frame.waiting,
      waiting,
      { number },
    )}</span></span>
  `;
}

customElements.define("human-desk-frame", DeskFrame);
