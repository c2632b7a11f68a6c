import { writeAnswerSheet } from "../../shared/features/pinned_answers/write_answer_sheet.ts";
import { parseCsv } from "../../shared/libs/base/std/csv.ts";
import { assertEquals } from "../support/assert.ts";
import { ask, assertRefused, assertReply, clientOf } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { inventAnswers } from "../support/invent_answers.ts";
import { createCoach, createTenant, createUser, issueKey } from "../support/project.ts";
import type { Refusal } from "../support/refusals.ts";
import { startService } from "../support/service.ts";
import { slow } from "../support/slow.ts";

type Row = {
  row: number;
  status: string;
  question: string;
  answer_id: string | null;
  previous: unknown;
  field: string | null;
  reason: string | null;
};

async function open() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const expert = await createUser();
  const tenant = await createTenant({ requests_per_minute: 1_000, scopes: ["chat", "expert"] }, {
    owner_id: expert.id,
  });
  const withoutScope = await issueKey(tenant.accountId, { requests_per_minute: 1_000 });
  const signedIn = { ...withoutScope, accessToken: expert.accessToken };
  const path = `/coaches/${tenant.coachId}/answers`;
  const load = (
    csv: string,
    { preview, as = tenant, at = path }: { preview?: boolean; as?: typeof tenant; at?: string } = {},
  ) => ask(service, "POST", `${at}/import`, as, { csv, preview });
  const list = async (at = path) => {
    const { json } = await ask(service, "GET", at, tenant);
    // deno-lint-ignore no-explicit-any
    return json.data.map(({ question, variants, answer, is_active, version }: any) => ({
      question,
      variants,
      answer,
      is_active,
      version,
    }));
  };
  return handOver(stack, { service, tenant, expert, signedIn, path, load, list });
}

const summary = ({ rows }: { rows: Row[] }) =>
  rows.map(({ row, status, field, reason }) => [row, status, field, reason]);

