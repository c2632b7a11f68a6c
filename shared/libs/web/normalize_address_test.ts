import { isBelow, normalizeAddress } from "./normalize_address.ts";
import { assert, assertEquals } from "../../../tests/support/assert.ts";

Deno.test("one spelling for an address", () => {
  const expected: Record<string, string | null> = {
    "https://Example.COM": "https://example.com/",
    "HTTP://example.com:80/a": "http://example.com/a",
    "https://example.com:443/a": "https://example.com/a",
    "https://example.com:8443/a": "https://example.com:8443/a",
    "https://example.com/a#part": "https://example.com/a",
    "https://example.com/a?": "https://example.com/a",
    "https://example.com/a?utm_source=x&utm_medium=y": "https://example.com/a",
    "https://example.com/a?id=1&fbclid=x&gclid=y&UTM_Campaign=z": "https://example.com/a?id=1",
    "https://example.com/a?q=a%20b&b": "https://example.com/a?q=a%20b&b",
    "https://example.com/Über?ä=1": "https://example.com/%C3%9Cber?%C3%A4=1",
    "https://bücher.example/": "https://xn--bcher-kva.example/",
    "https://example.com/a/../b/./c": "https://example.com/b/c",
    "  https://example.com/a\n": "https://example.com/a",
    "b/c?x=1#y": "https://base.example/a/b/c?x=1",
    "/c": "https://base.example/c",
    "?x=1": "https://base.example/a/?x=1",
    "//other.example/c": "https://other.example/c",
    "#part": "https://base.example/a/",
    "": "https://base.example/a/",
    "mailto:someone@example.com": null,
    "javascript:alert(1)": null,
    "data:text/html,hello": null,
    "ftp://example.com/a": null,
    "tel:+491234": null,
    "http://[no address": null,
    "https://": null,
    [`https://example.com/${"a".repeat(2_000)}`]: null,
    [`/${"ä".repeat(1_000)}`]: null,
  };
  for (const [address, normalized] of Object.entries(expected)) {
    assertEquals(normalizeAddress(address, "https://base.example/a/"), normalized, address);
  }
  assertEquals(normalizeAddress("/without/base"), null);
});

Deno.test("many parameters that only track", () => {
  const names = Array.from({ length: 550 }, (_, number) => `utm_${number.toString(36)}`);
  const start = performance.now();
  for (let time = 0; time < 300; time++) {
    assertEquals(
      normalizeAddress(`https://example.com/?${names.join("&")}&id=${time}`),
      `https://example.com/?id=${time}`,
    );
  }
  assert(performance.now() - start < 5_000, `${performance.now() - start} ms`);
});

Deno.test("addresses below another one", () => {
  const cases: [base: string, url: string, isBelow: boolean][] = [
    ["https://example.com/", "https://example.com/docs/a", true],
    ["https://example.com", "https://example.com/docs/a", true],
    ["https://example.com/docs", "https://example.com/docs", true],
    ["https://example.com/docs", "https://example.com/docs/", true],
    ["https://example.com/docs/", "https://example.com/docs", true],
    ["https://example.com/docs", "https://example.com/docs/a/b?c=1", true],
    ["https://example.com/docs", "https://example.com/documents", false],
    ["https://example.com/docs/", "https://example.com/", false],
    ["https://example.com/docs/index.html", "https://example.com/docs/a.html", true],
    ["https://example.com/docs/index.html", "https://example.com/docs/index.html", true],
    ["https://example.com/docs/index.html", "https://example.com/other/", false],
    ["https://example.com/", "https://www.example.com/a", true],
    ["https://www.example.com/", "http://example.com/a", true],
    ["https://example.com/", "https://other.example.com/a", false],
    ["https://example.com/", "https://example.com.evil.example/a", false],
    ["https://example.com/", "https://example.com:8443/a", false],
    ["https://example.com/", "no address", false],
    ["no address", "https://example.com/", false],
  ];
  for (const [base, url, expected] of cases) assertEquals(isBelow(base, url), expected, `${base} ${url}`);
});
