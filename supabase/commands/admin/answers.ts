import { basename } from "node:path";
import type { PostgrestError, SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";
import { withQuestions } from "../../../shared/core/questions/read_questions.ts";
import { DatabaseError } from "../../../shared/infra/db/database.ts";
import { ApiError } from "../../../shared/infra/errors.ts";
import { countCharacters } from "../../../shared/libs/base/text.ts";
import { FoundRows } from "../../../shared/features/pinned_answers/compare_rows.ts";
import { csvField } from "../../../shared/features/pinned_answers/import_pinned_answers.ts";
import { importSheet, StoredIds } from "../../../shared/features/pinned_answers/import_sheet.ts";
import { writeAnswerSheet } from "../../../shared/features/pinned_answers/write_answer_sheet.ts";
import type { Database } from "../../../shared/infra/db/database_types.ts";
import { CommandError, refuse } from "../command_error.ts";
import {
  aCoach,
  anOutput,
  defineCommand,
  defineList,
  flag,
  id,
  ifGiven,
  option,
  repeated,
  text,
  textUpTo,
} from "./command.ts";
import { readAllByOffset, requireCoach, requireRow } from "./read_rows.ts";
import { countOf, formatFields, formatRows, formatTime, showHarmlessly, showLines } from "./terminal_text.ts";
import { readTextFile, writeOutput } from "./text_files.ts";

/** The hits and the versions of a pinned answer, latest first. */
const Kept = z.object({
  hits: z.number(),
  near_hits: z.number(),
  last_hit_at: z.string().nullable(),
  versions: z.array(z.object({
    version: z.number(),
    question: z.string(),
    variants: z.array(z.string()),
    answer: z.string(),
    is_active: z.boolean(),
    written_by: z.string().nullable(),
    written_at: z.string(),
  })),
});

type PinnedAnswer = Database["public"]["Tables"]["pinned_answers"]["Row"];

const mostAnswer = 20_000;

const questionOption = option("TEXT", textUpTo(1_000), "what is asked");
const answerOptions = {
  answer: option("TEXT", textUpTo(mostAnswer).optional(), "the expert's answer"),
  "answer-file": option("FILE", text.optional(), "a file with the answer"),
};
const variantOption = (help: string) =>
  repeated("TEXT", z.array(textUpTo(1_000)).max(20, "is repeated more than 20 times").optional(), help);

/** `npm run admin -- answer …` */
export const answerCommands = {
  add: defineCommand({
    about: "Pins an answer to a question: see supabase/docs/expert.md.",
    options: {
      coach: aCoach,
      question: questionOption,
      ...answerOptions,
      variant: variantOption("another way to ask the question, of at most 20"),
    },
    isChange: true,
    async run({ coach, question, variant: variants = [], ...given }, { project, folder }) {
      const answer = await readAnswer(given, folder);
      if (answer === undefined) refuse("answer add: --answer or --answer-file is missing.");
      const { client } = project();
      const account_id = await requireCoach(client, coach);
      const args = { caller: { account_id }, user_id: null!, coach_id: coach, answer, is_active: true };
      const created = await withQuestions(
        { coachId: coach },
        [question, ...variants],
        (questions) => resultOf(client.rpc("create_pinned_answer", { ...args, questions })),
      );
      const data = await requirePinned(client, readPinned(created));
      return { json: data, text: formatPinnedAnswer(data) };
    },
  }),

  list: defineList({
    about: "Lists the pinned answers of a coach.",
    options: { coach: aCoach },
    none: "This coach has no pinned answers yet.",
    read: ({ client }, { coach }) =>
      readAllByOffset(
        () =>
          client.from("pinned_answers").select().eq("coach_id", coach).order("updated_at", { ascending: false })
            .order("id"),
        ({ id }) => id,
      ),
    show: ({ id, question, variants, is_active: active, version, updated_at }) => {
      return { id, question, variants: variants.length, active, version, changed: formatTime(updated_at) };
    },
  }),

  show: defineCommand({
    about: "Shows a pinned answer with its earlier versions, and how often it was given.",
    args: { "answer id": id },
    async run({ "answer id": answerId }, { project }) {
      const { client } = project();
      const answer = await requirePinned(client, answerId);
      const { data } = await client.rpc("get_pinned_answer", {
        caller: { account_id: answer.account_id },
        // The operator: no user.
        user_id: null!,
        coach_id: answer.coach_id,
        answer_id: answerId,
      }).throwOnError();
      const { versions, ...used } = Kept.parse(data);
      const earlier = versions.filter(({ version }) => version < answer.version).map((kept) =>
        `Version ${kept.version}, of ${formatTime(kept.written_at)}: ${showHarmlessly(kept.question)}\n` +
        showLines(kept.answer, "  ")
      );
      const counts = `Given word for word: ${used.hits}. Given to the model: ${used.near_hits}.`;
      return {
        json: { ...answer, ...used, versions },
        text: [formatPinnedAnswer(answer), counts, ...earlier].join("\n\n"),
      };
    },
  }),

  update: defineCommand({
    about: "Changes a pinned answer.",
    args: { "answer id": id },
    options: {
      question: ifGiven(questionOption),
      ...answerOptions,
      variant: variantOption("another way to ask the question, instead of the existing ones"),
      active: option(
        "YES",
        z.enum(["yes", "no"], "must be yes or no").optional(),
        "yes or no: an inactive pinned answer is no longer given",
      ),
    },
    isChange: true,
    async run({ "answer id": answerId, question, variant: variants, active, ...typed }, { project, folder }) {
      const answer = await readAnswer(typed, folder);
      const is_active = active === undefined ? undefined : active === "yes";
      const changes = [question, variants, answer, is_active].filter((value) => value !== undefined);
      if (changes.length === 0) refuse("answer update: there is nothing to change.");
      const { client } = project();
      const { account_id, coach_id } = await requirePinned(client, answerId);
      const args = { caller: { account_id }, user_id: null!, coach_id, answer_id: answerId, answer, is_active };
      const asked = [...question === undefined ? [] : [question], ...variants ?? []];
      readPinned(
        await withQuestions({ coachId: coach_id }, asked, (asked) =>
          resultOf(client.rpc("update_pinned_answer", {
            ...args,
            question: question === undefined ? undefined : asked[0],
            variants: variants && asked.slice(question === undefined ? 0 : 1),
          }))),
      );
      const data = await requirePinned(client, answerId);
      return { json: data, text: formatPinnedAnswer(data) };
    },
  }),

  remove: defineCommand({
    about: "Removes a pinned answer.",
    args: { "answer id": id },
    isChange: true,
    async run({ "answer id": answerId }, { project }) {
      const removal = project().client.from("pinned_answers").delete().eq("id", answerId);
      const answer = await requireRow("Pinned answer", removal.select("id,coach_id,question"));
      return { json: answer, text: `Removed: ${showHarmlessly(answer.question)}` };
    },
  }),

  import: defineCommand({
    about: `Pins the answers of a CSV file with the columns question and answer, all of them or none: see
      supabase/docs/expert.md.`,
    args: { file: text },
    options: { coach: aCoach, preview: flag("only show what an import would do") },
    isChange: true,
    async run({ file, coach, preview }, { project, folder, note }) {
      const name = showHarmlessly(basename(file));
      const sheet = csvField.safeParse(await readTextFile(folder, file));
      if (!sheet.success) throw new CommandError(`${name}: ${sheet.error.issues[0]!.message}`);
      const { client, wakeIndexer } = project();
      // An operator is no user.
      const access = {
        caller: { account_id: await requireCoach(client, coach) },
        user_id: null as unknown as string,
        coach_id: coach,
      };
      const imported = await importSheet(sheet.data, preview, {
        coachId: coach,
        compare: async (keys) =>
          z.nullable(FoundRows).parse(await resultOf(client.rpc("compare_pinned_answers", { ...access, ...keys }))),
        write: async (rows) =>
          StoredIds.parse(await resultOf(client.rpc("import_pinned_answers", { ...access, rows }))),
      }).catch((error) => {
        if (!(error instanceof ApiError)) throw error;
        const { rows = [] } = error.options.fields as { rows?: { row: number; reason: string }[] };
        for (const { row, reason } of rows) note(showHarmlessly(`${name}, row ${row}: ${reason}`));
        throw new CommandError(`${showHarmlessly(error.message)}.`);
      });
      const { rows, added, changed, unchanged, refused, unused_columns: unused } = imported;
      if (unused.length > 0) note(`Columns that are not used: ${unused.map(showHarmlessly).join(", ")}.`);
      if (!preview && added + changed > 0) await wakeIndexer();
      const counts = `${added} added, ${changed} changed, ${unchanged} unchanged`;
      return {
        json: imported,
        text: preview
          ? `${
            formatRows(rows, ({ row, status, question, reason }) => ({ row, status, question, reason }))
          }\n\nNothing was stored. An import would give: ${counts}, ${refused} refused.`
          : `Imported: ${counts}.`,
      };
    },
  }),

  export: defineCommand({
    about: "Writes the pinned answers of a coach as such a CSV file.",
    options: { coach: aCoach, output: anOutput },
    timeLimit: 120_000,
    async run({ coach, output }, { project, folder, isTerminal }) {
      const { client } = project();
      await requireCoach(client, coach);
      const answers = await readAllByOffset(
        () =>
          client.from("pinned_answers").select("id,question,variants,answer,is_active").eq("coach_id", coach)
            .order("created_at").order("updated_at").order("id"),
        ({ id }) => id,
      );
      const sheet = writeAnswerSheet(answers);
      if (output === undefined) {
        const shown = sheet.slice(1).trimEnd();
        return { json: shown, text: isTerminal ? showLines(shown) : shown };
      }
      await writeOutput(folder, output, sheet);
      const count = countOf(answers.length, "pinned answer");
      return { json: { output, answers: answers.length }, text: `Wrote ${count} to ${showHarmlessly(output)}.` };
    },
  }),
};

/** The answer itself, from the command line or from a file; undefined if neither is given. */
async function readAnswer(
  { answer, "answer-file": file }: { answer: string | undefined; "answer-file": string | undefined },
  folder: string,
): Promise<string | undefined> {
  if (file === undefined) return answer;
  if (answer !== undefined) refuse("Pass either --answer or --answer-file.");
  const content = (await readTextFile(folder, file)).trim();
  if (content === "") refuse(`${showHarmlessly(file)} is empty.`);
  if (countCharacters(content) > mostAnswer) {
    refuse(`${showHarmlessly(file)} has more than ${mostAnswer} characters.`);
  }
  return content;
}

/** The result of a SQL function. @throws {DatabaseError} also where it asks for questions in another language. */
async function resultOf(call: PromiseLike<{ data: unknown; error: PostgrestError | null }>): Promise<unknown> {
  const { data, error } = await call;
  if (error !== null) throw error.code === "PT412" ? new DatabaseError("rpc", error.code, error, error) : error;
  return data;
}

/** The ID of a pinned answer that was stored. @throws {CommandError} where another has its question. */
function readPinned(stored: unknown): string {
  const { error, id } = z.object({ error: z.string().optional(), id: z.string().optional() }).parse(stored);
  if (error === "already_pinned") {
    throw new CommandError("Another pinned answer of this coach already has this question or one of its variants.");
  }
  if (error !== undefined || id === undefined) throw new CommandError("Pinned answer not found");
  return id;
}

function requirePinned(client: SupabaseClient<Database>, answerId: string): Promise<PinnedAnswer> {
  return requireRow("Pinned answer", client.from("pinned_answers").select().eq("id", answerId));
}

function formatPinnedAnswer(
  { id, coach_id, question, variants, answer, is_active, version, written_by, updated_at }: PinnedAnswer,
): string {
  const fields = formatFields({
    id,
    coach: coach_id,
    question,
    ...Object.fromEntries(variants.map((variant, index) => [`variant ${index + 1}`, variant])),
    active: is_active,
    version,
    "written by": written_by,
    changed: formatTime(updated_at),
  });
  return `${fields}\n\n${showLines(answer)}`;
}
