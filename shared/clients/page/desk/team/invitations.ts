import { html, nothing } from "lit";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import type { Role, Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatTime } from "../format.ts";
import { showError, showList } from "../parts/show_state.ts";
import { Loading, PagedList } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import { icons } from "../icons.ts";
import { hintOf, nameOfRole, roles } from "./roles.ts";
import { invitationAddress } from "./invitation_door.ts";
import styles from "./invitations.css" with { type: "text" };

type Invitation = Schemas["Invitation"];

/** The invitations of a persona: a form for a new one, and those that nobody has accepted yet. */
export class Invitations extends DeskPart {
  #list = this.show(new PagedList((page, options) => this.client.listInvitations(this.coachId, page, options)));
  /** The invitation that was made last, whose link is shown. */
  #shown = state(this, "");

  override render() {
    return html`
      <div class="stack">
        <human-desk-invite .desk=${this.desk} .shown=${this.#shown.value} @done=${this.#onMade}></human-desk-invite>
        <section class="stack tight" aria-labelledby="open">
          <h3 id="open" tabindex="-1">${t.team.invitations}</h3>
          ${showError(this.action.error)}
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
        ${this.confirmButton(t.team.revoke, t.team.revokeQuestion, () => this.#revoke(id))}
      </article>
    `;
  }

  #onMade = ({ detail }: CustomEvent<string>): void => {
    this.#shown.value = detail;
    void this.#list.load();
  };

  async #revoke(id: string): Promise<void> {
    if (!await this.run(() => this.client.deleteInvitation(this.coachId, id))) return;
    this.say(t.team.revoked);
    if (this.#shown.value === id) this.#shown.value = "";
    // The element that had the focus was removed.
    this.renderRoot.querySelector<HTMLElement>("#open")?.focus();
    await this.#list.load();
  }
}

customElements.define("human-desk-invitations", Invitations);

/**
 * The form that invites a colleague. It shows the link of the invitation, which the service returns only once.
 *
 * @fires done - An invitation was made. The detail is its ID.
 */
export class InviteForm extends DeskPart.with({
  /** The ID of the invitation whose link is shown; empty if there is none any more. */
  shown: { attribute: false, first: "" } as Property<string>,
}) {
  static override styles = styleSheets(styles);

  #made = state<Schemas["NewInvitation"] | null>(this, null);
  /** True if the service can send the link. */
  #mail = this.show(
    new Loading(async (options) => (await this.client.getExpertMail(this.coachId, options)).is_available),
  );

  override render() {
    const { isBusy, error } = this.action;
    const made = this.#made.value;
    return html`
      <section class="card stack" aria-labelledby="invite">
        <h3 id="invite">${t.team.invite}</h3>
        <form class="stack" @submit=${this.#submit} aria-busy=${isBusy}>
          <fieldset>
            <legend>${t.team.role}</legend>
            ${[...roles].reverse().map((role, place) =>
              html`
                <label class="check"><input type="radio" name="role" value=${role} ?checked=${place === 0}>
                  <span>${nameOfRole(role)} <span class="hint">${hintOf(role)}</span></span></label>
              `
            )}
          </fieldset>
          ${this.#mail.value === null ? nothing : this.#mail.value
            ? html`
              <label class="field">${t.team.email}
                <input name="email" type="email" maxlength="254" autocomplete="off">
                <span class="hint">${t.team.emailHint}</span>
              </label>
            `
            : html`<p class="small muted">${t.team.noMail}</p>`}
          ${showError(error)}
          <div class="row"><button class="primary" ?disabled=${isBusy}>${t.team.makeLink}</button></div>
        </form>
        ${made !== null && made.id === this.shown ? this.#renderLink(made) : nothing}
      </section>
    `;
  }

  #renderLink({ token, url, email }: Schemas["NewInvitation"]) {
    return html`
      <div class="stack tight" role="status">
        <label class="field" for="link">${t.team.link}</label>
        <div class="row">
          <input id="link" readonly dir="ltr" .value=${url ?? invitationAddress(token)} @focus=${selectAll}>
          <button @click=${this.#copy}>${icons.copy} ${t.team.copy}</button>
        </div>
        <p class="hint">${t.team.linkHint} ${email === null ? nothing : fill(t.team.mailed, { email })}</p>
      </div>
    `;
  }

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const fields = new FormData(form);
    const role = fields.get("role") as Role;
    const email = String(fields.get("email") ?? "").trim() || undefined;
    const made = await this.ask(() => this.client.createInvitation(this.coachId, { role, email }));
    if (made === null) return;
    this.#made.value = made.reply;
    form.reset();
    this.dispatchEvent(new CustomEvent("done", { detail: made.reply.id }));
  };

  #copy = async (): Promise<void> => {
    const input = this.renderRoot.querySelector<HTMLInputElement>("#link")!;
    try {
      await navigator.clipboard.writeText(input.value);
      this.say(t.team.copied);
    } catch {
      // The browser does not allow it. The link is marked, to be copied by hand.
      input.focus();
    }
  };
}

function selectAll(event: Event): void {
  (event.target as HTMLInputElement).select();
}

customElements.define("human-desk-invite", InviteForm);
