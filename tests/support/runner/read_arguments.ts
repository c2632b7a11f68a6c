import { parseArgs } from "node:util";
import type { Level } from "../slow.ts";

/** The arguments of a run of the tests. */
export type Arguments = {
  /** Files and folders; empty: all tests. */
  paths: string[];
  /** Files and folders that are left out. */
  ignored: string[];
  level: Level;
  /** The number of files that run at the same time. */
  lanes: number;
  /** The time limit of a file, in milliseconds. */
  limit: number;
  /** Options for `deno test`. */
  options: string[];
};

/**
 * Reads the arguments of `npm test`.
 *
 * @throws {Error} with a sentence for the person at the terminal.
 */
export function readArguments(args: string[]): Arguments {
  const { values, positionals, tokens } = parseArgs({
    args,
    // Options that are not listed here are those of `deno test`.
    strict: false,
    tokens: true,
    options: {
      all: { type: "boolean" },
      night: { type: "boolean" },
      filter: { type: "string" },
      ignore: { type: "string", multiple: true },
      // One more than there are processors, since files also wait.
      lanes: { type: "string", default: String(navigator.hardwareConcurrency + 1) },
      "time-limit": { type: "string", default: "1200" },
    },
  });
  const own = ["all", "night", "ignore", "lanes", "time-limit"];
  return {
    paths: positionals,
    ignored: [values.ignore ?? []].flat().flatMap((list) => String(list).split(",")),
    level: values.night === true ? "night" : values.all === true ? "all" : "quick",
    lanes: readCount("--lanes", values.lanes),
    limit: readCount("--time-limit", values["time-limit"]) * 1_000,
    options: tokens.filter((token) => token.kind === "option").filter(({ name }) => !own.includes(name))
      .map(({ rawName, value }) => value === undefined ? rawName : `${rawName}=${value}`),
  };
}

function readCount(option: string, value: unknown): number {
  if (!/^[1-9]\d*$/.test(String(value))) throw new Error(`${option} is a whole number from 1, not ${value}`);
  return Number(value);
}
