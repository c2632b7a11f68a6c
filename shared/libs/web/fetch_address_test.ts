import { gzipSync } from "node:zlib";
import { fetchAddress, type FetchOptions, readRetryAfter } from "./fetch_address.ts";
import { assert, assertEquals, assertObjectMatch } from "../../../tests/support/assert.ts";
import { startHostileSite } from "../../../tests/support/hostile_site.ts";
import { serve } from "../../../tests/support/serve.ts";
import { startTestSite } from "../../../tests/support/test_site.ts";

const usual = { allowsPrivate: true, maxBytes: 1_000_000 };

function get(url: string, options: Partial<FetchOptions> = {}) {
  return fetchAddress(url, { ...usual, signal: AbortSignal.timeout(20_000), ...options });
}

/** The reason of a failure, and whether it passes. */
async function failure(url: string, options: Partial<FetchOptions> = {}): Promise<string> {
  const found = await get(url, options);
  if (found.kind !== "failed") throw new Error(`It did not fail: ${found.kind}`);
  return found.isTemporary ? `${found.reason} (temporary)` : found.reason;
}

Deno.test("pages of a site", async (t) => {
  await using site = await startTestSite();

  await t.step("content with its type, encoding and validators", async () => {
    const found = await get(`${site.url}/docs/topic-7#care`, { userAgent: "Reader/1" });
    assertObjectMatch(found, {
      kind: "content",
      url: `${site.url}/docs/topic-7`,
      contentType: "text/html",
      charset: "utf-8",
      isCut: false,
    });
    assert(found.kind === "content" && new TextDecoder().decode(found.bytes).includes("T7-amber"));
    assertEquals(site.requests.at(-1), {
      path: "/docs/topic-7",
      status: 200,
      isConditional: false,
      userAgent: "Reader/1",
    });
  });

  await t.step("content that has not changed, by either validator, and content that has", async () => {
    const found = await get(`${site.url}/docs/topic-1`);
    assert(found.kind === "content");
    const { etag, lastModified } = found;
    assertEquals(await get(found.url, { etag }), { kind: "unchanged" });
    assertEquals(await get(found.url, { lastModified }), { kind: "unchanged" });
    site.write("/docs/topic-1", { title: "Topic 1", text: "It has changed." });
    assertEquals((await get(found.url, { etag, lastModified })).kind, "content");
    assertEquals(site.count("/docs/topic-1"), { all: 4, conditional: 3, unchanged: 2 });
  });

  await t.step("moved and removed pages", async () => {
    site.move("/docs/topic-2", "/docs/moved");
    assertObjectMatch(await get(`${site.url}/docs/topic-2`), { kind: "content", url: `${site.url}/docs/moved` });
    assertEquals(await get(`${site.url}/docs/none`), { kind: "gone", status: 404 });
    site.pages.set("/docs/topic-3", { body: "", status: 410 });
    assertEquals(await get(`${site.url}/docs/topic-3`), { kind: "gone", status: 410 });
  });

  await t.step("statuses", async () => {
    const expected: Record<number, string> = {
      204: "The page answered with status 204",
      206: "The page answered with status 206",
      302: "The page answered with status 302",
      304: "The page answered with status 304",
      400: "The page answered with status 400",
      401: "The page can only be read by those who sign in",
      403: "The site does not allow this page to be read (status 403)",
      408: "The page answered with status 408 (temporary)",
      425: "The page answered with status 425 (temporary)",
      429: "The site asks for fewer requests (status 429) (temporary)",
      451: "The page answered with status 451",
      499: "The page answered with status 499",
      500: "The page answered with status 500 (temporary)",
      503: "The page answered with status 503 (temporary)",
    };
    for (const [status, reason] of Object.entries(expected)) {
      site.answersInstead = () => new Response(null, { status: Number(status), headers: { "Retry-After": "7" } });
      assertEquals(await failure(site.url), reason);
      const found = await get(site.url);
      const retryAfter = reason.includes("temporary") ? 7 : null;
      assertObjectMatch(found, { retryAfter, status: Number(status) });
    }
  });
});

Deno.test("the body", async (t) => {
  const large = "All lamps have a stem. ".repeat(1_000);
  const packed = new Uint8Array(gzipSync(large));
  let seen = new Headers();
  await using server = serve((request) => {
    seen = request.headers;
    const headers = { "Content-Type": "text/plain; charset=utf-8", "Set-Cookie": "id=1" };
    if (new URL(request.url).pathname === "/from") return Response.redirect(new URL("/gzip", request.url));
    return new Response(packed, { headers: { ...headers, "Content-Encoding": "gzip" } });
  });

  await t.step("is counted after decompression", async () => {
    const found = await get(`${server.url}/gzip`, { maxBytes: large.length });
    assert(found.kind === "content" && new TextDecoder().decode(found.bytes) === large);
    assertEquals(await failure(`${server.url}/gzip`, { maxBytes: large.length - 1 }), "It is larger than 22 kB");
  });

  await t.step("is cut on request", async () => {
    const whole = () => Promise.resolve(new Response(large, { headers: { "Content-Length": `${large.length}` } }));
    for (const options of [{}, { fetch: whole }]) {
      const found = await get(`${server.url}/gzip`, { maxBytes: 100, cuts: true, ...options });
      assert(found.kind === "content" && found.isCut && new TextDecoder().decode(found.bytes) === large.slice(0, 100));
    }
  });

  await t.step("is asked for without cookies and credentials, after a redirect too", async () => {
    await get(`${server.url}/from`);
    assertEquals(["cookie", "authorization", "referer"].map((name) => seen.get(name)), [null, null, null]);
  });
});

