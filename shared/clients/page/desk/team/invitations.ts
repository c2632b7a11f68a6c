import { html } from "lit";
import "../../ui/confirm_button.ts";
import { state } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatTime } from "../format.ts";
import { showError } from "../parts/show_error.ts";
import { showList } from "../parts/show_list.ts";
import { PagedList } from "../state/paged_list.ts";
import { Action } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import "./invite_form.ts";
import { nameOfRole } from "./roles.ts";

type Invitation = Schemas["Invitation"];

/** The invitations of a persona: a form for a new one, and those that nobody has accepted yet. */
export class Invitations extends DeskPart {
  #list = this.use(
    new PagedList<Invitation>((page, signal) => this.desk.client.listInvitations(this.desk.coach.id, page, { signal })),
  );
  #action = this.use(new Action());
  /** The invitation that was made last, whose link is shown. */
  #shown = state(this, "");

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#list.load();
  }

  override render() {
    return html`
      <div class="stack">
        <human-desk-invite .desk=${this.desk} .shown=${this.#shown.value} @done=${this.#onMade}></human-desk-invite>
        <section class="stack tight" aria-labelledby="open">
          <h3 id="open" tabindex="-1">${t.team.invitations}</h3>
          ${showError(this.#action.error)}
          ${showList(this.#list, {
            name: t.team.invitations,
            key: ({ id }) => id,
            item: (invitation) => this.#renderItem(invitation),
            empty: html`<p class="muted">${t.team.noInvitations}</p>`,
          })}
        </section>
      </div>
    `;
  }

  #renderItem({ id, role, email, expires_at }: Invitation) {
    return html`
      <article class="card split">
        <div class="stack tight">
          <p class="text"><strong>${email === null ? t.team.forLink : fill(t.team.forAddress, { email })}</strong></p>
          <p class="facts small muted"><span class="tag">${nameOfRole(role)}</span>
            <span>${fill(t.team.validUntil, { date: formatTime(expires_at) })}</span></p>
        </div>
        <human-confirm question=${t.team.revokeQuestion} confirm=${t.team.revoke} .words=${t.shared}
          ?disabled=${this.#action.isBusy} @confirm=${() => this.#revoke(id)}>${t.team.revoke}</human-confirm>
      </article>
    `;
  }

  #onMade = ({ detail }: CustomEvent<string>): void => {
    this.#shown.value = detail;
    void this.#list.load();
  };

  async #revoke(id: string): Promise<void> {
    const { client, coach } = this.desk;
    if (!await this.#action.run(() => client.deleteInvitation(coach.id, id))) return;
    this.say(t.team.revoked);
    if (this.#shown.value === id) this.#shown.value = "";
    // The element that had the focus was removed.
    this.renderRoot.querySelector<HTMLElement>("#open")?.focus();
    await this.#list.load();
  }
}

customElements.define("human-desk-invitations", Invitations);
