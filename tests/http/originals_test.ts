import { describeDisposition } from "../../shared/features/reading/serve_original.ts";
import { readAddress, signAddress } from "../../shared/features/reading/original_address.ts";
import { createFileStore } from "../../shared/infra/storage/file_store.ts";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertRefused, clientOf, upload } from "../support/client.ts";
import { addFile, rowsOf, updateRow, uploadAndIndex } from "../support/knowledge.ts";
import { createTenant, secretKey } from "../support/project.ts";
import type { Refusal } from "../support/refusals.ts";
import { createWav } from "../support/sample_documents.ts";
import { sampleFiles } from "../support/sample_files.ts";
import { serve } from "../support/serve.ts";
import { type Service, startService } from "../support/service.ts";

/** The path of a signed address, as the functions of the test serve it. */
const pathOf = (url: string) => url.slice(url.indexOf("/knowledge-handler/"));

const open = (service: Service, url: string, init: RequestInit = {}) => fetch(service.url + pathOf(url), init);

/** Checks a refusal, of which a browser gets nothing to show but JSON. */
async function assertRefusal(response: Response, ...refusal: [Refusal, what?: string]) {
  const text = await response.text();
  assertRefused({ status: response.status, headers: response.headers, text, json: JSON.parse(text) }, ...refusal);
}

