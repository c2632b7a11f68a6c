import { html, nothing, type PropertyValues } from "lit";
import { state, styleSheets } from "../../ui/element.ts";
import { type Schemas, tellDesk } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { showError, showLoading } from "../parts/show_state.ts";
import { Loading } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import styles from "./share_settings.css" with { type: "text" };

type Settings = Schemas["CoachSettings"];

/** The form with what an owner sets at once. Editors read it. */
export class ShareSettings extends DeskPart {
  static override styles = styleSheets(styles);

  #settings = this.use(new Loading((options) => this.client.getSettings(this.coachId, options)));
  /** The color that is chosen in the form; null: the usual one. */
  #color = state<string | null | undefined>(this, undefined);

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("desk") && changed.get("desk")?.coach !== this.desk.coach) void this.#settings.load();
  }

  override render() {
    return showLoading(this.#settings, (settings) => this.#renderForm(settings));
  }

  #renderForm(settings: Settings) {
    const { coach } = this.desk;
    const isLocked = !this.isOwner;
    const color = this.#color.value === undefined ? settings.accent_color : this.#color.value;
    // White text on it, and links in it on white.
    const isTooLight = color !== null && contrastOf(color, "#ffffff") < leastContrast;
    return html`
      <form class="card stack" aria-labelledby="look" @submit=${this.#save}>
        <h3 id="look">${t.share.look}</h3>
        ${isLocked ? html`<p class="small muted">${t.share.onlyOwners}</p>` : nothing}
        <fieldset class="stack" ?disabled=${isLocked || this.isBusy}>
          <label class="stack tight"><span>${t.share.slug}</span>
            <input name="slug" dir="ltr" required minlength="3" maxlength="40" pattern="[a-z0-9][a-z0-9\\-]*[a-z0-9]"
              aria-describedby="slug-hint" .value=${settings.slug ?? ""}></label>
          <p id="slug-hint" class="small muted">${t.share.slugHint}</p>
          <div class="row">
            <label class="row"><span>${t.share.color}</span>
              <input type="color" .value=${color ?? "#0f6b5c"} @input=${this.#onColor}></label>
            ${color === null ? nothing : html`
              <button type="button" @click=${() => this.#color.value = null}>${t.share.usualColor}</button>
            `}
          </div>
          ${isTooLight ? html`<p class="error" role="alert">${t.share.tooLight}</p>` : nothing}
          <label class="stack tight"><span>${t.share.launcherText}</span>
            <input name="launcher" maxlength="60" aria-describedby="launcher-hint" .value=${settings.launcher_text ??
              ""}></label>
          <p id="launcher-hint" class="small muted">${t.share.launcherHint}</p>
          <label class="row"><input type="checkbox" name="sources" .checked=${settings.sources_are_open}>
            <span>${t.share.sources}</span></label>
          <p class="small muted">${fill(t.share.sourcesHint, { name: coach.name })}</p>
          ${showError(this.action.error)}
          ${isLocked ? nothing : html`
            <div class="row"><button class="primary" ?disabled=${isTooLight}>${t.parts.save}</button></div>
          `}
        </fieldset>
      </form>
    `;
  }

  #onColor({ target }: InputEvent): void {
    this.#color.value = (target as HTMLInputElement).value;
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const { slug: slugBefore = null, accent_color } = this.#settings.value!;
    const slug = String(form.get("slug"));
    const isSaved = await this.run(async () => {
      const saved = await this.client.saveSettings(this.coachId, {
        ...slug !== slugBefore && { slug },
        accent_color: this.#color.value === undefined ? accent_color : this.#color.value,
        launcher_text: String(form.get("launcher")).trim() || null,
        sources_are_open: form.has("sources"),
      });
      this.#settings.set(saved);
    });
    if (!isSaved) return;
    this.say(t.share.saved);
    tellDesk(this, "persona");
  }
}

customElements.define("human-desk-share-settings", ShareSettings);

/** The contrast that texts need, after the Web Content Accessibility Guidelines. */
const leastContrast = 4.5;

/** The contrast of two colors such as `#0a7d5c`, from 1 to 21. */
function contrastOf(one: string, other: string): number {
  const [brighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (brighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const share = parseInt(color.slice(place, place + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
