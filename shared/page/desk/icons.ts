import { svg, type SVGTemplateResult } from "lit";
import { html, type TemplateResult } from "lit";

/** A drawing of lines in a square of 24. Its meaning stands beside it in words. */
function icon(lines: SVGTemplateResult): TemplateResult {
  return html`
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"
      stroke-linejoin="round" aria-hidden="true">${lines}</svg>
  `;
}

export const icons = {
  questions: icon(svg`
    <circle cx="12" cy="12" r="9" />
    <path d="M9.2 9.3a2.9 2.9 0 1 1 4 2.7c-.9.4-1.2 1-1.2 1.8M12 17v.01" />
  `),
  conversations: icon(svg`
    <path d="M4 5h12v9H9l-4 3v-3H4zM19 9h1v9h-1v3l-4-3h-4" />
  `),
  answers: icon(svg`
    <path d="M14 3l7 7-4 1-4 4-.5 4.5L4.5 11.5 9 11l4-4zM8 16l-4.5 4.5" />
  `),
  files: icon(svg`
    <path d="M7 3h7l5 5v13H7zM14 3v5h5M10 13h6M10 17h6" />
  `),
  try: icon(svg`
    <path d="M9 3h6M10 3v6l-5 9.5A1.7 1.7 0 0 0 6.5 21h11a1.7 1.7 0 0 0 1.5-2.5L14 9V3M8 15h8" />
  `),
  usage: icon(svg`
    <path d="M4 4v16h16M8 16v-4M12 16V8M16 16v-6M20 16V6" />
  `),
  person: icon(svg`
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20c1-4 4-6 7.5-6s6.5 2 7.5 6" />
  `),
  ai: icon(svg`
    <path d="M12 3l1.9 5.1L19 10l-5.1 1.9L12 17l-1.9-5.1L5 10l5.1-1.9zM19 16v5M16.5 18.5h5" />
  `),
  down: icon(svg`
    <path d="M17 3v11M7 14H4V3h3M7 3h8.5l1.5 1v9l-4 8c-1.5 0-2.5-1-2.5-2.5V14H5" />
  `),
  up: icon(svg`
    <path d="M7 21V10M17 10h3v11h-3M17 21H8.5L7 20v-9l4-8c1.5 0 2.5 1 2.5 2.5V10H19" />
  `),
  back: icon(svg`
    <path d="M15 5l-7 7 7 7" />
  `),
  upload: icon(svg`
    <path d="M12 16V4M7 9l5-5 5 5M4 16v4h16v-4" />
  `),
  search: icon(svg`
    <circle cx="11" cy="11" r="6.5" />
    <path d="M16 16l5 5" />
  `),
  plus: icon(svg`
    <path d="M12 5v14M5 12h14" />
  `),
  barred: icon(svg`
    <circle cx="12" cy="12" r="9" />
    <path d="M5.7 5.7l12.6 12.6" />
  `),
};