Deno.test("GET /knowledge-handler/{fileId}/content: an address that opens the original", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  await uploadAndIndex(service, tenant, ["Plan.pdf", sampleFiles.pdf]);
  const { id: fileId, storage_path } = (await rowsOf(tenant.coachId))[0]!;
  const client = clientOf(service, tenant);
  const addressOf = async (id = fileId) => (await client.getOriginal(tenant.coachId, id)).url;
  /** An address that the service could have made, at another time or for another file. */
  const sign = (seconds: number, id = fileId) =>
    signAddress([secretKey], { fileId: id, expiresAt: new Date(Date.now() + seconds * 1_000) });
  const openToken = (token: string, init?: RequestInit) => open(service, `/knowledge-handler/originals/${token}`, init);

  await t.step("it is valid for a minute, belongs to the project, and tells nothing about Storage", async () => {
    const asked = Date.now();
    const { url, expires_at } = await client.getOriginal(tenant.coachId, fileId);
    const seconds = (Date.parse(expires_at) - asked) / 1_000;
    assert(seconds > 55 && seconds <= 75, expires_at);
    assertMatch(url, /^http:\/\/127\.0\.0\.1:\d+\/functions\/v1\/knowledge-handler\/originals\/[\w.-]+$/);
    assert(!url.includes(storage_path) && !url.includes(tenant.accountId), url);
  });

  await t.step("it needs no key, and replies with the bytes and headers that let nothing run", async () => {
    const response = await open(service, await addressOf());
    assertEquals(new Uint8Array(await response.arrayBuffer()), sampleFiles.pdf);
    assertEquals(response.status, 200);
    const headers = {
      "Content-Type": "application/pdf",
      "Content-Length": String(sampleFiles.pdf.length),
      "Content-Disposition": `inline; filename="Plan.pdf"; filename*=UTF-8''Plan.pdf`,
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "private, no-store",
      "Accept-Ranges": "none",
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": "GET, OPTIONS",
      "X-RateLimit-Limit": null,
    };
    for (const [name, value] of Object.entries(headers)) assertEquals(response.headers.get(name), value, name);
    assert(response.headers.has("X-Request-Id"));
  });

  await t.step("HEAD has the same headers, and asks Storage for nothing", async () => {
    const url = await addressOf();
    service.supabase.requests.length = 0;
    const response = await open(service, url, { method: "HEAD" });
    assertEquals([response.status, await response.text()], [200, ""]);
    assertEquals(response.headers.get("Content-Type"), "application/pdf");
    assertEquals(service.supabase.requests.filter((path) => path.startsWith("/storage/")), []);
  });

  await t.step("a preflight is answered; other methods → 405, without a key too", async () => {
    const url = await addressOf();
    const preflight = await open(service, url, { method: "OPTIONS" });
    assertEquals([preflight.status, await preflight.text()], [204, ""]);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const refused = await open(service, url, { method });
      await assertRefusal(refused, "method_not_allowed");
      assertEquals(refused.headers.get("Allow"), "GET, OPTIONS");
    }
  });

  await t.step("expired → 403; until then → 200", async () => {
    for (const seconds of [-1, -60, -1_000_000]) {
      await assertRefusal(await openToken(await sign(seconds)), "address_not_valid");
    }
    const valid = await openToken(await sign(30));
    await valid.body?.cancel();
    assertEquals(valid.status, 200);
  });

  await t.step("a changed address → 403, whatever is changed, and Postgres is not asked", async () => {
    const [id, expiry, signature] = (await sign(30)).split(".");
    const other = await addFile(tenant, "other.md", "Other");
    const first = signature!.startsWith("A") ? "B" : "A";
    const forged = [
      `${other}.${expiry}.${signature}`,
      `${id}.${Number(expiry) + 60}.${signature}`,
      `${id}.0${expiry}.${signature}`,
      `${id!.toUpperCase()}.${expiry}.${signature}`,
      `${id}.${expiry}.${first}${signature!.slice(1)}`,
      `${id}.${expiry}.${"A".repeat(43)}`,
      `${id}.${expiry}.`,
      `${id}.${expiry}`,
      `${id}`,
      "x",
      "a".repeat(5_000),
      "%00",
      "..%2F..%2Fx",
      await signAddress(["another secret"], { fileId, expiresAt: new Date(Date.now() + 30_000) }),
      await signAddress([""], { fileId, expiresAt: new Date(Date.now() + 30_000) }),
    ];
    service.supabase.requests.length = 0;
    for (const token of forged) await assertRefusal(await openToken(token), "address_not_valid");
    assertEquals(service.supabase.requests, []);
  });

  await t.step("a key neither opens more nor hinders", async () => {
    for (const apiKey of [tenant.apiKey, "hi_live_wrong"]) {
      const headers = { "X-API-Key": apiKey };
      await assertRefusal(await openToken("x", { headers }), "address_not_valid");
      const response = await open(service, await addressOf(), { headers });
      await response.body?.cancel();
      assertEquals(response.status, 200);
    }
  });

  await t.step("only such addresses need no key", async () => {
    for (const path of ["/knowledge-handler/originals", "/knowledge-handler/originals/a/b", "/knowledge-handler/x"]) {
      assertRefused(await ask(service, "GET", path, {}), "missing_api_key");
    }
  });

  await t.step("while Storage fails → 500, and the reason is not shown", async () => {
    const url = await addressOf();
    service.supabase.fault = (path) => path.startsWith("/storage/") ? "refuse" : "pass";
    const response = await open(service, url);
    service.supabase.fault = "pass";
    await assertRefusal(response, "internal_error", "Failed to read file");
    assertEquals(response.headers.get("Content-Disposition"), null);
  });

  await t.step("a file that was deleted meanwhile → 404", async () => {
    const url = await addressOf();
    await client.deleteFile(tenant.coachId, fileId);
    await assertRefusal(await open(service, url), "file_not_found");
    await assertRefusal(await openToken(await sign(30, crypto.randomUUID())), "file_not_found");
  });

  await t.step("no log line holds a token", async () => {
    const token = await sign(30);
    await (await openToken(token)).body?.cancel();
    const lines = (await service.logs()).map((line) => JSON.stringify(line)).join("\n");
    assert(lines.includes("/knowledge-handler/originals/:token"), "the route is logged");
    assert(!lines.includes(token.split(".")[2]!) && !lines.includes(token), "the token is not");
  });
});

