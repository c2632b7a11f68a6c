import { detectEncoding } from "../documents/detect_encoding.ts";

/** The bytes in which HTML has to name its encoding. */
const prescanned = 1_024;

/**
 * Decodes a text of the web. Labels are often wrong, so text that is valid UTF-8 is UTF-8, whatever they say. After a
 * byte order mark comes the label of the header, then that of the text itself, then a guess. Never fails.
 *
 * @param options.charset the label of the header Content-Type
 */
export async function decodeText(bytes: Uint8Array, { charset }: { charset: string | null }): Promise<string> {
  return new TextDecoder(await findEncoding(bytes, charset)).decode(bytes);
}

async function findEncoding(bytes: Uint8Array, charset: string | null): Promise<string> {
  const hasMark = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (hasMark) return await detectEncoding(bytes);
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, prescanned));
  const labels = [charset, findDeclared(head)].map((label) => label === null ? null : encodingOf(label));
  // Text in one of these has no byte beyond ASCII, or as many zeros as characters.
  const isPeculiar = (label: string | null) => label !== null && /^(?:iso-2022-jp|utf-16)/.test(label);
  const [inHeader = null, inText = null] = labels;
  if (isPeculiar(inHeader)) return inHeader!;
  if (isUtf8(bytes)) return inText === "iso-2022-jp" ? inText : "utf-8";
  // What is not UTF-8 cannot be so labelled, and text that names UTF-16 in ASCII is not in UTF-16.
  const believed = [inHeader, inText].find((label) => label !== null && label !== "utf-8" && !isPeculiar(label));
  return believed ?? await detectEncoding(bytes);
}

/** The label in `<meta charset>`, `<meta http-equiv>` or an XML declaration. */
function findDeclared(head: string): string | null {
  const tags = head.replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  const inXml = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"'>]+)["']/i.exec(tags)?.[1];
  return inXml ?? /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(tags)?.[1] ?? null;
}

/** The name of an encoding as the runtime has it; null for an unknown label. */
function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return null;
  }
}

/** The last character may be cut. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
