/** The forms of a source: one page, all pages of a site, or the pages of a feed's entries. */
export const sourceKinds = ["page", "site", "feed"] as const;

/** The times after which a source is read again. */
export const refreshTimes = ["never", "daily", "weekly"] as const;

/** The states of a source. */
export const sourceStatuses = ["queued", "reading", "ready", "failed"] as const;

/** The most pages of a source. */
export const maxPages = 500;
