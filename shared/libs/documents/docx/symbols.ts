import { codePoint } from "./dingbats.ts";

/** The character of a font of symbols, whose codes mean something only in that font. */
export function readSymbol(font: string | undefined, code: number): string {
  // Word moves the codes of such fonts to U+F000.
  const symbol = codePoint(font ?? "Symbol", code & 0xff)?.string;
  return symbol ?? (code >= 0xe000 && code <= 0xf8ff ? "" : String.fromCharCode(code));
}

/** A text with such codes in it. */
export function readSymbols(text: string, font: string | undefined): string {
  return text.replace(/[\uF000-\uF0FF]/g, (symbol) => readSymbol(font, symbol.charCodeAt(0)));
}
