import type { TestCase } from "../../shared/features/coach_tests/test_case.ts";
import { createRandom } from "../bench/random.ts";

/** Pieces of texts that CSV, spreadsheets, promptfoo or JSON could take for something else. */
const pieces = [
  ...["bread", "ü", "🍞", "x", "1"],
  ...[" ", "  ", "\n", "\r", "\r\n", "\t", "\u00a0", "\u200b", "\ufeff", "\u2028"],
  ...['"', '""', "'", "\\", "\\\\", ",", ";", "\\,", ":", "|", "/"],
  ...["=", "+", "-", "@", "＝", "=1+1", "-2", "@SUM(A1)", "sep=;"],
  ...["{", "}", "{{", "}}", "{%", "%}", "{#", "#}", "{{'='}}", "{{ x }}", "{% raw %}", "{{'"],
  ...[
    "file://",
    "FILE://a.js",
    "javascript:",
    "not-python(1): ",
    "fn:",
    "package:",
    "contains:",
    "not-",
    "llm-rubric:",
  ],
];

/** Invents tests with hostile texts, the same for the same seed. */
export function inventTests(count: number, seed: number): TestCase[] {
  const random = createRandom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const text = (): string => {
    const invented = Array.from({ length: 1 + below(7) }, () => pieces[below(pieces.length)]).join("");
    return invented.trim() === "" ? text() : invented;
  };
  const texts = () => Array.from({ length: 1 + below(4) }, text);
  const maybe = <Name extends string, Value>(name: Name, value: () => Value) =>
    (random() < 0.5 ? { [name]: value() } : {}) as { [Key in Name]?: Value };
  return Array.from({ length: count }, () => ({
    question: text(),
    ...maybe("history", () => [
      { role: "user" as const, content: text() },
      { role: "assistant" as const, content: text() },
    ]),
    expect: {
      ...maybe("outcome", () => (["answered", "not_known", "pinned"] as const)[below(3)]!),
      ...maybe("contains", texts),
      ...maybe("contains_any", texts),
      ...maybe("icontains", texts),
      ...maybe("not_contains", texts),
      ...maybe("sources", () => ({ all: texts(), ...maybe("any", texts) })),
      ...maybe("rubric", text),
    },
    ...maybe("reference", text),
  }));
}
