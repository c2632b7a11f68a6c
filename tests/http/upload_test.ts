import { delay } from "../../shared/libs/base/std/async.ts";
import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "../support/assert.ts";
import {
  ask,
  assertInvalid,
  assertRefused,
  assertReply,
  type Credentials,
  formOf,
  type NewFile,
  send,
  upload,
} from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { deleteRows, objectsOf, rowsOf, sweep } from "../support/knowledge.ts";
import {
  addExpert,
  createCoach,
  createTenant,
  createUser,
  issueKey,
  operator,
  type Tenant,
} from "../support/project.ts";
import type { Refusal } from "../support/refusals.ts";
import { createZip, docxEntries, sampleFiles } from "../support/sample_files.ts";
import { type Service, startService } from "../support/service.ts";
import { slow, slowStep } from "../support/slow.ts";

const megabyte = 1024 * 1024;

const encoder = new TextEncoder();
const partHead = (name: string) => `--b\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n`;

function encodeUtf16(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Uint16Array.from(`\ufeff${text}`, (unit) => unit.charCodeAt(0)).buffer);
}

/** Sends a body as it is, with `b` as the default boundary. */
function sendRaw(service: Service, tenant: Tenant, body: unknown, contentType = "multipart/form-data; boundary=b") {
  return ask(service, "POST", `/knowledge-handler?coachId=${tenant.coachId}`, tenant, body, {
    headers: { "Content-Type": contentType },
  });
}

/** Checks, once the sweeps have ended, that an account has no file and no object. */
async function assertNothingKept(service: Service, tenant: Tenant) {
  await service.turns();
  assertEquals(await rowsOf(tenant.coachId), []);
  assertEquals(await objectsOf(tenant.accountId), []);
}

/** Posts a form as simple clients do: they read the reply only after sending everything. */
async function sendThenRead(
  service: Service,
  target: string,
  headers: Record<string, string>,
  body: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const head = {
    "Host": "localhost",
    "Connection": "close",
    "Content-Type": "multipart/form-data; boundary=b",
    "Content-Length": body.length,
    ...headers,
  };
  const lines = [`POST ${target} HTTP/1.1`, ...Object.entries(head).map(([name, value]) => `${name}: ${value}`)];
  await ReadableStream.from([encoder.encode(`${lines.join("\r\n")}\r\n\r\n`), body])
    .pipeTo(connection.writable, { preventClose: true });
  return await new Response(connection.readable).text();
}

/** Resolves when the next request to a matching path arrives. */
function nextRequest(service: Service, path: RegExp): Promise<void> {
  return new Promise((resolve) => {
    service.supabase.fault = (requested) => {
      if (path.test(requested)) resolve();
      return "pass";
    };
  });
}

/** A file of each type that is accepted: its name, bytes, type and category. */
const accepted: [string, Uint8Array<ArrayBuffer>, string, string][] = [
  ["a.pdf", sampleFiles.pdf, "application/pdf", "documents"],
  ["a.docx", sampleFiles.docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "documents"],
  [
    "a.pptx",
    sampleFiles.pptx,
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "documents",
  ],
  ["a.xlsx", sampleFiles.xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "documents"],
  ["a.odt", sampleFiles.odt, "application/vnd.oasis.opendocument.text", "documents"],
  ["a.epub", sampleFiles.epub, "application/epub+zip", "documents"],
  ["a.html", sampleFiles.html, "text/html", "documents"],
  ["a.HTM", sampleFiles.html, "text/html", "documents"],
  ["a.csv", sampleFiles.csv, "text/csv", "documents"],
  ["a.txt", sampleFiles.txt, "text/plain", "documents"],
  ["a.md", sampleFiles.md, "text/markdown", "documents"],
  ["a.jpg", sampleFiles.jpg, "image/jpeg", "images"],
  ["a.jpeg", sampleFiles.jpg, "image/jpeg", "images"],
  ["A.JPG", sampleFiles.jpg, "image/jpeg", "images"],
  ["a.png", sampleFiles.png, "image/png", "images"],
  ["a.gif", sampleFiles.gif, "image/gif", "images"],
  ["a.webp", sampleFiles.webp, "image/webp", "images"],
  ["a.mp4", sampleFiles.mp4, "video/mp4", "videos"],
  ["a.avi", sampleFiles.avi, "video/x-msvideo", "videos"],
  ["a.mov", sampleFiles.mov, "video/quicktime", "videos"],
  ["a.WebM", sampleFiles.webm, "video/webm", "videos"],
  ["a.mp3", sampleFiles.mp3, "audio/mpeg", "videos"],
  ["a.m4a", sampleFiles.m4a, "audio/mp4", "videos"],
  ["b.m4a", sampleFiles.mp4, "audio/mp4", "videos"],
  ["a.wav", sampleFiles.wav, "audio/wav", "videos"],
  ["a.ogg", sampleFiles.ogg, "audio/ogg", "videos"],
];

