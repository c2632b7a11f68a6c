import { css, html, nothing } from "lit";
import { isolate } from "../../../isolate.ts";
import "../../ui/confirm_button.ts";
import { type Fields, type Property } from "../../ui/element.ts";
import { type Role, type Schemas, tellDesk } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { formatMoment, formatTime, nameExpert } from "../format.ts";
import { showError } from "../parts/show_error.ts";
import { Action } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import { hintOf, nameOfRole, roles } from "./roles.ts";

/**
 * An expert in the list, with their role and what can be done about it.
 *
 * @fires done - The role was changed, or the expert removed. The detail is a sentence about it.
 */
export class Colleague extends DeskPart {
  static override styles = [
    deskStyles,
    // An address is written from left to right, but begins where the line begins.
    css`
      h3 {
        unicode-bidi: isolate;
      }
      select {
        inline-size: auto;
      }
    `,
  ];
  static override properties = {
    expert: {} as Property<Schemas["Expert"]>,
    /** True if the persona would be without an owner otherwise. */
    isLastOwner: { attribute: false, first: false },
  };

  #action = this.use(new Action());

  get #name(): string {
    return nameExpert(this.expert);
  }

  override render() {
    const { role, is_you, created_at, email } = this.expert;
    const name = this.#name;
    return html`
      <article class="card split" aria-label=${name}>
        <div class="stack tight">
          <h3 class="text"><bdi>${name}</bdi> ${is_you ? html`<span class="tag ai">${t.team.you}</span>` : nothing}</h3>
          <p class="facts small muted">
            ${email === null || email === name ? nothing : html`<bdi>${email}</bdi>`}
            ${this.#mayChange ? nothing : html`<span class="tag">${nameOfRole(role)}</span>`}
            <span title=${formatTime(created_at)}>${fill(t.team.since, { date: formatMoment(created_at) })}</span>
          </p>
          <p class="small muted">${hintOf(role)}</p>
          ${is_you && this.isLastOwner ? html`<p class="small muted">${t.team.lastOwner}</p>` : nothing}
        </div>
        <div class="row">${this.#mayChange ? this.#renderRoles() : nothing} ${this.#renderLeave()}</div>
        ${showError(this.#action.error)}
      </article>
    `;
  }

  /** Owners change all roles but that of the last owner. */
  get #mayChange(): boolean {
    return this.desk.role === "owner" && !this.isLastOwner;
  }

  #renderRoles() {
    const { role } = this.expert;
    return html`
      <select aria-label=${fill(t.team.roleOf, { email: isolate(this.#name) })} ?disabled=${this.#action.isBusy}
        .value=${role} @change=${this.#onRole}>
        ${roles.map((one) => html`<option value=${one} ?selected=${one === role}>${nameOfRole(one)}</option>`)}
      </select>
    `;
  }

  #renderLeave() {
    const { is_you } = this.expert;
    if (this.isLastOwner || !is_you && this.desk.role !== "owner") return nothing;
    const name = isolate(is_you ? this.desk.coach.name : this.#name);
    const label = is_you ? t.team.leave : t.team.remove;
    return html`
      <human-confirm question=${is_you
        ? fill(t.team.leaveQuestion, { name })
        : fill(t.team.removeQuestion, { email: name })} confirm=${label} .words=${t.shared}
        ?disabled=${this.#action.isBusy} @confirm=${this.#remove}>${label}</human-confirm>
    `;
  }

  #onRole = async (event: Event): Promise<void> => {
    const select = event.target as HTMLSelectElement;
    const { client, coach } = this.desk;
    const { user_id, is_you, role: before } = this.expert;
    const role = select.value as Role;
    if (!await this.#action.run(() => client.updateExpert(coach.id, user_id, { role }))) {
      select.value = before;
      return;
    }
    this.#done(t.team.changed);
    if (is_you) tellDesk(this, "persona");
  };

  #remove = async (): Promise<void> => {
    const { client, coach } = this.desk;
    const { user_id, is_you } = this.expert;
    if (!await this.#action.run(() => client.removeExpert(coach.id, is_you ? "me" : user_id))) return;
    this.#done(fill(t.team.removed, { email: isolate(this.#name) }));
    if (is_you) tellDesk(this, "persona");
  };

  #done(sentence: string): void {
    this.dispatchEvent(new CustomEvent("done", { detail: sentence }));
  }
}

export interface Colleague extends Fields<typeof Colleague.properties> {}

customElements.define("human-desk-colleague", Colleague);
