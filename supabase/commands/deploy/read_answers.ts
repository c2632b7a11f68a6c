import { dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { readJson } from "../../../shared/libs/base/fields_of.ts";
import { writePrivately } from "../admin/text_files.ts";
import { CommandError, errorMessage, exitCodes } from "../command_error.ts";
import { isThisMachine } from "../../platform/local_address.ts";

const address = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:" && isThisMachine(url));
}, "is not an address that begins with https://")
  .refine((text) => !/[?#]/.test(text), "must have nothing after its path")
  .transform((text) => `${new URL(text).href.replace(/\/+$/, "")}/`);
const name = z.string("is not a text").trim().min(1, "is blank").max(200, "is too long");

/** The answers for the set-up of a project. False means that something is not wanted, and a missing answer leaves it open. */
export const Answers = z.strictObject({
  account: name,
  persona: z.union([z.literal(false), name], "is neither the name of a file nor false"),
  expert: z.union(
    [z.literal(false), z.email("is neither an email address nor false")],
    "is neither an email address nor false",
  ),
  pages: z.union([z.literal(false), address], "is neither an address that begins with https:// nor false"),
  pagesFolder: name,
  anonymousVisitors: z.boolean("is neither true nor false"),
  mail: z.boolean("is neither true nor false"),
  aiClients: z.boolean("is neither true nor false"),
}).partial();

export type Answers = z.output<typeof Answers>;

/** Answers with the folder from which the files in them are named. */
export type AnswersFile = { answers: Answers; folder: string };

/** The questions asked at a terminal. `pagesFolder` is not: it has a default. */
const questions: [name: keyof Answers, question: string][] = [
  ["account", "The name of the first account, such as that of your organisation"],
  ["persona", "The file of a first persona (ada.md), or no: its expert makes one at the desk"],
  ["expert", "The email address of the first expert, or no"],
  ["pages", "The address that the pages will have (https://www.example.com/), or no"],
  ["anonymousVisitors", "May people chat without signing in? yes or no"],
  ["mail", "Should the service and Auth send mail through SMTP_URL of the file with the secrets? yes or no"],
  ["aiClients", "Should AI clients such as Claude reach personas by signing people in? yes or no"],
];

/** Reads a file of answers, which may not exist yet. @throws {CommandError} if it is not as documented */
export async function readAnswers(file: string, { mustExist }: { mustExist: boolean }): Promise<AnswersFile> {
  const refuse = (sentence: string) => new CommandError(`${file} ${sentence}`, exitCodes.calledWrongly);
  const text = await Deno.readTextFile(file).catch((error) => {
    if (!mustExist && error instanceof Deno.errors.NotFound) return "{}";
    throw refuse("cannot be read.");
  });
  const json = readJson(text);
  if (json === undefined) throw refuse("is not JSON.");
  const { data, error } = Answers.safeParse(json);
  if (error) throw refuse(`is not as documented.\n${z.prettifyError(error)}`);
  return { answers: data, folder: dirname(file) };
}

/** Asks for the answers that are missing, and keeps each one in the file. An empty line leaves a question open. */
export async function askForAnswers(
  file: string,
  answers: Answers,
  { ask, complain }: { ask: (question: string) => Promise<string | null>; complain: (text: string) => void },
): Promise<Answers> {
  for (const [name, question] of questions) {
    while (answers[name] === undefined) {
      const line = (await ask(`${question} (Return: later): `))?.trim();
      if (!line) break;
      const { data, error } = Answers.safeParse({ ...answers, [name]: readLine(line) });
      if (error) {
        complain(`This ${error.issues[0]!.message}.`);
        continue;
      }
      answers = data;
      await writePrivately(file, `${JSON.stringify(answers, null, 2)}\n`).catch((error) => {
        throw new CommandError(`${file} cannot be written: ${errorMessage(error)}`);
      });
    }
  }
  return answers;
}

function readLine(line: string): string | boolean {
  if (/^(y|yes|true)$/i.test(line)) return true;
  return /^(n|no|false)$/i.test(line) ? false : line;
}

/** The path of a file that answers name. */
export function pathFrom(folder: string, file: string): string {
  return isAbsolute(file) ? file : join(folder, file);
}

/** The answers in a line: what was said, and what is open. */
export function describeAnswers(answers: Answers): string {
  const open = questions.map(([name]) => name).filter((name) => answers[name] === undefined);
  const said = Object.entries(answers).map(([name, value]) =>
    `${name} ${typeof value === "boolean" ? value ? "yes" : "no" : value}`
  );
  return [...said, ...open.length === 0 ? [] : [`not answered yet: ${open.join(", ")}`]].join("; ");
}
