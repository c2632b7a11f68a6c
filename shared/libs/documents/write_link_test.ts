import { writeLink } from "./write_marks.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

Deno.test("writeLink: the address behind the words, where they do not name it", () => {
  const cases: [words: string, address: string, text: string][] = [
    ["here", "https://example.com/a%2Fb?c=1", "here (https://example.com/a%2Fb?c=1)"],
    ["here", "https://example.com", "here (https://example.com)"],
    ["here", "https://example.com/a (b)", "here (https://example.com/a%20%28b%29)"],
    ["grüße", "https://example.com/grüße", "grüße (https://example.com/gr%C3%BC%C3%9Fe)"],
    ["us", "mailto:us@example.com?subject=Hello", "us (mailto:us@example.com?subject=Hello)"],
    ["call", "tel:+4930123", "call (tel:+4930123)"],
    ["www.example.com/a", "https://www.example.com/a/", "www.example.com/a"],
    ["us@example.com", "mailto:us@example.com", "us@example.com"],
    ["top", "#top", "top"],
    ["no", "javascript:alert(1)", "no"],
    ["no", `https://example.com/${"a".repeat(500)}`, "no"],
  ];
  for (const [words, address, text] of cases) assertEquals(writeLink(words, address), text);
});
