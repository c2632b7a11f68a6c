import { html, nothing } from "lit";
import { elementWith, type Property, state, styleSheets, tell } from "../ui/element.ts";
import "../ui/confirm_button.ts";
import type { Account } from "./accounts.ts";
import type { App, Auth, Grant } from "./auth.ts";
import styles from "./consent.css" with { type: "text" };
import { readName } from "./describe_app.ts";
import { fill, locale, t } from "./texts.ts";

/**
 * The apps that have access to an account, each with a button that ends it.
 *
 * @fires failure - Something was refused. The detail is the error.
 */
export class AppsList extends elementWith({
  auth: { attribute: false } as Property<Auth>,
  account: { attribute: false } as Property<Account>,
}) {
  static override styles = styleSheets(styles);

  /** Null until they are known. */
  #grants = state<Grant[] | null>(this, null);
  #ended = state<App | null>(this, null);
  #isBusy = state(this, false);

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  override render() {
    const [grants, ended] = [this.#grants.value, this.#ended.value];
    return html`
      ${grants === null
        ? html`<p class="muted" role="status">${t.shared.loading}…</p>`
        : grants.length === 0
        ? html`<p class="muted">${t.noApps}</p>`
        : html`<ul class="list">${grants.map((grant) => this.#renderGrant(grant))}</ul>`}
      <p role="status" ?hidden=${ended === null}>${ended && fill(t.ended, { app: nameOf(ended) })}</p>
    `;
  }

  #renderGrant({ client, granted_at }: Grant) {
    const app = nameOf(client);
    const date = new Date(granted_at);
    return html`
      <li class="app">
        <span>
          <strong><bdi>${app}</bdi></strong>
          ${isNaN(date.getTime())
            ? nothing
            : html`<span class="muted small">${
              fill(t.since, { date: new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(date) })
            }</span>`}
        </span>
        <human-confirm .question=${fill(t.endQuestion, { app })} .words=${t.shared} ?disabled=${this.#isBusy.value}
          @confirm=${() => this.#end(client)}>${t.end}</human-confirm>
      </li>
    `;
  }

  async #load(): Promise<void> {
    try {
      this.#grants.value = await this.auth.listGrants(await this.account.accessToken());
    } catch (error) {
      tell(this, "failure", error);
    }
  }

  async #end(client: App): Promise<void> {
    this.#isBusy.value = true;
    try {
      await this.auth.revokeGrant(client.id, await this.account.accessToken());
      this.#ended.value = client;
    } catch (error) {
      tell(this, "failure", error);
    }
    this.#isBusy.value = false;
    await this.#load();
  }
}

/** The name of an app, as it has chosen it. */
export function nameOf({ name }: App): string {
  return readName(name) ?? t.nameless;
}

customElements.define("human-apps", AppsList);
