/** The fields of a value of which nothing is known yet; no fields where it is not an object. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

/** Reads a text as JSON; undefined where it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
