// Imported before openai, which has zod as an optional peer. Where zod is resolved after openai and without a lock file,
// and none is deployed, Deno looks for openai in a folder that it has not made. This is the smallest part of zod that can
// be imported.
import "zod/v4/locales/en.js";

/** The official client. */
export { default as OpenAI } from "openai";
