/// <reference lib="dom" />
import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { connect, type Connection, keep } from "../connection.ts";
import { ServiceError } from "../../client/service_error.ts";
import { theme } from "../ui/theme.ts";
import "../ui/sign_in.ts";
import { type Desk, deskEvents, type Schemas } from "./desk.ts";
import { describeError } from "./describe_error.ts";
import "./desk_frame.ts";
import { deskStyles } from "./desk_styles.ts";
import { doorStyles } from "./door_styles.ts";
import { UploadQueue } from "./files/upload_queue.ts";
import { findOwnCoaches } from "./find_own_coaches.ts";
import { CoachFeed } from "./state/coach_feed.ts";
import { drafts } from "./state/drafts.ts";

/** At whose desk an expert of several personas has sat last in this browser. */
const lastCoach = keep<string>("human-desk coach", "browser");

/** What is shown before the desk itself. */
type Door =
  | { at: "sign-in"; because?: string }
  | { at: "looking" }
  | { at: "choice"; coaches: Schemas["Coach"][] }
  | { at: "nobody" }
  | { at: "trouble"; error: unknown }
  | { at: "desk"; desk: Desk; leave: (() => void) | null };

/**
 * `<human-desk base-url coach key supabase-key>`: the desk of the expert behind a persona. Without a coach it is that of
 * the persona whose expert signs in. `email` and `password` fill in the form, for a demo; a site that has signed its user
 * in sets the property `accessToken`. What it puts into the slot `links` stands below the panels' names.
 */
export class HumanDesk extends LitElement {
  static override styles = [theme, deskStyles, doorStyles];

  static override properties = {
    baseUrl: { attribute: "base-url" },
    coach: {},
    key: {},
    supabaseKey: { attribute: "supabase-key" },
    email: {},
    password: {},
    accessToken: { attribute: false },
    door: { state: true },
  };

  declare baseUrl: string;
  declare coach: string;
  declare key: string;
  declare supabaseKey: string;
  declare email: string;
  declare password: string;
  declare accessToken: (() => Promise<string | null>) | null;

  declare private door: Door;
  #connection: Connection | null = null;
  #feed: CoachFeed | null = null;

