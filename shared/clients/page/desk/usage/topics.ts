import { html, nothing, type PropertyValues } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { WatchedEvent } from "../../../client/watch.ts";
import { type Property, styleSheets } from "../../ui/element.ts";
import { saveFile } from "../../ui/save_file.ts";
import { concernsOf } from "../state/coach_feed.ts";
import { type Schemas, tellDesk } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { dayOf, formatDay, formatMoment, formatNumber, formatShare, formatTime, namePerson } from "../format.ts";
import { showEmpty, showError, showList, showLoading } from "../parts/show_state.ts";
import "../questions/question_card.ts";
import { linkTo, type Route } from "../route.ts";
import { coalesce } from "../state/coalesce.ts";
import { Loading, PagedList } from "../state/work.ts";
import { fill, plural, t } from "../texts.ts";
import { readPeriod } from "./days.ts";
import styles from "./topics.css" with { type: "text" };

type Topic = Schemas["Topic"];
type Conversation = Schemas["Conversation"];

/** The topics of a period; or, of one of them, what is to be answered, and the conversations. */
export class Topics extends DeskPart.with({ route: {} as Property<Route> }) {
  static override styles = styleSheets(styles);

  #topics = this.use(
    new Loading((options) => this.client.listTopics(this.coachId, readPeriod(this.route.filters), options)),
  );
  #conversations = this.use(
    new PagedList((page, options) => {
      const query = { ...readPeriod(this.route.filters), ...page };
      return this.client.listTopicThreads(this.coachId, this.route.id!, query, options);
    }),
  );
  /** The questions of the topic, of any time, that nobody has answered. */
  #questions = this.use(
    new PagedList((page, options) => {
      const query = { topic_id: this.route.id!, include: "askings" as const, ...page };
      return this.client.listQuestions(this.coachId, query, options);
    }),
  );
  #refresh = coalesce(async () => this.isConnected && this.route.id !== null && await this.#reload(), 1_000);

  override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("route");
    if (!changed.has("desk") && !changed.has("route")) return;
    const isOtherPeriod = before?.filters.toString() !== this.route.filters.toString();
    if (changed.has("desk") || isOtherPeriod) void this.#topics.load();
    const isOther = changed.has("desk") || before?.id !== this.route.id;
    if (this.route.id !== null && isOther) void this.#questions.restart();
    if (this.route.id !== null && (isOther || isOtherPeriod)) {
      void this.#conversations.restart();
    }
  }

  protected override heard(event: WatchedEvent): void {
    if (concernsOf(event).questions) this.#refresh();
  }

  /** Reads the topics again. */
  refresh(): void {
    void this.#topics.load();
  }

  override render() {
    const { id } = this.route;
    return id === null ? this.#renderTopics() : keyed(id, this.#renderConversations(id));
  }

  #renderTopics() {
    return html`
      <div class="stack">
        ${showLoading(this.#topics, (topics) => this.#renderList(topics))}
        ${showError(this.action.error)}
      </div>
    `;
  }

  #renderList({ data, is_partial }: Schemas["TopicList"]) {
    if (data.length === 0) return showEmpty(t.topics.empty, is_partial ? t.topics.partial : t.topics.emptyHint);
    return html`
      <ul class="list" aria-label=${t.topics.title} aria-busy=${this.#topics.isBusy}>
        ${data.map((topic) => html`<li>${this.#renderTopic(topic)}</li>`)}
      </ul>
      ${is_partial ? html`<p class="small muted">${t.topics.partial}</p>` : nothing}
      <div><button class="small" ?disabled=${this.isBusy} @click=${this.#save}>${t.topics.save}</button></div>
    `;
  }

  #renderTopic(topic: Topic) {
    const { id, name, share, examples } = topic;
    return html`
      <article class="card">
        <h3 class="text"><a class="title" href=${linkTo("usage", id, this.route.filters)}>${name}</a></h3>
        <meter value=${share} aria-label=${fill(t.topics.share, { share: formatShare(share) })}></meter>
        <p class="facts small muted">${describeTopic(topic).map((fact) => html`<span>${fact}</span>`)}</p>
        ${examples.map((example) => html`<p class="small text">${fill(t.topics.quote, { example })}</p>`)}
        ${describeChange(topic)}
      </article>
    `;
  }

  #renderConversations(id: string) {
    const topic = this.#topics.value?.data.find((one) => one.id === id);
    return html`
      <div class="stack">
        <p><a href=${linkTo("usage", null, this.route.filters)}>${t.topics.back}</a></p>
        ${topic === undefined ? nothing : html`
          <h3 tabindex="-1">${topic.name}</h3>
          <p class="facts small muted">${describeTopic(topic).map((fact) => html`<span>${fact}</span>`)}</p>
          ${describeChange(topic)}
        `}
        ${!this.#questions.items?.length && this.#questions.error === null ? nothing : html`
          <section class="stack tight" aria-labelledby="questions">
            <h3 id="questions">${t.topics.toAnswer}</h3>
            ${showList(this.#questions, {
              name: t.topics.toAnswer,
              key: ({ id }) => id,
              item: (question) =>
                html`
                  <human-desk-question .desk=${this.desk} .question=${question} @done=${this.#onDone}
                  ></human-desk-question>
                `,
              empty: html``,
            })}
          </section>
          <h3>${t.conversations.title}</h3>
        `}
        ${showList(this.#conversations, {
          name: t.conversations.title,
          key: (conversation) => conversation.id,
          item: showConversation,
          empty: showEmpty(t.conversations.noneFound, t.topics.noConversations),
        })}
      </div>
    `;
  }

  #onDone = async (): Promise<void> => {
    tellDesk(this, "change");
    // The element that had the focus was removed.
    const { renderRoot } = this;
    (renderRoot.querySelector<HTMLElement>("h3[tabindex]") ?? renderRoot.querySelector("a"))?.focus();
    await this.#reload();
  };

  /** Reads what is to be answered in a topic, and what the answers have changed. */
  async #reload(): Promise<void> {
    await Promise.all([this.#questions.load(), this.#topics.load()]);
  }

  #save = async (): Promise<void> => {
    const period = readPeriod(this.route.filters);
    await this.run(async () => saveFile(await this.client.exportTopics(this.coachId, period), "topics.csv"));
  };
}

