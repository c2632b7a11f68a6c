/** The end of a sentence: after a mark and a space that no small letter follows, or after a full-width mark. */
const sentenceEnd = /[.!?…]["'”’»)\]]*\s+(?=[^\p{Ll}\s])|[。！？｡]["'”’」』）]*\s*/gu;

/** Cuts a text into sentences by their marks. Joined, the sentences are the text again. */
export function splitSentences(text: string): string[] {
  const sentences = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(sentenceEnd)) {
    sentences.push(text.slice(start, index + mark.length));
    start = index + mark.length;
  }
  if (start < text.length) sentences.push(text.slice(start));
  return sentences;
}
