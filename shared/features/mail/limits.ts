/** The languages of mails. */
export const mailLanguages = ["en", "de", "fr", "es", "pt", "ar"] as const;
export type MailLanguage = typeof mailLanguages[number];

/** How often an expert gets a digest of the open questions. */
export const digestTimes = ["off", "daily", "weekly"] as const;
