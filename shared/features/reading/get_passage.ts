import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { Count, requiredId, wholeNumber } from "../../core/wire/fields.ts";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { fileColumns, FoundFile, heading, page, passageId, position, reading } from "../knowledge/fields.ts";
import { coachId, fileId, type NamedFile, ofReaders, scope } from "./fields.ts";

const passage = { passage_id: passageId, position, page, heading, ...reading, content: z.string() };

/** A passage of a file, as it is read. */
export const ReadPassage = z.object({
  ...passage,
  repeats: Count.check(z.describe(
    "The number of characters (UTF-16 code units) at the beginning of `content` that repeat the end of the passage " +
      "before it. Leave them out when you show both",
  )),
});

const { source_url, fetched_at } = FoundFile.shape;

const file = {
  file_id: z.string(),
  filename: z.string(),
  content_type: z.string().check(z.describe("MIME type of the file")),
  source_url,
  fetched_at,
};

export const PassageInContext = z.object({
  ...file,
  passage: ReadPassage,
  before: z.array(ReadPassage).check(z.describe("The passages before it, in the order of the file")),
  after: z.array(ReadPassage).check(z.describe("The passages after it")),
  has_more_before: z.boolean(),
  has_more_after: z.boolean(),
});

/** The passages around a passage, in the order of the file: one more on each side than is asked for, if there is one. */
const Neighborhood = z.object({
  ...file,
  /** The place of the passage that was asked for. */
  position: z.int(),
  passages: z.array(z.object(passage)),
});

/** The ID of a passage: the MD5 of its text. */
const passagePattern = /^[0-9a-f]{32}$/;

/** A passage, as a client names it, and the numbers of its neighbors. */
export type NamedPassage = NamedFile & { passageId: string; before: number; after: number };

/** A passage of a file among its neighbors. @throws 404 if the caller may not read it, or it is not there any more. */
export async function readPassage(
  database: AccountDatabase,
  { passageId, before, after, ...named }: NamedPassage,
): Promise<z.infer<typeof PassageInContext>> {
  const id = passagePattern.test(passageId) ? passageId : null;
  const { position, passages, ...file } = await database.call(
    "get_passage",
    { ...fileColumns(named), passage_id: id, before, after },
    Neighborhood,
  );
  const shown = passages.map((passage, i) => ({ ...passage, repeats: countRepeated(passages[i - 1], passage) }));
  const place = shown.findIndex((passage) => passage.position === position);
  const first = Math.max(place - before, 0);
  return {
    ...file,
    passage: shown[place]!,
    before: shown.slice(first, place),
    after: shown.slice(place + 1, place + 1 + after),
    has_more_before: first > 0,
    has_more_after: shown.length > place + 1 + after,
  };
}

/** The most neighbors on each side of a passage. */
const mostNeighbors = 20;

function neighbors(name: string, description: string) {
  return z._default(wholeNumber(name, { least: 0, most: mostNeighbors }), 2).check(z.describe(description));
}

/** The fields of the input. */
export const passageFields = {
  coachId,
  fileId,
  passageId: requiredId("passageId", "The passage: `passageId` in the sources of an answer"),
  before: neighbors("before", "The number of passages to add that stand before it in the file"),
  after: neighbors("after", "The number of passages to add that stand after it in the file"),
};

/** A passage of a file among its neighbors. */
export const operation = defineEndpoint({
  name: "getPassage",
  method: "GET",
  path: "/knowledge-handler/:fileId/passages/:passageId",
  scope,
  failure: "Failed to read passage",
  errors: () => [...ofReaders(), errors.passageGone()],
  input: z.object(passageFields),
  output: PassageInContext,
  verb: ({ database }, passage) => readPassage(database, passage),
});

/** Longer than what any passage repeats of the one before: see `createPassageSplitter`. */
const mostRepeated = 1_000;

const boundary = /^[\s\p{P}]/u;
const boundaryAtEnd = /[\s\p{P}]$/u;

/**
 * Counts the characters at the beginning of a passage that repeat the end of the one before. Passages overlap by whole
 * sentences or words; a part of a word that both have in common by chance does not count.
 */
export function countRepeated(
  before: { content: string } | undefined,
  { content }: { content: string },
): number {
  if (before === undefined) return 0;
  for (let length = Math.min(mostRepeated, before.content.length, content.length - 1); length > 0; length--) {
    const text = content.slice(0, length);
    if (!before.content.endsWith(text)) continue;
    const beginsAtWord = length === before.content.length ||
      boundaryAtEnd.test(before.content.slice(0, -length).slice(-2));
    const endsAtWord = boundaryAtEnd.test(text) || boundary.test(content.slice(length, length + 2));
    if (beginsAtWord && endsAtWord) return length;
  }
  return 0;
}
