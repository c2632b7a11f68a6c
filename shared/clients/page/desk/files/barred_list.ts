import { html } from "lit";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import "../parts/passage.ts";
import { showEmpty, showList } from "../parts/show_list.ts";
import { PagedList } from "../state/paged_list.ts";
import { t } from "../texts.ts";

/** The list of barred passages. */
export class BarredList extends DeskPart {
  #list = this.use(
    new PagedList<Schemas["BarredPassage"]>((page, signal) =>
      this.desk.client.listBarredPassages(this.desk.coach.id, page, { signal })
    ),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#list.restart();
  }

  override render() {
    return showList(this.#list, {
      name: t.files.barred,
      key: ({ passage_id }) => passage_id,
      item: ({ passage_id, filename, content }) =>
        html`
          <div class="card">
            <human-desk-passage .desk=${this.desk} .isBarred=${true} @toggle=${() => this.#list.load()}
              .passage=${{ passageId: passage_id, filename, quote: content }}></human-desk-passage>
          </div>
        `,
      empty: showEmpty(t.files.barredEmpty, t.files.barredEmptyHint),
    });
  }
}

customElements.define("human-desk-barred", BarredList);
