/// <reference lib="dom" />
import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { createClient } from "../../client/client.ts";
import { ServiceError } from "../../client/service_error.ts";
import { connect, type Connection, keep } from "../connection.ts";
import { type Fields, listen, type Property, state, styleSheets } from "../ui/element.ts";
import { directionOf, followLanguage } from "../ui/language.ts";
import { type MailedLink, pageAddress, readClaims, takeAuthConfirmation, takeMailedLink } from "../ui/mailed_link.ts";
import "../ui/sign_in.ts";
import { readSourcePlace } from "../reader/source_place.ts";
import { deskStyles } from "./desk_part.ts";
import { type Desk, deskEvents, findOwnCoaches, type Notice, type Schemas } from "./desk.ts";
import { describeError } from "./parts/show_state.ts";
import { showUnavailable } from "./desk_frame.ts";
import styles from "./human_desk.css" with { type: "text" };
import { UploadQueue } from "./files/upload_queue.ts";
import { dropInvitation, readInvitation } from "./team/invitation_door.ts";
import { linkTo } from "./route.ts";
import { coalesce } from "./state/coalesce.ts";
import { CoachFeed } from "./state/coach_feed.ts";
import { drafts } from "./state/drafts.ts";
import { fill, locale, speak, t } from "./texts.ts";

/** The persona whose desk was open last in this browser. */
const lastCoach = keep<string>("human-desk coach", "browser");

/** The shortest pause between two looks at the roles of the expert, in milliseconds. */
const pauseOfRoles = 60_000;

/** The codes of refusals after which the expert may have another role, or none. */
const refusalsOfRoles = ["role_not_sufficient", "not_the_expert", "not_the_coach", "coach_not_found"];

/** The screen that is shown. Only the last one is the desk itself. */
type Door =
  | { at: "sign-in"; because?: string }
  | { at: "new-password"; link: MailedLink & { kind: "password" } }
  | { at: "looking" }
  | { at: "invitation"; token: string; user: string | null; isConfirmed: boolean }
  | { at: "choice"; coaches: Schemas["OwnCoach"][] }
  /** `was` is the name of the persona whose team the expert has left. */
  | { at: "nobody"; was?: string }
  | { at: "trouble"; error: unknown }
  | { at: "desk"; desk: Desk; leave: (() => void) | null };

/**
 * The desk of the expert behind a persona.
 *
 * @attr {string} base-url - The address of the project; by default the origin of the page.
 * @attr {string} coach - The ID of the persona to open first; by default the one whose expert signs in.
 * @attr {string} key - The publishable key, `hi_pub_…`.
 * @attr {string} publishable-key - The same as `key`, for React and Vue, which keep attributes of that name to themselves.
 * @attr {string} supabase-key - The Supabase project's publishable or anon key, which signs the expert in. A site that
 * signs its users in itself leaves it out.
 * @attr {string} lang - The language; by default the browser's, and otherwise English.
 * @attr {string} chat-url - The address of the chat page, which a new persona's first conversation leads to.
 * @attr {string} email - The email address in the sign-in form. For a demo on one machine only.
 * @attr {string} password - The password in the sign-in form. For a demo on one machine only.
 *
 * @prop {(() => Promise<string | null>) | null} accessToken - Returns the access token of a user whom the site itself has
 * signed in. It is called for every request.
 *
 * @slot links - Links below the names of the panels.
 * @slot door - Links below the form to sign in.
 *
 * @cssprop --human-chat-accent - The color of buttons and links.
 * @cssprop --human-chat-on-accent - The color of text on the accent color.
 * @cssprop --human-chat-surface - The color of the background.
 * @cssprop --human-chat-raised - The color of areas that stand out from the background.
 * @cssprop --human-chat-text - The color of text.
 * @cssprop --human-chat-muted - The color of less important text.
 * @cssprop --human-chat-person - The color of answers that the expert has written in person.
 * @cssprop --human-chat-danger - The color of errors.
 * @cssprop --human-chat-line - The color of borders.
 * @cssprop --human-chat-radius - The radius of corners.
 * @cssprop --human-chat-font - The font.
 * @cssprop --human-chat-font-size - The size of the font, in rem.
 * @cssprop --human-chat-color-scheme - `light` or `dark`; by default the setting of the browser.
 */
