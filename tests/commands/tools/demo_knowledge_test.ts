import { join } from "node:path";
import { DocumentKind } from "../../../shared/libs/documents/read_passages.ts";
import type { Passage } from "../../../shared/libs/documents/read_passages.ts";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assert, assertEquals } from "../../support/assert.ts";
import { readAll } from "../../support/sample_documents.ts";

const folder = join(projectRoot, "supabase/platform/demo_knowledge");

Deno.test("the files of the demo", async (t) => {
  const files = new Map<string, Passage[]>();
  for (const { name: coachId } of Deno.readDirSync(folder)) {
    for (const { name } of Deno.readDirSync(join(folder, coachId))) {
      const bytes = await Deno.readFile(join(folder, coachId, name));
      assert(bytes.length < 150_000, `${name} is large`);
      const { passages } = await readAll(DocumentKind.parse(name.split(".").at(-1)), bytes);
      files.set(name, passages);
    }
  }
  const passagesOf = (extension: string) => [...files].filter(([name]) => name.endsWith(`.${extension}`));

  await t.step("are of three kinds, and each passage stands under a heading", () => {
    assertEquals(["pdf", "docx", "md"].map((kind) => passagesOf(kind).length), [2, 2, 10]);
    for (const [name, passages] of files) {
      assertEquals(passages.filter(({ heading }) => heading === null), [], name);
    }
  });

  await t.step("those with pages have passages on each of them", () => {
    const pages = passagesOf("pdf").map(([name, passages]) => [name, [...new Set(passages.map(({ page }) => page))]]);
    assertEquals(Object.fromEntries(pages), {
      "Difficult conversations, a workbook.pdf": [1, 2, 3, 4, 5, 6],
      "The first team meeting.pdf": [1, 2, 3, 4],
    });
  });

  await t.step("say what the answers of the seed quote from them", async () => {
    const seed = await Deno.readTextFile(join(projectRoot, "supabase/seed.sql"));
    const quoted = [...seed.matchAll(/\[\{"filename": .*?\}\](?=')/g)].flatMap(([list]) =>
      JSON.parse(list.replaceAll("''", "'")) as { filename: string; page?: number; quote: string }[]
    );
    assert(quoted.length > 10);
    for (const { filename, page, quote } of quoted) {
      const found = files.get(filename)?.find(({ content }) => content.replace(/\s+/g, " ").includes(quote));
      assertEquals(found?.page, page ?? null, `${filename}: ${quote}`);
    }
  });
});
