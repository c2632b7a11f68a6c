import { html, nothing, type PropertyValues } from "lit";
import type { WatchedEvent } from "../../../client/watch.ts";
import type { Property } from "../../ui/element.ts";
import { type Schemas, tellDesk } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { showEmpty, showList, showTabs } from "../parts/show_state.ts";
import { concernsOf } from "../state/coach_feed.ts";
import { linkTo, type Route } from "../route.ts";
import { coalesce } from "../state/coalesce.ts";
import { PagedList } from "../state/work.ts";
import { t } from "../texts.ts";
import "../overview/waiting_people.ts";
import "./question_card.ts";

type Status = Schemas["OpenQuestion"]["status"];

const filters: [Status, name: () => string][] = [
  ["open", () => t.questions.tabOpen],
  ["answered", () => t.questions.tabAnswered],
  ["dismissed", () => t.questions.tabDismissed],
];

const empty: Record<Status, () => [title: string, explanation: string]> = {
  open: () => [t.questions.emptyOpen, t.questions.emptyOpenHint],
  answered: () => [t.questions.emptyAnswered, t.questions.emptyAnsweredHint],
  dismissed: () => [t.questions.emptyDismissed, t.questions.emptyDismissedHint],
};

/** The panel of questions that the persona could not answer, the most frequent first. */
export class QuestionsPanel extends DeskPart.with({ route: {} as Property<Route> }) {
  #list = this.use(this.#listOf(() => this.#status === "open" ? "false" : undefined));
  /** Open questions that have nothing to do with the files. */
  #offTopic = this.use(this.#listOf(() => "true"));
  #refresh = coalesce(async () => this.isConnected && await this.#load(), 1_000);
  /** Nothing but what is off topic was open. It stays unfolded, since the expert may be answering it. */
  #isUnfolded = false;

  #listOf(offTopic: () => "true" | "false" | undefined) {
    return new PagedList((page, options) =>
      this.client.listQuestions(
        this.coachId,
        { status: this.#status, off_topic: offTopic(), include: "askings", ...page },
        options,
      )
    );
  }

  async #load(): Promise<void> {
    await Promise.all([this.#list.load(), this.#status === "open" && this.#offTopic.load()]);
  }

  get #status(): Status {
    return filters.find(([status]) => status === this.route.id)?.[0] ?? "open";
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("route");
    if (changed.has("desk") || before === undefined && changed.has("route") || before && before.id !== this.route.id) {
      this.#isUnfolded = false;
      void this.#list.restart();
      this.#offTopic.clear();
      if (this.#status === "open") void this.#offTopic.restart();
    }
  }

  protected override heard(event: WatchedEvent): void {
    if (concernsOf(event).questions) this.#refresh();
  }

  override render() {
    const status = this.#status;
    const hasOffTopic = status === "open" && !!this.#offTopic.items?.length;
    this.#isUnfolded ||= hasOffTopic && this.#list.items?.length === 0;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <div class="row spread">
          <h2 id="title" tabindex="-1">${t.questions.title}</h2>
          ${showTabs(
            t.questions.filter,
            filters.map(([filter, name]) => {
              return [linkTo("questions", filter === "open" ? null : filter), name(), filter === status];
            }),
          )}
        </div>
        ${status === "open"
          ? html`<human-desk-waiting-people .desk=${this.desk}></human-desk-waiting-people>`
          : nothing}
        ${hasOffTopic && this.#list.items?.length === 0 ? nothing : this.#renderList(this.#list, t.questions.title)}
        ${hasOffTopic
          ? html`
            <details ?open=${this.#isUnfolded}>
              <summary>${t.questions.offTopicHint}</summary>
              ${this.#renderList(this.#offTopic, t.questions.offTopic)}
            </details>
          `
          : nothing}
      </section>
    `;
  }

  #renderList(list: PagedList<Schemas["ListedQuestion"]>, name: string) {
    return showList(list, {
      name,
      key: ({ id }) => id,
      item: (question) =>
        html`<human-desk-question .desk=${this.desk} .question=${question} @done=${this.#onDone}></human-desk-question>`,
      empty: showEmpty(...empty[this.#status]()),
    });
  }

  #onDone = async (): Promise<void> => {
    tellDesk(this, "change");
    // The element that had the focus was removed.
    this.renderRoot.querySelector("h2")?.focus();
    await this.#load();
  };
}

customElements.define("human-desk-questions", QuestionsPanel);
