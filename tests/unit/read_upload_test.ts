import { ApiError } from "../../shared/infra/errors.ts";
import { concat } from "../../shared/libs/base/std/bytes.ts";
import type { ReadNext } from "../../shared/features/knowledge/split_parts.ts";
import { readUpload } from "../../shared/features/knowledge/read_upload.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";

const encoder = new TextEncoder();
const timeouts = { upload: 10_000, slowUpload: 10_000 };

function cut(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer>[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => {
    // A copy, as from the network: a chunk's buffer holds no other bytes.
    return bytes.slice(index * length, (index + 1) * length);
  });
}

async function readAll(read: ReadNext): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let piece = await read(); piece !== null; piece = await read()) pieces.push(piece);
  return concat(pieces);
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
    for await (const { name, read } of readUpload(request, timeouts)) {
      files[name] = new TextDecoder().decode(await readAll(read));
    }
    assertEquals(files, contents, `in chunks of ${length}`);
  }
});

Deno.test("what precedes the first boundary is ignored, however the network splits it", async () => {
  const form = `--b2\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\none\r\n--b2--\r\n`;
  for (const preamble of ["\r\n", "A form in several parts.\r\n", "\r\n--b\r\n", "\r\n\r\n\r\n", "x--b2\r\n"]) {
    for (let length = 1; length <= preamble.length + form.length; length++) {
      const request = new Request("http://localhost", {
        method: "POST",
        headers: { "Content-Type": "multipart/form-data; boundary=b2" },
        body: ReadableStream.from(cut(encoder.encode(preamble + form), length)),
      });
      const files: [string, string][] = [];
      for await (const { name, read } of readUpload(request, timeouts)) {
        files.push([name, new TextDecoder().decode(await readAll(read))]);
      }
      assertEquals(files, [["a.txt", "one"]], `${JSON.stringify(preamble)} in chunks of ${length}`);
    }
  }
});

/** A request whose form has these parts, each a file, and whose body comes in pieces of these lengths. */
function requestOf(contents: string[], boundary: string, lengths: () => number): Request {
  const body = encoder.encode(
    contents.map((content, index) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${index}"\r\n\r\n${content}\r\n`
    ).join("") + `--${boundary}--`,
  );
  return new Request("http://localhost", {
    method: "POST",
    headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
    body: ReadableStream.from((function* () {
      for (let at = 0; at < body.length;) yield body.slice(at, at += lengths());
    })()),
  });
}

Deno.test("contents that nearly hold the boundary are read unchanged, also where others are passed over", async () => {
  let seed = 1;
  const random = (limit: number) => (seed = seed * 48_271 % 2_147_483_647) % limit;
  for (let round = 0; round < 500; round++) {
    const boundary = "b-".repeat(1 + random(4));
    const delimiter = `\r\n--${boundary}`;
    const contents = Array.from({ length: 1 + random(5) }, () => {
      const pieces = Array.from({ length: random(30) }, () => delimiter.slice(random(delimiter.length), -random(3)));
      return pieces.join("x".repeat(random(2)));
    }).filter((content) => !`\r\n${content}\r`.includes(delimiter));
    if (contents.length === 0) continue;
    const files: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for await (const { name, read } of readUpload(requestOf(contents, boundary, () => 1 + random(40)), timeouts)) {
      const isRead = random(3) > 0;
      const content = contents[Number(name)]!;
      expected[name] = isRead ? content : content.slice(0, 1);
      if (isRead) files[name] = new TextDecoder().decode(await readAll(read));
      else files[name] = new TextDecoder().decode(await read() ?? undefined).slice(0, 1);
    }
    assertEquals(files, expected, `round ${round}`);
    assertEquals(Object.keys(files).length, contents.length);
  }
});

Deno.test("while a client is silent, its upload can be given up, and the rest be read by others", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const request = new Request("http://localhost", {
    method: "POST",
    headers: { "Content-Type": "multipart/form-data; boundary=b" },
    body: readable,
  });
  const files = readUpload(request, timeouts);
  const writer = writable.getWriter();
  const sent = writer.write(
    encoder.encode(`--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n`),
  );
  const { value: file } = await files.next();
  const pending = assertRejects(() => file!.read(), ApiError);
  await files.return(undefined);
  await pending;
  await sent;
  void writer.write(encoder.encode("the rest"));
  const { value } = await request.body!.getReader().read();
  assertEquals(new TextDecoder().decode(value), "the rest");
});

Deno.test("a body that trickles, or stops, is given up long before its time is over", async () => {
  const head = encoder.encode('--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n');
  const never = Promise.withResolvers<void>();
  const bodies: Record<string, () => AsyncGenerator<Uint8Array<ArrayBuffer>>> = {
    async *trickles() {
      yield head;
      while (true) {
        yield encoder.encode("a");
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    async *stops() {
      yield head;
      await never.promise;
    },
  };
  for (const [name, body] of Object.entries(bodies)) {
    const headers = { "Content-Type": "multipart/form-data; boundary=b" };
    const request = new Request("http://localhost", { method: "POST", headers, body: ReadableStream.from(body()) });
    const read = async () => {
      // Its whole time would be hours.
      for await (const file of readUpload(request, { upload: 10_000_000, slowUpload: 100 })) await readAll(file.read);
    };
    const error = await assertRejects(read, ApiError);
    assertEquals([name, error.code], [name, "upload_too_slow"]);
  }
  never.resolve();
});
