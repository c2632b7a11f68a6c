import { Lexer, type MarkedOptions, type Token, Tokenizer, type Tokens } from "marked";

/** The longest block that is read as Markdown, in UTF-16 units. */
const longestBlock = 20_000;
/**
 * The longest time of reading a text, in milliseconds, and what each thousand UTF-16 units add to it. To compile the
 * expressions for the first text takes a slow device half a second.
 */
const longest = { always: 1_000, perThousand: 4 };

/** Letters that are written without spaces between words, and the punctuation among them. */
const unspaced = /[\u2e80-\u2fdf\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]/g;
const isUnspaced = (character: string) => character.search(unspaced) !== -1;
/** What ends an address in a text without spaces. */
const endOfAddress = /[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/;

/**
 * Reads HTML as text, and single tildes, which stand for "to" and "about". Letters that are written without spaces may
 * stand next to the marks of bold text, and end an address.
 */
class TextTokenizer extends Tokenizer {
  #masked = { source: "", text: "" };

  override html() {
    return undefined;
  }
  override tag() {
    return undefined;
  }
  override del(source: string, masked: string, previous?: string) {
    return source.startsWith("~~") ? super.del(source, masked, previous) : undefined;
  }
  override emStrong(source: string, masked: string, previous = "") {
    if (!/^[*_]/.test(source)) return;
    // CommonMark asks for a space or punctuation around marks that are next to punctuation.
    if (this.#masked.source !== masked) this.#masked = { source: masked, text: masked.replace(unspaced, "。") };
    return super.emStrong(source, this.#masked.text, isUnspaced(previous) ? "" : previous);
  }
  override url(source: string) {
    const link = super.url(source);
    const end = link?.raw.search(endOfAddress) ?? -1;
    return end === -1 ? link : super.url(source.slice(0, end));
  }
}

/** A formula in LaTeX, at most 2,000 UTF-16 units long: `$x^2$` and `\(x^2\)`, or by itself: `$$x^2$$` and `\[x^2\]`. */
export type Formula = Tokens.Generic & { type: "formula"; text: string; isBlock: boolean };

const ofItself = /(?:\$\$((?:\\[^]|[^\\$]){1,2000}?)\$\$|\\\[([^]{1,2000}?)\\\])/.source;
const formulas = {
  block: new RegExp(`^ {0,3}${ofItself}[^\\S\\n]*(?:\\n+|$)`),
  inline: new RegExp(`^${ofItself}`),
  // Neither a price nor a variable of a shell: "$5 or $6", "$HOME".
  inText: /^(?:\\\(([^]{1,2000}?)\\\)|\$(?!\s)((?:\\.|[^\\$\n]){1,2000}?)(?<!\s)\$(?![\w$]))/,
  hasSigns: /[\\^_=+<>{}]|^[a-z]\w?'?$|^\w\(\w\)$/i,
};

function readFormula(source: string, pattern: RegExp, isBlock: boolean): Formula | undefined {
  const [raw, first, second] = pattern.exec(source) ?? [];
  const text = (first ?? second)?.trim();
  if (!raw || !text || source.startsWith("$") && !isBlock && !formulas.hasSigns.test(text)) return;
  return { type: "formula", raw, text, isBlock };
}

const extensions: MarkedOptions["extensions"] = {
  renderers: {},
  childTokens: {},
  block: [(source) => readFormula(source, formulas.block, true)],
  startBlock: [(source) => source.search(/\n {0,3}(?:\$\$|\\\[)/) + 1 || undefined],
  inline: [
    (source) => readFormula(source, formulas.inline, true) ?? readFormula(source, formulas.inText, false),
  ],
  startInline: [(source) => source.search(/(?<![\w$])\$|\\[([]/)],
};

/** Ends the reading of a text that takes too long: some texts take time in proportion to the square of their length. */
function limitTime(tokenizer: Tokenizer, length: number): Tokenizer {
  const endsAt = performance.now() + longest.always + longest.perThousand * length / 1_000;
  return new Proxy(tokenizer, {
    get(target, name) {
      if (performance.now() > endsAt) throw new RangeError("The text takes too long to read");
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}

/**
 * Reads a text as Markdown, block by block. Null if it is nested too deeply, has a block that is too long, or takes too
 * long, as text does that someone has made for it: it is then shown as it was written.
 *
 * @param isWrapped true if the end of a line is a space, as in many files
 */
export function readMarkdown(text: string, { isWrapped = false } = {}): Token[] | null {
  try {
    const tokenizer = limitTime(new TextTokenizer(), text.length);
    const lexer = new Lexer({ gfm: true, breaks: !isWrapped, tokenizer, extensions });
    const blocks = lexer.blockTokens(text.replace(/\r\n?/g, "\n"), lexer.tokens);
    if (lexer.inlineQueue.some(({ src }) => src.length > longestBlock)) return null;
    for (const { src, tokens } of lexer.inlineQueue.splice(0)) lexer.inlineTokens(src, tokens);
    return blocks;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The content of a cell of a table, in which models break lines with `<br>`. */
export function readCell({ tokens }: Tokens.TableCell): Token[] {
  return tokens.flatMap((token) => {
    if (token.type !== "text") return [token];
    const lines = (token as Tokens.Text).text.split(/<br ?\/?>/i);
    return lines.flatMap((text, index) => [...index === 0 ? [] : [{ type: "br", raw: "" }], { ...token, text }]);
  });
}
