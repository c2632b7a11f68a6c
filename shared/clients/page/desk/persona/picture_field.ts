/// <reference lib="dom" />
import { html, nothing } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_state.ts";
import { t } from "../texts.ts";
import {
  type Crop,
  drawCrop,
  maxZoom,
  moveCrop,
  openPicture,
  side,
  wholePicture,
  writePicture,
  zoomTo,
} from "./crop.ts";
import { showFace } from "./persona_preview.ts";
import faceStyles from "./face.css" with { type: "text" };
import styles from "./picture_field.css" with { type: "text" };

/** The distance that an arrow key moves a picture, in sides of the square. */
const step = 0.05;

/** A picture of a persona or an expert. A chosen file is cut to a square here, before it is uploaded. */
export class PictureField extends DeskPart.with({
  /** The one who is shown; their initials are, if there is no picture. */
  name: { attribute: false, first: "" },
  url: {} as Property<string | null>,
  canChange: { attribute: false, first: false },
  /** Stores the picture, or with null removes it. */
  keep: {} as Property<(picture: Blob | null) => Promise<unknown>>,
}) {
  static override styles = styleSheets(faceStyles, styles);

  #picture = state<ImageBitmap | null>(this, null);
  #crop = state<Crop>(this, wholePicture);
  #complaint = state(this, "");
  #isUnderFile = state(this, false);
  #canvas = createRef<HTMLCanvasElement>();
  /** The place of the pointer that drags the picture. */
  #dragged: { x: number; y: number } | null = null;

  override updated(): void {
    const [picture, canvas] = [this.#picture.value, this.#canvas.value];
    if (picture !== null && canvas !== undefined) drawCrop(canvas, picture, this.#crop.value);
  }

  override render() {
    const complaint = this.#complaint.value;
    return html`
      <div class="stack tight" role="group" aria-label=${t.persona.picture}>
        ${this.#picture.value === null ? this.#renderPicture() : this.#renderCrop()}
        ${complaint ? html`<p class="error" role="alert">${complaint}</p>` : showError(this.action.error)}
      </div>
    `;
  }

  #renderPicture() {
    const { name, url } = this;
    const { isBusy } = this.action;
    return html`
      <div class="row ${this.#isUnderFile.value ? "over" : ""}" @dragenter=${this.#onDragFile} @dragover=${this
        .#onDragFile}
        @dragleave=${() => this.#isUnderFile.value = false} @drop=${this.#onDrop}>
        ${showFace(name, url)}
        ${this.canChange
          ? html`
            <div class="stack tight choice">
              <div class="row">
                <button type="button" class="choose" ?disabled=${isBusy} @click=${this.#choose}>${icons.upload}
                  ${url === null ? t.persona.addPicture : t.persona.changePicture}</button>
                ${url === null ? nothing : html`
                  <button type="button" ?disabled=${isBusy} @click=${this.#remove}>${t.parts.remove}</button>
                `}
              </div>
              <p class="hint">${t.persona.pictureHint}</p>
              <input type="file" hidden accept="image/*" aria-label=${t.persona.picture} @change=${this.#onChosen}>
            </div>
          `
          : nothing}
      </div>
    `;
  }

  #renderCrop() {
    const { isBusy } = this.action;
    return html`
      <canvas ${ref(this.#canvas)} width=${side} height=${side} tabindex="0" role="application"
        aria-label=${t.persona.cropLabel} @pointerdown=${this.#onPointerDown} @pointermove=${this.#onPointerMove}
        @pointerup=${this.#onPointerUp} @pointercancel=${this.#onPointerUp} @wheel=${this.#onWheel}
        @keydown=${this.#onKey}></canvas>
      <label class="field">${t.persona.zoom}
        <input type="range" min="1" max=${maxZoom} step="0.05" .value=${String(this.#crop.value.zoom)}
          @input=${(event: Event) => this.#zoom(Number((event.target as HTMLInputElement).value))}>
      </label>
      <p class="hint">${t.persona.cropHint}</p>
      <div class="row">
        <button type="button" class="primary" ?disabled=${isBusy} @click=${this.#save}>${isBusy
          ? t.parts.saving
          : t.persona.usePicture}</button>
        <button type="button" @click=${this.#close}>${t.shared.cancel}</button>
      </div>
    `;
  }

  #choose = (): void => this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();

  #onChosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    // The same file may be chosen again.
    input.value = "";
    if (file) void this.#open(file);
  };
  #onDragFile = (event: DragEvent): void => {
    if (!this.canChange || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.#isUnderFile.value = true;
  };
  #onDrop = (event: DragEvent): void => {
    event.preventDefault();
    this.#isUnderFile.value = false;
    const [file] = event.dataTransfer?.files ?? [];
    if (file && this.canChange) void this.#open(file);
  };

  async #open(file: File): Promise<void> {
    const picture = await openPicture(file);
    this.#complaint.value = picture === null ? t.persona.noPicture : "";
    if (picture === null) return;
    this.#crop.value = wholePicture;
    this.#picture.value = picture;
    await this.updateComplete;
    this.#canvas.value?.focus();
  }

  #save = async (): Promise<void> => {
    const picture = this.#picture.value!;
    const isDone = await this.run(async () => await this.keep(await writePicture(picture, this.#crop.value)));
    if (isDone) await this.#close();
  };
  #close = (): Promise<void> => {
    this.#picture.value?.close();
    this.#picture.value = null;
    return this.focusOn(".choose");
  };
  #remove = async (): Promise<void> => {
    await this.run(() => this.keep(null));
    await this.focusOn(".choose");
  };

  #zoom(zoom: number): void {
    this.#crop.value = zoomTo(this.#picture.value!, this.#crop.value, zoom);
  }
  #move(right: number, down: number): void {
    this.#crop.value = moveCrop(this.#picture.value!, this.#crop.value, { right, down });
  }

  #onPointerDown = (event: PointerEvent): void => {
    this.#canvas.value!.setPointerCapture(event.pointerId);
    this.#dragged = { x: event.clientX, y: event.clientY };
  };
  #onPointerMove = ({ clientX: x, clientY: y }: PointerEvent): void => {
    if (this.#dragged === null) return;
    const size = this.#canvas.value!.clientWidth;
    // The picture follows the pointer, so the square moves the other way.
    this.#move((this.#dragged.x - x) / size, (this.#dragged.y - y) / size);
    this.#dragged = { x, y };
  };
  #onPointerUp = (): void => {
    this.#dragged = null;
  };
  #onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    this.#zoom(this.#crop.value.zoom * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
  };
  #onKey = (event: KeyboardEvent): void => {
    const moves: Record<string, [right: number, down: number]> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    };
    const move = moves[event.key];
    if (move) this.#move(...move);
    else if (event.key === "+" || event.key === "=") this.#zoom(this.#crop.value.zoom * 1.1);
    else if (event.key === "-") this.#zoom(this.#crop.value.zoom / 1.1);
    else if (event.key === "Enter") void this.#save();
    else if (event.key === "Escape") void this.#close();
    else return;
    event.preventDefault();
  };
}

customElements.define("human-desk-picture", PictureField);