Deno.test("originals: recordings and videos are sent in parts, nothing else is", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const wav = createWav(20);
  await uploadAndIndex(service, tenant, ["walk.wav", wav], ["Plan.pdf", sampleFiles.pdf]);
  const [recording, plan] = (await rowsOf(tenant.coachId)).map(({ id }) => id) as [string, string];
  const client = clientOf(service, tenant);
  const askFor = async (range: string, fileId = recording) => {
    const { url } = await client.getOriginal(tenant.coachId, fileId);
    const response = await open(service, url, { headers: { Range: range } });
    const [bytes, { status, headers }] = [new Uint8Array(await response.arrayBuffer()), response];
    assertEquals(headers.get("Content-Length"), String(bytes.length));
    return { status, bytes, part: headers.get("Content-Range"), accepts: headers.get("Accept-Ranges") };
  };
  const last = wav.length - 1;
  const parts: Record<string, [first: number, last: number]> = {
    "bytes=0-": [0, last],
    "bytes=0-0": [0, 0],
    "bytes=70000-140000": [70_000, 140_000],
    "bytes=99999-999999999": [99_999, last],
    "bytes=-500": [wav.length - 500, last],
    [`bytes=-${wav.length * 2}`]: [0, last],
  };
  for (const [range, [from, to]] of Object.entries(parts)) {
    await t.step(`${range} → 206 with these bytes`, async () => {
      const { status, bytes, part, accepts } = await askFor(range);
      assertEquals([status, part, accepts], [206, `bytes ${from}-${to}/${wav.length}`, "bytes"]);
      assertEquals(bytes, wav.subarray(from, to + 1));
    });
  }

  await t.step("what names no part, or several → all of it", async () => {
    for (const range of ["bytes=-", "bytes=9-1", `bytes=${wav.length}-`, "bytes=0-1,5-6", "lines=0-1", "bytes=x-1"]) {
      const { status, bytes, part } = await askFor(range);
      assertEquals([status, bytes.length, part], [200, wav.length, null], range);
    }
  });

  await t.step("of a PDF → all of it", async () => {
    const { status, bytes, accepts } = await askFor("bytes=0-1", plan);
    assertEquals([status, bytes.length, accepts], [200, sampleFiles.pdf.length, "none"]);
  });

  await t.step("an expired address → 403 for a part, too", async () => {
    const token = await signAddress([secretKey], { fileId: recording, expiresAt: new Date(Date.now() - 1_000) });
    const init = { headers: { Range: "bytes=0-1" } };
    await assertRefusal(await open(service, `/knowledge-handler/originals/${token}`, init), "address_not_valid");
  });
});

Deno.test("parts of an object are those that Storage sends, where it does", async () => {
  const asked: (string | null)[] = [];
  await using storage = serve((request) => {
    asked.push(request.headers.get("Range"));
    return new Response("cde", { status: 206, headers: { "Content-Range": "bytes 2-4/9" } });
  });
  const files = createFileStore({ supabaseUrl: storage.url, secretKey: "sb_secret_x" }, 5_000);
  const part = await files.open("a/b.mp3", new AbortController().signal, { first: 2, last: 4 });
  assertEquals([await new Response(part).text(), asked], ["cde", ["bytes=2-4"]]);
});

Deno.test("originals: what a browser may show in place", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const { pdf, png, jpg, gif, mp4, docx } = sampleFiles;
  const text = "<script>alert(1)</script><svg onload=alert(1)>";
  await uploadAndIndex(
    service,
    tenant,
    ["a.pdf", pdf],
    ["a.png", png],
    ["a.jpg", jpg],
    ["a.gif", gif],
    ["a.mp4", mp4],
    ["a.docx", docx],
    ["a.txt", text],
    ["a.md", text],
  );
  const client = clientOf(service, tenant);
  const headersOf = async (fileId: string) => {
    const response = await open(service, (await client.getOriginal(tenant.coachId, fileId)).url);
    await response.body?.cancel();
    const { headers } = response;
    return [headers.get("Content-Type"), headers.get("Content-Disposition")!.split(";")[0]];
  };
  const inline = ["application/pdf", "image/png", "image/jpeg"];
  const rows = await rowsOf(tenant.coachId);

  await t.step("PDF, PNG and JPEG; all else is an attachment", async () => {
    for (const { id, content_type } of rows) {
      const disposition = inline.includes(content_type) ? "inline" : "attachment";
      assertEquals(await headersOf(id), [content_type, disposition], content_type);
    }
    assertEquals(rows.length, 8);
  });

  await t.step("HTML can only be uploaded as such, and SVG under no name", async () => {
    const html = "<!doctype html><script>alert(1)</script>";
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
    const reply = await upload(service, tenant, tenant.coachId, [
      ["a.html", html],
      ["a.svg", svg],
      ["b.png", svg],
      ["b.pdf", html],
    ]);
    assertEquals([reply.json.totalUploaded, reply.json.totalFailed], [1, 3]);
    const { fileId } = reply.json.uploadedFiles[0];
    assertEquals(await headersOf(fileId), ["application/octet-stream", "attachment"]);
  });

  await t.step("and if they were stored nevertheless, they are bytes to download", async () => {
    const { id } = rows[0]!;
    for (const content_type of ["text/html", "image/svg+xml", "application/xhtml+xml", "text/xml", "x\r\ny"]) {
      await updateRow(id, { content_type });
      assertEquals(await headersOf(id), ["application/octet-stream", "attachment"], content_type);
    }
  });

  await t.step("hostile names stay names", async () => {
    const { id } = rows[1]!;
    for (
      const name of [
        'a"; filename="b.html',
        "a\r\nSet-Cookie: x=1",
        "../../etc/passwd",
        "\u202Egpj.exe",
        "ÄÖ 😀 名.png",
      ]
    ) {
      await updateRow(id, { name });
      const response = await open(service, (await client.getOriginal(tenant.coachId, id)).url);
      await response.body?.cancel();
      assertEquals([response.status, response.headers.get("Set-Cookie")], [200, null], name);
      assertEquals(response.headers.get("Content-Disposition"), describeDisposition(name, "inline"));
    }
  });
});

