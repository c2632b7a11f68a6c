import { resolve } from "node:path";
import { z } from "zod";
import { type CoachField, coachFields, fieldsIn } from "../../../shared/features/coaches/coach_fields.ts";
import type { Database } from "../../../shared/infra/db/database_types.ts";
import {
  type Bounds,
  maxOutputTokensBounds,
  reasoningEfforts,
  temperatureBounds,
  verbosities,
} from "../../../shared/libs/llm/model_settings.ts";
import { errorMessage, refuse } from "../command_error.ts";
import { hasYamlFrontMatter, readFrontMatter } from "../std.ts";
import { showHarmlessly } from "./terminal_text.ts";

/** The fields of the front matter, which has all but the instructions. */
export const frontMatterFields = fieldsIn("file").filter(([name]) => name !== "instructions");

/** The front matter of a coach. Fields that are left out get the database's defaults. */
const frontMatter = z.strictObject({
  id: z.string().trim().min(1, "id must not be blank").nullish().transform((id) => id ?? null),
  ...Object.fromEntries(frontMatterFields.map(([name, { input, usual }]) => {
    const schema = input(name);
    return [name, usual === undefined ? schema : z.nullish(schema).transform((value) => value ?? usual)];
  })),
}, { error: ({ code }) => code === "invalid_type" ? "it has no fields, such as name: Ada Byron" : undefined });

/** The content of a coach file, in the columns of the database. */
export type CoachFile = {
  id: string | null;
  fields: Pick<Database["public"]["Tables"]["coach_profiles"]["Row"], ReturnType<typeof fieldsIn<"file">>[number][0]>;
};

const rangeOf = ({ least, most }: Bounds) => `${least} to ${most}`;

/** An example of such a file, for the help. */
export const coachFileHelp =
  `A coach is a Markdown file: its body is the instructions, its front matter is everything else.

  ---
${frontMatterFields.map(([name, field]) => describeField(name, field)).join("")}\
${describeField("id", { example: "mara", help: "the coachId of the API", without: "a new UUID" })}\
  ---
  ${coachFields.instructions.example}

Name, title and body are required. The other fields have the defaults in parentheses. An update
replaces all of them: a field that is not in the file is reset to its default. An update does not
change the ID, the account, the owner, or whether the coach is active.

  reasoning_effort   ${reasoningEfforts.join(", ")}
  verbosity          ${verbosities.join(", ")}
  max_output_tokens  ${rangeOf(maxOutputTokensBounds)}
  temperature        ${rangeOf(temperatureBounds)}; only for models that do not reason`;

/** The lines of a field in the help, with what it is for and its default. */
function describeField(
  name: string,
  { example, help, usual, variable, without = String(usual) }: Partial<CoachField>,
): string {
  if (example === undefined) return "";
  const isList = Array.isArray(example);
  const line = `  ${name}:${isList ? "" : ` ${example}`}`;
  const usually = variable === undefined ? without : "the deployment's";
  const comment = usually === "undefined" ? "" : `# ${help === undefined ? "" : `${help} `}(${usually})`;
  const [column, entries] = [36, isList ? example.map((entry) => `    - ${entry}\n`).join("") : ""];
  return comment === "" || line.length < column
    ? `${line.padEnd(column)}${comment}`.trimEnd() + `\n${entries}`
    : `${line}\n${" ".repeat(column)}${comment}\n${entries}`;
}

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
  if (error) {
    throw new Error(`has invalid front matter: ${error.issues.map((issue) => describeIssue(issue, attrs)).join("; ")}`);
  }
  const instructions = body.trim();
  if (instructions === "") throw new Error("has no instructions below its front matter");
  const { id, ...fields } = data;
  return { id, fields: { ...fields, instructions } as CoachFile["fields"] };
}

function extractFields(text: string): { attrs: unknown; body: string } {
  try {
    return readFrontMatter(text);
  } catch (error) {
    throw new Error(`has front matter that is not valid YAML: ${showHarmlessly(errorMessage(error).split("\n")[0]!)}`);
  }
}

function describeIssue(issue: z.core.$ZodIssue, attrs: unknown): string {
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map(showHarmlessly).join(", ");
    return `a coach has no field ${names}; its fields are ${Object.keys(frontMatter.shape).join(", ")}`;
  }
  const [name] = issue.path;
  if (issue.code !== "invalid_type" || name === undefined) return issue.message;
  const isMissing = ((attrs as Record<PropertyKey, unknown>)[name] ?? null) === null;
  if (isMissing) return `the field ${String(name)} is missing`;
  return issue.expected === "string" ? `${issue.message}: put it in quotes` : issue.message;
}
