import * as z from "zod/mini";
import { isStorableText } from "../storable_text.ts";

const coachId = z.string("coachId is required").check(
  z.refine((text) => text.trim() !== "", "coachId is required"),
  z.refine(isStorableText, "coachId must not contain NUL characters"),
);

/** Query of `POST /knowledge-handler` and `DELETE /knowledge-handler/{fileId}`. */
export const CoachQuery = z.object({ coachId });

/** Query of `GET /knowledge-handler`. */
export const SearchQuery = z.pipe(
  z.object({
    coachId,
    search: z.optional(z.string().check(z.refine(isStorableText, "search must not contain NUL characters"))),
    category: z.optional(z.enum(["documents", "images", "videos"], "category must be documents, images or videos")),
    page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,8}$/, "page must be a whole number from 1"))),
    limit: z.optional(z.string().check(z.regex(/^(?:[1-9]\d?|100)$/, "limit must be a whole number from 1 to 100"))),
  }),
  z.transform(({ coachId, search, category, page, limit }) => ({
    coachId,
    search: search?.trim() || null,
    category: category ?? null,
    page: Number(page ?? 1),
    limit: Number(limit ?? 20),
  })),
);
export type SearchQuery = z.infer<typeof SearchQuery>;

/** Reply of the SQL function `begin_upload`. */
export const BeginUploadReply = z.union([
  z.object({ error: z.enum(["coach_not_found", "not_the_coach"]) }),
  z.object({ upload_id: z.string() }),
]);

/** Reply of the SQL function `delete_knowledge_file`. */
export const DeleteFileReply = z.union([
  z.object({ error: z.enum(["coach_not_found", "not_the_coach", "file_not_found"]) }),
  z.object({ storage_path: z.string() }),
]);

/** A knowledge file, as the interface shows it. */
export const KnowledgeFile = z.object({
  fileId: z.string(),
  filename: z.string(),
  size: z.number(),
  contentType: z.string(),
  uploadedAt: z.string(),
  category: z.enum(["documents", "images", "videos"]),
});
export type KnowledgeFile = z.infer<typeof KnowledgeFile>;

/** Reply of the SQL function `end_upload`; null when the upload was given up. */
export const EndUploadReply = z.nullable(
  z.union([z.object({ error: z.literal("key_reused") }), z.array(KnowledgeFile)]),
);
