import { controlStyles } from "./styles/control.ts";
import { layoutStyles } from "./styles/layout.ts";
import { proseStyles } from "./styles/prose.ts";

/** What all panels of the desk look like. */
export const deskStyles = [layoutStyles, controlStyles, proseStyles];
