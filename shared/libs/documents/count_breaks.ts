/** Of pdf.js, which goes on without the rest of a page, or of a form on it. */
const breakingOff = /^Warning: getTextContent - ignoring errors during /;

let breaks = 0;
const { warn } = console;
// pdf.js has nothing but the console for what it warns of. Its other warnings tell of fonts and pictures, and of no text
// that is lost: in 1,029 documents, of which 478 had any. None is printed, as they may quote the document.
console.warn = (...words: unknown[]) => {
  const text = String(words[0]);
  if (!text.startsWith("Warning: ")) return warn(...words);
  if (breakingOff.test(text)) breaks++;
};

/** The number of times so far that pdf.js, while it warns, has told in this process of content that breaks off. */
export function countBreaks(): number {
  return breaks;
}
