import { html, nothing } from "lit";
import { sleep } from "../../../client/back_off.ts";
import { ServiceError } from "../../../client/service_error.ts";
import { state, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { showError } from "../parts/show_state.ts";
import { linkTo } from "../route.ts";
import { fieldsOfMessage } from "../tests/test_fields.ts";
import { showAnswer } from "../tests/test_result.ts";
import comparedStyles from "../tests/compared.css" with { type: "text" };
import { fill, plural, t } from "../texts.ts";
import { PersonaPart } from "./persona_part.ts";
import styles from "./draft_questions.css" with { type: "text" };

type Message = Schemas["Message"];
type Answer = NonNullable<Schemas["TriedQuestion"]["answer"]>;

/** A question that somebody has asked, its answer then, and the answer with the draft. */
type Asked = { question: string; before: Message; now: Answer };

/** The number of questions that are asked again: the last of as many conversations. */
const most = 20;
/** The number of questions that are asked at the same time: one after the other takes minutes. */
const atOnce = 3;
/** The messages of a conversation that are read: the last question, its answer, and what was said before. */
const mostMessages = 22;

/** Asks the draft what people have asked last, if the expert wants to see what it would change. Nothing of it is stored. */
export class DraftQuestions extends PersonaPart {
  static override styles = styleSheets(comparedStyles, styles);

  #asked = state<Asked[]>(this, []);
  /** The number of conversations; null before any was asked for. */
  #total = state<number | null>(this, null);
  #current = new AbortController();

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#current.abort();
  }

  override render() {
    const { isBusy, error } = this.action;
    const [asked, total] = [this.#asked.value, this.#total.value];
    const isOver = total !== null && !isBusy && error === null;
    const different = asked.filter(isDifferent).length;
    const unknown = asked.filter(({ now }) => (now.comparison?.verdict ?? "not_judged") === "not_judged").length;
    return html`
      <div class="stack tight">
        ${isBusy ? this.#renderProgress() : html`
          <div class="row">
            <button @click=${this.#start}>${total === null ? t.persona.askLast : t.persona.askLastAgain}</button>
            <span class="hint">${t.persona.askLastHint}</span>
          </div>
        `}
        <p role="status">${!isOver ? nothing : total === 0 ? t.persona.nothingAsked : asked.length === 0 ? nothing : [
          different > 0
            ? plural(t.persona.otherAnswers, asked.length, { different })
            : asked.length > unknown && plural(t.persona.sameAnswers, asked.length - unknown),
          unknown > 0 && plural(t.persona.notCompared, unknown),
        ].filter(Boolean).join(" ")}</p>
        ${showError(error)}
        ${asked.length === 0 ? nothing : html`
          <ul class="list" aria-label=${t.persona.lastQuestions}>${asked.map((one) => this.#renderAsked(one))}</ul>
        `}
      </div>
    `;
  }

  #renderProgress() {
    const [done, total] = [this.#asked.value.length, this.#total.value ?? most];
    return html`
      <div class="row nowrap">
        <progress max=${total} value=${done} aria-label=${t.persona.progressOfQuestions}></progress>
        <span class="small muted">${fill(t.tests.progressOf, { done, total })}</span>
        <button class="small" @click=${() => this.#current.abort()}>${t.try.stop}</button>
      </div>
    `;
  }

  #renderAsked(asked: Asked) {
    const { question, before, now } = asked;
    const verdict = now.comparison?.verdict;
    return html`
      <li>
        <details class="card">
          <summary><span class="row"><span class="tag ${verdict === "passed" ? "ai" : ""}">${verdict === "passed"
            ? t.persona.saysSame
            : verdict === "failed"
            ? t.persona.saysOther
            : t.tests.verdictNotJudged}</span>
            <span class="stack tight"><strong class="text">${question}</strong>
              ${isDifferent(asked) ? html`<bdi class="text">${now.comparison!.reason}</bdi>` : nothing}</span>
          </span></summary>
          <div class="both">
            ${showAnswer(this, { title: t.persona.answeredThen, text: before.content, sources: before.sources })}
            ${showAnswer(this, { title: t.persona.draftAnswer, ...now })}
          </div>
          <p class="small"><a href=${linkTo("conversations", before.thread_id)}>${t.tests.seeConversation}</a></p>
        </details>
      </li>
    `;
  }

  #start = async (): Promise<void> => {
    const { signal } = this.#current = new AbortController();
    this.#asked.value = [];
    this.#total.value = null;
    await this.run(async () => {
      await this.saveDraft();
      try {
        await this.#askAll(signal);
      } catch (error) {
        // What was answered until then stays.
        if (signal.aborted) return;
        this.#current.abort();
        throw error;
      }
    });
  };

  async #askAll(signal: AbortSignal): Promise<void> {
    const { data: threads } = await this.client.listConversations(this.coachId, { limit: most }, { signal });
    this.#total.value = threads.length;
    const found: (Asked | null)[] = [];
    let next = 0;
    const askNext = async () => {
      while (next < threads.length) {
        const place = next++;
        found[place] = await patiently(() => this.#askAgain(threads[place]!.id, signal), signal);
        if (found[place] === null) this.#total.value!--;
        else this.#asked.value = found.filter((asked) => asked != null);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, askNext));
  }

  /** Asks the last question of a conversation; null if it was not answered. */
  async #askAgain(id: string, signal: AbortSignal): Promise<Asked | null> {
    const page = { limit: mostMessages, order: "desc" as const, include: "author,sources,status" };
    const { data } = await this.client.listMessages(id, page, { signal });
    const messages = data.toReversed();
    const place = messages.findLastIndex(({ author, status }) => author === "ai" && status === "complete");
    const [asked, before] = [messages[place - 1], messages[place]];
    if (before === undefined || asked?.role !== "user") return null;
    const { question, history, reference } = fieldsOfMessage(before, asked.content, messages.slice(0, place - 1));
    const body = { question, history, reference, answer: true, draft: true };
    const { answer } = await this.client.tryQuestion(this.coachId, body, { signal });
    return { question, before, now: answer! };
  }
}

/** An expert may ask only so often: what comes too soon is asked again when the service says so. */
async function patiently<Value>(ask: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  while (true) {
    try {
      return await ask();
    } catch (error) {
      const isTooSoon = error instanceof ServiceError && error.status === 429 && error.code !== "budget_exhausted";
      if (!isTooSoon) throw error;
      await sleep(1_000 * (error.body.retryAfter ?? 30), signal);
    }
  }
}

function isDifferent({ now }: Asked): boolean {
  return now.comparison?.verdict === "failed";
}

customElements.define("human-desk-draft-questions", DraftQuestions);