Deno.test("POST /knowledge-handler: what is accepted", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });

  await t.step("the reply has the fields of the interface, and no others", async () => {
    const began = Date.now();
    const reply = await upload(service, tenant, tenant.coachId, [["notes.md", "# Delegation"], ["bad.exe", "x"]]);
    assertReply(reply, 200);
    const [{ fileId, uploadedAt }] = reply.json.uploadedFiles;
    assertEquals(reply.json, {
      uploadedFiles: [
        { fileId, filename: "notes.md", size: 12, contentType: "text/markdown", uploadedAt, category: "documents" },
      ],
      failedFiles: [{
        filename: "bad.exe",
        error:
          "The file type is not supported. Supported types: PDF, DOCX, PPTX, XLSX, ODT, EPUB, HTML, CSV, TXT, MD, JPG, " +
          "PNG, GIF, WEBP, MP4, AVI, MOV, WEBM, MP3, M4A, WAV, OGG. Save other documents as PDF",
      }],
      totalUploaded: 1,
      totalFailed: 1,
    });
    assertMatch(fileId, /^[0-9a-f-]{36}$/);
    assertMatch(uploadedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert(Math.abs(Date.parse(uploadedAt) - began) < 60_000, uploadedAt);
  });

  await t.step("all types of the interface, in any spelling of the extension, with type and category", async () => {
    const uploaded: { filename: string; contentType: string; category: string }[] = [];
    for (const files of [accepted.slice(0, 20), accepted.slice(20)]) {
      const reply = await upload(service, tenant, tenant.coachId, files.map(([name, bytes]) => [name, bytes]));
      assertReply(reply, 200);
      assertEquals(reply.json.failedFiles, []);
      uploaded.push(...reply.json.uploadedFiles);
    }
    assertEquals(
      uploaded.map(({ filename, contentType, category }) => [filename, contentType, category]),
      accepted.map(([name, _, contentType, category]) => [name, contentType, category]),
    );
  });

  const texts: [string, string | Uint8Array<ArrayBuffer>][] = [
    ["begins like a bitmap", "BM25 ranks passages"],
    ["begins like a GIF", "GIFTs are talents"],
    ["begins like a QuickTime film", "The free trial ends on Friday"],
    ["is XML", `<?xml version="1.0"?><note/>`],
    ["is UTF-16, low byte first", encodeUtf16("Grüße")],
    ["is UTF-16, high byte first", encodeUtf16("Grüße").map((_, index, bytes) => bytes[index ^ 1]!)],
    ["is Latin-1", Uint8Array.of(0x47, 0x72, 0xfc, 0xdf, 0x65)],
    ["is a single character", "x"],
    ["is white space", " \n\t "],
  ];
  for (const [name, content] of texts) {
    await t.step(`a text that ${name}`, async () => {
      const { json } = await upload(service, tenant, tenant.coachId, [[`${name}.txt`, content], [
        `${name}.md`,
        content,
      ]]);
      assertEquals([json.failedFiles, json.totalUploaded], [[], 2]);
    });
  }

  await t.step("a DOCX with a large picture at its beginning and the content types at its end", async () => {
    const picture = { "word/media/image1.png": new Uint8Array(3 * megabyte).fill(7) };
    const { json } = await upload(service, tenant, tenant.coachId, [
      ["picture.docx", createZip({ ...picture, ...Object.fromEntries(Object.entries(docxEntries).toReversed()) })],
    ]);
    assertEquals([json.failedFiles, json.totalUploaded], [[], 1]);
  });

  await slowStep(t, "20 files, and files of exactly the largest size", async () => {
    await using quiet = await startService({ isIndexerAsleep: true });
    const { coachId } = tenant;
    const many = Array.from({ length: 20 }, (_, index): NewFile => [`${index}.txt`, `file ${index}`]);
    assertEquals((await upload(quiet, tenant, coachId, many)).json.totalUploaded, 20);
    const film = new Uint8Array(50 * megabyte);
    film.set(sampleFiles.mp4);
    const large = await upload(quiet, tenant, coachId, [
      ["film.mp4", film],
      ["book.txt", new Uint8Array(25 * megabyte).fill(97)],
    ]);
    assertEquals([large.json.totalUploaded, large.json.failedFiles], [2, []]);
  });

  await t.step("a body that arrives in pieces, cut even within the line after its end", async () => {
    const stored = nextRequest(service, /^\/storage\//);
    const body = ReadableStream.from((async function* () {
      yield encoder.encode(`${partHead("cut.txt")}in two\r\n--b--`);
      await stored;
      yield encoder.encode("\r\n");
    })());
    const reply = await sendRaw(service, tenant, body);
    assertReply(reply, 200);
    assertEquals(reply.json.totalUploaded, 1);
  });

  await t.step("a quoted boundary, unquoted names, names in extended form, and parts that are not files", async () => {
    const body = [
      `--b\r\nContent-Disposition: form-data; name="comment"\r\n\r\nhello`,
      `--b\r\ncontent-disposition: form-data; name=files; filename=plain.txt\r\n\r\nplain`,
      `--b\r\nContent-Disposition: form-data; name="files"; filename*=UTF-8''%E2%82%AC%20rates.txt\r\n\r\neuro`,
      `--b\r\nContent-Disposition: form-data; name="other"; filename="other.txt"\r\n\r\nanother field`,
      `--b\r\nContent-Disposition: form-data; name="files";\r\n filename="broken line.txt"\r\n\r\nfolded`,
      `--b--\r\n`,
    ].join("\r\n");
    for (const boundary of [`"b"`, "b ; charset=utf-8"]) {
      const reply = await sendRaw(service, tenant, body, `multipart/form-data; boundary=${boundary}`);
      assertReply(reply, 200);
      assertEquals(
        reply.json.uploadedFiles.map(({ filename }: { filename: string }) => filename),
        ["plain.txt", "€ rates.txt", "broken line.txt"],
      );
    }
  });

  await deleteRows(tenant.coachId);
});

