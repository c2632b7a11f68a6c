import {
  type ClaimedFile,
  createOpenDocuments,
  type OpenDocument,
} from "../../shared/features/background/open_file.ts";
import { assertEquals } from "../support/assert.ts";

const file = { id: "a", storagePath: "account/upload/1", position: 50, bookmark: {} } as ClaimedFile;

/** A document without an end that records when it is closed. */
async function openDocument(name: string, closed: string[]): Promise<OpenDocument> {
  async function* read(): OpenDocument {
    try {
      while (true) yield await Promise.resolve({ passages: [], next: null });
    } finally {
      closed.push(name);
    }
  }
  const document = read();
  await document.next();
  return document;
}

Deno.test("createOpenDocuments", async (t) => {
  await t.step("returns the kept document once", async () => {
    const closed: string[] = [];
    const documents = createOpenDocuments();
    const document = await openDocument("a", closed);
    documents.keep(document, file);
    assertEquals(await documents.take(file), document);
    assertEquals(await documents.take(file), null);
    assertEquals(closed, []);
  });

  const others: Record<string, Partial<ClaimedFile>> = {
    "another file": { id: "b" },
    "another object": { storagePath: "account/upload/2" },
    "a file that another isolate has continued": { position: 100 },
    "a file that must be read from its beginning": { bookmark: null },
  };
  for (const [what, change] of Object.entries(others)) {
    await t.step(`${what} does not get the kept document, which is closed`, async () => {
      const closed: string[] = [];
      const documents = createOpenDocuments();
      documents.keep(await openDocument("a", closed), file);
      assertEquals(await documents.take({ ...file, ...change }), null);
      assertEquals(closed, ["a"]);
      assertEquals(await documents.take(file), null);
    });
  }

  await t.step("closes the kept document once", async () => {
    const closed: string[] = [];
    const documents = createOpenDocuments();
    documents.keep(await openDocument("a", closed), file);
    await documents.close();
    await documents.close();
    assertEquals(closed, ["a"]);
    assertEquals(await documents.take(file), null);
  });
});
