import { html, nothing, type PropertyValues } from "lit";
import { ServiceError } from "../../../client/service_error.ts";
import { type Property, styleSheets } from "../../ui/element.ts";
import { formatTime, nameExpert } from "../format.ts";
import { showEmpty, showError, showList, showLoading, showTabs } from "../parts/show_state.ts";
import { type Schemas, tellDesk } from "../desk.ts";
import { linkTo } from "../route.ts";
import { type Cancelable, Loading, PagedList } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import { icons } from "../icons.ts";
import { showChange } from "../parts/show_words.ts";
import {
  type FieldName,
  fieldNames,
  isSame,
  listChanges,
  nameOfChange,
  type PersonaFields,
  textOf,
  type Version,
} from "./fields.ts";
import { PersonaPart } from "./persona_part.ts";
import { showFace } from "./persona_preview.ts";
import faceStyles from "./face.css" with { type: "text" };
import styles from "./versions.css" with { type: "text" };

type Summary = Schemas["PersonaVersionSummary"];

/** The address of a version at the desk. */
function linkToVersion(version: number, isAgainstNow = false): string {
  return linkTo("persona", "history", [["version", String(version)], ["now", isAgainstNow ? "1" : ""]]);
}

/** The published versions, newest first: who has published them, when, and what has changed. */
export class VersionsList extends PersonaPart {
  #list = this.use(new PagedList((page, options) => this.client.listVersions(this.coachId, page, options)));

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("desk")) void this.#list.restart();
  }

  override render() {
    const newest = this.#list.items?.[0]?.version;
    return showList(this.#list, {
      name: t.persona.history,
      key: ({ version }) => String(version),
      item: (version) => showVersion(version, version.version === newest),
      empty: showEmpty(t.persona.noVersions, t.persona.noVersionsHint),
    });
  }
}

function showVersion({ version, published_at, published_by, changes, restored_from }: Summary, isNow: boolean) {
  return html`
    <article class="card" aria-label=${fill(t.persona.version, { version })}>
      <h3 class="row"><a class="title" href=${linkToVersion(version)}>${fill(t.persona.version, { version })}</a>
        ${isNow ? html`<span class="tag ai">${t.persona.published}</span>` : nothing}</h3>
      <p class="facts small muted">
        <span>${formatTime(published_at)}</span>
        ${published_by === null ? nothing : html`<bdi>${nameExpert(published_by)}</bdi>`}
      </p>
      <p class="small">${describeVersion({ changes, restored_from })}</p>
    </article>
  `;
}

/** Describes in a sentence what a version has changed. */
function describeVersion({ changes, restored_from }: Pick<Summary, "changes" | "restored_from">): string {
  const changed = changes.length === 0 ? t.persona.firstVersion : fill(t.persona.versionChanged, {
    fields: listChanges(changes),
  });
  return restored_from === null ? changed : `${fill(t.persona.restoredFrom, { version: restored_from })} ${changed}`;
}

customElements.define("human-desk-versions", VersionsList);

type Compared = { version: Version; with: Version | null };

/** A published version: its texts compared with the version before or with what is published now, and its restoring. */
export class VersionView extends PersonaPart.with({
  number: { type: Number, first: 0 } as Property<number>,
  /** True if the version is compared with what is published now, instead of the version before. */
  isAgainstNow: { attribute: false, first: false },
}) {
  static override styles = styleSheets(faceStyles, styles);

  #loading = this.use(new Loading((options) => this.#read(options)));

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("number") && !changed.has("isAgainstNow") && !changed.has("desk")) return;
    this.#loading.clear();
    void this.#loading.load();
  }

  override render() {
    const gone = this.#loading.isGone ? html`<p>${t.persona.noVersion}</p>` : undefined;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <p><a class="back row" href=${linkTo("persona", "history")}>${icons.back} ${t.persona.history}</a></p>
        <h2 id="title" tabindex="-1">${fill(t.persona.version, { version: this.number })}</h2>
        ${showLoading(this.#loading, (compared) => this.#renderVersion(compared), gone)}
      </section>
    `;
  }

  #renderVersion({ version, with: other }: Compared) {
    const { published_at, published_by } = version;
    const now = this.draft.published?.version;
    const isNow = version.version === now;
    return html`
      <div class="stack tight">
        <p class="facts small muted">
          ${isNow ? html`<span class="tag ai">${t.persona.published}</span>` : nothing}
          <span>${formatTime(published_at)}</span>
          ${published_by === null ? nothing : html`<bdi>${nameExpert(published_by)}</bdi>`}
        </p>
        <p>${describeVersion(version)}</p>
        ${isNow || now === undefined ? nothing : this.#renderRestore()}
      </div>
      ${isNow ? nothing : html`
        ${showTabs(t.persona.compare, [
          [linkToVersion(this.number), t.persona.againstBefore, !this.isAgainstNow],
          [linkToVersion(this.number, true), t.persona.againstNow, this.isAgainstNow],
        ])}
        <p class="small muted">${this.isAgainstNow ? t.persona.againstNowHint : t.persona.againstBeforeHint}</p>
      `}
      <dl>
        ${this.#renderPicture(version)}
        ${fieldNames.map((name) => this.#renderField(name, version, other))}
      </dl>
    `;
  }

  #renderRestore() {
    if (!this.isOwner) return html`<p class="small muted">${t.persona.mayNotRestore}</p>`;
    const question = fill(t.persona.restoreQuestion, { version: this.number });
    return html`
      <div class="row">${this.confirmButton(t.persona.restore, question, this.#restore)}</div>
      ${showError(this.action.error)}
    `;
  }

  #renderPicture({ name, picture_url }: Version) {
    return html`
      <div>
        <dt class="of-field">${nameOfChange("picture")}</dt>
        <dd>${showFace(name, picture_url)}</dd>
      </div>
    `;
  }

  #renderField(name: FieldName, version: PersonaFields, other: PersonaFields | null) {
    const text = textOf(name, version[name]);
    const isChanged = other !== null && !isSame(name, version[name], other[name]);
    if (text === "" && !isChanged) return nothing;
    // What is published now has replaced an earlier version. A version has replaced the one before.
    const [before, after] = this.isAgainstNow
      ? [text, textOf(name, other?.[name] ?? null)]
      : [textOf(name, other?.[name] ?? null), text];
    return html`
      <div>
        <dt class="of-field">${nameOfChange(name)}</dt>
        <dd>${isChanged ? showChange(before, after) : html`<div class="words raised pre">${text}</div>`}</dd>
      </div>
    `;
  }

  async #read(options: Cancelable): Promise<Compared> {
    const read = (number: number) => this.client.getVersion(this.coachId, number, options);
    if (this.draft.published === null) await this.draft.load();
    const now = this.draft.published;
    const version = await read(this.number);
    if (this.isAgainstNow) return { version, with: now };
    const before = this.number <= 1 ? null : await read(this.number - 1).catch((error) => {
      // The first version that was kept has none before it.
      if (error instanceof ServiceError && error.status === 404) return null;
      throw error;
    });
    return { version, with: before };
  }

  #restore = async (): Promise<void> => {
    const restored = await this.ask(() => this.draft.restore(this.number));
    if (restored === null) return;
    this.say(fill(t.persona.restoredNow, { from: this.number, version: restored.reply }));
    tellDesk(this, "persona");
    location.hash = linkTo("persona", "history");
  };
}

customElements.define("human-desk-version", VersionView);
