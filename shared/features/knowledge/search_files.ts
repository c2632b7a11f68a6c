import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { isStorableText } from "../../libs/base/text.ts";
import { Count, wholeNumber } from "../../core/wire/fields.ts";
import { PageSize } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { embedQuery } from "./embed_query.ts";
import { coachId, FoundFile } from "./fields.ts";
import { fileCategories } from "./file_types.ts";

export const FileList = z.object({
  data: z.array(FoundFile).check(z.describe("Best match first; newest first without a search")),
  count: Count.check(z.describe("The number of files on this page")),
  total: Count.check(z.describe("The number of files on all pages; with a search, at most 1,000")),
  page: z.int().check(z.gte(1)),
  limit: z.int().check(z.gte(1)),
});

/** The files of a coach: best match first, without a search newest first. */
export const operation = defineEndpoint({
  name: "searchFiles",
  method: "GET",
  path: "/knowledge-handler",
  scope: "knowledge:read",
  failure: "Failed to search files",
  errors: () => [errors.coachNotFound()],
  input: z.object({
    coachId,
    search: z.optional(
      z.string("search must be a string").check(z.refine(isStorableText, "search must not contain NUL characters")),
    ).check(z.describe("Words to look for in names and content. Any of them may match; the best match comes first")),
    category: z.optional(z.enum(fileCategories, "category must be documents, images or videos")).check(
      z.describe("Only files of this category"),
    ),
    page: z._default(
      wholeNumber("page", { least: 1, most: 999_999_999, error: "page must be a whole number, 1 or higher" }),
      1,
    )
      .check(z.describe("The number of the page, starting with 1")),
    include: z.optional(z.literal("quotes", "include must be quotes")).check(
      z.describe("`quotes`: with the number of answers of the last 30 days that draw on each file"),
    ),
    limit: z._default(PageSize, 20).check(z.describe("The number of files on a page")),
  }),
  output: FileList,
  async verb(ctx, { coachId, category, page, limit, include, ...query }) {
    const search = query.search?.trim() || null;
    const find = (queryVector: string | null) =>
      ctx.database.callForBytes("search_knowledge", {
        coach_id: coachId,
        search,
        category: category ?? null,
        page,
        page_size: limit,
        query_vector: queryVector,
        with_quotes: include === "quotes",
      });
    // For visitors of a page, no embedding is paid for, because only the coach may search there.
    const isRefusedFirst = search !== null && ctx.services.embedder !== null && ctx.admission.isPublishable;
    if (isRefusedFirst) await find(null);
    return await find(search === null ? null : await embedQuery(ctx, search, { coachId, userId: ctx.userId }));
  },
});