/** Says how large a topic is, and what is behind it. */
function describeTopic({ conversations, share, trend, not_known, rated_down }: Topic): string[] {
  return [
    plural(t.topics.conversations, conversations),
    fill(t.topics.share, { share: formatShare(share) }),
    trend === 0 ? t.topics.same : plural(trend > 0 ? t.topics.more : t.topics.fewer, Math.abs(trend)),
    ...not_known === 0 ? [] : [plural(t.topics.notKnown, not_known)],
    ...rated_down === 0 ? [] : [plural(t.topics.down, rated_down)],
  ];
}

/** Says what has changed since the expert answered a question of a topic. */
function describeChange({ answered }: Topic) {
  if (answered === null) return nothing;
  const { at, before, since } = answered;
  const say = ({ not_known, conversations }: typeof before) =>
    fill(t.topics.ofAll, { number: formatNumber(not_known), all: formatNumber(conversations) });
  const values = { day: formatDay(dayOf(new Date(at))), before: say(before), since: say(since) };
  const sentence = since.conversations === 0 ? t.topics.answeredLast : t.topics.answered;
  return html`<p class="small"><time datetime=${at} title=${formatTime(at)}>${fill(sentence, values)}</time></p>`;
}

function showConversation(conversation: Conversation) {
  const { id, title, created_at, has_down } = conversation;
  return html`
    <article class="card">
      <h4 class="text"><a class="title" href=${linkTo("conversations", id)}>${title}</a></h4>
      <p class="facts small muted">
        <bdi>${namePerson(conversation)}</bdi>
        <time datetime=${created_at} title=${formatTime(created_at)}>${formatMoment(created_at)}</time>
        ${has_down ? html`<span class="tag danger">${t.conversations.tagDown}</span>` : nothing}
      </p>
    </article>
  `;
}

customElements.define("human-desk-topics", Topics);
