import { AddressRefused, requirePublicAddress, type ResolveName } from "./public_address.ts";

/** A page, or other content of the web. */
export type WebContent = {
  kind: "content";
  /** The address after all redirects. */
  url: string;
  /** In lower case and without parameters; empty if the server does not name it. */
  contentType: string;
  /** The label that the server names. It may be wrong. */
  charset: string | null;
  bytes: Uint8Array<ArrayBuffer>;
  /** The content is longer than `maxBytes`, and was cut there. Only set with the option `cuts`. */
  isCut: boolean;
  etag: string | null;
  lastModified: string | null;
};

/** Content that could not be fetched. */
export type WebFailure = {
  kind: "failed";
  /** A sentence for people, without its full stop. */
  reason: string;
  /** A later request may succeed without anyone changing the address. */
  isTemporary: boolean;
  /** The seconds that the server asks to wait. */
  retryAfter: number | null;
  /** The last status that a server answered with; null if none has answered. */
  status: number | null;
};

/** The outcome of a request. */
export type FetchedAddress = WebContent | { kind: "unchanged" } | { kind: "gone"; status: number } | WebFailure;

/** The options of {@link fetchAddress}. */
export type FetchOptions = {
  /** Also private networks. */
  allowsPrivate: boolean;
  resolve?: ResolveName;
  /** Ends the request, however slowly its content comes. */
  signal: AbortSignal;
  /** The most bytes, counted after decompression. Longer content is a failure. */
  maxBytes: number;
  /** Cuts longer content at `maxBytes` instead. */
  cuts?: boolean;
  /** Of the content that is known already. */
  etag?: string | null;
  lastModified?: string | null;
  /** Left out, it is that of Deno. */
  userAgent?: string;
  /** Replaces the global one, in tests. */
  fetch?: typeof fetch;
};

const mostRedirects = 5;
const mostCookies = 20;
/** The bytes in which a page leads on to another, and the seconds after which it does that at once. */
const [headLength, longestRefresh] = [8_192, 5];
const redirectStatuses = [301, 302, 303, 307, 308];
const accepted = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.9,*/*;q=0.8";

/** The chunks of a body that are read at most: each costs CPU time, and servers usually send 4 kB or more at a time. */
const mostChunks = 20_000;

class TooManyChunks extends Error {}

/**
 * Fetches content from the public internet. Every address on the way is checked; credentials are never sent, and cookies
 * only back to the host that has set them with a redirect. Pages that lead on to another one at once are redirects, too.
 * Never rejects.
 */
export async function fetchAddress(address: string, options: FetchOptions): Promise<FetchedAddress> {
  const { signal } = options;
  const visited = new Set<string>();
  const cookies = createCookies();
  let url = address;
  let status: number | null = null;
  try {
    while (true) {
      await requirePublicAddress(url, { ...options, allowsHttp: true });
      // The server is not told the part behind the #.
      url = withoutFragment(url);
      const cookie = cookies.of(url);
      const visit = `${url} ${cookie}`;
      if (visited.has(visit)) return permanent("The address redirects in a circle", status);
      if (visited.size > mostRedirects) {
        return permanent(`The address redirects more than ${mostRedirects} times`, status);
      }
      visited.add(visit);
      const response = await request(url, cookie, options);
      status = response.status;
      const target = redirectStatuses.includes(status) ? response.headers.get("location") : null;
      if (target === null) {
        const found = await readResponse(response, url, options);
        const next = found.kind === "content" ? findRefresh(found) : null;
        if (next === null) return found;
        url = next;
        continue;
      }
      cookies.keep(url, response.headers.getSetCookie());
      await cancel(response);
      const decoded = decodeAddress(target);
      if (!URL.canParse(decoded, url)) return permanent("The address redirects to an invalid address", status);
      url = new URL(decoded, url).href;
    }
  } catch (error) {
    if (signal.aborted) return temporary("It did not answer in time", status);
    if (error instanceof AddressRefused) {
      const reason = visited.size > 0
        ? `It redirects to an address that cannot be used. ${error.message}`
        : error.message;
      return { ...permanent(reason, null), isTemporary: error.isTemporary };
    }
    return temporary(describe(error), status);
  }
}

