import { html, nothing, type PropertyValues } from "lit";
import { isolate } from "../../../isolate.ts";
import { type Property, styleSheets } from "../../ui/element.ts";
import { type Role, type Schemas, tellDesk } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatMoment, formatTime, nameExpert } from "../format.ts";
import { showError, showList, showLoading } from "../parts/show_state.ts";
import { Loading, PagedList } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import "../persona/picture_field.ts";
import { hintOf, nameOfRole, roles } from "./roles.ts";
import styles from "./colleagues.css" with { type: "text" };

/** The experts of a persona, in the order in which they came. */
class Colleagues extends DeskPart {
  #list = this.use(new PagedList((page, options) => this.client.listExperts(this.coachId, page, options)));

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("desk")) void this.#list.load();
  }

  override render() {
    const owners = this.#list.items?.filter(({ role }) => role === "owner").length ?? 0;
    const list = showList(this.#list, {
      name: t.team.colleagues,
      key: ({ user_id }) => user_id,
      item: (expert) =>
        html`
          <human-desk-colleague .desk=${this.desk} .expert=${expert}
            .isLastOwner=${expert.role === "owner" && owners === 1} @done=${this.#reload}></human-desk-colleague>
        `,
      // There is always whoever reads it.
      empty: html``,
    });
    return html`
      <div class="stack">
        ${list}
        <human-desk-own-face .desk=${this.desk} @done=${this.#reload}></human-desk-own-face>
      </div>
    `;
  }

  #reload = (): void => void this.#list.load();
}

customElements.define("human-desk-colleagues", Colleagues);

/**
 * An expert in the list, with their role and what can be done about it.
 *
 * @fires done - The role was changed, or the expert removed.
 */
export class Colleague extends DeskPart.with({
  expert: {} as Property<Schemas["Expert"]>,
  /** True if the persona would be without an owner otherwise. */
  isLastOwner: { attribute: false, first: false },
}) {
  static override styles = styleSheets(styles);

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
        ${showError(this.action.error)}
      </article>
    `;
  }

  /** Owners change all roles but that of the last owner. */
  get #mayChange(): boolean {
    return this.isOwner && !this.isLastOwner;
  }

  #renderRoles() {
    const { role } = this.expert;
    return html`
      <select aria-label=${fill(t.team.roleOf, { email: isolate(this.#name) })} ?disabled=${this.isBusy}
        .value=${role} @change=${this.#onRole}>
        ${roles.map((one) => html`<option value=${one} ?selected=${one === role}>${nameOfRole(one)}</option>`)}
      </select>
    `;
  }

  #renderLeave() {
    const { is_you } = this.expert;
    if (this.isLastOwner || !is_you && this.desk.role !== "owner") return nothing;
    const name = isolate(is_you ? this.desk.coach.name : this.#name);
    return is_you
      ? this.confirmButton(t.team.leave, fill(t.team.leaveQuestion, { name }), this.#remove)
      : this.confirmButton(t.parts.remove, fill(t.team.removeQuestion, { email: name }), this.#remove);
  }

  #onRole = async (event: Event): Promise<void> => {
    const select = event.target as HTMLSelectElement;
    const { user_id, is_you, role: before } = this.expert;
    const role = select.value as Role;
    if (!await this.run(() => this.client.updateExpert(this.coachId, user_id, { role }))) {
      select.value = before;
      return;
    }
    this.done(t.team.changed);
    if (is_you) tellDesk(this, "persona");
  };

  #remove = async (): Promise<void> => {
    const { user_id, is_you } = this.expert;
    if (!await this.run(() => this.client.removeExpert(this.coachId, is_you ? "me" : user_id))) return;
    this.done(fill(t.team.removed, { email: isolate(this.#name) }));
    if (is_you) tellDesk(this, "persona");
  };
}

customElements.define("human-desk-colleague", Colleague);

/**
 * The form with the name and the picture under which the expert answers people in person.
 *
 * @fires done - What colleagues see has changed.
 */
export class OwnFace extends DeskPart {
  #face = this.show(new Loading((options) => this.client.getExpertFace(this.coachId, options)));

  override render() {
    const { coach } = this.desk;
    return html`
      <section class="card stack" aria-labelledby="face">
        <h3 id="face">${t.team.face}</h3>
        <p class="small muted">${fill(t.team.faceHint, { name: coach.name })}</p>
        ${showLoading(this.#face, (face) =>
          html`
            <human-desk-picture .desk=${this.desk} .name=${face.name ?? coach.name} .url=${face.picture_url}
              .canChange=${true} .keep=${this.#keep}></human-desk-picture>
            <form class="row" @submit=${this.#submit} aria-busy=${this.isBusy}>
              <label class="field">${t.team.ownName}
                <input name="name" maxlength="80" autocomplete="name" placeholder=${coach.name} .value=${face.name ??
                  ""}>
              </label>
              <button ?disabled=${this.isBusy}>${t.parts.save}</button>
            </form>
          `)}
        ${showError(this.action.error)}
      </section>
    `;
  }

  #keep = async (picture: Blob | null): Promise<void> => {
    this.#face.set(
      picture === null
        ? await this.client.removeExpertPicture(this.coachId)
        : await this.client.setExpertPicture(this.coachId, picture),
    );
  };

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name")).trim() || null;
    const saved = await this.ask(() => this.client.saveExpertFace(this.coachId, { name }));
    if (saved === null) return;
    this.#face.set(saved.reply);
    this.done(t.team.faceSaved);
  };
}

customElements.define("human-desk-own-face", OwnFace);