Deno.test("sheets of pinned answers are imported", async (t) => {
  await using prepared = await open();
  const { service, tenant, expert, signedIn, path, load, list } = prepared;
  const sheet =
    'question,answer,variants,is_active\r\nWhen should I fast?,In the morning.,"At what hour?\nHow early?",\r\n' +
    "Why?,So.,,false\r\n";

  await t.step("a preview says what would be added, and stores nothing", async () => {
    const reply = await load(sheet, { preview: true, as: { ...tenant, ...signedIn } });
    assertReply(reply, 200);
    const { rows, ...counts } = reply.json;
    assertEquals(counts, { preview: true, added: 2, changed: 0, unchanged: 0, refused: 0, unused_columns: [] });
    assertEquals(rows[0], {
      row: 2,
      status: "added",
      question: "When should I fast?",
      variants: ["At what hour?", "How early?"],
      answer: "In the morning.",
      is_active: null,
      answer_id: null,
      previous: null,
      field: null,
      reason: null,
    });
    assertEquals(await list(), []);
  });

  let ids: string[] = [];
  await t.step("an import adds them, in the name of the expert, and they are given word for word", async () => {
    const reply = await load(sheet, { as: { ...tenant, ...signedIn } });
    assertReply(reply, 200);
    assertEquals([reply.json.preview, reply.json.added], [false, 2]);
    ids = reply.json.rows.map(({ answer_id }: Row) => answer_id);
    const pinned = await ask(service, "GET", `${path}/${ids[0]}`, tenant);
    assertEquals([pinned.json.written_by, pinned.json.is_active, pinned.json.version], [expert.id, true, 1]);
    const tried = await ask(service, "POST", `/coaches/${tenant.coachId}/try`, tenant, { question: "how early" });
    assertEquals(tried.json.pinned_answer?.id ?? tried.json.exact?.id, ids[0], tried.text);
  });

  await t.step("the same twice adds nothing", async () => {
    const again = await load(sheet);
    assertEquals(summary(again.json), [[2, "unchanged", null, null], [3, "unchanged", null, null]]);
    assertEquals(again.json.rows.map(({ answer_id }: Row) => answer_id), ids);
    assertEquals((await list()).map(({ version }: { version: number }) => version), [1, 1]);
  });

  await t.step("a row with a pinned question changes that answer, and a preview shows both", async () => {
    const csv = "question;answer\r\nwhen should I FAST;At noon.\r\n";
    const { json } = await load(csv, { preview: true });
    assertEquals(json.rows[0].previous, {
      question: "When should I fast?",
      variants: ["At what hour?", "How early?"],
      answer: "In the morning.",
      is_active: true,
    });
    assertEquals([json.changed, json.rows[0].answer, json.rows[0].answer_id], [1, "At noon.", ids[0]]);
    assertEquals((await load(csv)).json.changed, 1);
    const [changed] = await list();
    assertEquals(changed, {
      question: "when should I FAST",
      variants: ["At what hour?", "How early?"],
      answer: "At noon.",
      is_active: true,
      version: 2,
    });
  });

  await t.step("a row with a variant changes only the answer and its state; blank variants take it away", async () => {
    await load("question,answer,variants,is_active\nHow early?,At one.,Any?,no\n");
    assertEquals((await list())[0], {
      question: "when should I FAST",
      variants: ["At what hour?", "How early?"],
      answer: "At one.",
      is_active: false,
      version: 3,
    });
    await load("question,answer,variants\nWhen should I fast?,At one.,\n");
    const [first] = await list();
    assertEquals([first.question, first.variants, first.is_active], ["When should I fast?", [], false]);
  });

  await t.step("each bad row is named, and then no row is stored", async () => {
    const before = await list();
    const csv = "question,answer,variants,is_active\nNew?,New.,,\n,No.,,\nNew,Other.,,\nOther?,Yes.,new,\n" +
      "Third?,Yes.,Whose?\nWhose?,Mine.,Why?,\nFine?,Yes.,Why,\nEnd?,Yes.,,perhaps\n";
    const rows = [
      { row: 3, field: "question", reason: "question must not be blank" },
      { row: 4, field: "question", reason: "The same question as in row 2, with other contents" },
      { row: 5, field: "variants", reason: "The variant “new” is a question of row 2" },
      { row: 7, field: "question", reason: "The same question as in row 6, with other contents" },
      { row: 8, field: "variants", reason: "The variant “Why” is a question of another pinned answer" },
      { row: 9, field: "is_active", reason: "is_active must be true or false" },
    ];
    const refused = await load(csv);
    assertRefused(refused, "invalid_sheet", "Nothing was imported: 6 rows cannot be used", { rows });
    const preview = await load(csv, { preview: true });
    assertEquals([preview.json.added, preview.json.refused], [2, 6]);
    assertEquals(
      preview.json.rows.filter(({ status }: Row) => status === "refused")
        .map(({ row, field, reason }: Row) => ({ row, field, reason })),
      rows,
    );
    assertEquals(await list(), before);
  });

  await t.step("the same row twice in a sheet counts once", async () => {
    const twice = await load("question,answer\nTwice?,Yes.\nTwice?,Yes.\n");
    assertEquals(summary(twice.json), [[2, "added", null, null], [3, "unchanged", null, null]]);
  });

  await t.step("of two imports at once, one adds and the other changes nothing", async () => {
    const both = await Promise.all([1, 2].map(() => load("question,answer\nAt once?,Yes.\n")));
    assertEquals(both.map(({ json }) => json.added).toSorted(), [0, 1]);
  });
});

