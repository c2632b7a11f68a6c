import { assertEquals } from "deno-std/assert/mod.js";
import { concat } from "deno-std/bytes/concat.js";
import { readUpload } from "../../shared/knowledge/read_upload.ts";

const encoder = new TextEncoder();

function cut(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer>[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => {
    // A copy, as from the network: a chunk's buffer holds no other bytes.
    return bytes.slice(index * length, (index + 1) * length);
  });
}

Deno.test("an upload is read the same, however the network splits it", async () => {
  const contents = {
    "a.txt": "\r\n--",
    "b.txt": "two\r\n--boundar\r\n--boundary",
    "empty.txt": "",
    "c.md": "-".repeat(40),
  };
  const body =
    Object.entries(contents).map(([name, content]) =>
      `--boundary2\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n${content}\r\n`
    ).join("") + "--boundary2--\r\nwhatever follows";
  for (let length = 1; length <= body.length; length++) {
    const request = new Request("http://localhost", {
      method: "POST",
      headers: { "Content-Type": "multipart/form-data; boundary=boundary2" },
      body: ReadableStream.from(cut(encoder.encode(body), length)),
    });
    const files: Record<string, string> = {};
    for await (const { name, chunks, size } of readUpload(request, 10_000)) {
      files[name] = new TextDecoder().decode(concat(chunks));
      assertEquals(size, files[name].length);
    }
    assertEquals(files, contents, `in chunks of ${length}`);
  }
});
