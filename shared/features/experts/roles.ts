/** The roles of experts. Each may do what the one before it may. */
export const roles = ["answerer", "editor", "owner"] as const;
export type Role = typeof roles[number];
