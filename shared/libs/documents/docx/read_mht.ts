import { Buffer } from "node:buffer";

type Entity = { headers: string; content: string };

/** The HTML of a page that was saved as one file, whose bytes are characters here; undefined if it has none. */
export function readMht(file: string): string | undefined {
  const whole = readEntity(file);
  const boundary = /;\s*boundary="?([^";\r\n]+)/i.exec(whole.headers)?.[1]?.trim();
  const parts = boundary === undefined ? [whole] : whole.content.split(`--${boundary}`).slice(1).map(readEntity);
  const html = parts.find(({ headers }) => /^content-type:\s*(?:text\/html|application\/xhtml)/im.test(headers));
  return html === undefined ? undefined : decodeEntity(html);
}

function readEntity(text: string): Entity {
  const trimmed = text.trimStart();
  const end = trimmed.search(/\n\r?\n/);
  return end < 0 ? { headers: trimmed, content: "" } : { headers: trimmed.slice(0, end), content: trimmed.slice(end) };
}

function decodeEntity({ headers, content }: Entity): string {
  const encoding = /^content-transfer-encoding:\s*([\w-]+)/im.exec(headers)?.[1]?.toLowerCase();
  const bytes = encoding === "base64"
    ? Buffer.from(content, "base64")
    : Buffer.from(encoding === "quoted-printable" ? unquote(content) : content, "latin1");
  return decodeHtml(bytes, /;\s*charset="?([^\s";]+)/i.exec(headers)?.[1]);
}

function unquote(content: string): string {
  return content.replace(/=\r?\n/g, "")
    .replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** Decodes HTML or text: as UTF-8 if it is, else as it or its header says, else as Windows does. */
export function decodeHtml(bytes: Uint8Array, charset?: string): string {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  const labels = ["utf-8", charset, /charset\s*=\s*["']?([^\s"'/>;]+)/i.exec(head)?.[1], "windows-1252"];
  for (const label of labels) {
    try {
      if (label !== undefined) return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      // It is in another one, or there is none of this name.
    }
  }
  return new TextDecoder().decode(bytes);
}
