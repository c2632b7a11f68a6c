import { css, html, nothing } from "lit";
import { type Fields, type Property, state } from "../../ui/element.ts";
import type { Role, Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { icons } from "../icons.ts";
import { invitationAddress } from "../invitation/kept_invitation.ts";
import { showError } from "../parts/show_error.ts";
import { Action, Loading } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import { hintOf, nameOfRole, roles } from "./roles.ts";

/**
 * The form that invites a colleague. It shows the link of the invitation, which the service returns only once.
 *
 * @fires done - An invitation was made. The detail is its ID.
 */
export class InviteForm extends DeskPart {
  static override styles = [
    deskStyles,
    css`
      fieldset {
        display: grid;
        gap: 0.5rem;
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend {
        padding: 0;
        margin-block-end: 0.25rem;
        font-size: 0.875rem;
        font-weight: 600;
      }
      input[readonly] {
        min-inline-size: 0;
        flex: 1 1 16rem;
        background: var(--raised);
        font-family: ui-monospace, monospace;
        font-size: 0.875rem;
      }
    `,
  ];
  static override properties = {
    /** The ID of the invitation whose link is shown; empty if there is none any more. */
    shown: { attribute: false, first: "" } as Property<string>,
  };

  #made = state<Schemas["NewInvitation"] | null>(this, null);
  #action = this.use(new Action());
  /** True if the service can send the link. */
  #mail = this.use(
    new Loading<boolean>(async (signal) => {
      const { client, coach } = this.desk;
      return (await client.getExpertMail(coach.id, { signal })).is_available;
    }),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#mail.load();
  }

  override render() {
    const { isBusy, error } = this.#action;
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
          ${this.#mail.value === true
            ? html`
              <label class="field">${t.team.email}
                <input name="email" type="email" maxlength="254" autocomplete="off">
                <span class="hint">${t.team.emailHint}</span>
              </label>
            `
            : this.#mail.value === false
            ? html`<p class="small muted">${t.team.noMail}</p>`
            : nothing}
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
    const { client, coach } = this.desk;
    const role = fields.get("role") as Role;
    const email = String(fields.get("email") ?? "").trim() || undefined;
    const isMade = await this.#action.run(async () =>
      this.#made.value = await client.createInvitation(coach.id, { role, email })
    );
    if (!isMade) return;
    form.reset();
    this.dispatchEvent(new CustomEvent("done", { detail: this.#made.value!.id }));
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

export interface InviteForm extends Fields<typeof InviteForm.properties> {}

customElements.define("human-desk-invite", InviteForm);
