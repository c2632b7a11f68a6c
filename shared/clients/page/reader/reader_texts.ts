/** The texts of the reader, in English. */
export const readerTexts = {
  aSource: "Source",
  cited: "The passage of this source",
  close: "Close",
  download: "Download",
  drewOn: "The answer drew on this:",
  fetched: "Read on {date}",
  fileGone: "This file was deleted, or is not open to you.",
  hasSaid: "Said by {name}",
  loading: "Loading",
  moreAfter: "Show more after",
  moreBefore: "Show more before",
  nextSource: "Next source",
  openOriginal: "Open the original",
  openOriginalAt: "Open page {page} of the original",
  openWebPage: "Open the web page",
  page: "page {page}",
  passageGone: "This passage is not in the file any more. The file has changed since the answer was written.",
  previousSource: "Previous source",
  retry: "Try again",
  source: "Source {number}",
  sourceOf: "Source {number} of {count}",
};

/** The texts of the reader. */
export type ReaderTexts = typeof readerTexts;
