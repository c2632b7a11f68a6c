import { resolve } from "node:path";
import { z } from "zod";
import {
  type Bounds,
  maxOutputTokensBounds,
  reasoningEfforts,
  temperatureBounds,
  verbosities,
} from "../../../shared/infra/model_settings.ts";
import { stripInvisible } from "../../../shared/base/text/strip_invisible.ts";
import { refuse } from "../command_error.ts";
import { errorMessage } from "../error_message.ts";
import { hasYamlFrontMatter, readFrontMatter } from "../std.ts";
import { because } from "./command.ts";
import { showHarmlessly } from "./terminal_text.ts";

const text = z.string(because("is not text: put it in quotes")).trim().min(1, "is blank");

const textUpTo = (most: number) =>
  text.refine((value) => [...value].length <= most, `is longer than ${most} characters`);

/** A name or a title, without characters that nobody sees. */
const shownText = z.string(because("is not text: put it in quotes")).transform(stripInvisible).pipe(text);

/** Questions that applications may suggest. */
const starters = z.array(
  textUpTo(200).refine((value) => !/\p{Cc}/u.test(value), "has more than one line"),
  because("is not a list of questions, each on a line that starts with -"),
).max(6, "has more than six questions");

const wholeNumber = ({ least, most }: Bounds) => {
  const sentence = `is not a whole number from ${least} to ${most}`;
  return z.int(sentence).min(least, sentence).max(most, sentence);
};

const number = ({ least, most }: Bounds) => {
  const sentence = `is not a number from ${least} to ${most}`;
  return z.number(sentence).min(least, sentence).max(most, sentence);
};

const word = <const Word extends string>(words: readonly Word[]) => z.enum(words, `must be one of ${words.join(", ")}`);

/** A field that may be left out. */
const optional = <Field extends z.ZodType>(field: Field) => field.nullish().transform((value) => value ?? null);

/** The front matter of a coach. Fields that are left out get the database's defaults. */
const frontMatter = z.strictObject({
  id: optional(text),
  name: shownText.refine((value) => [...value].length <= 200, "is longer than 200 characters"),
  title: shownText,
  greeting: optional(textUpTo(2000)),
  starters: starters.nullish().transform((value) => value ?? []),
  model: optional(text),
  reasoning_effort: optional(word(reasoningEfforts)),
  verbosity: optional(word(verbosities)),
  temperature: optional(number(temperatureBounds)),
  max_output_tokens: optional(wholeNumber(maxOutputTokensBounds)),
  store_responses: optional(z.boolean("is not true or false")),
  language: text.nullish().transform((value) => value ?? "english"),
  history_limit: wholeNumber({ least: 0, most: 200 }).nullish().transform((value) => value ?? 20),
  no_answer: optional(textUpTo(1000)),
  takeover_notice: optional(textUpTo(1000)),
  takeover_minutes: wholeNumber({ least: 1, most: 10_080 }).nullish().transform((value) => value ?? 60),
  sources_are_open: z.boolean("is not true or false").nullish().transform((value) => value ?? false),
}, { error: ({ code }) => code === "invalid_type" ? "it has no fields, such as name: Ada Byron" : undefined });

/** The content of a coach file, in the columns of the database. */
export type CoachFile = {
  id: string | null;
  fields: Omit<z.output<typeof frontMatter>, "id"> & { instructions: string };
};

const rangeOf = ({ least, most }: Bounds) => `${least} to ${most}`;

/** How such a file looks, for the help. */
export const coachFileHelp =
  `A coach is a Markdown file: its body is the instructions, its front matter is everything else.

  ---
  name: Ada Byron
  title: Mathematics Coach
  greeting: What shall we compute?  # shown before the first message (none)
  starters:                         # up to 6 suggested questions (none)
    - What is a proof?
    - How do I begin?
  model: gpt-6.1-sol                # (the deployment's)
  reasoning_effort: low             # (the deployment's)
  verbosity: medium                 # (the deployment's)
  max_output_tokens: 4000           # including reasoning (the deployment's)
  store_responses: true             # at the model's server (the deployment's)
  language: english                 # the language of its files (english)
  history_limit: 20                 # messages sent to the model, 0 to 200 (20)
  no_answer: I have to ask first.   # sent when it does not know (a default text)
  takeover_notice: I will write to you myself.
                                    # sent during a takeover (a default text)
  takeover_minutes: 60              # after the expert's last message, the takeover ends (60)
  sources_are_open: false           # whether whoever may talk to it may read its files (false)
  id: ada                           # the coachId of the API (a new UUID)
  ---
  Ask before you tell.

Name, title and body are required. The other fields have the defaults in parentheses. An update
replaces all of them: a field that is not in the file is reset to its default. An update does not
change the ID, the account, the owner, or whether the coach is active.

  reasoning_effort   ${reasoningEfforts.join(", ")}
  verbosity          ${verbosities.join(", ")}
  max_output_tokens  ${rangeOf(maxOutputTokensBounds)}
  temperature        ${rangeOf(temperatureBounds)}; only for models that do not reason`;

const mostBytes = 1_000_000;

/** Reads the file of a coach. @throws {CommandError} that explains what is wrong with it. */
export async function readCoachFile(folder: string, name: string): Promise<CoachFile> {
  const path = resolve(folder, name);
  try {
    const { isDirectory, size } = await Deno.stat(path);
    if (isDirectory) throw new Error("is a folder");
    if (size > mostBytes) throw new Error("is larger than 1 MB");
    return parseCoachFile(decode(await Deno.readFile(path)));
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound
      ? "does not exist"
      : error instanceof Deno.errors.PermissionDenied
      ? "cannot be read: permission denied"
      : errorMessage(error);
    refuse(`${showHarmlessly(name)} ${reason}.`);
  }
}

function decode(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // The same error as for a NUL character, which Postgres cannot store.
  }
  throw new Error("is not UTF-8 text");
}

/** Reads the text of a file. @throws {Error} whose message continues the file's name. */
export function parseCoachFile(markdown: string): CoachFile {
  const lines = markdown.replaceAll("\r\n", "\n");
  if (!hasYamlFrontMatter(lines)) {
    throw new Error("has no front matter: the file must start with fields between two lines of ---");
  }
  const { attrs, body } = extractFields(lines);
  const { data, error } = frontMatter.safeParse(attrs);
  if (error) throw new Error(`has invalid front matter: ${error.issues.map(describeIssue).join("; ")}`);
  const instructions = body.trim();
  if (instructions === "") throw new Error("has no instructions below its front matter");
  const { id, ...fields } = data;
  return { id, fields: { ...fields, instructions } };
}

function extractFields(text: string): { attrs: unknown; body: string } {
  try {
    return readFrontMatter(text);
  } catch (error) {
    throw new Error(`has front matter that is not valid YAML: ${showHarmlessly(errorMessage(error).split("\n")[0]!)}`);
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map(showHarmlessly).join(", ");
    return `a coach has no field ${names}; its fields are ${Object.keys(frontMatter.shape).join(", ")}`;
  }
  const [name, index] = issue.path;
  if (name === undefined) return issue.message;
  return `the field ${String(name)} ${
    typeof index === "number" ? `has an entry ${index + 1} that ` : ""
  }${issue.message}`;
}
