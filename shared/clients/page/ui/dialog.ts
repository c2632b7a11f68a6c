import { css, html, type TemplateResult } from "lit";
import { Directive, directive, type ElementPart } from "lit/directive.js";

/**
 * A window above the page, open as long as it is rendered. Escape and a click beside it close it, and the browser returns
 * the focus. The caller stops rendering it in `onClose`.
 */
export function modal(
  { title, content, onClose }: { title: string; content: TemplateResult; onClose: () => void },
): TemplateResult {
  return html`
    <dialog part="dialog" aria-label=${title} ${opened()} @close=${onClose} @click=${closeBeside}
      @keydown=${keepEscape}>
      <div class="window">${content}</div>
    </dialog>
  `;
}

/** Closes the window that an event comes from, which calls its `onClose`. */
export function closeModal(event: Event): void {
  (event.target as Element).closest("dialog")?.close();
}

/** The styles of windows: in the middle of a large page, at the bottom of a small one. */
export const modalStyles = css`
  dialog {
    width: min(34rem, 100vw - 2rem);
    max-height: min(40rem, 100dvh - 2rem);
    margin: auto;
    padding: 0;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    color: var(--text);
    box-shadow: 0 0.5rem 2rem rgb(0 0 0 / 0.2);
    overflow: auto;
  }
  dialog::backdrop {
    background: rgb(10 20 18 / 0.45);
  }
  dialog:focus-visible {
    outline: none;
  }
  .window {
    padding: 1.5rem;
  }
  .window h2 {
    margin: 0 0 0.5rem;
    font-size: 1.125rem;
    line-height: 1.35;
  }
  .window p {
    margin: 0 0 1rem;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 0.5rem;
    margin-block-start: 0.75rem;
  }
  button.danger {
    border-color: transparent;
    background: var(--danger);
    color: var(--surface);
  }
  button.danger:hover:not(:disabled) {
    background: color-mix(in oklab, var(--danger) 88%, var(--text));
  }
  @media (max-width: 40rem) {
    dialog {
      width: 100vw;
      max-width: 100vw;
      margin: auto 0 0;
      border-width: 1px 0 0;
      border-end-start-radius: 0;
      border-end-end-radius: 0;
    }
  }
`;

const opened = directive(
  class extends Directive {
    #isOpened = false;
    override update({ element }: ElementPart): void {
      if (this.#isOpened) return;
      this.#isOpened = true;
      queueMicrotask(() => element.isConnected && (element as HTMLDialogElement).showModal());
    }
    override render() {}
  },
);

/** Escape closes the window, and nothing around it. */
function keepEscape(event: KeyboardEvent): void {
  if (event.key === "Escape") event.stopPropagation();
}

/** A click on the dialog itself is a click beside its window. */
function closeBeside(event: Event): void {
  if (event.target === event.currentTarget) (event.currentTarget as HTMLDialogElement).close();
}
