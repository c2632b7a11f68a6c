import { ApiError } from "../../shared/infra/errors.ts";
import { parseCsv } from "../../shared/libs/base/std/csv.ts";
import type { PinnedText } from "../../shared/features/pinned_answers/compare_rows.ts";
import { readAnswerSheet, type SheetRow } from "../../shared/features/pinned_answers/read_answer_sheet.ts";
import { writeAnswerSheet } from "../../shared/features/pinned_answers/write_answer_sheet.ts";
import { assert, assertEquals, assertThrows } from "../support/assert.ts";
import { inventAnswers } from "../support/invent_answers.ts";

/** The rows of a sheet without faults. */
function rowsOf(csv: string): SheetRow[] {
  const { rows, refused } = readAnswerSheet(csv);
  assertEquals(refused, []);
  return rows;
}

const answersOf = (csv: string) => rowsOf(csv).map(({ row: _, ...answer }) => answer);
const why = { question: "Why; and how?", answer: "So,\nand so.", variants: null, is_active: null };

Deno.test("sheets of questions and answers are read", async (t) => {
  const files: [name: string, csv: string][] = [
    ["byte order mark, LF", '\ufeffquestion,answer\nWhy; and how?,"So,\nand so."\n'],
    ["CRLF between rows", 'question,answer\r\nWhy; and how?,"So,\nand so."\r\n'],
    ["semicolons, as Excel writes them", 'question;answer\r\n"Why; and how?";"So,\nand so."\r\n'],
    ["tabs", 'question\tanswer\nWhy; and how?\t"So,\nand so."'],
    ["its own line for the separator", 'sep=;\r\nquestion;answer\r\n"Why; and how?";"So,\nand so."\r\n'],
    ["columns in any order and case", '"Answer", QUESTION \n"So,\nand so.",Why; and how?\n'],
    ["blank rows and blank columns", '\n\nquestion,answer,\n\n,,\nWhy; and how?,"So,\nand so.",\n'.slice(2)],
    ["Dify's export", '\ufeffQuestion,Answer\r\nWhy; and how?,"So,\nand so."'],
    ["Dify's export in Chinese", '\ufeff问题,答案\r\nWhy; and how?,"So,\nand so."'],
    ["Chatwoot's FAQ file", 'question,answer\nWhy; and how?,"So,\nand so."\n'],
    ["spaces around texts", 'question,answer\n  Why; and how? ,"\nSo,\nand so.\n\n"\n'],
  ];
  for (const [name, csv] of files) {
    await t.step(name, () => assertEquals(answersOf(csv), [why]));
  }

  await t.step("the rows have the numbers that a spreadsheet shows", () => {
    const csv = 'question,answer\n\n"Line\nbreak?",A\n,\nLast?,B\n';
    assertEquals(rowsOf(csv).map(({ row, question }) => [row, question]), [[3, "Line\nbreak?"], [5, "Last?"]]);
  });

  await t.step("variants are one a line, and yes and no are read as spreadsheets write them", () => {
    const csv = 'question,answer,variants,is_active\nQ,A," One?\r\n\nTwo?\n",TRUE\nR,A,,FALSCH\nS,A,Three?,\n';
    assertEquals(answersOf(csv), [
      { question: "Q", answer: "A", variants: ["One?", "Two?"], is_active: true },
      { question: "R", answer: "A", variants: [], is_active: false },
      { question: "S", answer: "A", variants: ["Three?"], is_active: null },
    ]);
  });

  await t.step("apostrophes before formulas are left out, which Dify writes too; others stay", () => {
    const csv = "question,answer\n'=1+1?,'-5\n'tis so?,'''=x\n";
    assertEquals(answersOf(csv).map(({ question, answer }) => [question, answer]), [
      ["=1+1?", "-5"],
      ["'tis so?", "''=x"],
    ]);
  });

  await t.step("marks of direction are left out of questions", () => {
    const [row] = rowsOf('question,answer,variants\nMay I \u202Eton\u202C eat?,\u200FYes.,"\u200BMust I?"\n');
    assertEquals([row!.question, row!.answer, row!.variants], ["May I ton eat?", "\u200FYes.", ["Must I?"]]);
  });

  await t.step("hundreds of thousands of blank rows, as spreadsheets write them", () => {
    assertEquals(answersOf(`question,answer,variants,\nQ,A,,\n${",,,\n".repeat(250_000)}`).length, 1);
  });

  await t.step("hundreds of thousands of columns", () => {
    const start = performance.now();
    const header = `question${",".repeat(900_000)},answer`;
    assertEquals(readAnswerSheet(`${header}\n${"Q,x,A\n".repeat(1_000)}`).unused, ["", ""]);
    assert(performance.now() - start < 10_000, `${performance.now() - start} ms`);
  });

  await t.step("columns that pinned answers do not have are named, if they say something", () => {
    const csv = "question,answer,error,empty\nQ,A,Too long,\n";
    assertEquals(readAnswerSheet(csv).unused, ["error"]);
  });
});

