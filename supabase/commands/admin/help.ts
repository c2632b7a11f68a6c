import type { Command, Option } from "./command.ts";
import { commands, commandsOf } from "./commands.ts";
import { coachFileHelp } from "./read_coach_file.ts";

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

const ownOptions: [name: string, option: Pick<Option, "value" | "help">][] = [
  ["json", { value: "", help: "print the result as one JSON value, and nothing else on stdout" }],
];

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
  for (const [name, option] of [...Object.entries(options), ...ownOptions]) {
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
