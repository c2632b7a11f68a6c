/** Replaces the placeholders of a text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/{(\w+)}/g, (whole, name) => String(values[name] ?? whole));
}