/** The cookies of one fetch: some sites set one and redirect to the same address. */
function createCookies() {
  const ofHosts = new Map<string, Map<string, string>>();
  return {
    keep(url: string, lines: string[]): void {
      const { host } = new URL(url);
      const known = ofHosts.get(host) ?? new Map<string, string>();
      for (const line of lines.slice(0, mostCookies)) {
        const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]{1,200})=([!-:<-~]{0,2000})\s*(?:;|$)/.exec(line) ?? [];
        if (name !== undefined) known.set(name, value!);
      }
      ofHosts.set(host, known);
    },
    of: (url: string): string =>
      Array.from(ofHosts.get(new URL(url).host) ?? [], ([name, value]) => `${name}=${value}`).join("; "),
  };
}

/** Servers write letters beyond ASCII as they are, and a header is read as Latin-1. */
function decodeAddress(address: string): string {
  const bytes = Uint8Array.from(address, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return address;
  }
}

/** The address that a page leads on to within seconds; null if it does not, or only loads itself again. */
function findRefresh({ contentType, bytes, url }: WebContent): string | null {
  if (contentType !== "text/html" && contentType !== "") return null;
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, headLength)).replace(
    /<!--[^]*?-->|<noscript[^]*?<\/noscript>/gi,
    "",
  );
  const tag = /<meta\s[^<>]{0,500}?http-equiv\s*=\s*["']?refresh\b[^<>]{0,2000}>/i.exec(head)?.[0] ?? "";
  const [, seconds, , target] =
    /content\s*=\s*["']?\s*(\d{1,5})(?:\.\d*)?\s*[;,]\s*url\s*=\s*(["']?)([^"'<>]{1,2000})/i.exec(tag) ?? [];
  if (target === undefined || Number(seconds) > longestRefresh) return null;
  const next = URL.parse(target.trim().replaceAll("&amp;", "&"), url)?.href ?? null;
  return next === null || withoutFragment(next) === url ? null : next;
}

function request(
  url: string,
  cookie: string,
  { signal, etag, lastModified, userAgent, fetch = globalThis.fetch }: FetchOptions,
): Promise<Response> {
  const headers = new Headers({ Accept: accepted });
  if (userAgent !== undefined) headers.set("User-Agent", userAgent);
  if (cookie !== "") headers.set("Cookie", cookie);
  if (etag) headers.set("If-None-Match", etag);
  if (lastModified) headers.set("If-Modified-Since", lastModified);
  return fetch(url, { headers, redirect: "manual", credentials: "omit", referrerPolicy: "no-referrer", signal });
}

async function readResponse(response: Response, url: string, options: FetchOptions): Promise<FetchedAddress> {
  const { status, headers } = response;
  if (status === 200 || status === 203) return await readContent(response, url, options);
  await cancel(response);
  if (status === 304 && (options.etag || options.lastModified)) return { kind: "unchanged" };
  if (status === 404 || status === 410) return { kind: "gone", status };
  if (status === 401 || status === 407) return permanent("The page can only be read by those who sign in", status);
  if (status === 403) return permanent("The site does not allow this page to be read (status 403)", status);
  const retryAfter = readRetryAfter(headers.get("retry-after"), Date.now());
  if (status === 429) return { ...temporary("The site asks for fewer requests (status 429)", status), retryAfter };
  const reason = `The page answered with status ${status}`;
  const isTemporary = status >= 500 || status === 408 || status === 425;
  return isTemporary ? { ...temporary(reason, status), retryAfter } : permanent(reason, status);
}

