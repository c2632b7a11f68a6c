/** The roles of experts. Each may do what the one before it may. */
export const roles = ["answerer", "editor", "owner"] as const;
export type Role = typeof roles[number];

/** The standing of a caller with the coaches that its key gives access to, whichever of them. */
export type Standing = {
  /** The highest role that the caller has with any of them; null if it has none. A key alone counts as an owner. */
  role: Role | null;
  /** True if the caller may search the files of any of them. */
  reads_files: boolean;
  /** True if the caller may look up what answers of any of them draw on. */
  reads_sources: boolean;
};
