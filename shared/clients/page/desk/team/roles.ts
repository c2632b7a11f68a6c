import type { Role } from "../desk.ts";
import { t } from "../texts.ts";

/** The roles, from the one that may do everything to the one that may do least. */
export const roles: Role[] = ["owner", "editor", "answerer"];

/** The name of a role. */
export function nameOfRole(role: Role): string {
  return t.team[role];
}

/** A sentence about what an expert of a role may do. */
export function hintOf(role: Role): string {
  return t.team[`${role}Hint`];
}

/** Returns true for an expert who may change what the persona knows: its files, tests and pinned answers. */
export function mayEdit(role: Role): boolean {
  return role !== "answerer";
}
