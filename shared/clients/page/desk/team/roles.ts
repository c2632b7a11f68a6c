import type { Role } from "../desk.ts";
import { t } from "../texts.ts";

/** The roles, from the one that may do everything to the one that may do least. */
export const roles: Role[] = ["owner", "editor", "answerer"];

const words: Record<Role, () => [name: string, hint: string]> = {
  owner: () => [t.team.owner, t.team.ownerHint],
  editor: () => [t.team.editor, t.team.editorHint],
  answerer: () => [t.team.answerer, t.team.answererHint],
};

/** The name of a role. */
export function nameOfRole(role: Role): string {
  return words[role]()[0];
}

/** A sentence about what an expert of a role may do. */
export function hintOf(role: Role): string {
  return words[role]()[1];
}
