import { html, nothing, type PropertyValues } from "lit";
import { type Fields, observe, type Property, state } from "../ui/element.ts";
import "../reader/human_reader.ts";
import { Reading } from "../reader/reading.ts";
import { hashBeneath } from "../reader/source_place.ts";
import { describeError } from "./describe_error.ts";
import { deskEvents, type Notice, tellDesk } from "./desk.ts";
import { DeskPart, deskStyles } from "./desk_part.ts";
import { frameStyles } from "./frame_styles.ts";
import { icons } from "./icons.ts";
import { linkTo, type Panel, panels, readRoute, type Route } from "./route.ts";
import { t } from "./texts.ts";
import { WaitingCounts } from "./waiting_counts.ts";
import "./answers/answers_panel.ts";
import "./conversations/conversations_panel.ts";
import "./files/files_panel.ts";
import "./questions/questions_panel.ts";
import "./tests/tests_panel.ts";
import "./try/try_panel.ts";
import "./usage/usage_panel.ts";

const names: Record<Panel, string> = {
  questions: "Questions",
  conversations: "Conversations",
  answers: "Answers",
  files: "Files",
  try: "Try",
  tests: "Tests",
  usage: "Usage",
};

/** The time for which a notice is shown, in milliseconds. */
const noticeTime = 7_000;

/** The desk: the names of its panels, and the panel that the address names. */
export class DeskFrame extends DeskPart {
  static override styles = [deskStyles, frameStyles];

  static override properties = {
    /** Leads to the choice of a persona; null if there is only one. */
    leave: {} as Property<(() => void) | null>,
    /** Null if the site itself signs its users in and out. */
    signOut: {} as Property<(() => void) | null>,
  };

  #hash = hashBeneath();
  #route = state<Route>(this, readRoute(this.#hash));
  #reading = new Reading(this, () => true);
  #notice = state<Notice>(this, { sentence: "" });
  #waiting: WaitingCounts | null = null;
  #noticeEnd: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    observe(this, () => this.#waiting);
    this.addEventListener(deskEvents.notice, (event) => this.#show((event as CustomEvent<Notice>).detail));
    this.addEventListener(deskEvents.change, () => this.#waiting?.refresh());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.#readRoute);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.#readRoute);
    clearTimeout(this.#noticeEnd);
    this.#waiting = null;
  }
  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("desk")) return;
    this.#waiting = new WaitingCounts(this.desk);
    this.#waiting.refresh();
  }

  override render() {
    const { coach } = this.desk;
    return html`
      <div class="frame">
        <header>
          <h1>${coach.name}</h1>
          <p class="muted small">Expert’s desk</p>
        </header>
        <nav aria-label="Desk">${panels.map((panel) => this.#renderLink(panel))}</nav>
        <footer>
          <slot name="links"></slot>
          ${this.leave === null ? nothing : html`<button class="quiet" @click=${this.leave}>Switch persona</button>`}
          ${this.signOut === null ? nothing : html`<button class="quiet" @click=${this.signOut}>Sign out</button>`}
        </footer>
        <main tabindex="-1">${this.#renderPanel()}</main>
        <p class="notice" role="status">${this.#notice.value.sentence}${this.#renderUndo()}</p>
        <human-reader .reading=${this.#reading} .client=${this.desk.client} .name=${coach.name}
          .texts=${t.shared} .describe=${this.#describe}></human-reader>
      </div>
    `;
  }

  #renderUndo() {
    const { undo } = this.#notice.value;
    const run = async () => {
      this.#show({ sentence: "" });
      await undo?.();
    };
    return undo ? html`<button class="quiet" @click=${run}>Undo</button>` : nothing;
  }

  #renderLink(panel: Panel) {
    const waiting = panel === "questions" || panel === "conversations" ? this.#waiting?.[panel] : "";
    return html`
      <a href=${linkTo(panel)} aria-current=${this.#route.value.panel === panel ? "page" : nothing}>
        ${icons[panel]}<span>${names[panel]}</span>
        ${waiting ? html`<span class="count">${waiting}<span class="visually-hidden"> waiting</span></span>` : nothing}
      </a>
    `;
  }

  #renderPanel() {
    const { desk } = this;
    const route = this.#route.value;
    switch (route.panel) {
      case "questions":
        return html`<human-desk-questions .desk=${desk} .route=${route}></human-desk-questions>`;
      case "conversations":
        return html`<human-desk-conversations .desk=${desk} .route=${route}></human-desk-conversations>`;
      case "answers":
        return html`<human-desk-answers .desk=${desk} .route=${route}></human-desk-answers>`;
      case "files":
        return html`<human-desk-files .desk=${desk} .route=${route}></human-desk-files>`;
      case "try":
        return html`<human-desk-try .desk=${desk} .route=${route}></human-desk-try>`;
      case "tests":
        return html`<human-desk-tests .desk=${desk} .route=${route}></human-desk-tests>`;
      case "usage":
        return html`<human-desk-usage .desk=${desk}></human-desk-usage>`;
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

  #show(notice: Notice): void {
    clearTimeout(this.#noticeEnd);
    this.#notice.value = notice;
    this.#noticeEnd = setTimeout(() => this.#notice.value = { sentence: "" }, noticeTime);
  }
}

export interface DeskFrame extends Fields<typeof DeskFrame.properties> {}

customElements.define("human-desk-frame", DeskFrame);
