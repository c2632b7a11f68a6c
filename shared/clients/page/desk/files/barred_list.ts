import { html } from "lit";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { showEmpty } from "../parts/empty.ts";
import "../parts/passage.ts";
import { showList } from "../parts/show_list.ts";
import { PagedList } from "../state/paged_list.ts";

/** The passages that no answer draws on. */
export class BarredList extends DeskPart {
  #list = new PagedList<Schemas["BarredPassage"]>(
    this,
    (page, signal) => this.desk.client.listBarredPassages(this.desk.coach.id, page, { signal }),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#list.restart();
  }

  override render() {
    return showList(this.#list, {
      name: "Barred passages",
      key: ({ passage_id }) => passage_id,
      item: ({ passage_id, filename, content }) =>
        html`
          <div class="card">
            <human-desk-passage .desk=${this.desk} .isBarred=${true} @toggle=${() => this.#list.refresh()}
              .passage=${{ passageId: passage_id, filename, quote: content }}></human-desk-passage>
          </div>
        `,
      empty: showEmpty(
        "No passages are barred",
        "What has misled the persona can be kept out of its answers: look at an answer, or search your files.",
      ),
    });
  }
}

customElements.define("human-desk-barred", BarredList);
