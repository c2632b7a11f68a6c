import * as z from "zod/mini";
import { Count, Timestamp } from "../../core/wire/fields.ts";
import { FoundFile } from "../knowledge/replies.ts";

const { score: _score, snippet: _snippet, ...file } = FoundFile.shape;

const { source_url, fetched_at } = file;

const page = z.nullable(z.int()).check(z.describe("The page it begins on, if the file has pages"));
const heading = z.nullable(z.string()).check(z.describe("The heading above it, if there is one"));
const passageId = z.string().check(z.describe("The ID of the passage: the same as long as its text is the same"));
const position = Count.check(z.describe("The place of the passage within the file, starting with 0"));

/** A part of a file: passages in a row under one heading, or on one page where there are no headings. */
export const FileSection = z.object({
  heading,
  page,
  passage_id: passageId.check(z.describe("The first passage of the section")),
  position,
  passages: Count.check(z.describe("The number of its passages")),
});

/** Reply of `GET /knowledge-handler/{fileId}`: a file with its sections. */
export const FileOutline = z.object({
  ...file,
  passages: Count.check(z.describe("The number of passages of the file")),
  sections: z.array(FileSection).check(z.describe("In the order of the file; at most 1,000")),
});

/** Reply of `GET /knowledge-handler/{fileId}/content`: the address of the original. */
export const OriginalAddress = z.object({
  url: z.string().check(z.describe("Opens the original, without a key, until `expires_at`")),
  expires_at: Timestamp,
});
export type OriginalAddress = z.infer<typeof OriginalAddress>;

/** A passage of a file, as it is read. */
export const ReadPassage = z.object({
  passage_id: passageId,
  position,
  page,
  heading,
  content: z.string(),
  repeats: Count.check(z.describe(
    "The number of characters (UTF-16 code units) at the beginning of `content` that repeat the end of the passage " +
      "before it. Leave them out when you show both",
  )),
});
export type ReadPassage = z.infer<typeof ReadPassage>;

/** Reply of `GET /knowledge-handler/{fileId}/passages/{passageId}`: a passage among its neighbors. */
export const PassageInContext = z.object({
  file_id: z.string(),
  filename: z.string(),
  content_type: z.string().check(z.describe("MIME type of the file")),
  source_url,
  fetched_at,
  passage: ReadPassage,
  before: z.array(ReadPassage).check(z.describe("The passages before it, in the order of the file")),
  after: z.array(ReadPassage).check(z.describe("The passages after it")),
  has_more_before: z.boolean(),
  has_more_after: z.boolean(),
});
export type PassageInContext = z.infer<typeof PassageInContext>;

const { file_id, filename, content_type, ...context } = PassageInContext.shape;

/** A passage among its neighbors or, if none was asked for, the sections of the file. */
export const SourceForModels = z.object({
  file_id,
  filename,
  content_type,
  ...z.partial(z.object(context)).shape,
  source_url,
  fetched_at,
  passages: z.optional(FileOutline.shape.passages),
  sections: z.optional(FileOutline.shape.sections),
});
export type SourceForModels = z.infer<typeof SourceForModels>;
