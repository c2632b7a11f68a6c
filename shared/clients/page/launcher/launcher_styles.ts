/** The styles of the launcher: a button in a corner, and a panel beside it. The colors are those of the chat. */
export const launcherStyles = `
:host {
  --accent: var(--human-chat-accent, var(--coach-accent, light-dark(#0f6b5c, #58c9b2)));
  --on-accent: var(--human-chat-on-accent, var(--coach-on-accent, light-dark(#ffffff, #06231d)));
  --surface: var(--human-chat-surface, light-dark(#ffffff, #16191b));
  --text: var(--human-chat-text, light-dark(#1a2422, #e7ecea));
  --line: var(--human-chat-line, light-dark(#d6dddb, #363d40));
  --danger: var(--human-chat-danger, light-dark(#a3242b, #ff9a94));
  --size: var(--human-chat-launcher-size, 3.5rem);
  --offset: var(--human-chat-launcher-offset, 1.25rem);
  position: fixed;
  inset-block-end: var(--offset);
  inset-inline-end: var(--offset);
  z-index: var(--human-chat-launcher-layer, 1000);
  display: block;
  color-scheme: var(--human-chat-color-scheme, light dark);
  color: var(--text);
  font: var(--human-chat-font-size, 1rem)/1.5 var(--human-chat-font, system-ui, sans-serif);
}
:host([corner="start"]) {
  inset-inline: var(--offset) auto;
}
:host([hidden]), [hidden] {
  display: none !important;
}
button {
  display: grid;
  place-items: center;
  padding: 0;
  border: 0;
  background: none;
  color: inherit;
  font: inherit;
  cursor: pointer;
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
.bubble {
  position: relative;
  grid-auto-flow: column;
  min-inline-size: var(--size);
  block-size: var(--size);
  padding-inline: 0.25rem;
  border-radius: calc(var(--size) / 2);
  background: var(--accent);
  color: var(--on-accent);
  box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 0.25);
}
.bubble:hover {
  background: color-mix(in oklab, var(--accent) 88%, var(--text));
}
svg, ::slotted(svg), ::slotted(img) {
  inline-size: 1.75rem;
  block-size: 1.75rem;
}
img {
  display: block;
  inline-size: calc(var(--size) - 0.5rem);
  block-size: calc(var(--size) - 0.5rem);
  border-radius: 50%;
  object-fit: cover;
}
.words {
  padding-inline: 0.25rem 1rem;
  font-weight: 600;
}
.mark {
  position: absolute;
  inset-block-start: -0.25rem;
  inset-inline-end: -0.25rem;
  min-inline-size: 1.375rem;
  padding-inline: 0.375rem;
  border-radius: 1rem;
  background: var(--danger);
  color: var(--surface);
  font-size: 0.8125rem;
  font-weight: 600;
  line-height: 1.375rem;
}
dialog {
  position: absolute;
  inset: auto;
  inset-block-end: calc(100% + 0.75rem);
  inset-inline-end: 0;
  box-sizing: border-box;
  inline-size: min(26rem, 100vw - 2 * var(--offset));
  block-size: min(42rem, 100dvh - var(--size) - 2 * var(--offset) - 0.75rem);
  max-inline-size: none;
  max-block-size: none;
  margin: 0;
  padding: 0;
  border: 1px solid var(--line);
  border-radius: var(--human-chat-radius, 0.75rem);
  background: var(--surface);
  color: inherit;
  box-shadow: 0 0.5rem 2rem rgb(0 0 0 / 0.2);
  overflow: hidden;
  overscroll-behavior: contain;
}
:host([corner="start"]) dialog {
  inset-inline: 0 auto;
}
dialog[open] {
  display: flex;
  flex-direction: column;
}
dialog:focus-visible {
  outline: none;
}
.close {
  align-self: flex-end;
  flex: none;
  inline-size: 2.75rem;
  block-size: 2.75rem;
  outline-offset: -2px;
}
.state {
  margin: auto;
  padding: 1rem;
  text-align: center;
}
.state button {
  margin: 0.75rem auto;
  padding: 0.375rem 0.875rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
}
human-chat {
  flex: 1;
  min-block-size: 0;
  block-size: auto;
}
@media (max-width: 30rem), (max-height: 30rem) {
  dialog {
    position: fixed;
    inset: 0;
    inline-size: 100%;
    block-size: var(--visible, 100dvh);
    border: 0;
    border-radius: 0;
  }
  :host([corner="start"]) dialog {
    inset: 0;
  }
}
@media (forced-colors: active) {
  .bubble, dialog {
    border: 1px solid;
  }
}
@media print {
  :host {
    display: none;
  }
}
`;