Deno.test("POST /knowledge-handler: what is refused, file by file", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const { pdf, docx, png, jpg, mp4, mov, avi, webp, gif, webm } = sampleFiles;
  const zip = createZip({ "readme.txt": "hello" });
  const lies: [string, string | Uint8Array<ArrayBuffer>, string][] = [
    ["png.pdf", png, "The content is not that of a PDF file"],
    ["text.pdf", "Hello", "The content is not that of a PDF file"],
    ["pdf.txt", pdf, "The content is not that of a TXT file"],
    ["pdf.md", pdf, "The content is not that of a MD file"],
    ["docx.md", docx, "The content is not that of a MD file"],
    ["png.txt", png, "The content is not that of a TXT file"],
    ["gif.txt", gif, "The content is not that of a TXT file"],
    ["mp4.txt", mp4, "The content is not that of a TXT file"],
    ["zip.docx", zip, "The content is not that of a DOCX file"],
    ["pdf.docx", pdf, "The content is not that of a DOCX file"],
    ["docx.pdf", docx, "The content is not that of a PDF file"],
    ["mp4.mov", mp4, "The content is not that of a MOV file"],
    ["mov.mp4", mov, "The content is not that of a MP4 file"],
    ["webm.mp4", webm, "The content is not that of a MP4 file"],
    ["avi.webp", avi, "The content is not that of a WEBP file"],
    ["webp.avi", webp, "The content is not that of a AVI file"],
    ["jpg.png", jpg, "The content is not that of a PNG file"],
    ["png.jpg", png, "The content is not that of a JPG file"],
    ["NUL.txt", "one\0two", "The content is not that of a TXT file"],
    ["late NUL.md", `${"x".repeat(100_000)}\0`, "The content is not that of a MD file"],
  ];
  const others: [string, string | Uint8Array<ArrayBuffer>, string][] = [
    ["empty.txt", "", "The file is empty"],
    ["empty.pdf", "", "The file is empty"],
    ["archive.zip", zip, "The file type is not supported"],
    ["page.xml", "<p>", "The file type is not supported"],
    ["photo.heic", "x", "HEIC pictures cannot be read. Save it as JPG"],
    ["no extension", "x", "The file type is not supported"],
    ["ends with a dot.", "x", "The file type is not supported"],
    [".txt.exe", "x", "The file type is not supported"],
    ["a.txt ", "x", "The file type is not supported"],
    ["a.ｔｘｔ", "x", "The file type is not supported"],
    [`${"x".repeat(497)}.txt`, "x", "The file name is longer than 500 characters"],
    [`${"x".repeat(20_000)}.txt`, "x", "The file name is longer than 500 characters"],
    ["a\0.txt", "x", "The file name must not contain NUL characters"],
    ["book.txt", new Uint8Array(25 * megabyte + 1).fill(97), "The file is larger than 25 MB"],
    ["film.mp4", new Uint8Array(50 * megabyte + 1).fill(97), "The file is larger than 50 MB"],
  ];
  for (const group of [lies.slice(0, 10), lies.slice(10), others]) {
    await t.step(`${group[0]?.[0]} and the like are refused, and the other files stored`, async () => {
      const files = group.map(([name, content]): NewFile => [name, content]);
      const good = (name: string): NewFile => [name, `${name} is good`];
      const reply = await upload(service, tenant, tenant.coachId, [good("a.txt"), ...files, good("b.txt")]);
      assertReply(reply, 200);
      assertEquals([reply.json.totalUploaded, reply.json.totalFailed], [2, group.length]);
      for (const [index, [filename, _, error]] of group.entries()) {
        const failed = reply.json.failedFiles[index];
        assertEquals(failed.filename, filename);
        assert(failed.error.startsWith(error), `${filename}: ${failed.error}`);
        assertEquals(Object.keys(failed), ["filename", "error"]);
      }
    });
  }
  await t.step("nothing of the refused files is stored", async () => {
    await service.turns();
    assertEquals((await rowsOf(tenant.coachId)).map(({ name }) => name), ["a.txt", "b.txt"]);
    assertEquals((await objectsOf(tenant.accountId)).length, 2);
  });

  await t.step("when every file is refused → 200 with no file uploaded", async () => {
    const reply = await upload(service, tenant, tenant.coachId, [["x.exe", "x"]]);
    assertReply(reply, 200);
    assertEquals([reply.json.uploadedFiles, reply.json.totalUploaded, reply.json.totalFailed], [[], 0, 1]);
  });

  await t.step("a DOCX whose content types unpack to a gigabyte is refused", async () => {
    const bomb = await deflatedZip("[Content_Types].xml", 1024 * megabyte);
    const reply = await upload(service, tenant, tenant.coachId, [["bomb.docx", bomb]]);
    assertEquals(reply.json.failedFiles, [
      { filename: "bomb.docx", error: "The content is not that of a DOCX file" },
    ]);
  });
});