Deno.test("pages that lead on", async (t) => {
  let cookies: (string | null)[] = [];
  const pages: Record<string, (request: Request) => Response> = {
    "/cookie": ({ headers, url }) =>
      headers.get("cookie") === "seen=1; b=2" ? new Response("Let in") : new Response(null, {
        status: 302,
        headers: [["Location", url], ["Set-Cookie", "seen=1; Path=/; HttpOnly"], ["Set-Cookie", "b=2"]],
      }),
    "/elsewhere": ({ url }) =>
      new Response(null, {
        status: 302,
        headers: { Location: url.replace("127.0.0.1", "localhost").replace("elsewhere", "later"), "Set-Cookie": "a=1" },
      }),
    "/refresh": () => page(`<meta http-equiv="refresh" content="0; url='/gr%C3%BC%C3%9Fe?a=1&amp;b=2'">`),
    "/gr%C3%BC%C3%9Fe": ({ url }) => page(`<p>Hello ${new URL(url).search}`),
    "/later": () => page(`<meta http-equiv="refresh" content="60; url=/refresh"><p>Stays`),
    "/again": () => page(`<meta http-equiv="refresh" content="1; url=/again"><p>Itself`),
    "/scripts": () => page(`<noscript><meta http-equiv="refresh" content="0; url=/refresh"></noscript><p>Scripts`),
  };
  const page = (html: string) => new Response(html, { headers: { "Content-Type": "text/html" } });
  await using server = serve((request) => {
    cookies.push(request.headers.get("cookie"));
    return pages[new URL(request.url).pathname]?.(request) ?? new Response(null, { status: 404 });
  });
  const textOf = async (path: string, options: Partial<FetchOptions> = {}) => {
    cookies = [];
    const found = await get(`${server.url}${path}`, options);
    return found.kind === "content" ? new TextDecoder().decode(found.bytes).replace(/<.*>/g, "") : found;
  };

  await t.step("a cookie goes back to the host that has set it with a redirect to the same address", async () => {
    assertEquals([await textOf("/cookie"), cookies], ["Let in", [null, "seen=1; b=2"]]);
    assertEquals([await textOf("/later"), cookies], ["Stays", [null]], "another fetch knows none");
    const resolve = () => Promise.resolve(["127.0.0.1"]);
    assertEquals([await textOf("/elsewhere", { resolve }), cookies], ["Stays", [null, null]], "nor does another host");
  });

  await t.step("a page that leads on at once is followed, one that waits or leads to itself is read", async () => {
    assertEquals(await textOf("/refresh"), "Hello ?a=1&b=2");
    for (const [path, text] of [["/later", "Stays"], ["/again", "Itself"], ["/scripts", "Scripts"]] as const) {
      assertEquals(await textOf(path), text);
    }
  });

  await t.step("a redirect to an address in UTF-8, as servers write it", async () => {
    const location = Array.from(new TextEncoder().encode("/grüße"), (byte) => String.fromCharCode(byte)).join("");
    const fetched: string[] = [];
    const found = await textOf("/from", {
      fetch: (address, options) => {
        fetched.push(String(address));
        return String(address).endsWith("/from")
          ? Promise.resolve(new Response(null, { status: 301, headers: { Location: location } }))
          : fetch(address, options);
      },
    });
    assertEquals([found, fetched], ["Hello ", ["/from", "/gr%C3%BC%C3%9Fe"].map((path) => server.url + path)]);
  });
});

