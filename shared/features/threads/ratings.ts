/** The ratings that users can give an answer. */
export const ratings = ["up", "down"] as const;
export type Rating = typeof ratings[number];