async function readContent(
  response: Response,
  url: string,
  { maxBytes, cuts = false, signal }: FetchOptions,
): Promise<FetchedAddress> {
  const { status, headers } = response;
  // The functions' Deno removes the name of an encoding that it decodes, newer ones do not.
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (!["", "identity", "gzip", "br"].includes(encoding)) {
    await cancel(response);
    return permanent("The page is compressed in a way that cannot be read", status);
  }
  const tooLarge = permanent(`It is larger than ${describeSize(maxBytes)}`, status);
  if (!cuts && encoding === "" && Number(headers.get("content-length")) > maxBytes) {
    await cancel(response);
    return tooLarge;
  }
  let body: { bytes: Uint8Array<ArrayBuffer>; isCut: boolean };
  try {
    body = await readWithin(response, { maxBytes, signal });
  } catch (error) {
    if (error instanceof TooManyChunks) return permanent("It sends its content in pieces that are too small", status);
    return temporary(signal.aborted ? "It took too long to send its content" : "The connection broke off", status);
  }
  if (body.isCut && !cuts) return tooLarge;
  const type = headers.get("content-type") ?? "";
  return {
    kind: "content",
    url,
    contentType: type.split(/[;,]/, 1)[0]!.trim().toLowerCase(),
    charset: /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(type)?.[1] ?? null,
    ...body,
    etag: headers.get("etag"),
    lastModified: headers.get("last-modified"),
  };
}

/** Reads a body up to a number of bytes, and no longer than until the signal. */
async function readWithin(
  { body }: Response,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<{ bytes: Uint8Array<ArrayBuffer>; isCut: boolean }> {
  if (body === null) return { bytes: new Uint8Array(), isCut: false };
  const reader = body.getReader();
  // Ends a read that is waiting. Not waited for: the server may never end.
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel);
  // One array that grows: each chunk would cost memory of its own, and a chunk may be a single byte.
  let bytes = new Uint8Array(Math.min(64 * 1024, maxBytes));
  let size = 0;
  try {
    for (let chunks = 0;; chunks++) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return { bytes: bytes.subarray(0, size), isCut: false };
      const end = Math.min(size + value.length, maxBytes);
      if (end > bytes.length) bytes = enlarge(bytes, Math.min(Math.max(2 * bytes.length, end), maxBytes));
      bytes.set(value.subarray(0, end - size), size);
      if (size + value.length > maxBytes) return { bytes, isCut: true };
      size = end;
      if (chunks > mostChunks) throw new TooManyChunks();
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

function enlarge(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}

async function cancel({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => {});
}

function withoutFragment(url: string): string {
  const parsed = new URL(url);
  parsed.hash = "";
  return parsed.href;
}

/** The reason of a failed request. Errors of `fetch` can quote the address, and name internals. */
function describe(error: unknown): string {
  const text = `${error} ${error instanceof Error ? error.cause : ""}`.replaceAll(/https?:\/\/\S+/g, "");
  if (/certificate|tls|ssl|handshake|corrupt message/i.test(text)) {
    return "A secure connection to the site cannot be established";
  }
  if (/head is too large|invalid HTTP|parse/i.test(text)) return "The server's answer cannot be understood";
  return "The site cannot be reached";
}

function describeSize(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${Math.floor(bytes / 1_000)} kB`;
}

function permanent(reason: string, status: number | null): WebFailure {
  return { kind: "failed", reason, isTemporary: false, retryAfter: null, status };
}

function temporary(reason: string, status: number | null): WebFailure {
  return { ...permanent(reason, status), isTemporary: true };
}

/** The longest time that a server is believed, in seconds. */
const longestWait = 86_400;

/** The seconds that the header Retry-After asks to wait, at most a day; null if it is missing or cannot be read. */
export function readRetryAfter(value: string | null, now: number): number | null {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestWait);
  const date = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : Math.min(Math.max(0, Math.ceil((date - now) / 1_000)), longestWait);
}
