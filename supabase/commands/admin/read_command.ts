import { parseArgs, type ParseArgsConfig } from "node:util";
import { z } from "zod";
import { errorMessage, refuse } from "../command_error.ts";
import type { Command, Option } from "./command.ts";
import { showHarmlessly } from "./terminal_text.ts";
import { coachFileHelp } from "./read_coach_file.ts";
import { accountCommands } from "./accounts.ts";
import { answerCommands } from "./answers.ts";
import { budgetCommands } from "./budgets.ts";
import { coachCommands } from "./coaches.ts";
import { expertCommands } from "./experts.ts";
import { issuerCommands } from "./issuers.ts";
import { keyCommands } from "./keys.ts";
import { priceCommands } from "./prices.ts";
import { questionCommands } from "./questions.ts";
import { reindexCommands } from "./reindex.ts";
import { sourceCommands } from "./sources.ts";
import { testCommands } from "./tests.ts";
import { threadCommands } from "./threads.ts";
import { showUsage } from "./usage.ts";
import { userCommands } from "./users.ts";
import { webhookCommands } from "./webhooks.ts";

/** A command with its input. */
export type CommandCall = { command: Command; input: Record<string, unknown>; isJson: boolean };

/** The text that `--help` shows. */
export type HelpCall = { help: string };

type Options = NonNullable<ParseArgsConfig["options"]>;

const ownOptions: Options = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } };

/** Reads the command line. @throws {CommandError} that explains what is wrong with it */
export function readCommand(args: string[]): CommandCall | HelpCall {
  const everyOption = Object.assign({}, ownOptions, ...Object.values(commands).map(optionsOf));
  const rough = parseArgs({ args, options: everyOption, allowPositionals: true, strict: false });
  const asksForHelp = rough.values.help || rough.positionals[0] === "help";
  const [first = "", second = ""] = rough.positionals.slice(rough.positionals[0] === "help" ? 1 : 0);
  const words = Object.hasOwn(commands, first) ? first : `${first} ${second}`;
  const isGroup = first !== "" && commandsOf(first).length > 0;
  if (asksForHelp) {
    return { help: Object.hasOwn(commands, words) ? helpOf(words) : isGroup ? helpOf(first) : helpOfAll() };
  }
  if (first === "") refuseCall("No command given.");
  const command = Object.hasOwn(commands, words) ? commands[words]! : refuseWords(first, second);

  const options = { ...ownOptions, ...optionsOf(command) };
  const { values: { json, ...values }, positionals } = readArguments(args, { words, options });
  const given = positionals.slice(words.split(" ").length);
  const { args: schemas = {} } = command;
  const names = Object.keys(schemas);
  const [surplus] = given.slice(names.length);
  if (surplus !== undefined) refuseCall(`${words}: ${showHarmlessly(surplus)} is unexpected.`, words);
  const named = Object.fromEntries(given.map((value, index) => [names[index]!, value]));
  const ofOptions = Object.entries(command.options ?? {}).map(([name, { schema }]) => [name, schema]);
  const { success, data, error } = z.object({ ...schemas, ...Object.fromEntries(ofOptions) })
    .safeParse({ ...values, ...named });
  if (!success) {
    const [{ path: [name = ""], message }] = error.issues as [typeof error.issues[number]];
    const shown = names.includes(String(name)) ? `<${String(name)}>` : `--${String(name)}`;
    refuseCall(`${words}: ${shown} ${message}.`, words);
  }
  return { command, input: data, isJson: json === true };
}

function optionsOf({ options = {} }: Command): Options {
  return Object.fromEntries(
    Object.entries(options).map(([name, { value, isRepeated = false }]) => [
      name,
      { type: value === "" ? "boolean" : "string", multiple: isRepeated },
    ]),
  );
}

function readArguments(args: string[], { words, options }: { words: string; options: Options }) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    // An unknown option is followed by advice about arguments that begin with a dash, which no command has.
    const sentence = errorMessage(error).split("\n").map(showHarmlessly).join(" ").replace(/\. To specify .*/, ".");
    return refuseCall(`${words}: ${sentence}`, words);
  }
}

function refuseWords(first: string, second: string): never {
  const seconds = commandsOf(first).map(([words]) => words);
  const isUnknown = seconds.length === 0;
  refuseCall(
    isUnknown
      ? `There is no command ${showHarmlessly(first)}.`
      : `There is no command ${showHarmlessly(`${first} ${second}`.trim())}, only ${seconds.join(", ")}.`,
  );
}

/** @param words of the command whose help explains more; empty for all of it */
function refuseCall(sentence: string, words = ""): never {
  const help = ["npm run admin --", words, "--help."].filter(Boolean).join(" ");
  refuse(`${sentence}\nSee ${help}`);
}

/** The columns of a line, and the column in which the text of an option begins. */
const [width, textColumn] = [102, 19];