const names: Record<string, [name: string, header: string]> = {
  "a simple name": ["Plan.pdf", `filename="Plan.pdf"; filename*=UTF-8''Plan.pdf`],
  "spaces and letters of other languages": [
    "Über uns 名.pdf",
    `filename="_ber uns _.pdf"; filename*=UTF-8''%C3%9Cber%20uns%20%E5%90%8D.pdf`,
  ],
  "quotation marks, as an end of the name": [
    'a"; filename="b.html',
    `filename="a_; filename=_b.html"; filename*=UTF-8''a%22%3B%20filename%3D%22b.html`,
  ],
  "signs that RFC 8187 does not allow": [
    "it's (1)*!.md",
    `filename="it's (1)*!.md"; filename*=UTF-8''it%27s%20%281%29%2A%21.md`,
  ],
  "a percent sign": ["100%41.txt", `filename="100_41.txt"; filename*=UTF-8''100%2541.txt`],
  "line breaks": ["a\r\nX: y\u2028.md", `filename="aX: y.md"; filename*=UTF-8''aX%3A%20y.md`],
  "folders": ["..\\../x.md", `filename=".._.._x.md"; filename*=UTF-8''.._.._x.md`],
  "marks that turn a name around": ["a\u202Efdp.exe", `filename="afdp.exe"; filename*=UTF-8''afdp.exe`],
  "half of a surrogate pair": ["a\uD800.md", `filename="a_.md"; filename*=UTF-8''a%EF%BF%BD.md`],
  "nothing that can be shown": ["\u200B\n", `filename="file"; filename*=UTF-8''file`],
};

Deno.test("describeDisposition", async (t) => {
  for (const [promise, [name, header]] of Object.entries(names)) {
    await t.step(promise, () => assertEquals(describeDisposition(name, "inline"), `inline; ${header}`));
  }
  await t.step("a long name keeps its beginning and its extension", () => {
    const header = describeDisposition(`${"😀".repeat(490)}end.pdf`, "attachment");
    assert(header.length < 2_500 && header.startsWith("attachment; ") && header.endsWith("end.pdf"), header);
  });
});

Deno.test("readAddress takes what any of the project's keys has signed, as while a key is replaced", async () => {
  const signed = { fileId: crypto.randomUUID(), expiresAt: new Date(1_700_000_000_000) };
  const token = await signAddress(["old", "other"], signed);
  assertEquals(await readAddress(["new", "old"], token), signed);
  assertEquals(await readAddress(["new"], token), null);
  assertEquals(await readAddress([], token), null);
  // The secret itself is not the key of the signature.
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode("old"),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const [id, expiry] = token.split(".");
  const signature = new Uint8Array(
    await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${id}.${expiry}`)),
  );
  const plain = signature.toBase64({ alphabet: "base64url", omitPadding: true });
  assertEquals(await readAddress(["old"], `${id}.${expiry}.${plain}`), null);
});
