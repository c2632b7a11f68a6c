/** An object of a PDF file; a name keeps its slash, everything that is not needed here is null. */
export type PdfObject =
  | string
  | number
  | boolean
  | null
  | PdfString
  | PdfReference
  | PdfObject[]
  | Map<string, PdfObject>;
/** The bytes of a string, one character each. */
export type PdfString = { string: string };
export type PdfReference = { object: number };

const deepest = 32;
// White space and comments. A comment takes its whole line: if it could end earlier, a line of `%` could be divided into
// comments in exponentially many ways, and all would be tried.
const gap = /(?:[\s\0]|%[^\r\n]*(?![^\r\n]))*/y;
// One token. Strings may nest, so only their beginning is a token.
const tokenPattern = /<<|>>|[[\](]|<[\dA-Fa-f\s\0]*>|\/[^\s\0()<>[\]{}/%]*|[^\s\0()<>[\]{}/%]+|$/y;
const stringPart = /[^()\\]+|\\[^]|[()]/y;

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/**
 * Parses a text that holds exactly one object, or begins with one. Throws SyntaxError where two readers might understand
 * it differently: where a bracket is missing, a key is given twice, or anything follows.
 */
export function parsePdfObject(text: string, { mayGoOn = false } = {}): PdfObject {
  let position = 0;

  function token(): string {
    gap.lastIndex = position;
    gap.test(text);
    tokenPattern.lastIndex = gap.lastIndex;
    const match = tokenPattern.exec(text);
    if (match === null) throw new SyntaxError("Cannot parse PDF object: unexpected character");
    position = tokenPattern.lastIndex;
    return match[0];
  }

  function string(): PdfString {
    const parts: string[] = [];
    for (let depth = 1; depth > 0;) {
      stringPart.lastIndex = position;
      const part = stringPart.exec(text)?.[0];
      if (part === undefined) throw new SyntaxError("Cannot parse PDF object: string has no end");
      position = stringPart.lastIndex;
      if (part === "(") depth++;
      if (part === ")") depth--;
      if (depth > 0) parts.push(part.startsWith("\\") ? escaped(part[1]!) : part.replace(/\r\n?/g, "\n"));
    }
    return { string: parts.join("") };
  }

  function escaped(character: string): string {
    if (character >= "0" && character <= "7") {
      // One digit is taken already.
      const [more = ""] = /^[0-7]{0,2}/.exec(text.slice(position, position + 2)) ?? [];
      position += more.length;
      return String.fromCharCode(parseInt(character + more, 8) & 0xff);
    }
    if (character === "\r" && text[position] === "\n") position++;
    return /[\r\n]/.test(character) ? "" : escapes[character] ?? character;
  }

  function group(closing: string, depth: number): PdfObject[] {
    if (depth > deepest) throw new SyntaxError("Cannot parse PDF object: nested too deeply");
    const objects: PdfObject[] = [];
    for (let next = token(); next !== closing; next = token()) {
      if (next === "R" && typeof objects.at(-1) === "number" && typeof objects.at(-2) === "number") {
        const [object] = objects.splice(-2);
        objects.push({ object: object as number });
      } else {
        objects.push(value(next, depth));
      }
    }
    return objects;
  }

  function dictionary(depth: number): Map<string, PdfObject> {
    const objects = group(">>", depth);
    const entries = new Map<string, PdfObject>();
    for (let i = 0; i < objects.length; i += 2) {
      const key = objects[i]!;
      if (typeof key !== "string" || i + 1 === objects.length || entries.has(key)) {
        throw new SyntaxError("Cannot parse PDF object: keys and values do not match");
      }
      entries.set(key, objects[i + 1]!);
    }
    return entries;
  }

  function value(next: string, depth: number): PdfObject {
    if (next === "<<") return dictionary(depth + 1);
    if (next === "[") return group("]", depth + 1);
    if (next === "(") return string();
    if (next.startsWith("<")) return { string: fromHex(next) };
    if (next === "true" || next === "false") return next === "true";
    if (next === "" || next === ">>" || next === "]") {
      throw new SyntaxError("Cannot parse PDF object: brackets do not match");
    }
    if (next.startsWith("/")) {
      return next.replace(/#([\dA-Fa-f]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
    }
    return /^[+-]?[\d.]+$/.test(next) ? Number(next) : null;
  }

  const object = value(token(), 0);
  if (!mayGoOn && token() !== "") throw new SyntaxError("Cannot parse PDF object: something follows it");
  return object;
}

function fromHex(token: string): string {
  const digits = token.replace(/[^\dA-Fa-f]/g, "");
  return digits.replace(/..?/g, (byte) => String.fromCharCode(parseInt(byte.padEnd(2, "0"), 16)));
}
