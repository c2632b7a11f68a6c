/** Characters that nobody sees, or that change the order of the text around them. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\u2800\u3164]/gu;
/** Marks piled up on a letter, which would cover other lines. */
const piledMarks = /(\p{M}{2})\p{M}+/gu;

const mostCharacters = 60;

/** The name of an app as the page shows it: one short line of text. Null if nothing of it can be seen. */
export function readName(name: string | undefined): string | null {
  const text = (name ?? "").replace(unseen, " ").replace(piledMarks, "$1").replace(/\s+/g, " ").trim();
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(text)) return null;
  const characters = [...text];
  return characters.length > mostCharacters ? `${characters.slice(0, mostCharacters - 1).join("")}…` : text;
}

/** The place that an app sends its user back to. */
export type Destination = {
  /** A website, a program on the device that listens at an address, or one that has claimed a scheme of its own. */
  kind: "site" | "device" | "scheme";
  /** The host with its port, or the scheme. */
  name: string;
};

/** Schemes that would run something in the page, or show something that only looks like one. */
const notForApps = /^(?:javascript|vbscript|data|blob|file|filesystem|about|view-source|ws|wss|ftp):$/;
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Reads the address that an app sends its user back to. Null for one that a browser must not be sent to. */
export function readDestination(address: string | undefined): Destination | null {
  const url = URL.parse(address ?? "");
  if (url === null || notForApps.test(url.protocol)) return null;
  if (url.protocol === "https:" || url.protocol === "http:") {
    if (loopback.test(url.hostname)) return { kind: "device", name: url.host };
    return url.protocol === "https:" ? { kind: "site", name: url.host } : null;
  }
  return { kind: "scheme", name: url.protocol.slice(0, -1) };
}