Deno.test("sheets that cannot be imported are refused", async (t) => {
  await using prepared = await open();
  const { service, tenant, path, load, list } = prepared;
  const kilobyte = "x".repeat(1_024);
  const rows: [name: string, body: unknown, Refusal, what: string, more?: Record<string, unknown>][] = [
    ["no csv", {}, "invalid_input", "csv is required"],
    ["blank csv", { csv: " \n" }, "invalid_input", "csv must not be blank"],
    ["preview that is no boolean", { csv: "a", preview: "yes" }, "invalid_input", "preview must be true or false"],
    [
      "more than 1 MB",
      { csv: `question,answer\nQ,${kilobyte.repeat(1_024)}` },
      "invalid_input",
      "csv must be at most 1 MB",
    ],
    ["a body of more than 4 MB", { csv: kilobyte.repeat(4_096) }, "body_too_large", "4096 KB"],
    [
      "no columns",
      { csv: "Why?,So.", preview: true },
      "invalid_sheet",
      "The first row of the sheet must name the columns question and answer: question is missing",
      {
        rows: [],
      },
    ],
    [
      "an open quotation mark",
      { csv: 'question,answer\nQ,"A\n' },
      "invalid_sheet",
      "Row 2 of the sheet has a quotation mark that does not end, or one too many",
      {
        rows: [{ row: 2, field: null, reason: "The row has a quotation mark that does not end, or one too many" }],
      },
    ],
    [
      "1,001 rows",
      { csv: `question,answer\n${"Q,A\n".repeat(1_001)}` },
      "invalid_sheet",
      "The sheet has 1,001 answers; the most are 1,000",
      { rows: [] },
    ],
  ];
  for (const [name, body, refusal, what, more] of rows) {
    await t.step(`${name} → ${refusal}`, async () => {
      assertRefused(await ask(service, "POST", `${path}/import`, tenant, body), refusal, what, more);
    });
  }

  await t.step("a sheet without a usable row is previewed for experts alone", async () => {
    const body = { csv: "question,answer\n,No.\n", preview: true };
    const { json } = await load(body.csv, { preview: true });
    assertEquals([json.refused, json.rows.length], [1, 1]);
    const stranger = await createTenant({ scopes: ["chat", "expert"] });
    assertRefused(await ask(service, "POST", `${path}/import`, stranger, body), "coach_not_found");
  });

  await t.step("nothing was stored", async () => assertEquals(await list(), []));

  await t.step("what another coach has pinned is not in the way", async () => {
    const { id: other } = await createCoach(tenant.accountId);
    assertReply(await load("question,answer\nWhy?,So.\n"), 200);
    const { json } = await load("question,answer\nWhy?,Thus.\n", { at: `/coaches/${other}/answers` });
    assertEquals(json.added, 1);
    assertEquals((await list()).map(({ answer }: { answer: string }) => answer), ["So."]);
  });
});

Deno.test("pinned answers are exported as a sheet", async (t) => {
  await using prepared = await open();
  const { service, tenant, path, load, list } = prepared;

  await t.step("of the column names alone, if there are none", async () => {
    const reply = await ask(service, "GET", `${path}/export`, tenant);
    assertReply(reply, 200);
    assertEquals(reply.text.replace("\ufeff", ""), "question,answer,variants,is_active\r\n");
    assertEquals(reply.headers.get("Content-Type"), "text/csv; charset=utf-8");
    assertEquals(
      reply.headers.get("Content-Disposition"),
      `attachment; filename="answers-${tenant.coachId}.csv"`,
    );
  });

  const count = slow.ignore ? 100 : 1_000;
  await t.step(`with ${count} hostile texts, which an import reads as the same`, async () => {
    const answers = inventAnswers(count, 11);
    const client = clientOf(service, tenant);
    const first = await client.importAnswers(tenant.coachId, { csv: writeAnswerSheet(answers) });
    assertEquals([first.added, first.refused], [count, 0]);
    const exported = await client.exportAnswers(tenant.coachId);
    const bytes = new Uint8Array(await exported.arrayBuffer());
    assertEquals([...bytes.slice(0, 3)], [0xef, 0xbb, 0xbf]);
    const csv = await exported.text();
    const { id: other } = await createCoach(tenant.accountId);
    const at = `/coaches/${other}/answers`;
    assertEquals((await load(csv, { at })).json.added, count);
    const copy = await client.exportAnswers(other);
    assertEquals(await copy.text(), csv);
    assertEquals(await list(at), await list());
    const again = await load(csv);
    assertEquals([again.json.unchanged, again.json.changed], [count, 0]);
    const stored = new Map((await list()).map((each: { question: string }) => [each.question, each]));
    for (const answer of answers) assertEquals(stored.get(answer.question), { ...answer, version: 1 });
  });

  await t.step("as a file of which no cell begins like a formula", async () => {
    const { text } = await ask(service, "GET", `${path}/export`, tenant);
    const cells = parseCsv(text, { separator: "," }).flat();
    assertEquals([cells.length, cells.filter((cell) => /^[\s\p{Cf}"]*[=+\-@]/u.test(cell))], [4 * (count + 1), []]);
  });
});