Deno.test("a file that is refused in the middle never becomes an object, even before a sweep", async (t) => {
  await using service = await startService({ isIndexerAsleep: true });
  const text = "x".repeat(200_000);
  const large = (size: number, sample?: Uint8Array) => {
    const bytes = new Uint8Array(size).fill(97);
    if (sample !== undefined) bytes.set(sample);
    return bytes;
  };
  const picture = { "media/image1.png": new Uint8Array(megabyte).fill(7) };
  const refused: [name: string, content: string | Uint8Array<ArrayBuffer>, error: string][] = [
    ["late.txt", `${text}\0`, "The content is not that of a TXT file"],
    ["early.md", `\0${text}`, "The content is not that of a MD file"],
    ["archive.docx", createZip({ ...picture, "readme.txt": "hello" }), "The content is not that of a DOCX file"],
    ["book.txt", large(25 * megabyte + 1), "The file is larger than 25 MB"],
    ["film.mp4", large(50 * megabyte + 1, sampleFiles.mp4), "The file is larger than 50 MB"],
  ];
  for (const [filename, content, error] of refused) {
    await t.step(`${filename}: ${error}`, async () => {
      const tenant = await createTenant();
      const files: NewFile[] = [["a.txt", "before"], [filename, content], ["b.txt", "after"]];
      const reply = await upload(service, tenant, tenant.coachId, files);
      assertReply(reply, 200);
      assertEquals(reply.json.failedFiles, [{ filename, error }]);
      const rows = await rowsOf(tenant.coachId);
      assertEquals(rows.map(({ name, size }) => [name, size]), [["a.txt", 6], ["b.txt", 5]]);
      assertEquals(await objectsOf(tenant.accountId), rows.map(({ storage_path }) => storage_path).toSorted());
      await deleteRows(tenant.coachId);
    });
  }
});

Deno.test("a file goes to Storage while it arrives", async (t) => {
  await using service = await startService({ timeouts: { storage: 500 } });
  const tenant = await createTenant();

  await t.step("pauses of the client do not count as Storage's", async () => {
    const stored = nextRequest(service, /^\/storage\//);
    const body = ReadableStream.from((async function* () {
      yield encoder.encode(`${partHead("slow.txt")}${"x".repeat(200_000)}`);
      await stored;
      await delay(1_000);
      yield encoder.encode(`the end\r\n--b--\r\n`);
    })());
    const reply = await sendRaw(service, tenant, body);
    assertReply(reply, 200);
    assertEquals(reply.json.uploadedFiles[0].size, 200_007);
    await service.turns();
    assertEquals((await rowsOf(tenant.coachId)).map(({ status }) => status), ["ready"]);
    await deleteRows(tenant.coachId);
    await sweep(service);
  });

  await t.step("Storage that stops taking it → 503, and nothing is kept", async () => {
    service.supabase.fault = (path) => path.startsWith("/storage/") ? "hang" : "pass";
    const reply = await upload(service, tenant, tenant.coachId, [["book.txt", new Uint8Array(20 * megabyte).fill(97)]]);
    service.supabase.fault = "pass";
    assertReply(reply, 503);
    assertEquals(reply.headers.get("Retry-After"), "5");
    await assertNothingKept(service, tenant);
  });
});

/** A ZIP archive of one entry that unpacks to `size` spaces, more than its header says. */
async function deflatedZip(name: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const spaces = new Uint8Array(megabyte).fill(32);
  const content = ReadableStream.from((function* () {
    for (let sent = 0; sent < size; sent += spaces.length) yield spaces;
  })());
  const packed = content.pipeThrough(new CompressionStream("deflate-raw"));
  const zip = createZip({ [name]: new Uint8Array(await new Response(packed).arrayBuffer()) });
  // Marks the entry as deflated.
  zip[8] = 8;
  return zip;
}

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const stranger = await createTenant();
  const path = `/knowledge-handler?coachId=${tenant.coachId}`;
  const good: NewFile = ["good.txt", "Good words"];
  return handOver(stack, { service, tenant, stranger, path, good });
}

