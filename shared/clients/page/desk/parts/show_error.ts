import { html, nothing, type TemplateResult } from "lit";
import { ServiceError } from "../../../client/service_error.ts";
import { describeError } from "../describe_error.ts";
import { linkTo } from "../route.ts";
import { t } from "../texts.ts";
import { fillIn } from "./fill_in.ts";

/** Shows an error in a sentence, or nothing if it is null. */
export function showError(error: unknown, again?: () => void): TemplateResult | typeof nothing {
  if (error === null) return nothing;
  return html`
    <div class="row" role="alert">
      <span class="error" dir="auto">${describe(error)}</span>
      ${again === undefined ? nothing : html`<button class="small" @click=${again}>${t.shared.retry}</button>`}
    </div>
  `;
}

function describe(error: unknown): unknown {
  if (error instanceof ServiceError && error.code === "already_pinned" && error.body.answerId !== undefined) {
    const link = html`<a href=${linkTo("answers", error.body.answerId)}>${t.parts.alreadyPinnedLink}</a>`;
    return fillIn(t.parts.alreadyPinned, { link });
  }
  return describeError(error);
}