Deno.test("rows of sheets are refused", async (t) => {
  const long = "x".repeat(1_001);
  const variants = Array.from({ length: 21 }, (_, index) => `V${index}`).join("\n");
  const rows: [name: string, cells: string, field: string | null, reason: string][] = [
    ["no question", ",A", "question", "question must not be blank"],
    ["no answer", "Q,", "answer", "answer must not be blank"],
    ["a question that is too long", `${long},A`, "question", "question must be at most 1,000 characters long"],
    [
      "an answer that is too long",
      `Q,${"x".repeat(20_001)}`,
      "answer",
      "answer must be at most 20,000 characters long",
    ],
    ["a NUL character", "Q,A\0", "answer", "answer must not contain NUL characters or unpaired surrogates"],
    ["too many variants", `Q,A,"${variants}"`, "variants", "variants must be a list of at most 20 questions"],
    ["neither yes nor no", "Q,A,,maybe", "is_active", "is_active must be true or false"],
    [
      "more cells than columns",
      "Q,A,,,x",
      null,
      "The row has more cells than the first row. Texts with commas need quotation marks",
    ],
  ];
  for (const [name, cells, field, reason] of rows) {
    await t.step(name, () => {
      const { rows, refused } = readAnswerSheet(`question,answer,variants,is_active\nFine?,Yes.\n${cells}\n`);
      assertEquals(rows.map(({ row }) => row), [2]);
      assertEquals(refused.map((each) => [each.row, each.field, each.reason]), [[3, field, reason]]);
    });
  }
});

Deno.test("sheets are refused", async (t) => {
  const sheets: [name: string, csv: string, error: string][] = [
    [
      "without the columns",
      "q,a\nQ,A\n",
      "The first row of the sheet must name the columns question and answer: question is missing",
    ],
    [
      "without the column answer",
      "question\nQ\n",
      "The first row of the sheet must name the columns question and answer: answer is missing",
    ],
    ["with a column twice", "question,answer,Question\nQ,A,Q\n", "The sheet has more than one column question"],
    ["with nothing but column names", "question,answer\n\n,\n", "The sheet has no answers"],
    [
      "with 1,001 answers",
      `question,answer\n${"Q,A\n".repeat(1_001)}`,
      "The sheet has 1,001 answers; the most are 1,000",
    ],
    [
      "with a quotation mark that does not end",
      'question,answer\nQ,A\n"R,B\nS,C\n',
      "Row 3 of the sheet has a quotation mark that does not end, or one too many",
    ],
    [
      "that are not CSV",
      '{"question": "Q", "answer": "A"}',
      "Row 1 of the sheet has a quotation mark that does not end, or one too many",
    ],
  ];
  for (const [name, csv, error] of sheets) {
    await t.step(name, () => {
      const refusal = assertThrows(() => readAnswerSheet(csv), ApiError);
      assertEquals([refusal.status, refusal.code, refusal.message], [400, "invalid_sheet", error]);
    });
  }
});

Deno.test("what is written as a sheet is read as the same answers", async (t) => {
  const read = (answers: PinnedText[]) => assertEquals(answersOf(writeAnswerSheet(answers)), answers);

  await t.step("ordinary ones, for people to edit", () => {
    const answers = [
      { question: "Why?", variants: ["How come?", "For what?"], answer: "- So\n- Thus", is_active: true },
      { question: "May I, please?", variants: [], answer: "Yes:\n- one\n- two", is_active: false },
    ];
    assertEquals(
      writeAnswerSheet(answers),
      '\ufeffquestion,answer,variants,is_active\r\nWhy?,"\'- So\n- Thus","How come?\nFor what?",true\r\n' +
        '"May I, please?","Yes:\n- one\n- two",,false\r\n',
    );
    read(answers);
  });

  await t.step("those that a spreadsheet would compute", () => {
    const texts = [
      "=1+1",
      "+1",
      "-1",
      "@x",
      "＝1",
      "'=1",
      "''=1",
      '"=1',
      "\u200b=1",
      "a\n=1",
      "a;=1",
      "a\t=1",
      "\n'- x",
    ];
    read(texts.flatMap((text) =>
      [`${text}?`, `Q ${text}`].map((question) => ({
        question: question.trim().replaceAll("\u200b", ""),
        variants: [`V${question}`.replaceAll("\u200b", "")],
        answer: text.trim(),
        is_active: true,
      }))
    ));
    const cells = parseCsv(
      writeAnswerSheet(texts.map((text) => ({
        question: "Q",
        variants: [],
        answer: text.trim(),
        is_active: true,
      }))),
      { separator: "," },
    ).map(([, answer = ""]) => answer);
    for (const cell of cells.slice(1)) assert(!/^[\s\p{Cf}"]*[=+\-@＝]/u.test(cell), cell);
  });

  await t.step("variants that are no lines", () => {
    const lists = [["a\nb"], ["a\r\nb", "c"], ["[1]"], ['["a"]'], ["[", "]"], ["=1\n=2"]];
    read(lists.map((variants) => ({ question: "Q", variants, answer: "A", is_active: true })));
  });

  await t.step("a thousand hostile ones", () => read(inventAnswers(1_000, 7)));
});
