/**
 * What the scripts that the chat loads later take from it, instead of bringing their own: they are small, and there is one
 * Lit, so that a site with trusted types allows one policy. The build puts these parts in the place of the modules that
 * are named here (see `build_page.ts`).
 */
export { html, nothing } from "lit";
export { en } from "../texts/texts.ts";
export { countdown } from "../ui/countdown.ts";
export { closeModal, modal, modalStyles } from "../ui/dialog.ts";
export { elementWith, observe, state, styleSheets, tell } from "../ui/element.ts";
export { fill, fillPlural } from "../ui/fill.ts";
export { icons } from "../ui/icons.ts";
export { languages } from "../ui/language.ts";
export { renderMarkdown, textStyles } from "../ui/markdown.ts";
export { face, pieceStyles } from "./pieces.ts";
export { describeTrouble } from "./trouble.ts";
