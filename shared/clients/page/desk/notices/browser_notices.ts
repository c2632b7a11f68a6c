/// <reference lib="dom" />
import { html } from "lit";
import type { WatchedEvent } from "../../../client/watch.ts";
import { isolate } from "../../../isolate.ts";
import { keep } from "../../connection.ts";
import { directionOf } from "../../ui/language.ts";
import { state } from "../../ui/element.ts";
import { concernsOf } from "../state/coach_feed.ts";
import { linkTo } from "../route.ts";
import { fill, language, t } from "../texts.ts";
import { DeskPart } from "../desk_part.ts";

/** True if the expert wants notifications in this browser. */
const wanted = keep<boolean>("human-desk notifications", "browser");

/** The reason that keeps this browser from showing notifications of the desk, or `on`. */
type NotificationState = "unsupported" | "blocked" | "off" | "on";

function readNotificationState(): NotificationState {
  if (!("Notification" in globalThis)) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && wanted.load() ? "on" : "off";
}

/**
 * Shows a notification about an event that an expert should see soon, unless they are looking at the desk already. It has
 * nothing that a person wrote, and makes no sound. A later one about the same takes its place.
 */
export function notify(event: WatchedEvent, coach: { id: string; name: string }): void {
  const { kind, thread_id } = event;
  const { notice } = concernsOf(event);
  if (notice === null) return;
  if (document.hasFocus() || readNotificationState() !== "on") return;
  const sentence = fill(notice === "person" ? t.notices.somebodyWaits : t.notices.newQuestion, {
    name: isolate(coach.name),
  });
  const place = notice === "person" ? linkTo("conversations", thread_id) : linkTo("questions");
  try {
    const notification = new Notification(sentence, {
      tag: `human-desk ${coach.id} ${kind}`,
      silent: true,
      lang: language,
      dir: directionOf(language),
    });
    notification.onclick = () => {
      notification.close();
      focus();
      location.hash = place;
    };
  } catch {
    // Browsers of phones show notifications of service workers only.
  }
}

/** Switches the notifications of this browser on and off. */
export class BrowserSwitch extends DeskPart {
  #state = state(this, readNotificationState());

  override render() {
    return html`
      <section class="card stack tight" aria-labelledby="browser">
        <h3 id="browser">${t.notices.browser}</h3>
        <p class="small muted">${t.notices.browserHint}</p>
        ${this.#renderSwitch()}
      </section>
    `;
  }

  #renderSwitch() {
    switch (this.#state.value) {
      case "unsupported":
        return html`<p class="small">${t.notices.unsupported}</p>`;
      case "blocked":
        return html`<p class="small" role="status">${t.notices.blocked}</p>`;
      case "off":
        return html`<div class="row"><button @click=${this.#allow}>${t.notices.allow}</button></div>`;
      case "on":
        return html`<div class="row"><button @click=${this.#stop}>${t.notices.stop}</button></div>`;
    }
  }

  /** Browsers ask only when a button was pressed. */
  #allow = async (): Promise<void> => {
    wanted.save(await Notification.requestPermission() === "granted" || null);
    this.#state.value = readNotificationState();
  };
  #stop = (): void => {
    wanted.save(null);
    this.#state.value = readNotificationState();
  };
}

customElements.define("human-desk-browser-switch", BrowserSwitch);
