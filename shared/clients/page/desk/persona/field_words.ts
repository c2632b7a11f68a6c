import { formatList } from "../format.ts";
import { t } from "../texts.ts";
import { type FieldName, fields, type PersonaFields } from "./fields.ts";
import { nameOfLanguage } from "./languages.ts";

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
