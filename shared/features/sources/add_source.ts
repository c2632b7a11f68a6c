import * as z from "zod/mini";
import { defineEndpoint } from "../../http/endpoint.ts";
import {
  coachId,
  described,
  KnowledgeSource,
  maxPages,
  ofWriters,
  pageLimit,
  readAddress,
  refreshField,
  sourceKinds,
} from "./fields.ts";

const urlError =
  "url must be an address that begins with https:// or http://, without a user, at most 2,000 characters";

const urlField = z.string({ error: ({ input }) => input === undefined ? "url is required" : "url must be a string" })
  .check(
    z.refine((text) => readAddress(text) !== null, urlError),
    z.meta({ format: "uri", maxLength: 2_000, description: "The address of the page, site or feed" }),
  );

/** Adds a source to a coach, or returns the one with the same address, unchanged. It is read after the reply. */
export const operation = defineEndpoint({
  name: "addSource",
  method: "POST",
  path: "/knowledge-handler/sources",
  query: ["coachId"],
  body: "application/json",
  scope: "knowledge:write",
  failure: "Failed to add the source",
  // The same address is not added again.
  isRepeatable: true,
  errors: ofWriters,
  input: z.object({
    coachId,
    url: urlField,
    kind: z.enum(sourceKinds, "kind must be page, site or feed").check(
      z.describe(
        "`page`: this address alone; `site`: all pages below it, from the sitemap or by following links; `feed`: the " +
          "pages of the entries of an RSS, Atom or JSON feed",
      ),
    ),
    refresh: refreshField.check(z.describe(described.refresh)),
    limit: z.optional(pageLimit).check(z.describe(`${described.limit}; ${maxPages} if left out`)),
  }),
  output: KnowledgeSource,
  async verb({ services, database, userId, requestId, log }, { coachId, url, kind, refresh, limit }) {
    const source = await database.callForBytes("save_source", {
      user_id: userId,
      coach_id: coachId,
      source_id: null,
      fields: { url: readAddress(url) ?? url, kind, refresh, page_limit: limit ?? maxPages, request_id: requestId },
    });
    services.waitUntil(services.wakeFetcher(log));
    return source;
  },
});
