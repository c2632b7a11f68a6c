/** Parts of the standard library that only the commands use, with their types: the package `deno-std` declares none. */
import { debounce as untypedDebounce } from "deno-std/async/debounce.js";
import { test } from "deno-std/front_matter/test.js";
import { extract } from "deno-std/front_matter/yaml.js";
import { TextLineStream as UntypedTextLineStream } from "deno-std/streams/mod.js";
import { parse, stringify } from "deno-std/toml/mod.js";

/** Returns a function that calls another once its calls have paused for some milliseconds. */
export const debounce: <Args extends unknown[]>(
  call: (...args: Args) => void,
  milliseconds: number,
) => ((...args: Args) => void) & { clear(): void; flush(): void; readonly pending: boolean } = untypedDebounce;

/** Returns whether a text begins with front matter in YAML. */
export const hasYamlFrontMatter = (text: string): boolean => test(text, ["yaml"]);

/** Reads the YAML front matter of a text. @throws {Error} if there is none, or it is not YAML */
export const readFrontMatter: (text: string) => { frontMatter: string; body: string; attrs: unknown } = extract;

/** Splits a stream of text into lines. */
export const TextLineStream: new () => TransformStream<string, string> = UntypedTextLineStream;

/** Parses TOML. @throws {SyntaxError} when it is not TOML */
export const parseToml: (toml: string) => Record<string, unknown> = parse;

/** Writes an object as TOML. */
export const stringifyToml: (object: Record<string, unknown>) => string = stringify;