Deno.test("POST /knowledge-handler: requests that are refused as a whole", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, stranger, path, good } = prepared;

  await t.step("no coachId → 400", async () => {
    for (const query of ["", "?coachId=", "?coachId=%20"]) {
      const reply = await ask(service, "POST", `/knowledge-handler${query}`, tenant, formOf(good));
      assertInvalid(reply, "coachId is required");
    }
    const reply = await ask(service, "POST", "/knowledge-handler?coachId=%00", tenant, formOf(good));
    assertInvalid(reply, "coachId must not contain NUL characters");
  });

  await t.step("a coach that is unknown, or another account's → 404, and nothing reaches Storage", async () => {
    for (const coachId of [crypto.randomUUID(), "'; drop table coach_profiles; --", stranger.coachId]) {
      service.supabase.requests.length = 0;
      const reply = await upload(service, tenant, encodeURIComponent(coachId), [good]);
      assertRefused(reply, "coach_not_found");
      assertEquals(service.supabase.requests.filter((path) => path.startsWith("/storage/")), []);
    }
    await assertNothingKept(service, stranger);
  });

  await t.step("no part named files, or none with a file → 400", async () => {
    const field = new FormData();
    field.append("files", "just text");
    const misnamed = new FormData();
    misnamed.append("file", new File(["x"], "x.txt"));
    const unchosen = new FormData();
    unchosen.append("files", new File([], ""));
    for (const body of [new FormData(), field, misnamed, unchosen, { files: ["x"] }, "plain text", undefined]) {
      assertInvalid(await ask(service, "POST", path, tenant, body), "files is required");
    }
    const noBoundary = await sendRaw(service, tenant, "--b--", "multipart/form-data");
    assertInvalid(noBoundary, "files is required");
  });

  const partsOf = (boundary: string) =>
    `${partHead("a.txt").replace("--b", `--${boundary}`)}words\r\n--${boundary}--\r\n`;
  const malformed: [string, string | Uint8Array, string?][] = [
    ["without any end", `${partHead("a.txt")}words`],
    ["without its last boundary", `${partHead("a.txt")}words\r\n--b\r\n`],
    ["that ends within the headers of a part", `${partHead("a.txt")}words\r\n--b\r\nContent-Disp`],
    ["of nothing", ""],
    ["with another boundary", `${partHead("a.txt")}words\r\n--b--\r\n`, "multipart/form-data; boundary=c"],
    ["with a boundary of 71 characters", partsOf("b".repeat(71)), `multipart/form-data; boundary=${"b".repeat(71)}`],
    ["with a boundary beyond ASCII", `${partHead("a.txt")}words\r\n--b--\r\n`, "multipart/form-data; boundary=\xe9"],
    ["that is no multipart at all", "{}"],
  ];
  for (const [name, body, contentType] of malformed) {
    await t.step(`a body ${name} → 400, and nothing is kept`, async () => {
      assertRefused(await sendRaw(service, tenant, body, contentType), "malformed_upload");
      await assertNothingKept(service, tenant);
    });
  }

  await t.step("a boundary of 70 characters, the longest allowed, is accepted", async () => {
    const boundary = "b".repeat(70);
    const reply = await sendRaw(service, tenant, partsOf(boundary), `multipart/form-data; boundary=${boundary}`);
    assertReply(reply, 200);
    await service.turns();
    await deleteRows(tenant.coachId);
  });
});

