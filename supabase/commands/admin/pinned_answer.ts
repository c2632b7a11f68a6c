import { resolve } from "node:path";
import { PostgrestError } from "@supabase/supabase-js";
import { z } from "zod";
import { countCharacters } from "../../../shared/base/text/count_characters.ts";
import { CommandError, exitCodes } from "../command_error.ts";
import { errorMessage } from "../error_message.ts";
import { formatFields, formatTime } from "./format_table.ts";
import { text, textUpTo } from "./inputs.ts";
import { showHarmlessly } from "./show_harmlessly.ts";

const uniqueViolation = "23505";

/** The most characters of an answer. */
const mostAnswer = 20_000;

/** Options with the fields of a pinned answer. */
export const answerFields = {
  question: textUpTo(1_000).optional(),
  answer: textUpTo(mostAnswer).optional(),
  "answer-file": text.optional(),
  variant: z.array(textUpTo(1_000)).max(20, "is repeated more than 20 times").optional(),
};

/** The answer itself, from the command line or from a file; undefined if neither is given. */
export async function readAnswer(
  { answer, "answer-file": file }: { answer?: string; "answer-file"?: string },
  folder: string,
): Promise<string | undefined> {
  if (file === undefined) return answer;
  if (answer !== undefined) throw new CommandError("Pass either --answer or --answer-file.", exitCodes.calledWrongly);
  try {
    const content = (await Deno.readTextFile(resolve(folder, file))).trim();
    if (countCharacters(content) > mostAnswer) throw new Error(`has more than ${mostAnswer} characters`);
    if (content !== "") return content;
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound ? "does not exist" : errorMessage(error);
    throw new CommandError(`${showHarmlessly(file)} ${showHarmlessly(reason)}.`, exitCodes.calledWrongly);
  }
  throw new CommandError(`${showHarmlessly(file)} is empty.`, exitCodes.calledWrongly);
}

/** Explains the error of storing a pinned answer whose question another one has. */
export function explainPinned(error: unknown): unknown {
  return error instanceof PostgrestError && error.code === uniqueViolation
    ? new CommandError("Another pinned answer of this coach already has this question or one of its variants.")
    : error;
}

const pinnedAnswer = z.object({
  id: z.string(),
  coach_id: z.string(),
  question: z.string(),
  variants: z.array(z.string()),
  answer: z.string(),
  is_active: z.boolean(),
  version: z.number(),
  written_by: z.string().nullable(),
  updated_at: z.string(),
});

/** A pinned answer with all its texts. */
export function formatPinnedAnswer(row: unknown): string {
  const { id, coach_id, question, variants, answer, is_active, version, written_by, updated_at } = pinnedAnswer.parse(
    row,
  );
  const fields = formatFields({
    id,
    coach: coach_id,
    question,
    ...Object.fromEntries(variants.map((variant, index) => [`variant ${index + 1}`, variant])),
    active: is_active ? "yes" : "no",
    version,
    "written by": written_by,
    changed: formatTime(updated_at),
  });
  return `${fields}\n\n${answer.split("\n").map(showHarmlessly).join("\n")}`;
}
