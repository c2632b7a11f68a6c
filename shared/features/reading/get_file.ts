import * as z from "zod/mini";
import { Count } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { fileColumns, heading, page, passageId, position, reading, StoredFile } from "../knowledge/fields.ts";
import { coachId, fileId, ofReaders, scope } from "./fields.ts";

/** A part of a file: passages in a row under one heading, or on one page where there are no headings. */
export const FileSection = z.object({
  heading,
  page,
  passage_id: passageId.check(z.describe("The first passage of the section")),
  position,
  passages: Count.check(z.describe("The number of its passages")),
  ...reading,
});

export const FileOutline = z.object({
  ...StoredFile.shape,
  passages: Count.check(z.describe("The number of passages of the file")),
  sections: z.array(FileSection).check(z.describe("In the order of the file; at most 1,000")),
});

/** A file with its sections. */
export const operation = defineEndpoint({
  name: "getFile",
  method: "GET",
  path: "/knowledge-handler/:fileId",
  scope,
  failure: "Failed to read file",
  errors: ofReaders,
  input: z.object({ coachId, fileId }),
  output: FileOutline,
  verb: ({ database }, file) =>
    database.callForBytes("get_knowledge_file", { ...fileColumns(file), is_outlined: true }),
});
