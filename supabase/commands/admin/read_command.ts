import { parseArgs, type ParseArgsConfig } from "node:util";
import { z } from "zod";
import { errorMessage, refuse } from "../command_error.ts";
import type { Command } from "./command.ts";
import { commands, commandsOf } from "./commands.ts";
import { helpOf, helpOfAll } from "./help.ts";
import { showHarmlessly } from "./terminal_text.ts";

/** A command with its input. */
export type CommandCall = { command: Command; input: Record<string, unknown>; isJson: boolean };

/** The text that `--help` shows. */
export type HelpCall = { help: string };

type Options = NonNullable<ParseArgsConfig["options"]>;

const ownOptions: Options = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } };

/**
 * Reads the command line.
 *
 * @throws {CommandError} that explains what is wrong with it.
 */
export function readCommand(args: string[]): CommandCall | HelpCall {
  const everyOption = Object.assign({}, ownOptions, ...Object.values(commands).map(optionsOf));
  const rough = parseArgs({ args, options: everyOption, allowPositionals: true, strict: false });
  const [first = "", second = ""] = rough.positionals;
  const words = Object.hasOwn(commands, first) ? first : `${first} ${second}`;
  const isGroup = first !== "" && commandsOf(first).length > 0;
  if (rough.values.help) {
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