Deno.test("POST /knowledge-handler: names, sizes and bodies that do not arrive", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, path } = prepared;

  await t.step("a file whose name is not UTF-8 is refused, and the other files stored", async () => {
    const parts = `${partHead("\xfc.txt")}words\r\n${partHead("good.txt")}words\r\n--b--`;
    const reply = await sendRaw(service, tenant, Uint8Array.from(parts, (c) => c.charCodeAt(0)));
    assertReply(reply, 200);
    assertEquals([reply.json.totalUploaded, reply.json.totalFailed], [1, 1]);
    assertEquals(reply.json.uploadedFiles[0].filename, "good.txt");
    assertEquals(reply.json.failedFiles, [{ filename: "\uFFFD.txt", error: "The file name is not in UTF-8" }]);
    await service.turns();
    await deleteRows(tenant.coachId);
    await sweep(service);
  });

  await t.step("21 files → 413, and nothing is kept", async () => {
    const files = Array.from({ length: 21 }, (_, index): NewFile => [`${index}.txt`, "x"]);
    assertRefused(await upload(service, tenant, tenant.coachId, files), "too_many_files", "20");
    await assertNothingKept(service, tenant);
  });
  for (const [name, parts] of [["in three files", [34, 34, 32.5]], ["in one file", [100.5]]] as const) {
    // `fetch` sends a stream in chunks without a length, and bytes with their length.
    const stream = () =>
      ReadableStream.from((function* () {
        yield encoder.encode(`${partHead("good.txt")}Good words`);
        for (const megabytes of parts) {
          yield encoder.encode(`\r\n${partHead("film.mp4")}`);
          for (let sent = 0; sent < megabytes * 2; sent++) yield new Uint8Array(megabyte / 2);
        }
        yield encoder.encode("\r\n--b--\r\n");
      })());
    await slowStep(t, `more than 100 MB ${name}, of a known length → 413, and nothing is kept`, async () => {
      assertRefused(
        await sendRaw(service, tenant, new Uint8Array(await new Response(stream()).arrayBuffer())),
        "body_too_large",
        "100 MB",
      );
      await assertNothingKept(service, tenant);
    });
    await t.step(`more than 100 MB ${name}, of unknown length → 413, and nothing is kept`, async () => {
      assertRefused(await sendRaw(service, tenant, stream()), "body_too_large", "100 MB");
      await assertNothingKept(service, tenant);
    });
  }

  await t.step("a client that disconnects in the middle of the body leaves nothing behind", async () => {
    const stored = nextRequest(service, /^\/storage\//);
    let stopped: Promise<void> | undefined;
    const body = ReadableStream.from((async function* () {
      yield encoder.encode(`${partHead("a.txt")}words\r\n${partHead("b.txt")}more`);
      await stored;
      // The indexer is called last, so this request shows that the upload is over.
      stopped = nextRequest(service, /\/indexer$/);
      throw new Error("hung up");
    })());
    await assertRejects(() => sendRaw(service, tenant, body));
    await stopped;
    await assertNothingKept(service, tenant);
    assertEquals((await service.logs()).filter(({ level }) => level === "error"), []);
  });

  await t.step("a refused body of 30 MB gets its reply, even if the client reads after sending all of it", async () => {
    const body = new Uint8Array(30 * megabyte);
    const { apiKey: reader } = await issueKey(tenant.accountId, { scopes: ["knowledge:read"] });
    const { apiKey: spent } = await issueKey(tenant.accountId, { requests_per_minute: 1 });
    await ask(service, "GET", path, { apiKey: spent });
    const key = { "X-API-Key": tenant.apiKey };
    const refusals: [string, string, Record<string, string>][] = [
      ["401 Unauthorized", path, {}],
      ["401 Unauthorized", path, { "X-API-Key": "hi_live_x" }],
      ["401 Unauthorized", path, { ...key, Authorization: "Bearer x" }],
      ["403 Forbidden", path, { "X-API-Key": reader }],
      ["404 Not Found", "/knowledge-handler?coachId=unknown", key],
      ["404 Not Found", "/knowledge-handler/a/b", key],
      ["400 Bad Request", "/knowledge-handler", key],
      ["400 Bad Request", path, key],
      ["429 Too Many Requests", path, { "X-API-Key": spent }],
    ];
    for (const [status, target, headers] of refusals) {
      const reply = await sendThenRead(service, target, headers, body);
      assert(reply.startsWith(`HTTP/1.1 ${status}`), reply);
      assert(reply.includes(`{"error":"`), reply);
    }
  });

  await t.step("a body that does not arrive in time → 408, and nothing is kept", async () => {
    await using hasty = await startService({ timeouts: { upload: 300 } });
    const never = Promise.withResolvers<void>();
    const stored = nextRequest(hasty, /^\/storage\//);
    const body = ReadableStream.from((async function* () {
      yield encoder.encode(`${partHead("a.txt")}words\r\n${partHead("b.txt")}more`);
      await never.promise;
    })());
    const reply = await sendRaw(hasty, tenant, body);
    assertRefused(reply, "upload_too_slow");
    never.resolve();
    await stored;
    await assertNothingKept(hasty, tenant);
  });
});

