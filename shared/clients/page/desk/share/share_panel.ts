import { html, nothing } from "lit";
import { state, styleSheets } from "../../ui/element.ts";
import { tellDesk } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { showError } from "../parts/show_state.ts";
import { Action } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import { languageOfDesk } from "../persona/languages.ts";
import { linkTo } from "../route.ts";
import "./share_address.ts";
import "./share_settings.ts";
import styles from "./share_end.css" with { type: "text" };

/** The panel with the address of a persona: to give it away, to change how it looks, to pause it and to end it. */
export class SharePanel extends DeskPart {
  override render() {
    const { desk } = this;
    const { coach } = desk;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <h2 id="title" tabindex="-1">${t.share.title}</h2>
        ${coach.slug === null
          ? html`<p>${fill(t.share.unpublished, { name: coach.name })}</p>`
          : html`<human-desk-share-address .desk=${desk}></human-desk-share-address>`}
        ${coach.slug !== null && this.mayEdit
          ? html`<human-desk-share-settings .desk=${desk}></human-desk-share-settings>`
          : nothing}
        ${this.isOwner ? html`<human-desk-share-end .desk=${desk}></human-desk-share-end>` : nothing}
      </section>
    `;
  }
}

customElements.define("human-desk-share", SharePanel);

/** Pauses a persona, deletes it, and makes a further one. */
export class ShareEnd extends DeskPart {
  static override styles = styleSheets(styles);

  #pausing = this.use(new Action());
  #deleting = this.use(new Action());
  #making = this.use(new Action());
  #typed = state(this, "");

  override render() {
    const { coach } = this.desk;
    const { name } = coach;
    return html`
      ${coach.slug === null ? nothing : html`
        <section class="card stack tight" aria-labelledby="pause">
          <h3 id="pause">${coach.is_active ? t.share.pause : t.share.paused}</h3>
          <p class="small muted">${fill(coach.is_active ? t.share.pauseHint : t.share.pausedHint, { name })}</p>
          ${showError(this.#pausing.error)}
          <div class="row"><button ?disabled=${this.#pausing.isBusy} @click=${this.#pause}>${coach.is_active
            ? t.share.pause
            : t.share.resume}</button></div>
        </section>
      `}
      <form class="card stack tight" aria-labelledby="another" @submit=${this.#make}>
        <h3 id="another">${t.share.another}</h3>
        <label class="stack tight">
          <span>${t.share.anotherName}</span>
          <input name="name" required maxlength="200">
        </label>
        ${showError(this.#making.error)}
        <div class="row"><button ?disabled=${this.#making.isBusy}>${t.share.make}</button></div>
      </form>
      <form class="card stack tight" aria-labelledby="delete" @submit=${this.#delete}>
        <h3 id="delete">${fill(t.share.delete, { name })}</h3>
        <p class="small muted">${t.share.deleteHint}</p>
        <label class="stack tight"><span>${fill(t.share.typeName, { name })}</span>
          <input autocomplete="off" .value=${this.#typed.value}
            @input=${({ target }: InputEvent) => this.#typed.value = (target as HTMLInputElement).value}></label>
        ${showError(this.#deleting.error)}
        <div class="row"><button class="danger" ?disabled=${this.#typed.value.trim() !== name ||
          this.#deleting.isBusy}>${fill(t.share.delete, { name })}</button></div>
      </form>
    `;
  }

  async #pause(): Promise<void> {
    const { coach } = this.desk;
    const isDone = await this.#pausing.run(() =>
      this.client.saveSettings(this.coachId, { is_active: !coach.is_active })
    );
    if (isDone) tellDesk(this, "persona");
  }

  async #make(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = String(new FormData(form).get("name")).trim();
    const made = await this.#making.ask(() => this.client.createCoach({ name, language: languageOfDesk() }));
    if (made === null) return;
    form.reset();
    location.hash = linkTo("persona");
    tellDesk(this, "persona", made.reply.id);
  }

  async #delete(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { coach } = this.desk;
    if (await this.#deleting.run(() => this.client.deleteCoach(this.coachId, coach.name))) {
      tellDesk(this, "persona", "");
    }
  }
}

customElements.define("human-desk-share-end", ShareEnd);
