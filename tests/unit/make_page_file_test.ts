import { makePageFile, UnusablePage } from "../../shared/features/fetcher/read_source_page.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";

const make = (text: string, path = "/care") =>
  makePageFile({
    kind: "content",
    url: `https://www.example.com${path}`,
    contentType: "",
    charset: null,
    bytes: new TextEncoder().encode(text),
    isCut: false,
    etag: null,
    lastModified: null,
  });

Deno.test("makePageFile: where the server names no type, the content shows it", async () => {
  const page = await make("\n<!DOCTYPE html><title>Care</title><p>Use a cloth.</p>");
  assertEquals([page.name, page.contentType], ["Care.md", "text/markdown"]);
  assertEquals(new TextDecoder().decode(page.bytes), "# Care\n\nUse a cloth.");

  const text = await make("Use a cloth.");
  assertEquals([text.name, text.contentType], ["care.txt", "text/plain"]);
  assertEquals((await make("# Care", "/care.md")).contentType, "text/markdown", "the end of the address says more");
  await assertRejects(() => make("\0\x01\x02"), UnusablePage);
});
