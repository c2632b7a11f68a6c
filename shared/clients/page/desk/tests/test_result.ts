import { html, nothing } from "lit";
import { type Property, styleSheets } from "../../ui/element.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatSeconds } from "../format.ts";
import { sayReason } from "../parts/show_state.ts";
import { numberedSources, sourceList } from "../parts/sources.ts";
import { fill, fillIn, t } from "../texts.ts";
import { linkTo } from "../route.ts";
import comparedStyles from "./compared.css" with { type: "text" };
import styles from "./test_result.css" with { type: "text" };

type Result = Schemas["TestResult"];
/** An answer that was tested, now or before. */
type Tested = Pick<Result, "outcome" | "text" | "sources">;

/** The verdicts, as they are shown. */
export const verdicts: Record<Result["verdict"], () => [name: string, look: string]> = {
  passed: () => [t.tests.verdictPassed, "ai"],
  failed: () => [t.tests.verdictFailed, "danger"],
  not_judged: () => [t.tests.verdictNotJudged, ""],
};

const outcomes: Record<NonNullable<Result["outcome"]>, () => string> = {
  answered: () => t.tests.wasAnswered,
  not_known: () => t.tests.wasNotKnown,
  pinned: () => t.tests.wasPinned,
};

/** The result of a test: why it has failed, and the answer beside the one before. */
export class TestResult extends DeskPart.with({
  result: {} as Property<Result>,
  /** True if the draft was tested. What it is compared with is always published. */
  isOfDraft: { attribute: false, first: false },
  open: { type: Boolean, first: false },
}) {
  static override styles = styleSheets(comparedStyles, styles);

  override render() {
    const { question, reference, verdict, reasons, judge, compared, time_ms } = this.result;
    const [name, look] = verdicts[verdict]();
    return html`
      <details class="card" ?open=${this.open}>
        <summary><span class="row"><span class="tag ${look}">${name}</span>
          <span class="stack tight"><strong class="text">${question}</strong>${reasons.map((reason) =>
            html`<bdi class="text">${sayReason(reason)}</bdi>`
          )}</span></span></summary>
        <div class="stack inside">
          <div class="both">
            ${reference === null ? nothing : showAnswer(this, { title: t.tests.yours, text: reference })}
            ${this.#renderAnswer(
              compared === null ? t.tests.answer : this.isOfDraft ? t.persona.draftAnswer : t.tests.now,
              this.result,
            )}
            ${compared === null ? nothing : this.#renderAnswer(nameBefore(compared.verdict), compared)}
          </div>
          ${judge === null || reasons.includes(judge.reason) ? nothing : html`
            <p class="small text">${fillIn(t.tests.judgeSays, {
              reason: html`<bdi>${sayReason(judge.reason)}</bdi>`,
            })}</p>
          `}
          <p class="facts small muted">
            <span>${formatSeconds(time_ms / 1_000)}</span>
            <a href=${linkTo("tests", null, [["search", question]])}>${t.tests.seeTest}</a>
          </p>
        </div>
      </details>
    `;
  }

  #renderAnswer(title: string, { outcome, text, sources }: Tested) {
    const beside = outcome === null ? nothing : html`<span class="muted">${outcomes[outcome]()}</span>`;
    return showAnswer(this, { title, text, sources, beside, below: sourceList(this, sources) });
  }
}

/** Shows one of two answers that are compared. */
export function showAnswer(
  from: DeskPart,
  { title, text, sources = [], beside, below }: {
    title: string;
    text: string;
    sources?: Schemas["Source"][] | undefined;
    /** Beside the title, and below the answer. */
    beside?: unknown;
    below?: unknown;
  },
) {
  return html`
    <section class="stack tight raised" aria-label=${title}>
      <p class="facts small"><strong>${title}</strong> ${beside}</p>
      ${text === ""
        ? html`<p class="muted">${t.tests.noAnswer}</p>`
        : html`<div class="markdown" dir="auto">${renderMarkdown(text, numberedSources(from, sources))}</div>`}
      ${below}
    </section>
  `;
}

function nameBefore(verdict: Result["verdict"]): string {
  const [name] = verdicts[verdict]();
  return fill(t.tests.before, { verdict: name });
}

customElements.define("human-desk-test-result", TestResult);
