import * as z from "zod/mini";
import type { SheetRow } from "./read_answer_sheet.ts";

/** What a pinned answer says. */
export type PinnedText = { question: string; variants: string[]; answer: string; is_active: boolean };

/** What is pinned of the rows of a sheet, as SQL `compare_pinned_answers` replies, in their order. */
export const FoundRows = z.array(z.object({
  owners: z.array(z.nullable(z.string())),
  pinned: z.nullable(z.object({
    id: z.string(),
    version: z.int(),
    question: z.string(),
    variants: z.array(z.string()),
    answer: z.string(),
    is_active: z.boolean(),
    is_variant: z.boolean(),
    keys: z.array(z.string()),
  })),
}));
/** The same, with the keys of the questions and variants of each row. */
export type FoundRows = (z.infer<typeof FoundRows>[number] & { keys: (string | null)[] })[];

/** What becomes of a row of a sheet. */
export type RowOutcome = {
  row: number;
  status: "added" | "changed" | "unchanged" | "refused";
  /** The pinned answer that has the question; null: a new one. */
  id: string | null;
  version: number | null;
  /** What it will say; of a row that is refused, what it would. */
  text: PinnedText;
  /** What it says now. */
  previous: PinnedText | null;
  /** The row before it that has the same question, or has the variant that is in the way. */
  earlierRow: number | null;
  variant: string | null;
};

/** A pinned answer, or one that a row adds, as the rows so far leave it. */
type Pinned = {
  id: string | null;
  version: number | null;
  text: PinnedText | null;
  /** The first row that has its question. */
  row: number | null;
  /** The key of its question, and of everything that it is asked by. */
  questionKey: string | null;
  keys: (string | null)[];
};

/**
 * Tells what becomes of the rows of a sheet, one after the other, each after those before it. What a row does not say
 * stays as it is. If its question is a variant of a pinned answer, the row changes its answer and `is_active` alone.
 */
export function compareRows(rows: SheetRow[], found: FoundRows): RowOutcome[] {
  const [byId, byKey] = [new Map<string, Pinned>(), new Map<string, Pinned | null>()];
  for (const { keys: [key], pinned } of found) {
    if (pinned === null) continue;
    const { id, version, is_variant, keys, question, variants, answer, is_active } = pinned;
    const text = { question, variants, answer, is_active };
    // Another row may have asked by one of its variants.
    const questionKey = is_variant ? byId.get(id)?.questionKey ?? null : key!;
    byId.set(id, { id, version, text, row: null, questionKey, keys });
  }
  const ownerOf = (key: string | null, id: string | null): Pinned | null => {
    const known = key === null ? null : byKey.get(key);
    if (known !== undefined || id === null) return known ?? null;
    const owner = byId.get(id) ?? { id, version: null, text: null, row: null, questionKey: null, keys: [] };
    byId.set(id, owner);
    return owner;
  };

  return rows.map(({ row, question, variants, answer, is_active }, index) => {
    const { keys, owners } = found[index]!;
    const same = ownerOf(keys[0]!, owners[0]!);
    const before = same?.text ?? { question, variants: [], answer, is_active: true };
    const isOfVariant = same !== null && same.questionKey !== keys[0];
    const text = {
      question: isOfVariant ? before.question : question,
      variants: isOfVariant ? before.variants : variants ?? before.variants,
      answer,
      is_active: is_active ?? before.is_active,
    };
    const { id = null, version = null, row: earlierRow = null } = same ?? {};
    const outcome = { row, id, version, text, previous: same?.text ?? null, earlierRow, variant: null };
    if (same !== null) same.row ??= row;
    if (same !== null && JSON.stringify(text) === JSON.stringify(same.text)) return { ...outcome, status: "unchanged" };
    if (earlierRow !== null) return { ...outcome, status: "refused" };
    const wanted = text.variants === variants ? variants.map((_, place) => place + 1) : [];
    const taken = wanted.find((place) => (ownerOf(keys[place]!, owners[place]!) ?? same) !== same);
    if (taken !== undefined) {
      const owner = ownerOf(keys[taken]!, owners[taken]!)!;
      return { ...outcome, status: "refused", earlierRow: owner.row, variant: variants![taken - 1]! };
    }
    const stored: Pinned = same ?? { id, version, text, row, questionKey: keys[0]!, keys: [] };
    for (const key of text.variants === variants ? stored.keys : []) if (key !== null) byKey.set(key, null);
    stored.text = text;
    stored.keys = text.variants === variants ? keys : [...stored.keys, keys[0]!];
    for (const key of stored.keys) if (key !== null) byKey.set(key, stored);
    return { ...outcome, status: same === null ? "added" : "changed" };
  });
}
