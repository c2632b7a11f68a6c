import { html } from "lit";
import type { components } from "../../client/api_types.ts";
import type { Client } from "../../client/client.ts";
import { elementWith, type Property, state, styleSheets, tell } from "../ui/element.ts";
import { fill } from "../ui/fill.ts";
import { renderMarkdown, textStyles } from "../ui/markdown.ts";
import type { MailedPlace } from "../ui/mailed_link.ts";
import { face, pieceStyles } from "./pieces.ts";
import type { Texts } from "./texts.ts";
import styles from "./mailed_page.css" with { type: "text" };

/**
 * What the link of a mail opens, on any device and without signing in.
 *
 * @fires left - The chat is to be opened.
 */
export class MailedPage extends elementWith({
  place: {} as Property<MailedPlace>,
  client: {} as Property<Client>,
  texts: {} as Property<Texts>,
}) {
  static override styles = styleSheets(pieceStyles, textStyles, styles);

  #answer = state<components["schemas"]["MailedAnswer"] | null>(this, null);
  #sentence = state<string | null>(this, null);
  #isDone = state(this, false);

  protected override willUpdate(changed: Map<string, unknown>) {
    if (changed.has("place") && this.place.kind === "answer") void this.#read();
  }

  override render() {
    const { texts, place } = this;
    const sentence = this.#sentence.value;
    if (sentence) return html`<div class="middle"><p role="alert">${sentence}</p>${this.#renderLeave()}</div>`;
    if (place.kind === "not-me") return this.#renderNotMe();
    const answer = this.#answer.value;
    if (answer === null) return html`<p class="middle muted" role="status">${texts.loading}</p>`;
    const { expert, question, answered_at } = answer;
    const time = new Date(answered_at).toLocaleString(texts.locale, { dateStyle: "long", timeStyle: "short" });
    return html`
      <article>
        <div class="author">
          ${face(expert)}
          <h1>${fill(texts.mailedAnswer, { name: expert.name })}</h1>
          <time class="muted" datetime=${answered_at}>${time}</time>
        </div>
        <p class="visually-hidden">${texts.youAsked}</p>
        <blockquote dir="auto">${question}</blockquote>
        <div class="answer text" dir="auto">${renderMarkdown(answer.answer)}</div>
        ${this.#renderLeave()}
      </article>
    `;
  }

  #renderNotMe() {
    const { texts } = this;
    return html`
      <div class="middle">
        <h1>${texts.notMe}</h1>
        <p role="status">${this.#isDone.value ? texts.notMeDone : texts.notMeHint}</p>
        ${this.#isDone.value
          ? this.#renderLeave()
          : html`<button class="primary" @click=${this.#refuse}>${texts.notMeSend}</button>`}
      </div>
    `;
  }

  #renderLeave() {
    return html`
      <div class="buttons"><button @click=${() => tell(this, "left")}>${this.texts.openChat}</button></div>
    `;
  }

  async #read() {
    const { client, place, texts } = this;
    [this.#answer.value, this.#sentence.value] = [null, null];
    try {
      this.#answer.value = await client.readMailedAnswer(place.token);
    } catch (error) {
      this.#fail(error, texts.mailedGone);
    }
  }

  async #refuse() {
    try {
      await this.client.refuseMail(this.place.token);
      this.#isDone.value = true;
    } catch (error) {
      this.#fail(error, this.texts.linkExpired);
    }
  }

  #fail(error: unknown, gone: string) {
    // `fetch` throws a TypeError where there is no network. Otherwise, the service has said that there is nothing to open.
    this.#sentence.value = error instanceof TypeError ? this.texts.unreachable : gone;
  }
}

customElements.define("human-chat-mailed", MailedPage);
