import type { Schemas } from "../desk.ts";

/** The draft of a persona, as the service returns it. */
export type Draft = Schemas["PersonaDraft"];
/** A published version of a persona. */
export type Version = Schemas["PersonaVersion"];

/** The fields of a persona that an expert writes, in the order in which they are shown. */
export type PersonaFields = Pick<
  Draft,
  "name" | "title" | "greeting" | "starters" | "instructions" | "no_answer" | "takeover_notice" | "language"
>;
export type FieldName = keyof PersonaFields;

/** The names of the fields, in the order in which they are shown. */
export const fieldNames: readonly FieldName[] = [
  "name",
  "title",
  "greeting",
  "starters",
  "instructions",
  "no_answer",
  "takeover_notice",
  "language",
];

/** The largest number of characters of each text that has a limit, of one starter, and the number of starters. */
export const limits = {
  name: 200,
  title: 200,
  greeting: 2_000,
  starter: 200,
  starters: 6,
  instructions: 100_000,
  no_answer: 1_000,
  takeover_notice: 1_000,
} as const;

/** The fields that a persona cannot do without. */
export const requiredFields: readonly FieldName[] = ["name", "title", "instructions"];

/** Picks the fields out of a draft or a version. */
export function fieldsOf(from: PersonaFields): PersonaFields {
  const { name, title, greeting, starters, instructions, no_answer, takeover_notice, language } = from;
  return { name, title, greeting, starters, instructions, no_answer, takeover_notice, language };
}

/** Returns the value of a field as it is stored: without blanks around it, and null if nothing is left of a sentence. */
export function storedValue<Name extends FieldName>(name: Name, value: PersonaFields[Name]): PersonaFields[Name] {
  if (Array.isArray(value)) {
    return value.map((text) => text.trim()).filter((text) => text !== "") as PersonaFields[Name];
  }
  const text = String(value ?? "").trim();
  const isOptional = name === "greeting" || name === "no_answer" || name === "takeover_notice";
  return (isOptional && text === "" ? null : text) as PersonaFields[Name];
}

/** Returns true if two values of a field are stored alike. */
export function isSame<Name extends FieldName>(
  name: Name,
  one: PersonaFields[Name],
  other: PersonaFields[Name],
): boolean {
  return JSON.stringify(storedValue(name, one)) === JSON.stringify(storedValue(name, other));
}

/** The names of the fields in which two personas differ. */
export function differences(one: PersonaFields, other: PersonaFields): FieldName[] {
  return fieldNames.filter((name) => !isSame(name, one[name], other[name]));
}
