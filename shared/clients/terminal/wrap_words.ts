/** A text that is shown as it arrives. */
export interface WordWrap {
  write(text: string): void;
  /** Shows the last word, which more text might still have made longer. */
  flush(): void;
}

/** Line breaks, other white space, characters that may end any line, and words. */
const parts = /\n|[^\S\n]+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu;
const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** Control characters could move the cursor or change the terminal. Line breaks and tabs stay. */
const controls = /(?![\n\t])\p{Cc}/gu;

/**
 * Writes text in lines of whole words. Words are kept back until they are complete, however small the pieces are in
 * which they arrive. The text's own line breaks stay. A word is as wide as it has characters.
 *
 * @param columns the width of the terminal; undefined if the output is none, and then no line is broken.
 */
export function wrapWords(print: (text: string) => void, columns: () => number | undefined): WordWrap {
  let column = 0;
  let spaces = "";
  let word = "";

  function flush(): void {
    if (word === "") return;
    const width = wide.test(word) ? 2 : [...word].length;
    const isTooLong = column > 0 && column + spaces.length + width > (columns() ?? Infinity);
    print(isTooLong ? `\n${word}` : spaces + word);
    column = isTooLong ? width : column + spaces.length + width;
    spaces = "";
    word = "";
  }

  return {
    write(text) {
      for (const [part] of text.replace(controls, "").matchAll(parts)) {
        const isWord = part.trim() !== "";
        if (!isWord || wide.test(part) || wide.test(word)) flush();
        if (isWord) word += part;
        else if (part !== "\n") spaces += part;
        else {
          print("\n");
          column = 0;
          spaces = "";
        }
      }
    },
    flush,
  };
}
