import { zipSync } from "fflate";
import { deflateSync } from "node:zlib";
import { assert, assertEquals, assertStringIncludes } from "../support/assert.ts";
import { ask, assertReply, chat, type NewFile, upload } from "../support/client.ts";
import { finishIndexing, rowsOf, sweep } from "../support/knowledge.ts";
import { createTenant, operator } from "../support/project.ts";
import { barePdf, docxOf } from "../support/hostile_documents.ts";
import {
  docxFiles,
  makeDocx,
  makePdf,
  makePdfOfStreams,
  packed,
  readAll,
  sentences,
  showLines,
  wordParagraph,
} from "../support/sample_documents.ts";
import { startService } from "../support/service.ts";
import { slowStep } from "../support/slow.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const own = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>;

const pdf = makePdfOfStreams([
  packed(showLines(sentences(12))),
  packed(showLines(["Never skip the cake, whatever the budget says."])),
]);
const docx = makeDocx(wordParagraph("Mentoring", "H1") + wordParagraph("A mentor keeps a heron in the office."));

/** Files to upload, each with a question and the passage that the model must be given. */
const readable: Record<string, { file: NewFile; question: string; source: Record<string, unknown> }> = {
  "PDF, with its page": {
    file: ["retro.pdf", own(pdf)],
    question: "What about cake and budget?",
    source: { filename: "retro.pdf", page: 2, heading: null, quote: "Never skip the cake, whatever the budget says." },
  },
  "DOCX, with its heading": {
    file: ["mentor.docx", own(docx)],
    question: "Who keeps a heron?",
    source: {
      filename: "mentor.docx",
      page: null,
      heading: "Mentoring",
      quote: "A mentor keeps a heron in the office.",
    },
  },
  "Markdown, with the path of its headings": {
    file: ["plan.md", bytesOf("# Plan\n\n## Second week\n\nBuy a ladder for the library.\n")],
    question: "ladder library?",
    source: { filename: "plan.md", page: null, heading: "Plan > Second week", quote: "Buy a ladder for the library." },
  },
  "HTML, without its menu and what is hidden": {
    file: [
      "opening.html",
      bytesOf(
        "<nav><p>The giraffe opens the shop.</p></nav><main><h1>Opening</h1><p>The giraffe opens the office at nine, " +
          "and locks the door when the last of the painters has gone home.</p></main><p hidden>Giraffe</p>",
      ),
    ],
    question: "What does the giraffe open?",
    source: {
      filename: "opening.html",
      page: null,
      heading: "Opening",
      quote: "The giraffe opens the office at nine, and locks the door when the last of the painters has gone home.",
    },
  },
  "text in Windows-1252": {
    file: [
      "gruesse.txt",
      own(Uint8Array.from("Schöne Grüße an die Bürgermeisterin für die Brücke.", (c) => c.charCodeAt(0))),
    ],
    question: "Grüße Bürgermeisterin?",
    source: {
      filename: "gruesse.txt",
      page: null,
      heading: null,
      quote: "Schöne Grüße an die Bürgermeisterin für die Brücke.",
    },
  },
  "text in UTF-16": {
    file: [
      "windows.txt",
      own(new Uint8Array(Uint16Array.from("\uFEFFThe penguin signs the contract.", (c) => c.charCodeAt(0)).buffer)),
    ],
    question: "Does the penguin sign?",
    source: { filename: "windows.txt", page: null, heading: null, quote: "The penguin signs the contract." },
  },
};

const zeros = deflateSync(new Uint8Array(200_000_000));
const archive = docxFiles(wordParagraph("Boom"));

const noText = "No text was found in it";
const scan = makePdfOfStreams([packed(bytesOf("/Im0 Do"))], {
  100: { source: "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 >>", stream: bytesOf("x") },
});

