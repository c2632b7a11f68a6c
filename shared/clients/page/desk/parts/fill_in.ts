import type { TemplateResult } from "lit";

/** Fills elements in for the placeholders of a text, so that a sentence stays whole for those who translate it. */
export function fillIn(
  text: string,
  values: Record<string, TemplateResult | string>,
): (TemplateResult | string)[] {
  // The names stand at the odd places.
  return text.split(/{(\w+)}/).map((part, place) => place % 2 === 0 ? part : values[part] ?? `{${part}}`);
}
