const named: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** The characters of a text in XML. Excel writes those that XML does not allow as `_x000D_`. */
export function decodeXmlText(text: string): string {
  const plain = !text.includes("&") ? text : text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, decode);
  return plain.includes("_x") ? decodeEscapes(plain) : plain;
}

/** Excel's own escapes for characters that XML does not allow, and for its own. */
export function decodeEscapes(text: string): string {
  return text.replace(/_x([\da-f]{4})_/gi, (_, code) => character(parseInt(code, 16)));
}

function decode(whole: string, hex?: string, decimal?: string, name?: string): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? whole;
  return character(hex === undefined ? Number(decimal) : parseInt(hex, 16));
}

function character(code: number): string {
  return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
}
