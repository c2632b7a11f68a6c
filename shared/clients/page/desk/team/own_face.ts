import { html, nothing } from "lit";
import { tell } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { showError } from "../parts/show_error.ts";
import "../persona/picture_field.ts";
import { Action, Loading } from "../state/work.ts";
import { fill, t } from "../texts.ts";

/**
 * The form with the name and the picture under which the expert answers people in person.
 *
 * @fires saved - What colleagues see has changed.
 */
export class OwnFace extends DeskPart {
  #face = this.use(
    new Loading<Schemas["ExpertFace"]>((signal) => this.desk.client.getExpertFace(this.desk.coach.id, { signal })),
  );
  #action = this.use(new Action());

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#face.load();
  }

  override render() {
    const { value: face, error } = this.#face;
    const { coach } = this.desk;
    return html`
      <section class="card stack" aria-labelledby="face">
        <h3 id="face">${t.team.face}</h3>
        <p class="small muted">${fill(t.team.faceHint, { name: coach.name })}</p>
        ${showError(error, () => this.#face.load())}
        ${face === null ? nothing : html`
          <human-desk-picture .desk=${this.desk} .name=${face.name ?? coach.name} .url=${face.picture_url}
            .mayEdit=${true} .keep=${this.#keep}></human-desk-picture>
          <form class="row" @submit=${this.#submit} aria-busy=${this.#action.isBusy}>
            <label class="field">${t.team.ownName}
              <input name="name" maxlength="80" autocomplete="name" placeholder=${coach.name} .value=${face.name ?? ""}>
            </label>
            <button ?disabled=${this.#action.isBusy}>${t.notices.save}</button>
          </form>
        `}
        ${showError(this.#action.error)}
      </section>
    `;
  }

  #keep = async (picture: Blob | null): Promise<void> => {
    const { client, coach } = this.desk;
    this.#face.value = picture === null
      ? await client.removeExpertPicture(coach.id)
      : await client.setExpertPicture(coach.id, picture);
    this.requestUpdate();
  };

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { client, coach } = this.desk;
    const name = String(new FormData(event.target as HTMLFormElement).get("name")).trim() || null;
    if (!await this.#action.run(async () => this.#face.value = await client.saveExpertFace(coach.id, { name }))) return;
    this.say(t.team.faceSaved);
    tell(this, "saved");
  };
}

customElements.define("human-desk-own-face", OwnFace);
