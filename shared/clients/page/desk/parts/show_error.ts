import { html, nothing, type TemplateResult } from "lit";
import { ServiceError } from "../../../client/service_error.ts";
import { describeError } from "../describe_error.ts";
import { linkTo } from "../route.ts";

/** Shows an error in a sentence, or nothing if it is null. */
export function showError(error: unknown, again?: () => void): TemplateResult | typeof nothing {
  if (error === null) return nothing;
  return html`
    <div class="row" role="alert">
      <span class="error">${describe(error)}</span>
      ${again === undefined ? nothing : html`<button class="small" @click=${again}>Try again</button>`}
    </div>
  `;
}

function describe(error: unknown): TemplateResult | string {
  if (error instanceof ServiceError) {
    const { answerId } = error.body;
    if (error.code === "already_pinned" && answerId !== undefined) {
      return html`A pinned answer has this question already. <a href=${
        linkTo("answers", answerId)
      }>See it</a> to change it,
        or reword the question. Your text here is kept.`;
    }
    if (error.code === "not_the_expert") return "You are no longer the expert behind this persona.";
  }
  return describeError(error);
}
