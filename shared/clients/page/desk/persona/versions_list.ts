import { html, nothing, type PropertyValues } from "lit";
import { formatTime, nameExpert } from "../format.ts";
import { showEmpty, showList } from "../parts/show_list.ts";
import type { Schemas } from "../desk.ts";
import { linkTo } from "../route.ts";
import { PagedList } from "../state/paged_list.ts";
import { fill, t } from "../texts.ts";
import { listChanges } from "./field_words.ts";
import { PersonaPart } from "./persona_part.ts";

type Version = Schemas["PersonaVersionSummary"];

/** The address of a version at the desk. */
export function linkToVersion(version: number, isAgainstNow = false): string {
  return linkTo("persona", "history", [["version", String(version)], ["now", isAgainstNow ? "1" : ""]]);
}

/** The published versions, newest first: who has published them, when, and what has changed. */
export class VersionsList extends PersonaPart {
  #list = this.use(
    new PagedList<Version>((page, signal) => this.desk.client.listVersions(this.desk.coach.id, page, { signal })),
  );

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

function showVersion({ version, published_at, published_by, changes, restored_from }: Version, isNow: boolean) {
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
export function describeVersion({ changes, restored_from }: Pick<Version, "changes" | "restored_from">): string {
  const changed = changes.length === 0 ? t.persona.firstVersion : fill(t.persona.versionChanged, {
    fields: listChanges(changes),
  });
  return restored_from === null ? changed : `${fill(t.persona.restoredFrom, { version: restored_from })} ${changed}`;
}

customElements.define("human-desk-versions", VersionsList);
