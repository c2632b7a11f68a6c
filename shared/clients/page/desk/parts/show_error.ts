import { html, nothing, type TemplateResult } from "lit";
import { ServiceError } from "../../../client/service_error.ts";
import { describeError } from "../describe_error.ts";
import { linkTo } from "../route.ts";

/** What went wrong, in a sentence; nothing where nothing did. */
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
      return html`A pinned answer has this question already: <a href=${
        linkTo("answers", answerId)
      }>see it</a>, and change
        what it says there, or put the question otherwise. What you have written here is kept.`;
    }
    if (error.code === "not_the_expert") return "You are not the expert behind this persona any more.";
  }
  return describeError(error);
}
