import { html, nothing } from "lit";
import { styleSheets } from "../../ui/element.ts";
import { languages } from "../../ui/language.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { zoneOfBrowser } from "../format.ts";
import { showError, showLoading } from "../parts/show_state.ts";
import { Loading } from "../state/work.ts";
import { fill, locale, t } from "../texts.ts";
import styles from "./mail_form.css" with { type: "text" };

/** A Monday at midnight. */
const monday = Date.UTC(2024, 0, 1);
const hour = 3_600_000;

/** The names of the days of the week, Monday first. */
function namesOfWeekdays(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  return Array.from({ length: 7 }, (_, day) => format.format(monday + day * 24 * hour));
}

/** The hours of a day, from midnight on, as the locale writes them. */
function hoursOfDay(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" });
  return Array.from({ length: 24 }, (_, place) => format.format(monday + place * hour));
}

function ownNameOf(language: string): string {
  return new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
}

type Settings = Schemas["ExpertMail"];

/** The form with what the expert is told by email. */
export class MailForm extends DeskPart {
  static override styles = styleSheets(styles);

  #settings = this.show(new Loading((options) => this.client.getExpertMail(this.coachId, options)));

  override render() {
    return html`
      <section class="card stack" aria-labelledby="mail">
        <h3 id="mail">${t.notices.byEmail}</h3>
        ${showLoading(this.#settings, (settings) => this.#renderForm(settings))}
      </section>
    `;
  }

  #renderForm(settings: Settings) {
    const { address, is_available, is_refused, asks_for_human, failures, budget, topics, language } = settings;
    const email = address ?? "";
    return html`
      ${is_available ? nothing : html`<p class="small">${t.notices.unavailable}</p>`}
      ${is_refused ? html`<p class="small error">${fill(t.notices.refused, { email })}</p>` : nothing}
      ${is_refused || !is_available ? nothing : html`
        <p class="small muted">${address === null ? t.notices.noAddress : fill(t.notices.address, { email })}</p>
      `}
      <form class="stack" @submit=${this.#submit} aria-busy=${this.isBusy}>
        <div class="stack tight">
          ${renderSwitch("asks_for_human", asks_for_human, t.notices.asksForHuman, t.notices.asksForHumanHint)}
          ${renderSwitch("failures", failures, t.notices.failures)}
          ${renderSwitch("topics", topics, t.notices.topics)}
          ${this.isOwner ? renderSwitch("budget", budget, t.notices.budget) : nothing}
        </div>
        ${renderDigest(settings)}
        <label class="field">${t.notices.language}
          <select name="language">${languages.map((value) =>
            html`<option value=${value} lang=${value} ?selected=${value === language}>${ownNameOf(value)}</option>`
          )}</select>
        </label>
        ${showError(this.action.error)}
        <div class="row"><button class="primary" ?disabled=${this.isBusy}>${t.parts.save}</button></div>
      </form>
    `;
  }

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const body = {
      asks_for_human: fields.has("asks_for_human"),
      failures: fields.has("failures"),
      topics: fields.has("topics"),
      digest: fields.get("digest") as Settings["digest"],
      hour: Number(fields.get("hour")),
      weekday: Number(fields.get("weekday")),
      time_zone: zoneOfBrowser(),
      language: fields.get("language") as Settings["language"],
      ...this.isOwner && { budget: fields.has("budget") },
    };
    if (!await this.run(() => this.client.saveExpertMail(this.coachId, body))) return;
    this.say(t.parts.saved);
    await this.#settings.load();
  };
}

function renderSwitch(name: string, isOn: boolean, label: string, hint = "") {
  return html`
    <label class="check"><input type="checkbox" name=${name} ?checked=${isOn}>
      <span>${label} ${hint ? html`<span class="hint">${hint}</span>` : nothing}</span></label>
  `;
}

/** The fields of the digest. Its hour is in the time zone of the browser, once it is saved. */
function renderDigest({ digest, hour, weekday, time_zone }: Settings) {
  const zone = zoneOfBrowser();
  const digests = [
    ["off", t.notices.digestOff],
    ["daily", t.notices.digestDaily],
    ["weekly", t.notices.digestWeekly],
  ] as const;
  return html`
    <div class="stack tight">
      <div class="row">
        <label class="field">${t.notices.digest}
          <select name="digest">${digests.map(([value, name]) =>
            html`<option value=${value} ?selected=${value === digest}>${name}</option>`
          )}</select>
        </label>
        <label class="field day">${t.notices.onDay}
          <select name="weekday">${namesOfWeekdays(locale).map((name, place) =>
            html`<option value=${place + 1} ?selected=${place + 1 === weekday}>${name}</option>`
          )}</select>
        </label>
        <label class="field time">${t.notices.atHour}
          <select name="hour">${hoursOfDay(locale).map((name, place) =>
            html`<option value=${place} ?selected=${place === hour}>${name}</option>`
          )}</select>
        </label>
      </div>
      <p class="small muted">${time_zone === zone
        ? fill(t.notices.zone, { zone })
        : fill(t.notices.otherZone, { zone: time_zone, browser: zone })}</p>
    </div>
  `;
}

customElements.define("human-desk-mail", MailForm);
