import { constants, deflateRawSync } from "node:zlib";

/** A website on this machine that does everything wrong, on purpose or not. */
export type HostileSite = AsyncDisposable & {
  /** Without a slash at its end. The paths are the names of {@link answers}. */
  url: string;
  /** The bytes that were sent so far. */
  sent: number;
  /** The paths that were asked for, oldest first. */
  requests: string[];
};

/** Sends bytes; rejects when the client has left. */
type Send = (data: string | Uint8Array) => Promise<void>;

const html = "Content-Type: text/html; charset=utf-8\r\n";
const xml = "Content-Type: application/xml\r\n";
const ok = (headers = html) => `HTTP/1.1 200 OK\r\n${headers}Connection: close\r\n\r\n`;
const redirect = (target: string) =>
  `HTTP/1.1 302 Found\r\nLocation: ${target}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** A megabyte of zeros, which any number of such pieces may follow in one stream. */
const packedZeros = deflateRawSync(new Uint8Array(1_000_000), { finishFlush: constants.Z_FULL_FLUSH });
const gzipHead = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** Text in different encodings, and what it is said to be. */
const texts: Record<string, { head?: string; body: string | Uint8Array }> = {
  "latin1-as-utf8": { body: bytesOf("<title>Gr\xfc\xdfe</title><p>Die Stra\xdfe f\xfchrt \xfcber den Flu\xdf.</p>") },
  "utf8-as-latin1": {
    head: "Content-Type: text/html; charset=iso-8859-1\r\n",
    body: "<p>Die Straße führt über den Fluß.</p>",
  },
  "unknown-label": {
    head: "Content-Type: text/html; charset=utf-99\r\n",
    body: "<p>Die Straße führt über den Fluß.</p>",
  },
  "meta-only": {
    head: "Content-Type: text/html\r\n",
    body: bytesOf(
      `<meta charset="windows-1251"><title>\xcf\xf0\xe8\xe2\xe5\xf2</title><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>`,
    ),
  },
};

/** The links of a page between others of its kind: a calendar never ends. */
const linksOf = (targets: string[]) => `<p>${targets.map((target) => `<a href="${target}">Next</a>`).join(" ")}</p>`;

/** The answers by the first part of the path; `rest` is what follows it. */
const answers: Record<string, (send: Send, rest: string, signal: AbortSignal, origin: string) => Promise<void>> = {
  async "robots.txt"(send) {
    await send(`${ok("Content-Type: text/plain\r\n")}User-agent: *\nAllow: /\n`);
  },
  async endless(send, _, signal) {
    await send(ok());
    const piece = "<p>And so on, and so on.</p>\n".repeat(2_000);
    while (!signal.aborted) await send(piece);
  },
  async "endless-robots"(send, _, signal) {
    await send(ok("Content-Type: text/plain\r\n"));
    const piece = "Disallow: /a*b*c*d*e*f\n".repeat(2_000);
    while (!signal.aborted) await send(piece);
  },
  async bomb(send, _, signal) {
    await send(ok(`${html}Content-Encoding: gzip\r\n`));
    await send(gzipHead);
    while (!signal.aborted) await send(packedZeros);
  },
  /** A hundred megabytes of zeros as a file: nothing is decompressed on the way. */
  async "bomb.xml.gz"(send) {
    await send(ok("Content-Type: application/gzip\r\n"));
    await send(gzipHead);
    for (let count = 0; count < 100; count++) await send(packedZeros);
  },
  async "broken-gzip"(send) {
    await send(`${ok(`${html}Content-Encoding: gzip\r\n`)}<p>This is not compressed.</p>`);
  },
  async "packed-strangely"(send) {
    await send(`${ok(`${html}Content-Encoding: compress\r\n`)}<p>This is not compressed.</p>`);
  },
  async redirects(send, rest) {
    await send(redirect(`/redirects/${Number(rest) + 1}`));
  },
  async circle(send, rest) {
    await send(redirect(rest === "a" ? "/circle/b" : "/circle/a"));
  },
  async "to-metadata"(send) {
    await send(redirect("http://169.254.169.254/latest/meta-data/"));
  },
  async "to-file"(send) {
    await send(redirect("file:///etc/passwd"));
  },
  async "to-user"(send) {
    await send(redirect("http://user:password@127.0.0.1/"));
  },
  async "to-nowhere"(send) {
    await send(redirect("http://[no address"));
  },
  async silent(_, __, signal) {
    await untilAborted(signal);
  },
  async drip(send, _, signal) {
    await send(ok());
    while (!signal.aborted) {
      await send("x");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
  /** Its head never ends. */
  async "drip-head"(send, _, signal) {
    await send("HTTP/1.1 200 OK\r\n");
    while (!signal.aborted) {
      await send("X: y\r\n");
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  },
  async "tiny-chunks"(send, _, signal) {
    await send(`HTTP/1.1 200 OK\r\n${html}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`);
    const piece = "1\r\nx\r\n".repeat(5_000);
    while (!signal.aborted) await send(piece);
  },
  async "sitemap.xml"(send, _, __, origin) {
    await send(`${ok(xml)}<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`);
    for (let line = 0; line < 10_000_000; line += 1_000) {
      let piece = "";
      for (let number = line; number < line + 1_000; number++) {
        piece += `<url><loc>${origin}/page-${number}</loc></url>\n`;
      }
      await send(piece);
    }
    await send("</urlset>\n");
  },
  /** An index that leads to itself, and to more of its kind. */
  async "sitemap-circle.xml"(send, _, __, origin) {
    const items = ["", "?a", "?b"].map((search) =>
      `<sitemap><loc>${origin}/sitemap-circle.xml${search}</loc></sitemap>`
    );
    await send(`${ok(xml)}<sitemapindex>${items.join("")}</sitemapindex>`);
  },
  async text(send, rest) {
    const { head = html, body } = texts[rest]!;
    await send(ok(head));
    await send(body);
  },
  async calendar(send, rest) {
    const month = Number(rest);
    await send(`${ok()}<title>Month ${month}</title><h1>Month ${month}</h1><p>No events in month ${month}.</p>`);
    await send(linksOf([`/calendar/${month + 1}`, `/calendar/${month - 1}`, `/calendar/${month + 12}`]));
  },
  async cycle(send, rest) {
    await send(
      `${ok()}<title>Page ${rest}</title><p>A page that leads to itself and to another one, called ${rest}.</p>`,
    );
    await send(linksOf(["/cycle/a", "/cycle/b", `/cycle/${rest}#top`, `/cycle/${rest}?utm_source=itself`]));
  },
  async "many-headers"(send) {
    await send(`HTTP/1.1 200 OK\r\n${"X-Again: and again\r\n".repeat(10_000)}Content-Length: 0\r\n\r\n`);
  },
  async "long-header"(send) {
    await send(`HTTP/1.1 200 OK\r\nX-Long: ${"a".repeat(10_000_000)}\r\nContent-Length: 0\r\n\r\n`);
  },
  async "no-http"(send) {
    await send("SSH-2.0-OpenSSH_9.2\r\n");
  },
  async "large.html"(send) {
    await send(`${ok()}<title>Large</title>`);
    const piece = `<p>${"All lamps of this series have a brass stem. ".repeat(25)}</p>\n`.repeat(100);
    for (let size = 0; size < 11_000_000; size += piece.length) await send(piece);
  },
  async "short-length"(send) {
    await send(`HTTP/1.1 200 OK\r\n${html}Content-Length: 20\r\n\r\n<p>This is longer than it says.</p>`);
  },
  async "long-length"(send) {
    await send(`HTTP/1.1 200 OK\r\n${html}Content-Length: 2000\r\n\r\n<p>This is shorter.</p>`);
  },
  async "huge-length"(send) {
    await send(`HTTP/1.1 200 OK\r\n${html}Content-Length: 99999999999\r\n\r\n<p>This is shorter.</p>`);
  },
  /** A picture that is said to be a page. */
  async "picture.html"(send) {
    await send(ok());
    await send(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, ...new Uint8Array(500)));
  },
  async "page.pdf"(send) {
    await send(`${ok("Content-Type: application/pdf\r\n")}<!doctype html><title>No PDF</title><p>This is a page.</p>`);
  },
  async "no-type"(send) {
    await send(`${ok("")}<!doctype html><title>No type</title><p>A page without a type.</p>`);
  },
  async deep(send) {
    await send(`${ok()}<title>Deep</title>${"<div>".repeat(100_000)}The text in the depth.`);
  },
  async attributes(send) {
    await send(`${ok()}<title>Attributes</title><p `);
    for (let start = 0; start < 1_000_000; start += 10_000) {
      let piece = "";
      for (let number = start; number < start + 10_000; number++) piece += `a${number} `;
      await send(piece);
    }
    await send(">The text after the attributes.</p>");
  },
};

