import * as z from "zod/mini";

/**
 * The field `include`: names of what a reply shows only when it is asked for, comma separated. Parsed, it is a list of
 * these names.
 */
export function includeField<const Name extends string>(names: readonly Name[], description: string) {
  const isName = (text: string): text is Name => (names as readonly string[]).includes(text);
  const error = `include must be ${names.join(", ")} or several of them, comma separated, each at most once`;
  const list = z.string(error).check(z.refine((text) => {
    const asked = text.split(",");
    return asked.every(isName) && new Set(asked).size === asked.length;
  }, error));
  return z.optional(z.pipe(list, z.transform((text) => text.split(",").filter(isName)))).check(z.describe(description));
}