export class HumanDesk extends LitElement {
  static override styles = [deskStyles, styleSheets(styles)];

  static override properties = {
    baseUrl: { type: String, attribute: "base-url", first: "" },
    coach: { type: String, first: "" },
    key: { type: String, first: "" },
    publishableKey: { type: String, attribute: "publishable-key", first: "" },
    supabaseKey: { type: String, attribute: "supabase-key", first: "" },
    chatUrl: { type: String, attribute: "chat-url", first: "" },
    email: { type: String, first: "" },
    password: { type: String, first: "" },
    /** The language; by default the browser's, and otherwise English. */
    wanted: { type: String, attribute: "lang", first: "" },
    /** Returns the access token of a user whom the site itself has signed in. */
    accessToken: { attribute: false, first: null } as Property<(() => Promise<string | null>) | null>,
  };

  #door = state<Door>(this, { at: "looking" });
  #mayReplacePassword = state(this, false);
  /** False until the texts in the language of the desk are there. */
  #speaks = state(this, false);
  #connection: Connection | null = null;
  #feed: CoachFeed | null = null;
  #userId = "";

  constructor() {
    super();
    this.addEventListener(deskEvents.failure, (event) => this.#onFailure((event as CustomEvent).detail));
    this.addEventListener(deskEvents.persona, (event) => {
      const { detail } = event as CustomEvent<string | null>;
      void (detail === null ? this.#refresh() : this.#open(detail));
    });
    listen(this, globalThis, "storage", this.#onStorage);
    listen(this, globalThis, "hashchange", this.#onInvitation);
    listen(this, document, "visibilitychange", this.#onVisible);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#open();
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#feed?.close();
  }

  override willUpdate(changed: PropertyValues): void {
    const names = ["baseUrl", "coach", "key", "publishableKey", "supabaseKey", "accessToken", "wanted"];
    if (names.some((name) => changed.has(name))) this.#open();
  }

  override render() {
    const door = this.#door.value;
    if (door.at === "desk") {
      return html`
        <human-desk-frame lang=${locale} dir=${directionOf(locale)} .desk=${door.desk} .leave=${door.leave}
          .signOut=${this.accessToken ? null : () => this.#signOut()}>
          <slot name="links" slot="links"></slot>
        </human-desk-frame>
      `;
    }
    return html`
      <main class="door" lang=${locale} dir=${directionOf(locale)}>
        <div class="stack">${this.#renderDoor(door)}<slot name="door"></slot><slot name="links"></slot></div>
      </main>
    `;
  }

  #renderDoor(door: Exclude<Door, { at: "desk" }>): TemplateResult {
    switch (door.at) {
      case "sign-in":
        return html`
          <h1>${t.frame.title}</h1>
          <p class="muted">${door.because ?? t.frame.hint}</p>
          <human-sign-in .email=${this.email} .password=${this.password} .words=${t.shared}
            .signIn=${this.#signIn} .sendLink=${this.#mayReplacePassword.value ? this.#sendLink : null}></human-sign-in>
        `;
      case "new-password": {
        const { email, tokens } = door.link;
        const setPassword = async (_: string, password: string) => {
          await this.#connection!.client.setPassword(password, tokens);
          void this.#open();
        };
        return html`
          <h1>${t.shared.newPassword}</h1>
          <p class="muted"><bdi>${email}</bdi></p>
          <human-sign-in .words=${t.shared} .isNew=${true} .user=${email} .signIn=${setPassword}></human-sign-in>
        `;
      }
      case "invitation":
        return html`
          <human-desk-invitation .client=${this.#connection!.client} .token=${door.token} .user=${door.user}
            .isConfirmed=${door.isConfirmed} .isSignedInBySite=${this.accessToken !== null}
            @signed-in=${() => this.#open()} @sign-out=${() => this.#signOut()} @accepted=${this.#onAccepted}
            @gone=${this.#onGone}></human-desk-invitation>
        `;
      case "looking":
        return html`<p class="muted" role="status">${this.#speaks.value ? t.frame.opening : ""}</p>`;
      case "choice":
        return html`
          <h1>${t.frame.choose}</h1>
          <p class="muted">${t.frame.chooseHint}</p>
          <ul class="list">
            ${door.coaches.map((coach) =>
              html`<li><button class="choice" @click=${() => this.#sitDown(coach, door.coaches)}>
                <strong><bdi>${coach.name}</bdi></strong> <span class="muted"><bdi>${coach.title}</bdi></span>
                ${showUnavailable(coach)}
              </button></li>`
            )}
          </ul>
        `;
      case "nobody":
        if (door.was !== undefined) {
          return html`
            <h1>${fill(t.team.youAreOut, { name: door.was })}</h1>
            <p>${t.team.youAreOutHint}</p>
            <div class="row"><button class="primary" @click=${() => this.#open()}>${t.invitation.goOn}</button></div>
          `;
        }
        return html`
          <h1>${t.frame.nobody}</h1>
          <p>${this.coach ? t.frame.nobodyThis : t.frame.nobodyAny}</p>
          <div class="row">
            ${this.accessToken
              ? null
              : html`<button class="primary" @click=${() => this.#signOut()}>${t.frame.signInAsOther}</button>`}
            <button @click=${() => this.#open()}>${t.frame.checkAgain}</button>
          </div>
        `;
      case "trouble":
        return html`
          <h1>${t.frame.notOpened}</h1>
          <p class="error" role="alert">${describeError(door.error)}</p>
          <div class="row"><button class="primary" @click=${() => this.#open()}>${t.shared.retry}</button></div>
        `;
    }
  }

  /** Connects, and finds the personas of the expert; opens `coachId` or, by default, the one open last. */
  async #open(coachId?: string): Promise<void> {
    this.#feed?.close();
    this.#door.value = { at: "looking" };
    let connection: Connection | null = null;
    try {
      const { baseUrl, supabaseKey, accessToken } = this;
      const publishableKey = this.key || this.publishableKey;
      connection = connect({ baseUrl, supabaseKey, accessToken, publishableKey, role: "expert" }, createClient);
      this.#connection = connection;
      await speak(this.wanted);
      if (this.#connection !== connection) return;
      followLanguage(locale, t.frame);
      this.#speaks.value = true;
      // A site that signs its users in itself has such links of its own.
      const isConfirmed = supabaseKey !== "" && !accessToken && takeAuthConfirmation();
      const link = supabaseKey && !accessToken ? takeMailedLink() : null;
      const invitation = readInvitation();
      if (link?.kind === "password") return void (this.#door.value = { at: "new-password", link });
      const token = accessToken ? await accessToken() : connection.session()?.accessToken ?? null;
      if (this.#connection !== connection) return;
      if (invitation !== null && (token !== null || !accessToken && link === null)) {
        const user = token === null ? null : readClaims(token).email ?? "";
        return void (this.#door.value = { at: "invitation", token: invitation, user, isConfirmed });
      }
      if (token === null) {
        if (!accessToken) {
          const because = link ? t.shared.linkExpired : isConfirmed ? t.invitation.confirmed : undefined;
          return void this.#askToSignIn(because);
        }
        this.#door.value = { at: "trouble", error: new Error(t.frame.notSignedIn) };
        return;
      }
      const coaches = await findOwnCoaches(connection.client);
      if (this.#connection !== connection) return;
      const first = [coachId, readSourcePlace()?.coachId, this.coach, lastCoach.load()]
        .map((wanted) => coaches.find(({ id }) => id === wanted))
        .find((coach) => coach !== undefined);
      const last = first ?? (coaches.length === 1 ? coaches[0] : undefined);
      this.#userId = readClaims(token).sub ?? "";
      if (last !== undefined) this.#sitDown(last, coaches);
      else this.#door.value = coaches.length === 0 ? { at: "nobody" } : { at: "choice", coaches };
    } catch (error) {
      if (connection !== null && this.#connection !== connection) return;
      if (!this.#endSession(error)) this.#door.value = { at: "trouble", error };
    }
  }

  /** @param coaches all personas of the expert */
  #sitDown(coach: Schemas["OwnCoach"], coaches: Schemas["OwnCoach"][]): void {
    const { client } = this.#connection!;
    this.#feed?.close();
    const feed = this.#feed = new CoachFeed(client, coach.id, (error) => this.#onFailure(error));
    const uploads = new UploadQueue(client, coach.id);
    const desk: Desk = {
      client,
      coach,
      userId: this.#userId,
      role: coach.role,
      chatUrl: this.chatUrl || null,
      connection: {
        "base-url": new URL(this.baseUrl || "/", location.href).origin,
        key: this.key || this.publishableKey,
        "supabase-key": this.supabaseKey,
      },
      uploads,
      watch: (listener) => feed.watch(listener),
    };
    const leave = () => {
      feed.close();
      this.#door.value = { at: "choice", coaches };
    };
    // The one that the page names is opened there in any case.
    if (coaches.length > 1 && coach.id !== this.coach) lastCoach.save(coach.id);
    this.#door.value = { at: "desk", desk, leave: coaches.length > 1 ? leave : null };
  }

  #signIn = async (email: string, password: string): Promise<void> => {
    await this.#connection!.client.signIn(email, password);
    void this.#open();
  };

  #sendLink = (email: string): Promise<void> => this.#connection!.client.sendPasswordLink(email, pageAddress());

  /** Opens the form to sign in. */
  async #askToSignIn(because?: string): Promise<void> {
    this.#door.value = { at: "sign-in", because };
    const options = await this.#connection?.client.readSignInOptions().catch(() => null);
    this.#mayReplacePassword.value = options?.newPassword ?? false;
  }

  #signOut(): void {
    this.#connection?.client.signOut();
    drafts.dropAll();
    void this.#open();
  }

  #onFailure(error: unknown): void {
    if (this.#endSession(error)) return;
    if (error instanceof ServiceError && refusalsOfRoles.includes(error.code ?? "")) void this.#refresh();
  }

  /** Reads the role of the expert and the state of the persona again. Whoever is no longer its expert has to leave. */
  async #refresh(): Promise<void> {
    const door = this.#door.value;
    if (door.at !== "desk") return;
    const { coach: before } = door.desk;
    // A failure is shown where the expert has asked for something.
    const coaches = await findOwnCoaches(door.desk.client).catch(() => null);
    if (coaches === null || this.#door.value !== door) return;
    const coach = coaches.find(({ id }) => id === before.id);
    if (coach === undefined) {
      this.#feed?.close();
      this.#door.value = { at: "nobody", was: before.name };
    } else if (JSON.stringify(coach) !== JSON.stringify(before)) {
      this.#door.value = { ...door, desk: { ...door.desk, coach, role: coach.role } };
    }
  }

  /** An expert who comes back to the desk may have another role since. */
  #onVisible = coalesce(async () => document.hidden || await this.#refresh(), pauseOfRoles);

  #onInvitation = (): void => {
    if (location.hash.startsWith("#invitation=")) void this.#open();
  };

  #onAccepted = async ({ detail }: CustomEvent<Schemas["AcceptedInvitation"] & { name: string }>): Promise<void> => {
    dropInvitation();
    location.hash = linkTo("overview");
    await this.#open(detail.coach_id);
    await this.updateComplete;
    const notice: Notice = { sentence: fill(t.invitation.welcome, { name: detail.name }) };
    const frame = detail.is_new ? null : this.renderRoot.querySelector("human-desk-frame");
    frame?.dispatchEvent(new CustomEvent(deskEvents.notice, { detail: notice }));
  };
  #onGone = (): void => {
    dropInvitation();
    void this.#open();
  };

  /** Asks for the password again if an error says that the session has ended. Drafts are kept. */
  #endSession(error: unknown): boolean {
    const isOver = error instanceof ServiceError && error.status === 401 ||
      !this.accessToken && this.#connection?.session() === null;
    if (!isOver || this.accessToken) return false;
    this.#connection?.client.signOut();
    this.#feed?.close();
    void this.#askToSignIn(t.frame.sessionEnded);
    return true;
  }

  /** Handles a sign-in or sign-out in another tab. */
  #onStorage = (): void => {
    if (this.accessToken || this.#connection === null) return;
    const isSignedIn = this.#connection.session() !== null;
    const door = this.#door.value;
    const asks = door.at === "sign-in" || door.at === "invitation" && door.user === null;
    if (isSignedIn === asks) void this.#open();
  };
}

export interface HumanDesk extends Fields<typeof HumanDesk.properties> {}

customElements.define("human-desk", HumanDesk);