const about =
  `Manages the accounts, coaches, keys and users of a project, and the pinned answers, open questions and tests of
its coaches. Shows usage and conversations.`;

const environment = `Days look like 2026-12-31 and are in UTC.

The project is read from the environment or, if not set there, from the .env.local of npm start:

  BASE_URL    its address, such as https://<project ref>.supabase.co
  SECRET_KEY  its secret key

npm itself prints lines on stdout. To get only the JSON: npm run --silent admin -- … --json

Exit codes: 0 success, 1 failure, 2 wrong usage, 130 declined.`;

const allCommands = "All commands: npm run admin -- --help";

const jsonHelp = { value: "", help: "print the result as one JSON value, and nothing else on stdout" };

/** The help of all commands: their usage, and what is true of all. */
export function helpOfAll(): string {
  return [
    "npm run admin -- <command> [--json]",
    wrap(about.split(/\s+/), 0),
    Object.entries(commands).map(([words, command]) => usageOf(words, command, "  ")).join("\n"),
    "All about keys: npm run admin -- key --help. One with its options: npm run admin -- key issue --help",
    environment,
  ].join("\n\n");
}

/**
 * The help of a command: its usage, what it does, how the file looks where it reads one of a coach, and its options.
 *
 * @param words that the command begins with; the first word alone for all commands that begin with it
 */
export function helpOf(words: string): string {
  const command = commands[words];
  if (command === undefined) {
    const several = commandsOf(words).map(([known, each]) =>
      `${usageOf(known, each, "  ")}\n${wrap(each.about.split(/\s+/), 6)}`
    );
    return [...several, `Options: npm run admin -- ${words} <command> --help`, allCommands].join("\n\n");
  }
  return [
    `${usageOf(words, command, "npm run admin -- ")} [--json]`,
    wrap(command.about.split(/\s+/), 0),
    ...Object.hasOwn(command.args ?? {}, "file.md") ? [coachFileHelp] : [],
    describeOptions(command),
    allCommands,
  ].join("\n\n");
}

function usageOf(words: string, { args = {}, options = {} }: Command, start: string): string {
  const parts = [
    ...Object.entries(args).map(([name, schema]) => ({ shown: `<${name}>`, schema })),
    ...Object.entries(options).map(([name, { value, schema }]) => ({ shown: `--${name} ${value}`.trim(), schema })),
  ].map(({ shown, schema }) => schema.safeParse(undefined).success ? `[${shown}]` : shown);
  return wrap([start + words, ...parts], 12, 0);
}

/** The options with what they are for. Those that come one after the other with the same text have it once. */
function describeOptions({ options = {} }: Command): string {
  const entries: { names: string[]; help: string }[] = [];
  for (const [name, option] of [...Object.entries(options), ["json", jsonHelp] as const]) {
    const shown = `--${name} ${option.value}`.trim();
    const help = option.help + ("schema" in option ? describeDefault(option as Option) : "");
    if (entries.at(-1)?.help === help) entries.at(-1)!.names.push(shown);
    else entries.push({ names: [shown], help });
  }
  return entries.map(({ names, help }) => {
    const head = `  ${names.join(", ")}`;
    const body = wrap(help.split(/\s+/), textColumn);
    return head.length < textColumn - 1 ? head.padEnd(textColumn) + body.trimStart() : `${head}\n${body}`;
  }).join("\n");
}

function describeDefault({ schema }: Option): string {
  const { data } = schema.safeParse(undefined);
  return data === undefined || data === false ? "" : `; default: ${data}`;
}

/** Joins words to lines that begin in the same column, except for the first. */
function wrap([first = "", ...words]: string[], column: number, firstColumn = column): string {
  const lines = [" ".repeat(firstColumn) + first];
  for (const word of words) {
    const last = lines.at(-1)!;
    if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(" ".repeat(column) + word);
  }
  return lines.join("\n");
}

/** The commands by their words, in the order of the help. One without a second word has an empty one. */
const byNoun: Record<string, Record<string, Command>> = {
  account: accountCommands,
  coach: coachCommands,
  expert: expertCommands,
  question: questionCommands,
  answer: answerCommands,
  source: sourceCommands,
  test: testCommands,
  thread: threadCommands,
  key: keyCommands,
  budget: budgetCommands,
  issuer: issuerCommands,
  webhook: webhookCommands,
  price: priceCommands,
  usage: { "": showUsage },
  reindex: reindexCommands,
  user: userCommands,
};

/** All commands, by the words that they begin with. */
export const commands: Record<string, Command> = Object.fromEntries(
  Object.entries(byNoun).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, command]) => [`${noun} ${verb}`.trim(), command])
  ),
);

/** The commands of a noun that has several. */
const commandsOf = (noun: string): [words: string, Command][] =>
  Object.entries(commands).filter(([words]) => words.startsWith(`${noun} `));