Deno.test("POST /knowledge-handler: who may upload", async (t) => {
  await using service = await startService();
  const owner = await createUser();
  const tenant = await createTenant({}, { owner_id: owner.id });
  const as = (user: { accessToken: string }, key: { apiKey: string } = tenant) => ({ ...key, ...user });
  const [other, ownerless, stranger] = [await createUser(), await createCoach(tenant.accountId), await createTenant()];

  const refused: [who: string, credentials: Credentials, coachId: string, Refusal][] = [
    ["another user", as(other), tenant.coachId, "not_the_coach"],
    ["any user, when the coach has no user", as(owner), ownerless.id, "not_the_coach"],
    ["the coach's own user with a key of another account", as(owner, stranger), tenant.coachId, "coach_not_found"],
  ];
  for (const [who, credentials, coachId, refusal] of refused) {
    await t.step(`${who} → ${refusal}, and nothing is kept`, async () => {
      assertRefused(await upload(service, credentials, coachId, [["a.txt", "words"]]), refusal);
      await assertNothingKept(service, tenant);
    });
  }
  for (const [who, credentials] of [["the coach's own user", as(owner)], ["the key alone", tenant]] as const) {
    await t.step(`${who} may upload`, async () => {
      const reply = await upload(service, credentials, tenant.coachId, [["a.txt", `words of ${who}`]]);
      assertReply(reply, 200);
      assertEquals(reply.json.totalUploaded, 1);
    });
  }

  await t.step("an editor who is demoted while the files arrive → 403, and nothing is kept", async () => {
    const editor = await createUser();
    await addExpert(tenant.coachId, editor, "editor");
    await deleteRows(tenant.coachId);
    await sweep(service);
    const stored = nextRequest(service, /^\/storage\//);
    const body = ReadableStream.from((async function* () {
      yield encoder.encode(`${partHead("a.txt")}${"x".repeat(200_000)}`);
      await stored;
      await operator.from("coach_experts").update({ role: "answerer" }).eq("coach_id", tenant.coachId)
        .eq("user_id", editor.id).throwOnError();
      yield encoder.encode("the end\r\n--b--\r\n");
    })());
    assertRefused(await sendRaw(service, { ...tenant, ...as(editor) }, body), "not_the_coach");
    await assertNothingKept(service, tenant);
    assertEquals((await service.logs()).filter(({ event }) => event === "upload_not_ended"), []);
  });
});

Deno.test("file names are taken literally", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const names = [
    "../../etc/passwd.txt",
    "..\\..\\windows\\system.txt",
    "/absolute.txt",
    `say "hi".txt`,
    "it's; drop table x;--.txt",
    `${"x".repeat(296)}.txt`,
    `${"🦉".repeat(496)}.txt`,
    "👩‍👩‍👧 日本語 ünï.txt",
    "back\\slash\\.txt",
    " leading space.txt",
    "100%.txt",
    "a%2Fb%00c%20d.txt",
    "two\nlines\r\n.txt",
    "<script>alert(1)</script>.txt",
    "name; filename=other.txt",
    "C:\\fakepath\\a.txt",
    ".txt",
    "a?b#c&d=e.txt",
  ];

  await t.step("they come back as they were sent", async () => {
    const reply = await upload(service, tenant, tenant.coachId, names.map((name): NewFile => [name, "words"]));
    assertReply(reply, 200);
    assertEquals(reply.json.failedFiles, []);
    assertEquals(reply.json.uploadedFiles.map(({ filename }: { filename: string }) => filename), names);
  });
  await t.step("they are stored and listed as they were sent, and never shape a storage path", async () => {
    await service.turns();
    const rows = await rowsOf(tenant.coachId);
    assertEquals(rows.map(({ name }) => name), names);
    for (const { storage_path, account_id } of rows) {
      assertMatch(storage_path, /^[0-9a-f-]{36}\/[0-9a-f-]{36}\/\d+$/);
      assert(storage_path.startsWith(account_id));
    }
    assertEquals(await objectsOf(tenant.accountId), rows.map(({ storage_path }) => storage_path).toSorted());
    const { json } = await ask(service, "GET", `/knowledge-handler?coachId=${tenant.coachId}&limit=100`, tenant);
    assertEquals(
      json.data.map(({ filename }: { filename: string }) => filename).toSorted(),
      names.toSorted(),
    );
  });

  await t.step("but for marks of direction, tags and what else nobody sees", async () => {
    const other = await createTenant();
    const hidden: NewFile[] = [["in\u202efdp.exe.txt", "one"], ["a\u200b\u{e0041}b.md", "two"], [
      "\u2067.rtf",
      "three",
    ]];
    const reply = await upload(service, other, other.coachId, hidden);
    assertReply(reply, 200);
    const namesOf = (files: { filename: string }[]) => files.map(({ filename }) => filename);
    assertEquals(namesOf(reply.json.uploadedFiles), ["infdp.exe.txt", "ab.md"]);
    assertEquals(namesOf(reply.json.failedFiles), [".rtf"]);
    assertEquals((await rowsOf(other.coachId)).map(({ name }) => name), ["infdp.exe.txt", "ab.md"]);
  });
});

Deno.test("the same bytes under the same name are one file", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const coach = await createCoach(tenant.accountId);
  const idsOf = async (files: NewFile[], coachId = tenant.coachId): Promise<string[]> => {
    const reply = await upload(service, tenant, coachId, files);
    assertReply(reply, 200);
    return reply.json.uploadedFiles.map(({ fileId }: { fileId: string }) => fileId);
  };
  const [first] = await idsOf([["a.txt", "words"]]);

  await t.step("sent again, the reply names the file that is already stored", async () => {
    const before = await rowsOf(tenant.coachId);
    const reply = await upload(service, tenant, tenant.coachId, [["a.txt", "words"]]);
    assertEquals([reply.json.uploadedFiles[0].fileId, reply.json.totalUploaded], [first, 1]);
    await service.turns();
    assertEquals((await rowsOf(tenant.coachId)).map(({ id, storage_path }) => [id, storage_path]), [
      [first, before[0]?.storage_path],
    ]);
  });
  await t.step("sent twice in one request, it is stored once", async () => {
    const [one, two, three] = await idsOf([["b.txt", "more"], ["a.txt", "words"], ["b.txt", "more"]]);
    assertEquals([two, three], [first, one]);
  });
  await t.step("sent twice at the same moment, it is stored once", async () => {
    const [[one], [two]] = await Promise.all([idsOf([["c.txt", "at once"]]), idsOf([["c.txt", "at once"]])]);
    assertEquals(one, two);
  });
  await t.step("with another name, other bytes or another coach it is another file", async () => {
    const others = [
      ...await idsOf([["d.txt", "words"]]),
      ...await idsOf([["a.txt", "other words"]]),
      ...await idsOf([["a.txt", "words"]], coach.id),
    ];
    assertEquals(new Set([first, ...others]).size, 4);
  });
  await t.step("after the sweep each row has exactly one object", async () => {
    await service.turns();
    const rows = [...await rowsOf(tenant.coachId), ...await rowsOf(coach.id)];
    assertEquals(rows.length, 6);
    assertEquals(await objectsOf(tenant.accountId), rows.map(({ storage_path }) => storage_path).toSorted());
  });
  await t.step("deleted and sent again, it is a new file", async () => {
    assertReply(await ask(service, "DELETE", `/knowledge-handler/${first}?coachId=${tenant.coachId}`, tenant), 200);
    const [again] = await idsOf([["a.txt", "words"]]);
    assertNotEquals(again, first);
    await service.turns();
    const row = (await rowsOf(tenant.coachId)).find(({ id }) => id === again);
    assertEquals(row?.status, "ready");
    assert((await objectsOf(tenant.accountId)).includes(row!.storage_path));
  });
});

