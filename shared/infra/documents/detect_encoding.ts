const sampleSize = 16 * 1024;

/** The encoding of a text, as TextDecoder names it: that of its byte order mark, else UTF-8 where valid, else a guess. */
export async function detectEncoding(bytes: Uint8Array): Promise<string> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const sample = sampleOf(bytes);
  if (isUtf8(sample)) return "utf-8";
  const { analyse } = await import("./chardet.ts");
  const labels = analyse(sample).map((match) => match.name);
  return labels.find(isDecodable) ?? "windows-1252";
}

/** The text around the first byte beyond ASCII: text in ASCII is the same in most encodings. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  let first = 0;
  while (first < bytes.length && bytes[first]! < 0x80) first++;
  const start = Math.max(0, first - sampleSize / 4);
  return bytes.subarray(start, start + sampleSize);
}

/** The sample may end inside a character. */
function isUtf8(sample: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function isDecodable(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}