Deno.test("addresses on the way", async (t) => {
  const names: Record<string, string> = { "open.example": "93.184.216.34", "inside.example": "10.0.0.1" };
  const resolve = (name: string, kind: "A" | "AAAA") =>
    kind === "A" && names[name] ? Promise.resolve([names[name]]) : Promise.reject(new Deno.errors.NotFound());
  const asked: string[] = [];
  /** Answers as a public site would, which a test cannot be. */
  const follow = (url: string, target: string, allowsPrivate = false) => {
    asked.length = 0;
    return failure(url, {
      allowsPrivate,
      resolve,
      fetch: (address) => {
        asked.push(String(address));
        return Promise.resolve(new Response(null, { status: 302, headers: { Location: target } }));
      },
    });
  };

  const inside = "The address is not on the public internet, but in a private or special network";
  const refused: Record<string, string> = {
    "http://169.254.169.254/latest/meta-data/": inside,
    "http://127.0.0.1:54321/": inside,
    "http://[::ffff:10.0.0.1]/": inside,
    "https://inside.example/": inside,
    "//inside.example/": inside,
    "http://localhost/": "The host name of the address cannot be resolved",
    "file:///etc/passwd": "The address must begin with https:// or http://",
    "data:text/html,hello": "The address must begin with https:// or http://",
    "https://user:password@open.example/": "The address must not contain a user or a password",
    "http://open.example:6667/": "Port 6667 belongs to a service that is not a website",
  };
  for (const [target, reason] of Object.entries(refused)) {
    await t.step(`no redirect to ${target}`, async () => {
      assertEquals(
        await follow("https://open.example/", target),
        `It redirects to an address that cannot be used. ${reason}`,
      );
      assertEquals(asked, ["https://open.example/"]);
    });
    if (!target.startsWith("//")) {
      await t.step(`no request to ${target}`, async () => {
        assertEquals(await follow(target, "/"), reason);
        assertEquals(asked, []);
      });
    }
  }

  await t.step("where private networks are allowed, no redirect to the credentials of a cloud", async () => {
    assertEquals(
      await follow("http://inside.example/", "http://169.254.169.254/latest/meta-data/", true),
      "It redirects to an address that cannot be used. The address is link-local, or one where clouds keep credentials " +
        "of this machine",
    );
    assertEquals(asked, ["http://inside.example/"]);
  });

  await t.step("no request to something that is no address", async () => {
    assertEquals(await follow("no address", "/"), "This is not a valid address");
  });

  await t.step("a look-up that never ends", async () => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), 50);
    const found = await failure("https://open.example/", {
      allowsPrivate: false,
      resolve: (_name, _kind, { signal }) =>
        new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
      signal: controller.signal,
    });
    clearTimeout(timer);
    assertEquals(found, "It did not answer in time (temporary)");
  });
});

Deno.test("hostile servers", async (t) => {
  await using site = startHostileSite();
  const soon = () => ({ signal: AbortSignal.timeout(300) });
  const expected: Record<string, [reason: string, options?: () => Partial<FetchOptions>]> = {
    "/endless": ["It is larger than 1 MB"],
    "/bomb": ["It is larger than 1 MB"],
    "/large.html": ["It is larger than 10 MB", () => ({ maxBytes: 10_000_000 })],
    "/sitemap.xml": ["It is larger than 1 MB"],
    "/huge-length": ["It is larger than 1 MB"],
    "/redirects/1": ["The address redirects more than 5 times"],
    "/circle/a": ["The address redirects in a circle"],
    "/to-file": ["It redirects to an address that cannot be used. The address must begin with https:// or http://"],
    "/to-user": ["It redirects to an address that cannot be used. The address must not contain a user or a password"],
    "/to-nowhere": ["The address redirects to an invalid address"],
    "/silent": ["It did not answer in time (temporary)", soon],
    "/drip-head": ["It did not answer in time (temporary)", soon],
    "/drip": ["It took too long to send its content (temporary)", soon],
    "/tiny-chunks": ["It sends its content in pieces that are too small"],
    "/broken-gzip": ["The connection broke off (temporary)"],
    "/packed-strangely": ["The page is compressed in a way that cannot be read"],
    "/long-length": ["The connection broke off (temporary)"],
    "/many-headers": ["The server's answer cannot be understood (temporary)"],
    "/long-header": ["The server's answer cannot be understood (temporary)"],
    "/no-http": ["The server's answer cannot be understood (temporary)"],
  };
  for (const [path, [reason, options]] of Object.entries(expected)) {
    await t.step(path, async () => {
      const before = site.sent;
      assertEquals(await failure(`${site.url}${path}`, options?.()), reason);
      // What is on its way in buffers counts as sent.
      assert(site.sent - before < 25_000_000, `${site.sent - before} bytes were sent`);
    });
  }

  await t.step("five redirects are followed, not six", () => {
    assertEquals(site.requests.filter((path) => path.startsWith("/redirects/")).length, 6);
  });

  await t.step("a wrong length that does not matter", async () => {
    assertObjectMatch(await get(`${site.url}/short-length`), { kind: "content", isCut: false });
  });

  await t.step("a server that does not listen, and one without a certificate", async () => {
    const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const { port } = listener.addr;
    listener.close();
    assertEquals(await failure(`http://127.0.0.1:${port}/`), "The site cannot be reached (temporary)");
    await using plain = serve(() => new Response("Hello"));
    assertEquals(
      await failure(plain.url.replace("http:", "https:")),
      "A secure connection to the site cannot be established (temporary)",
    );
  });
});

Deno.test("Retry-After", () => {
  const now = Date.UTC(2026, 0, 1, 12);
  const expected: Record<string, number | null> = {
    "120": 120,
    " 0 ": 0,
    "99999999": 86_400,
    "Thu, 01 Jan 2026 12:00:30 GMT": 30,
    "Thu, 01 Jan 2026 11:00:00 GMT": 0,
    "Fri, 01 Jan 2027 12:00:00 GMT": 86_400,
    "-5": null,
    "1.5": null,
    "soon": null,
    "": null,
  };
  for (const [value, seconds] of Object.entries(expected)) assertEquals(readRetryAfter(value, now), seconds, value);
  assertEquals(readRetryAfter(null, now), null);
});
