import { css, html, LitElement } from "lit";
import { deskStyles } from "../desk_part.ts";
import { state } from "../../ui/element.ts";
import { fillIn } from "../parts/fill_in.ts";
import { linkTo } from "../route.ts";
import { t } from "../texts.ts";

/** A short guide to writing instructions: a few hints, each with an example. */
export class InstructionsGuide extends LitElement {
  static override styles = [
    deskStyles,
    css`
      .guide {
        padding: 1rem;
        border-radius: var(--radius);
        background: var(--raised);
        font-size: 0.875rem;
      }
      ol {
        display: grid;
        gap: 0.875rem;
        margin-block: 0.875rem;
        padding-inline-start: 1.25rem;
      }
      li::marker {
        color: var(--muted);
      }
      q {
        display: block;
        margin-block-start: 0.25rem;
        color: var(--muted);
        font-style: italic;
        quotes: none;
      }
    `,
  ];

  /** True if the guide has a place of its own beside the field. Below it, it would be in the way. */
  #isWide = state(this, matchMedia("(min-width: 68rem)").matches);

  override render() {
    const hints = [
      [t.persona.guide.who, t.persona.guide.whoExample],
      [t.persona.guide.how, t.persona.guide.howExample],
      [t.persona.guide.limits, t.persona.guide.limitsExample],
      [t.persona.guide.example, t.persona.guide.exampleExample],
    ];
    return html`
      <details class="guide" ?open=${this.#isWide.value}>
        <summary><strong>${t.persona.guide.title}</strong></summary>
        <ol>${hints.map(([hint, example]) => html`<li>${hint} <q>${example}</q></li>`)}</ol>
        <p>${fillIn(t.persona.guide.facts, {
          files: html`<a href=${linkTo("files")}>${t.persona.guide.files}</a>`,
          answers: html`<a href=${linkTo("answers")}>${t.persona.guide.answers}</a>`,
        })}</p>
      </details>
    `;
  }
}

customElements.define("human-desk-guide", InstructionsGuide);
