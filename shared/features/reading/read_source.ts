import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineOperation } from "../../core/operation.ts";
import { readReply } from "../../infra/db/database.ts";
import { fileColumns } from "../knowledge/fields.ts";
import { ofReaders, scope } from "./fields.ts";
import { FileOutline, FileSection } from "./get_file.ts";
import { passageFields, PassageInContext, readPassage } from "./get_passage.ts";

const { file_id, filename, content_type, source_url, fetched_at, ...context } = PassageInContext.shape;

const SourceForModels = z.object({
  file_id,
  filename,
  content_type,
  ...z.partial(z.object(context)).shape,
  source_url,
  fetched_at,
  passages: z.optional(FileOutline.shape.passages),
  sections: z.optional(FileOutline.shape.sections),
});

const Sections = z.pipe(
  z.object({
    fileId: z.string(),
    filename: z.string(),
    contentType: z.string(),
    source_url: z.nullable(z.string()),
    fetched_at: z.nullable(z.string()),
    passages: z.int(),
    sections: z.array(FileSection),
  }),
  z.transform(({ fileId, contentType, ...file }) => ({ file_id: fileId, content_type: contentType, ...file })),
);

/**
 * A source of an answer, for models, who have one tool for it: a passage among its neighbors or, if none is named, the
 * sections of the file. It has no address of its own.
 */
export const operation = defineOperation({
  name: "readSource",
  scope,
  failure: "Failed to read source",
  errors: () => [...ofReaders(), errors.passageGone()],
  input: z.object({ ...passageFields, passageId: z.optional(passageFields.passageId) }),
  output: SourceForModels,
  async verb({ database }, { passageId, ...source }): Promise<z.infer<typeof SourceForModels>> {
    if (passageId !== undefined) return await readPassage(database, { ...source, passageId });
    const reply = await database.callForBytes("get_knowledge_file", { ...fileColumns(source), is_outlined: true });
    return readReply("get_knowledge_file", Sections, reply);
  },
});
