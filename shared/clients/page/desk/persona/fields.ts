import type { Schemas } from "../desk.ts";
import { t } from "../texts.ts";
import { formatList } from "../format.ts";
import { nameOfLanguage } from "./languages.ts";

/** The draft of a persona, as the service returns it. */
export type Draft = Schemas["PersonaDraft"];
/** A published version of a persona. */
export type Version = Schemas["PersonaVersion"];

/** The fields of a persona that an expert writes: those that the service has in a draft. */
export type PersonaFields = Omit<
  Draft,
  "picture_url" | "version" | "based_on" | "revision" | "saved_at" | "saved_by" | "changes"
>;
export type FieldName = keyof PersonaFields;

type Field = {
  /** Its texts, in the language of now: its name in a list of what has changed, and those of the form. */
  words: () => { changed: string; label: string; hint: string; usual?: string };
  /** The largest number of characters. */
  most?: number;
  /** `needed`: a persona cannot do without; `null`: stored as null if nothing is left of it. */
  empty?: "needed" | "null";
};

/** The fields, in the order in which they are shown. */
export const fields: Record<FieldName, Field> = {
  name: {
    words: () => ({ changed: t.persona.changed.name, label: t.persona.name, hint: t.persona.nameHint }),
    most: 200,
    empty: "needed",
  },
  title: {
    words: () => ({ changed: t.persona.changed.title, label: t.persona.titleField, hint: t.persona.titleHint }),
    most: 200,
    empty: "needed",
  },
  greeting: {
    words: () => ({ changed: t.persona.changed.greeting, label: t.persona.greeting, hint: t.persona.greetingHint }),
    most: 2_000,
    empty: "null",
  },
  starters: {
    words: () => ({ changed: t.persona.changed.starters, label: t.persona.starters, hint: t.persona.startersHint }),
  },
  instructions: {
    words: () => ({
      changed: t.persona.changed.instructions,
      label: t.persona.instructions,
      hint: t.persona.instructionsHint,
    }),
    most: 100_000,
    empty: "needed",
  },
  no_answer: {
    words: () => ({
      changed: t.persona.changed.noAnswer,
      label: t.persona.noAnswer,
      hint: t.persona.noAnswerHint,
      usual: t.persona.noAnswerUsual,
    }),
    most: 1_000,
    empty: "null",
  },
  takeover_notice: {
    words: () => ({
      changed: t.persona.changed.takeoverNotice,
      label: t.persona.takeoverNotice,
      hint: t.persona.takeoverNoticeHint,
      usual: t.persona.takeoverUsual,
    }),
    most: 1_000,
    empty: "null",
  },
  language: {
    words: () => ({ changed: t.persona.changed.language, label: t.persona.language, hint: t.persona.languageHint }),
  },
};

/** The names of the fields, in the order in which they are shown. */
export const fieldNames = Object.keys(fields) as FieldName[];

/** The largest number of characters of a starter, and the number of starters. */
export const limits = { starter: 200, starters: 6 };

/** The fields that a persona cannot do without. */
export const requiredFields = fieldNames.filter((name) => fields[name].empty === "needed");

/** Picks the fields out of a draft or a version. */
export function fieldsOf(from: PersonaFields): PersonaFields {
  return Object.fromEntries(fieldNames.map((name) => [name, from[name]])) as PersonaFields;
}

/** Returns the value of a field as it is stored: without blanks around it, and null if nothing is left of a sentence. */
export function storedValue<Name extends FieldName>(name: Name, value: PersonaFields[Name]): PersonaFields[Name] {
  if (Array.isArray(value)) {
    return value.map((text) => text.trim()).filter((text) => text !== "") as PersonaFields[Name];
  }
  const text = String(value ?? "").trim();
  return (fields[name].empty === "null" && text === "" ? null : text) as PersonaFields[Name];
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

/** The name of a field, as it stands in a list of what has changed. Settings that the desk does not show share one name. */
export function nameOfChange(name: string): string {
  if (name === "picture") return t.persona.changed.picture;
  return name in fields ? fields[name as FieldName].words().changed : t.persona.changed.settings;
}

/** The names of fields in one phrase: "greeting and instructions". */
export function listChanges(names: string[]): string {
  return formatList([...new Set(names.map(nameOfChange))]);
}

/** The value of a field as a text that can be compared. */
export function textOf<Name extends FieldName>(name: Name, value: PersonaFields[Name]): string {
  if (Array.isArray(value)) return value.join("\n");
  return name === "language" ? nameOfLanguage(value as string) : value ?? "";
}
