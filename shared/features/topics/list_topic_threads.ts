import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { coachColumns, uuidPattern } from "../../core/wire/ids.ts";
import { pageColumns, pageFields, PageSize, uuidKey } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { ConversationList } from "../conversations/list_conversations.ts";
import { coachId, ofExperts } from "../experts/fields.ts";
import { periodColumns, periodFields } from "./fields.ts";

/** The conversations of a topic, newest first. */
export const operation = defineEndpoint({
  name: "listTopicThreads",
  method: "GET",
  path: "/coaches/:coachId/topics/:topicId/threads",
  scope: "expert",
  failure: "Failed to fetch the conversations of the topic",
  errors: () => [...ofExperts(), errors.topicNotFound()],
  // Always a page, because a topic may have any number of conversations.
  input: z.object({
    coachId,
    topicId: requiredId("topicId", "The topic: `id` in the list"),
    ...periodFields,
    cursor: pageFields(uuidKey).cursor.check(z.describe("`next_cursor` of the previous page")),
    limit: z._default(PageSize, 20).check(z.describe("The maximum number of threads on a page")),
  }),
  output: ConversationList,
  async verb({ database, userId }, { coachId, topicId, from, to, time_zone, ...page }) {
    if (!uuidPattern.test(topicId)) throw errors.topicNotFound();
    return await database.callForBytes("list_topic_threads", {
      ...coachColumns({ coachId, userId }),
      topic_id: topicId,
      ...periodColumns({ from, to, time_zone }),
      ...pageColumns(page),
    });
  },
});
