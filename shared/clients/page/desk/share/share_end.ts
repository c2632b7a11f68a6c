import { css, html, nothing } from "lit";
import { state } from "../../ui/element.ts";
import { tellDesk } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { showError } from "../parts/show_error.ts";
import { languageOfDesk } from "../persona/languages.ts";
import { linkTo } from "../route.ts";
import { Action } from "../state/work.ts";
import { fill, t } from "../texts.ts";

/** Pauses a persona, deletes it, and makes a further one. */
export class ShareEnd extends DeskPart {
  static override styles = [
    deskStyles,
    css`
      :host {
        display: grid;
        gap: 1rem;
      }
    `,
  ];

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
    const { client, coach } = this.desk;
    const isDone = await this.#pausing.run(() => client.saveSettings(coach.id, { is_active: !coach.is_active }));
    if (isDone) tellDesk(this, "persona");
  }

  async #make(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = String(new FormData(form).get("name")).trim();
    let made = "";
    const isDone = await this.#making.run(async () =>
      made = (await this.desk.client.createCoach({ name, language: languageOfDesk() })).id
    );
    if (!isDone) return;
    form.reset();
    location.hash = linkTo("persona");
    tellDesk(this, "persona", made);
  }

  async #delete(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { client, coach } = this.desk;
    if (await this.#deleting.run(() => client.deleteCoach(coach.id, coach.name))) tellDesk(this, "persona", "");
  }
}

customElements.define("human-desk-share-end", ShareEnd);