Deno.test("an upload that fails leaves nothing half-done", async (t) => {
  await using service = await startService({ losesReplies: true, timeouts: { storage: 300, database: 1_500 } });
  const tenant = await createTenant();
  const files: NewFile[] = [["a.txt", "one"], ["b.txt", "two"], ["c.txt", "three"]];

  for (const fault of ["refuse", "hang", "lose", "stall"] as const) {
    await t.step(`Postgres ${fault}s the rows once → the call is repeated: 200`, async () => {
      const other = await createTenant();
      let faults = 1;
      service.supabase.fault = (path) => path.endsWith("/end_upload") && faults-- > 0 ? fault : "pass";
      const reply = await upload(service, other, other.coachId, files);
      assertReply(reply, 200);
      assertEquals(reply.json.totalUploaded, 3);
      await service.turns();
      assertEquals((await rowsOf(other.coachId)).map(({ name }) => name), ["a.txt", "b.txt", "c.txt"]);
    });
  }

  for (const fault of ["refuse", "hang"] as const) {
    await t.step(`Storage ${fault}s the second of three files → 503, and nothing is kept`, async () => {
      service.supabase.fault = (path) => path.startsWith("/storage/") && path.endsWith("/2") ? fault : "pass";
      assertRefused(await upload(service, tenant, tenant.coachId, files), "unavailable");
      await assertNothingKept(service, tenant);
    });

    const status = fault === "hang" ? 503 : 500;
    await t.step({
      name: `Postgres ${fault}s the rows every time → ${status}, and no row appears`,
      ignore: slow.ignore && fault === "hang",
      async fn() {
        service.supabase.fault = (path) => path.endsWith("/end_upload") ? fault : "pass";
        assertReply(await upload(service, tenant, tenant.coachId, files), status);
        await service.turns();
        assertEquals(await rowsOf(tenant.coachId), []);
        // The upload is abandoned, as after a worker that was killed; its objects are removed here.
        await operator.storage.from("knowledge").remove(await objectsOf(tenant.accountId));
      },
    });

    await t.step(`Postgres ${fault}s the beginning → ${status}, and nothing reaches Storage`, async () => {
      service.supabase.fault = (path) => path.endsWith("/begin_upload") ? fault : "pass";
      service.supabase.requests.length = 0;
      assertReply(await upload(service, tenant, tenant.coachId, files), status);
      assertEquals(service.supabase.requests.filter((path) => path.startsWith("/storage/")), []);
      await assertNothingKept(service, tenant);
    });
  }

  await t.step("after these failures the same files can be stored", async () => {
    service.supabase.fault = "pass";
    assertEquals((await upload(service, tenant, tenant.coachId, files)).json.totalUploaded, 3);
    await service.turns();
    assertEquals((await rowsOf(tenant.coachId)).map(({ status }) => status), ["ready", "ready", "ready"]);
  });

  await t.step("if the indexer cannot be called, the upload succeeds, and the next sweep indexes it", async () => {
    service.supabase.fault = (path) => path.endsWith("/indexer") ? "refuse" : "pass";
    assertReply(await upload(service, tenant, tenant.coachId, [["d.txt", "four"]]), 200);
    await service.turns();
    assertEquals((await rowsOf(tenant.coachId)).at(-1)?.status, "queued");
    await sweep(service);
    assertEquals((await rowsOf(tenant.coachId)).at(-1)?.status, "ready");
  });
});

Deno.test("an upload costs two requests to the backend, and one more for each file", async () => {
  await using service = await startService({ isIndexerAsleep: true });
  const tenant = await createTenant();
  for (const count of [1, 7]) {
    service.supabase.requests.length = 0;
    const files = Array.from({ length: count }, (_, index): NewFile => [`${index}.txt`, "x"]);
    assertEquals((await upload(service, tenant, tenant.coachId, files)).json.totalUploaded, count);
    assertEquals(service.supabase.requests.length, count + 2, service.supabase.requests.join("\n"));
  }
  await deleteRows(tenant.coachId);
});

Deno.test("no log line names a file or quotes it", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  service.supabase.fault = (path) => path.startsWith("/storage/") ? "refuse" : "pass";
  const response = await send(
    service,
    "POST",
    `/knowledge-handler?coachId=${tenant.coachId}`,
    tenant,
    formOf(["my secret diary.txt", "dear diary"]),
  );
  assertEquals(response.status, 503);
  assert(!(await response.text()).includes("diary"));
  service.supabase.fault = "pass";
  await upload(service, tenant, tenant.coachId, [["my secret diary.txt", "dear diary"], ["diary.exe", "x"]]);
  await service.turns();
  assert((await service.logs()).length > 0);
  assert(!JSON.stringify(await service.logs()).includes("diary"));
});
