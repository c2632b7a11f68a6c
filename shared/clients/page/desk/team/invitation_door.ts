import { html, nothing, type PropertyValues } from "lit";
import type { Client, SignInOptions } from "../../../client/client.ts";
import { ServiceError } from "../../../client/service_error.ts";
import { keep } from "../../connection.ts";
import { elementWith, observe, type Property, state, styleSheets, tell } from "../../ui/element.ts";
import { pageAddress } from "../../ui/mailed_link.ts";
import "../../ui/sign_in.ts";
import type { Schemas } from "../desk.ts";
import { deskStyles } from "../desk_part.ts";
import { formatTime } from "../format.ts";
import { fill, fillIn, t } from "../texts.ts";
import { showError } from "../parts/show_state.ts";
import { languageOfDesk } from "../persona/languages.ts";
import { Action, Loading } from "../state/work.ts";
import { hintOf, nameOfRole } from "./roles.ts";
import styles from "./invitation_door.css" with { type: "text" };

const name = "invitation";
const kept = keep<string>("human-desk invitation", "browser");

/**
 * Returns the token of the invitation that is to be accepted; null if there is none. A token in the address is taken out
 * of it, so that it is not in the history of the browser. It is kept while the user signs in, or confirms an email
 * address, until it is used.
 */
export function readInvitation(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get(name);
  if (token) {
    kept.save(token);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return kept.load();
}

/** The invitation was accepted or declined, or is not valid any more. */
export function dropInvitation(): void {
  kept.save(null);
}

/** Returns the address that an invitation opens: this page with the token. */
export function invitationAddress(token: string): string {
  return `${location.origin}${location.pathname}${location.search}#${name}=${encodeURIComponent(token)}`;
}

/** The way in: the form to sign in, the form for a new account, or the link in a mail. */
type Way = "sign-in" | "account" | "unconfirmed";

/**
 * The screen that an invitation opens: it has the user sign in or create an account, says to what they are invited, and
 * accepts it.
 *
 * @fires signed-in - The user has signed in.
 * @fires sign-out - The user wants to accept it as somebody else.
 * @fires accepted - The detail is the reply of the service, with the name of the persona.
 * @fires gone - The invitation is not valid any more, or was declined.
 */
export class InvitationDoor extends elementWith({
  client: {} as Property<Client>,
  token: {} as Property<string>,
  /** The email address of the signed-in user, which may be empty; null if nobody is signed in. */
  user: {} as Property<string | null>,
  /** True if the user has just confirmed an email address. */
  isConfirmed: { attribute: false, first: false },
  /** True if the site itself signs its users in and out. */
  isSignedInBySite: { attribute: false, first: false },
}) {
  static override styles = [deskStyles, styleSheets(styles)];

  #way = state<Way>(this, "sign-in");
  #options = new Loading<SignInOptions>(() => this.client.readSignInOptions());
  #invitation = new Loading<Schemas["InvitationPreview"]>((options) =>
    this.client.previewInvitation(this.token, options)
  );
  #action = new Action();

  constructor() {
    super();
    for (const work of [this.#options, this.#invitation, this.#action]) observe(this, () => work);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("client") && !changed.has("token") && !changed.has("user")) return;
    this.#invitation.clear();
    if (this.user === null) void this.#options.load();
    else void this.#invitation.load();
  }

  override render() {
    const error = this.#action.error ?? this.#invitation.error;
    const isGone = error instanceof ServiceError && error.code === "invitation_not_found";
    return html`
      <div class="stack">
        <h1>${t.invitation.title}</h1>
        ${isGone ? this.#renderGone() : this.user === null ? this.#renderSignIn() : this.#renderInvitation()}
      </div>
    `;
  }

  #renderGone() {
    return html`
      <p role="alert">${t.invitation.gone}</p>
      <div class="row"><button class="primary" @click=${this.#forget}>${t.invitation.goOn}</button></div>
    `;
  }

  #renderSignIn() {
    const { signUp = false, newPassword = false } = this.#options.value ?? {};
    switch (this.#way.value) {
      case "sign-in":
        return html`
          ${this.isConfirmed ? html`<p role="status">${t.invitation.confirmed}</p>` : nothing}
          <p>${t.invitation.unknown}</p>
          <p class="muted">${signUp ? t.invitation.signInFirst : t.invitation.signInOnly}</p>
          <human-sign-in .words=${t.shared} .signIn=${this.#signIn}
            .sendLink=${newPassword ? this.#sendLink : null}></human-sign-in>
          ${signUp
            ? html`<button @click=${() => this.#way.value = "account"}>${t.invitation.createAccount}</button>`
            : nothing}
        `;
      case "account":
        return html`
          <p>${t.invitation.unknown}</p>
          <p class="muted">${t.invitation.createHint}</p>
          <human-sign-in .isNew=${true} .words=${{ ...t.shared, signIn: t.invitation.createAccount }}
            .signIn=${this.#signUp}></human-sign-in>
          <button @click=${() => this.#way.value = "sign-in"}>${t.invitation.haveAccount}</button>
        `;
      case "unconfirmed":
        return html`<p role="status">${t.invitation.confirmEmail}</p>`;
    }
  }

  #renderInvitation() {
    const { value: invitation, error } = this.#invitation;
    if (invitation === null) {
      return error === null
        ? html`<p class="muted" role="status">${t.shared.loading}…</p>`
        : showError(error, () => this.#invitation.load());
    }
    const { coach, role, invited_by, expires_at } = invitation;
    const { isBusy, error: refusal } = this.#action;
    return html`
      ${invited_by === null
        ? nothing
        : html`<p>${fillIn(t.invitation.by, { email: html`<strong><bdi>${invited_by}</bdi></strong>` })}</p>`}
      ${coach === null
        ? html`
          <p>${t.invitation.toOwn}</p>
          <p class="muted">${t.invitation.ownHint}</p>
        `
        : html`
          <p>${fill(t.invitation.toTeam, { name: coach.name })}</p>
          <p class="muted">${fill(t.invitation.asRole, { role: nameOfRole(role) })} ${hintOf(role)}</p>
        `}
      <form class="stack" @submit=${this.#accept} aria-busy=${isBusy}>
        ${coach === null ? renderFields() : nothing}
        ${showError(refusal)}
        <div class="row">
          <button class="primary" ?disabled=${isBusy}>${coach === null
            ? t.invitation.make
            : t.invitation.accept}</button>
          <button type="button" ?disabled=${isBusy} @click=${this.#forget}>${t.invitation.keepOut}</button>
        </div>
      </form>
      <p class="small muted">${fill(t.invitation.validUntil, { date: formatTime(expires_at) })}
        ${this.user ? fill(t.invitation.signedInAs, { email: this.user }) : nothing}
        ${this.isSignedInBySite ? nothing : html`
          <button class="quiet" @click=${() => tell(this, "sign-out")}>${t.invitation.useAnother}</button>
        `}</p>
    `;
  }

  #signIn = async (email: string, password: string): Promise<void> => {
    await this.client.signIn(email, password);
    tell(this, "signed-in");
  };

  #signUp = async (email: string, password: string): Promise<void> => {
    if (await this.client.signUp(email, password, pageAddress())) tell(this, "signed-in");
    else this.#way.value = "unconfirmed";
  };

  #sendLink = (email: string): Promise<void> => this.client.sendPasswordLink(email, pageAddress());

  #accept = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const read = (name: string) => String(fields.get(name) ?? "").trim() || undefined;
    const { token, client } = this;
    let reply: Schemas["AcceptedInvitation"] | undefined;
    const isDone = await this.#action.run(async () =>
      reply = await client.acceptInvitation({
        token,
        name: read("name"),
        title: read("title"),
        language: languageOfDesk(),
      })
    );
    const name = this.#invitation.value?.coach?.name ?? read("name");
    if (isDone) tell(this, "accepted", { ...reply, name });
  };

  #forget = (): void => tell(this, "gone");
}

function renderFields() {
  return html`
    <label class="field">${t.invitation.name}
      <input name="name" required maxlength="100" autocomplete="name">
      <span class="hint">${t.invitation.nameHint}</span>
    </label>
    <label class="field">${t.invitation.profession}
      <input name="title" required maxlength="200" autocomplete="organization-title">
      <span class="hint">${t.invitation.professionHint}</span>
    </label>
  `;
}

customElements.define("human-desk-invitation", InvitationDoor);
