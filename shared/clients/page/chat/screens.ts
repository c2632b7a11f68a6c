import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../ui/icons.ts";
import type { Chat, Coach } from "./chat.ts";
import { face } from "./pieces.ts";
import { fillPlural } from "../ui/fill.ts";
import type { Texts } from "./texts.ts";
import { passes, type Trouble } from "./trouble.ts";

/** The header: the coach, and whether the AI or the expert answers. */
export function header(
  chat: Chat | null,
  { texts, level, isMenuOpen, onMenu, onNew }: {
    texts: Texts;
    /** The level of the heading: 1 on a page of its own. */
    level: 1 | 2;
    isMenuOpen: boolean;
    onMenu: () => void;
    onNew: () => void;
  },
): TemplateResult {
  const { coach, coaches = [], conversation } = chat ?? {};
  const isPerson = conversation?.handledBy === "expert";
  return html`
    <header part="header">
      <button class="plain icon menu" aria-label=${texts.menu} aria-expanded=${isMenuOpen} aria-controls="side"
        ?hidden=${!chat} @click=${onMenu}>${icons.menu}</button>
      ${coach
        ? html`
          ${face(coach)}
          <div class="whom">
            ${heading(level, coach.name)}
            <p class="muted">
              <span class="badge ${isPerson ? "person" : ""}">
                ${isPerson ? icons.person : icons.sparkle}${isPerson ? texts.expert : texts.ai}
              </span>
              <bdi>${coach.title}</bdi>
            </p>
          </div>
          ${coaches.length > 1
            ? html`
              <button class="plain change" title=${texts.changeCoach} @click=${() => chat!.choose(null)}>
                ${icons.people}<span>${texts.changeCoach}</span>${newBadge(chat!.unreadElsewhere, texts)}
              </button>
            `
            : nothing}
          <button class="plain icon new" aria-label=${texts.newChat} title=${texts.newChat} @click=${onNew}>
            ${icons.plus}
          </button>
        `
        : nothing}
    </header>
  `;
}

/** A banner above the conversation. `onClose` is null for one that disappears automatically. */
export function banner(
  sentence: string,
  { isError = false, texts, onClose }: { isError?: boolean; texts: Texts; onClose: (() => void) | null },
): TemplateResult {
  return html`
    <p class="banner ${isError ? "error" : ""}" role="status">
      <span>${sentence}</span>
      ${onClose
        ? html`<button class="plain icon" aria-label=${texts.close} @click=${onClose}>${icons.close}</button>`
        : nothing}
    </p>
  `;
}

/** Returns true if a trouble is shown in place of the conversation. */
export function isScreenFilling({ kind }: Trouble): boolean {
  return kind === "signedOut" || kind === "threadNotFound";
}

/** A screen with its content in the middle. */
export function screen(content: TemplateResult): TemplateResult {
  return html`<div class="middle">${content}</div>`;
}

function newBadge(count: number, texts: Texts) {
  return count > 0
    ? html`<span class="unread">${fillPlural(texts.unread, { count, locale: texts.locale })}</span>`
    : nothing;
}

function heading(level: 1 | 2, text: string): TemplateResult {
  return level === 1 ? html`<h1><bdi>${text}</bdi></h1>` : html`<h2><bdi>${text}</bdi></h2>`;
}

/** The choice of a coach. */
export function choiceScreen(
  chat: Chat,
  { texts, level, onChoose }: { texts: Texts; level: 1 | 2; onChoose: (coach: Coach) => void },
): TemplateResult {
  return screen(html`
    ${heading(level, texts.chooseCoach)}
    <ul class="choices">
      ${chat.coaches.map((coach) =>
        html`
          <li>
            <button @click=${() => onChoose(coach)}>
              ${face(coach)}
              <span><strong><bdi>${coach.name}</bdi></strong><bdi class="muted">${coach.title}</bdi></span>
              ${newBadge(chat.unreadOf(coach), texts)}
              <span class="badge">${icons.sparkle}${texts.ai}</span>
            </button>
          </li>
        `
      )}
    </ul>
  `);
}

/** A trouble in place of the conversation, with the actions that help. */
export function troubleScreen(
  trouble: Trouble,
  { chat, texts, sentence, onRetry, onNew, onSignIn }: {
    chat: Chat;
    texts: Texts;
    sentence: string;
    onRetry: () => void;
    onNew: () => void;
    onSignIn: () => void;
  },
): TemplateResult {
  const signIn = html`<button @click=${onSignIn}>${texts.signIn}</button>`;
  if (trouble.kind === "threadNotFound") {
    return screen(html`
      <p role="alert">${sentence}</p>
      <div class="buttons">
        <button class="primary" @click=${onNew}>${texts.newChat}</button>
        ${chat.account?.email === null ? signIn : nothing}
      </div>
    `);
  }
  if (trouble.kind === "signedOut" && !chat.isSignedInBySite) {
    return screen(html`
      <h2 role="alert">${texts.signedOut}</h2>
      <p class="muted">${trouble.isErased ? texts.forgotten : texts.signedOutHint}</p>
      <div class="buttons">
        ${signIn}
        <button class="primary" @click=${() => chat.goOnAsVisitor()}>${texts.goOnAsVisitor}</button>
      </div>
    `);
  }
  return screen(html`
    <p role="alert">${trouble.kind === "signedOut" ? texts.siteSignedOut : sentence}</p>
    ${passes(trouble) ? nothing : html`<button @click=${onRetry}>${texts.retry}</button>`}
  `);
}