/** Starts one. It speaks HTTP without the runtime's server, which would correct it. */
export function startHostileSite(): HostileSite {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const stop = new AbortController();
  const open = new Set<Promise<void>>();

  async function serve(connection: Deno.TcpConn): Promise<void> {
    const close = () => {
      try {
        connection.close();
      } catch {
        // The client or the end of the test was first.
      }
    };
    stop.signal.addEventListener("abort", close);
    try {
      const path = await readPath(connection);
      site.requests.push(path);
      const [name = "", ...rest] = path.slice(1).replace(/\?.*$/, "").split("/");
      const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
      const send: Send = async (data) => {
        const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
        for (let start = 0; start < bytes.length;) start += await connection.write(bytes.subarray(start));
        site.sent += bytes.length;
      };
      if (answer) await answer(send, rest.join("/"), stop.signal, site.url);
      else await send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      // Bytes that are on their way would be lost with a connection that is closed at both ends at the same time.
      await connection.closeWrite();
    } catch {
      // The client has left.
    } finally {
      stop.signal.removeEventListener("abort", close);
      close();
    }
  }

  const accepting = (async () => {
    try {
      for await (const connection of listener) {
        const served = serve(connection).finally(() => open.delete(served));
        open.add(served);
      }
    } catch {
      // The listener is closed.
    }
  })();
  const site: HostileSite = {
    url: `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`,
    sent: 0,
    requests: [],
    async [Symbol.asyncDispose]() {
      stop.abort();
      listener.close();
      await accepting;
      await Promise.all(open);
    },
  };
  return site;
}

/** The path of a request, after all of its head has come. */
async function readPath(connection: Deno.TcpConn): Promise<string> {
  const buffer = new Uint8Array(4_096);
  let head = "";
  while (!head.includes("\r\n\r\n")) {
    const count = await connection.read(buffer);
    if (count === null) throw new Error("The client has left");
    head += new TextDecoder().decode(buffer.subarray(0, count));
  }
  return head.split(" ", 2)[1] ?? "/";
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
