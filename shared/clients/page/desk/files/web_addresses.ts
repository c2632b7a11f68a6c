import { html } from "lit";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { showEmpty, showList } from "../parts/show_list.ts";
import { PagedList } from "../state/paged_list.ts";
import { Polling } from "../state/polling.ts";
import { mayEdit } from "../team/roles.ts";
import { t } from "../texts.ts";
import "./web_address.ts";
import "./web_address_form.ts";
import { isUnderWay } from "./web_address_words.ts";

/** Between two requests for the state of the addresses. */
const pauses = { first: 2_000, longest: 15_000, factor: 1.5 };

/** The web addresses that the persona knows: a form for a new one, and the list. */
export class WebAddresses extends DeskPart {
  #list = this.use(
    new PagedList<Schemas["KnowledgeSource"]>((page, signal) => {
      const { client, coach } = this.desk;
      return client.listSources(coach.id, page, { signal });
    }),
  );
  #polling = new Polling(
    this,
    pauses,
    () => this.#list.items?.some(isUnderWay) === true,
    () => void this.#list.load(),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#list.load();
  }

  override render() {
    return html`
      <div class="stack">
        ${mayEdit(this.desk.role)
          ? html`
            <section class="card stack" aria-labelledby="new">
              <h3 id="new" tabindex="-1">${t.files.addAddress}</h3>
              <human-desk-web-address-form .desk=${this.desk} @done=${this.#onAdded}></human-desk-web-address-form>
            </section>
          `
          : html`<p class="muted">${t.team.files}</p>`}
        ${showList(this.#list, {
          name: t.files.websites,
          key: ({ id }) => id,
          item: (source) =>
            html`
              <human-desk-web-address .desk=${this.desk} .source=${source}
                @done=${this.#onDone}></human-desk-web-address>
            `,
          empty: showEmpty(t.files.websitesEmpty, t.files.websitesEmptyHint),
        })}
      </div>
    `;
  }

  #onAdded = ({ detail }: CustomEvent<Schemas["KnowledgeSource"]>): void => {
    const isKnown = this.#list.items?.some(({ id }) => id === detail.id);
    this.say(isKnown ? t.files.knownAddress : t.files.addedAddress);
    this.#readSoon();
  };
  #onDone = ({ detail }: CustomEvent<{ sentence: string; isGone: boolean }>): void => {
    this.say(detail.sentence);
    // The element that had the focus was removed.
    if (detail.isGone) this.renderRoot.querySelector<HTMLElement>("#new")?.focus();
    this.#readSoon();
  };
  #readSoon(): void {
    this.#polling.restart();
    void this.#list.load();
  }
}

customElements.define("human-desk-web-addresses", WebAddresses);
