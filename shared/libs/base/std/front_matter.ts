/** The formats of front matter in the standard library, with their types: the package `deno-std` declares none. */
import { parse as parseTomlTable } from "deno-std/toml/parse.js";
import { parse as parseYamlDocument } from "deno-std/yaml/parse.js";

/** Parses TOML. @throws {Error} if it is none */
export const parseToml: (text: string) => Record<string, unknown> = parseTomlTable;

/** Parses one document of YAML. What is aliased in it is the same object. @throws {Error} if it is none */
export const parseYaml: (text: string) => unknown = parseYamlDocument;
