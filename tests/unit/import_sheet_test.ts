import { readQuestion } from "../../shared/core/questions/read_questions.ts";
import type { PinnedText } from "../../shared/features/pinned_answers/compare_rows.ts";
import { DatabaseError } from "../../shared/infra/db/database.ts";
import { ApiError } from "../../shared/infra/errors.ts";
import { importSheet, type SheetStore, type StoredRow } from "../../shared/features/pinned_answers/import_sheet.ts";
import { assert, assertEquals, assertRejects } from "../support/assert.ts";

/** A row with its questions as the service reads them. */
async function asRow(row: PinnedText): Promise<StoredRow> {
  const asked = await Promise.all([row.question, ...row.variants].map((text) => readQuestion(text, "english")));
  return { ...row, id: null, version: null, asked };
}

/** A store that compares questions by their keys, and remembers the parts that it was asked for. */
function createStore() {
  const pinned = new Map<string, Required<StoredRow>>();
  const parts: { compared: (string | null)[][][]; written: StoredRow[][] } = { compared: [], written: [] };
  const keysOf = ({ asked }: StoredRow) => asked.map((form) => "key" in form ? form.key! : "");
  const ownerOf = (key: string | null, except?: string | null) =>
    [...pinned.values()].find((row) => row.id !== except && keysOf(row).includes(key!)) ?? null;
  const store: SheetStore = {
    coachId: "coach",
    async compare({ language, keys }) {
      if (language === "") {
        throw new DatabaseError("compare_pinned_answers", "PT412", undefined, { message: "english", details: "" });
      }
      parts.compared.push(keys);
      return await Promise.resolve(keys.map((keys) => {
        const owner = ownerOf(keys[0]!);
        return {
          owners: keys.map((key) => ownerOf(key)?.id ?? null),
          pinned: owner && {
            ...owner,
            id: owner.id!,
            version: owner.version!,
            keys: keysOf(owner),
            is_variant: keysOf(owner)[0] !== keys[0],
          },
        };
      }));
    },
    write(rows) {
      const before = [...pinned];
      const ids = rows.map((row) => {
        const id = row.id ?? `answer ${pinned.size + 1}`;
        const isStale = (pinned.get(id)?.version ?? null) !== row.version ||
          keysOf(row).some((key) => ownerOf(key, id) !== null);
        pinned.set(id, { ...row, id, version: (row.version ?? 0) + 1 });
        return isStale ? null : id;
      });
      if (!ids.includes(null)) return Promise.resolve((parts.written.push(rows), ids.map(String)));
      pinned.clear();
      for (const [id, row] of before) pinned.set(id, row);
      return Promise.resolve([]);
    },
  };
  return { store, parts, pinned };
}

/** A sheet of rows with a long question and its variants. */
const writeSheet = (count: number, answer = "So.") =>
  `question,answer,variants\n${
    Array.from(
      { length: count },
      (_, row) => `Question ${row}?,${answer},"${`Variant ${row} `.repeat(90)}\nAnd ${row}?"`,
    )
      .join("\n")
  }`;

Deno.test("sheets are imported in parts", async (t) => {
  await t.step("none is larger than a part, and a preview writes nothing", async () => {
    const { store, parts } = createStore();
    assertEquals((await importSheet(writeSheet(60), true, store)).added, 60);
    assertEquals(parts.compared.flat().length, 60);
    assert(parts.compared.length > 2 && parts.compared.every((part) => part.flat().join().length < 20_000));
    assertEquals(parts.written, []);
    assertEquals((await importSheet(writeSheet(60), false, store)).added, 60);
    assertEquals(
      parts.written.map(({ length }) => length),
      parts.compared.slice(0, parts.written.length).map(({ length }) => length),
    );
  });

  await t.step("nothing is written before all rows were checked", async () => {
    const { store, parts } = createStore();
    const error = await assertRejects(() => importSheet(`${writeSheet(60)}\nquestion 0?,No.,`, false, store), ApiError);
    assertEquals([error.code, error.message], ["invalid_sheet", "Nothing was imported: 1 row cannot be used"]);
    assertEquals(parts.written, []);
  });

  await t.step("while Postgres works for others, it is asked again", async () => {
    const { store, pinned } = createStore();
    let asked = 0;
    const busy = <Args extends unknown[], Reply>(call: (...args: Args) => Promise<Reply>) => (...args: Args) =>
      ++asked % 2 === 1 ? Promise.resolve(null) : call(...args);
    await importSheet("question,answer\nWhy?,So.", false, {
      ...store,
      compare: busy(store.compare),
      write: busy(store.write),
    });
    assertEquals([asked, pinned.size], [4, 1]);
  });

  await t.step("what others pin meanwhile is compared again, and each row counts once", async () => {
    const { store, parts, pinned } = createStore();
    let isFirst = true;
    const imported = await importSheet(writeSheet(60), false, {
      ...store,
      write: async (rows) => {
        if (!isFirst || parts.written.length === 0) return await store.write(rows);
        isFirst = false;
        const other = { question: "question 50?", variants: [], answer: "Theirs.", is_active: false };
        const row = await asRow(other);
        await store.write([row]);
        return await store.write(rows.toSpliced(0, 0, row));
      },
    });
    assertEquals([imported.added, imported.changed, pinned.size], [59, 1, 60]);
    const changed = imported.rows.find(({ status }) => status === "changed");
    assertEquals([changed?.row, changed?.previous?.answer, changed?.is_active], [52, "Theirs.", null]);
    assertEquals(new Set(imported.rows.map(({ answer_id }) => answer_id)).size, 60);
    assertEquals((await importSheet(writeSheet(60), false, store)).unchanged, 60);
  });

  await t.step("a row that can no longer be used is named with how many were stored", async () => {
    const { store, parts } = createStore();
    const error = await assertRejects(() =>
      importSheet(writeSheet(60), false, {
        ...store,
        write: async (rows) => {
          if (parts.written.length !== 1) return await store.write(rows);
          const other = { question: "Other?", variants: ["and 50?"], answer: "Theirs.", is_active: true };
          await store.write([await asRow(other)]);
          return [];
        },
      }), ApiError);
    const stored = parts.written[0]!.length;
    assertEquals(error.message, `Only ${stored} rows were imported: 1 row cannot be used`);
    assertEquals(error.options.fields, {
      rows: [{ row: 52, field: "variants", reason: "The variant “And 50?” is a question of another pinned answer" }],
    });
  });

  await t.step("of two rows with the same contents, both have the ID of one answer", async () => {
    const { rows } = await importSheet(
      "question,answer\nTwice?,Yes.\ntwice?,Yes.\nTwice?,Yes.",
      true,
      createStore().store,
    );
    assertEquals(rows.map(({ status }) => status), ["added", "refused", "unchanged"]);
    const imported = await importSheet("question,answer\nTwice?,Yes.\nTwice?,Yes.", false, createStore().store);
    assertEquals(imported.rows.map(({ answer_id }) => answer_id), ["answer 1", "answer 1"]);
  });

  await t.step("a variant that a row takes away is free for a later row, not for an earlier one", async () => {
    const { store } = createStore();
    await importSheet('question,answer,variants\nOne?,1,"Two?"', false, store);
    const taken = 'question,answer,variants\nThree?,3,"Two?"\nOne?,1,\n';
    assertEquals((await importSheet(taken, true, store)).rows.map(({ status }) => status), ["refused", "changed"]);
    const freed = 'question,answer,variants\nOne?,1,\nThree?,3,"Two?"\n';
    assertEquals((await importSheet(freed, false, store)).rows.map(({ status }) => status), ["changed", "added"]);
  });
});