/** Files whose upload is accepted, but that cannot be read. */
const unreadable: Record<string, { file: NewFile; status: string; error: string | null }> = {
  "a scan: a PDF of pictures": {
    file: ["scan.pdf", own(scan)],
    status: "empty",
    error: `${noText}. If it is a scan, run text recognition (OCR) on it and upload the result`,
  },
  "a PDF without text or pictures": {
    file: ["drawing.pdf", own(makePdfOfStreams([packed(bytesOf("0 0 9 9 re f"))]))],
    status: "empty",
    error: noText,
  },
  "a DOCX without any text": {
    file: ["blank.docx", own(makeDocx(wordParagraph(" ")))],
    status: "empty",
    error: noText,
  },
  "a truncated PDF": { file: ["half.pdf", own(pdf.slice(0, 400))], status: "failed", error: "The file is damaged" },
  "an encrypted PDF": {
    file: [
      "secret.pdf",
      own(makePdf(
        { 1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Count 0 /Kids [] >>" },
        `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O (${"o".repeat(32)}) /U (${
          "u".repeat(32)
        }) >>`,
      )),
    ],
    status: "failed",
    error: "The file is encrypted",
  },
  "a PDF of 130 bytes that had the reader try for ever": {
    file: ["comments.pdf", own(barePdf(`1 0 obj\n${"%".repeat(60)}\n<ÿ>>\nstream\nx\nendstream`))],
    status: "failed",
    error: "The file is damaged",
  },
  "a DOCX of a kilobyte whose body begins 200,000 times": {
    file: ["bodies.docx", own(docxOf({ "word/document.xml": "<w:body ".repeat(200_000) }))],
    status: "failed",
    error: "The file is damaged",
  },
  "a PDF of a kilobyte whose page opens a million graphics states": {
    file: [
      "states.pdf",
      own(makePdfOfStreams([packed(bytesOf(`BT /F1 9 Tf (a) Tj ${"q ".repeat(1_000_000)}`))])),
    ],
    status: "failed",
    error: "The file holds or unpacks to more text than can be read",
  },
  "a PDF of 200 MB in 200 KB": {
    file: [
      "bomb.pdf",
      own(makePdfOfStreams([{ source: `<< /Length ${zeros.length} /Filter /FlateDecode >>`, stream: zeros }])),
    ],
    status: "failed",
    error: "The file unpacks to more than can be read",
  },
  "a DOCX of 200 MB in 200 KB": {
    file: [
      "bomb.docx",
      own(zipSync({ ...archive, "word/document.xml": new Uint8Array(200_000_000).fill(32) }, { level: 9 })),
    ],
    status: "failed",
    error: "The file holds or unpacks to more text than can be read",
  },
};

Deno.test("a document is found by a question in plain words, and quoted in the next answer", async (t) => {
  await using service = await startService();
  for (const [name, { file, question, source }] of Object.entries(readable)) {
    await t.step(name, async () => {
      const tenant = await createTenant();
      assertReply(await upload(service, tenant, tenant.coachId, [file]), 200);
      await service.turns();
      assertEquals((await rowsOf(tenant.coachId)).map(({ status, error }) => [status, error]), [["ready", null]]);

      const search = new URLSearchParams({ coachId: tenant.coachId, search: question });
      const found = await ask(service, "GET", `/knowledge-handler?${search}`, tenant);
      assertReply(found, 200);
      assertEquals([found.json.total, found.json.data[0]?.filename], [1, source.filename]);

      service.model.script(tenant.modelName, { steps: [{ text: "So it says [1]." }] });
      const reply = await chat(service, tenant, { message: question, context: { coachId: tenant.coachId } });
      await service.turns();
      const input = service.model.requestsOf(tenant.modelName)[0]?.body.input as { content: string }[];
      assertStringIncludes(input.at(-2)?.content ?? "", JSON.stringify(source.quote).slice(1, -1));
      const { data } = await operator.from("messages").select("sources").eq("thread_id", reply.threadId)
        .eq("role", "assistant").single().throwOnError();
      const [{ filename, page, heading, quote } = {}] = data.sources as Record<string, unknown>[];
      assertEquals({ filename, page, heading, quote }, source);
    });
  }
});

Deno.test("a document that cannot be read gets the reason, and other files are indexed", async (t) => {
  await using service = await startService();
  const tenant = await createTenant();
  const files = [
    ...Object.values(unreadable).map(({ file }) => file),
    ["good.txt", bytesOf("Good.")] satisfies NewFile,
  ];
  const reply = await upload(service, tenant, tenant.coachId, files);
  assertReply(reply, 200);
  assertEquals([reply.json.totalUploaded, reply.json.failedFiles], [files.length, []]);
  await service.turns();
  const rows = new Map((await rowsOf(tenant.coachId)).map((row) => [row.name, row]));

  for (const [name, { file: [filename], status, error }] of Object.entries(unreadable)) {
    await t.step(`${name} → ${status}`, async () => {
      const row = rows.get(filename)!;
      assertEquals([row.status, row.error, row.due_at], [status, error, null]);
      const { data } = await operator.from("passages").select("id").eq("file_id", row.id).throwOnError();
      assertEquals(data, []);
    });
  }
  await t.step("the file beside them is ready", () => assertEquals(rows.get("good.txt")?.status, "ready"));
});

Deno.test("a book of 500 pages is indexed batch by batch", async (t) => {
  const pages = Array.from({ length: 500 }, (_, page) => packed(showLines([`Page ${page + 1}`, ...sentences(30)])));
  const book = own(makePdfOfStreams(pages));
  const { passages: expected } = await readAll("pdf", book);
  // Each batch uses up the budget.
  const timeouts = { indexing: 0 };

  async function assertIndexed(coachId: string): Promise<void> {
    const [row] = await rowsOf(coachId);
    assertEquals(row?.status, "ready");
    const { data } = await operator.from("passages").select("position, page, content").eq("file_id", row!.id)
      .order("position").throwOnError();
    assertEquals(data, expected.map(({ page, content }, position) => ({ position, page, content })));
  }

  await t.step("an isolate that reads several batches of it opens it once", async () => {
    await using service = await startService({ timeouts });
    const tenant = await createTenant();
    assertReply(await upload(service, tenant, tenant.coachId, [["book.pdf", book]]), 200);
    await service.turns();
    await assertIndexed(tenant.coachId);
    const { requests } = service.supabase;
    const sweeps = requests.filter((path) => path.endsWith("/take_indexing_work")).length;
    assert(sweeps >= 25, `${sweeps} sweeps`);
    const [row] = await rowsOf(tenant.coachId);
    assertEquals(requests.filter((path) => path.endsWith(row!.storage_path)).length, 2, "stored once, read once");
  });

  await slowStep(t, "isolates that take turns lose nothing and read nothing twice", async () => {
    await using one = await startService({ timeouts, isIndexerAsleep: true });
    await using other = await startService({ timeouts, isIndexerAsleep: true });
    const tenant = await createTenant();
    assertReply(await upload(one, tenant, tenant.coachId, [["book.pdf", book]]), 200);
    // The isolates take turns, and sometimes one of them sweeps twice in a row.
    for (const service of [one, one, other, one, other, other, one, one]) await sweep(service);
    await using last = await startService();
    await finishIndexing(last, tenant.coachId);
    await assertIndexed(tenant.coachId);
  });
});

Deno.test("a file that could be read in part is ready, with a warning", async () => {
  await using service = await startService();
  const tenant = await createTenant();
  const empty = packed(bytesOf("/Im0 Do"));
  const bytes = own(makePdfOfStreams([packed(showLines(["Cover sheet."])), empty, empty]));
  assertReply(await upload(service, tenant, tenant.coachId, [["contract.pdf", bytes]]), 200);
  await service.turns();
  const found = await ask(service, "GET", `/knowledge-handler?coachId=${tenant.coachId}`, tenant);
  const [{ fileId, status, error, warning }] = found.json.data;
  assertEquals([status, error, warning], ["ready", null, "2 of 3 pages have no text"]);
  const outline = await ask(service, "GET", `/knowledge-handler/${fileId}?coachId=${tenant.coachId}`, tenant);
  assertEquals(outline.json.warning, warning);
});