  constructor() {
    super();
    this.baseUrl = "";
    this.coach = "";
    this.key = "";
    this.supabaseKey = "";
    this.email = "";
    this.password = "";
    this.accessToken = null;
    this.door = { at: "looking" };
    this.addEventListener(deskEvents.failure, (event) => this.#endSession((event as CustomEvent).detail));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("storage", this.#onStorage);
    if (this.hasUpdated) this.#open();
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("storage", this.#onStorage);
    this.#feed?.close();
  }

  override willUpdate(changed: PropertyValues): void {
    const names = ["baseUrl", "coach", "key", "supabaseKey", "accessToken"];
    if (names.some((name) => changed.has(name))) this.#open();
  }

  override render() {
    const { door } = this;
    if (door.at === "desk") {
      return html`
        <human-desk-frame .desk=${door.desk} .leave=${door.leave}
          .signOut=${this.accessToken ? null : () => this.#signOut()}>
          <slot name="links" slot="links"></slot>
        </human-desk-frame>
      `;
    }
    return html`
      <main class="door">
        <div class="stack">${this.#renderDoor(door)}<slot name="links"></slot></div>
      </main>
    `;
  }

  #renderDoor(door: Exclude<Door, { at: "desk" }>): TemplateResult {
    switch (door.at) {
      case "sign-in":
        return html`
          <h1>The expert’s desk</h1>
          <p class="muted">${door.because ??
            "For the person behind a persona: what it could not answer, what it has said, and your own words."}</p>
          <human-sign-in .email=${this.email} .password=${this.password} .signIn=${this.#signIn}></human-sign-in>
        `;
      case "looking":
        return html`<p class="muted" role="status">Opening the desk …</p>`;
      case "choice":
        return html`
          <h1>Whose desk?</h1>
          <p class="muted">You are the expert behind several personas.</p>
          <ul class="list">
            ${door.coaches.map((coach) =>
              html`<li><button class="choice" @click=${() => this.#sitDown(coach, door.coaches)}>
                <strong>${coach.name}</strong> <span class="muted">${coach.title}</span>
              </button></li>`
            )}
          </ul>
        `;
      case "nobody":
        return html`
          <h1>No desk here is yours</h1>
          <p>You are signed in, but you are not the expert behind ${this.coach ? "this persona" : "any persona"}.
            Whoever runs the service can make you its expert.</p>
          <div class="row">
            ${this.accessToken
              ? null
              : html`<button class="primary" @click=${() => this.#signOut()}>Sign in as somebody else</button>`}
            <button @click=${() => this.#open()}>Look again</button>
          </div>
        `;
      case "trouble":
        return html`
          <h1>The desk cannot be opened</h1>
          <p class="error" role="alert">${describeTrouble(door.error)}</p>
          <div class="row"><button class="primary" @click=${() => this.#open()}>Try again</button></div>
        `;
    }
  }

  /** Finds out whose desk it is, or who signs in. */
  async #open(): Promise<void> {
    this.#feed?.close();
    this.door = { at: "looking" };
    let connection: Connection | null = null;
    try {
      const { baseUrl, supabaseKey, accessToken } = this;
      connection = connect({ baseUrl, supabaseKey, accessToken, publishableKey: this.key, role: "expert" });
      this.#connection = connection;
      const isSignedIn = accessToken ? await accessToken() !== null : connection.session() !== null;
      if (this.#connection !== connection) return;
      if (!isSignedIn) {
        this.door = accessToken
          ? { at: "trouble", error: new Error("Nobody is signed in on this site.") }
          : { at: "sign-in" };
        return;
      }
      const coaches = await findOwnCoaches(connection.client, this.coach);
      if (this.#connection !== connection) return;
      const last = coaches.length === 1 ? coaches[0] : coaches.find(({ id }) => id === lastCoach.load());
      if (last !== undefined) this.#sitDown(last, coaches);
      else this.door = coaches.length === 0 ? { at: "nobody" } : { at: "choice", coaches };
    } catch (error) {
      if (connection !== null && this.#connection !== connection) return;
      if (!this.#endSession(error)) this.door = { at: "trouble", error };
    }
  }

  /** @param coaches all at whose desk the user may sit */
  #sitDown(coach: Schemas["Coach"], coaches: Schemas["Coach"][]): void {
    const { client } = this.#connection!;
    this.#feed?.close();
    const feed = this.#feed = new CoachFeed(client, coach.id, (error) => this.#endSession(error));
    const uploads = new UploadQueue(client, coach.id);
    const desk: Desk = { client, coach, uploads, watch: (listener) => feed.watch(listener) };
    const leave = () => {
      feed.close();
      this.door = { at: "choice", coaches };
    };
    if (coaches.length > 1) lastCoach.save(coach.id);
    this.door = { at: "desk", desk, leave: coaches.length > 1 ? leave : null };
  }

  #signIn = async (email: string, password: string): Promise<void> => {
    await this.#connection!.client.signIn(email, password);
    void this.#open();
  };

  #signOut(): void {
    this.#connection?.client.signOut();
    drafts.dropAll();
    void this.#open();
  }

  /** Asks for the password again where a failure says that nobody is signed in any more. What was typed stays. */
  #endSession(error: unknown): boolean {
    const isOver = error instanceof ServiceError && error.status === 401 ||
      !this.accessToken && this.#connection?.session() === null;
    if (!isOver || this.accessToken) return false;
    this.#connection?.client.signOut();
    this.#feed?.close();
    this.door = {
      at: "sign-in",
      because: "Your session has ended. Please sign in again; what you have typed is kept.",
    };
    return true;
  }

  /** Another tab has signed out, or in. */
  #onStorage = (): void => {
    if (this.accessToken || this.#connection === null) return;
    const isSignedIn = this.#connection.session() !== null;
    if (isSignedIn === (this.door.at === "sign-in")) void this.#open();
  };
}

function describeTrouble(error: unknown): string {
  if (error instanceof ServiceError && error.status === 404) return "There is no such persona.";
  return describeError(error);
}

customElements.define("human-desk", HumanDesk);
