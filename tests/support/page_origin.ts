/** The origin of the pages that `issuePublishableKey` of `project.ts` allows by default. */
export const pageOrigin = "https://app.example.com";
