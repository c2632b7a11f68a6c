import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { Timestamp } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofExperts } from "../experts/fields.ts";
import { answerColumns, answerId, contentFields, PinnedAnswer } from "./fields.ts";

export const PinnedAnswerWithVersions = z.object({
  ...PinnedAnswer.shape,
  versions: z.array(z.object({ ...contentFields, written_at: Timestamp })).check(
    z.describe("Its texts, the current version first; at most the newest 100"),
  ),
});

/** A pinned answer with its versions. */
export const operation = defineEndpoint({
  name: "getPinnedAnswer",
  method: "GET",
  path: "/coaches/:coachId/answers/:answerId",
  scope: "expert",
  failure: "Failed to fetch the pinned answer",
  errors: () => [...ofExperts(), errors.pinnedAnswerNotFound()],
  input: z.object({ coachId, answerId }),
  output: PinnedAnswerWithVersions,
  verb: ({ database, userId }, answer) =>
    database.callForBytes("get_pinned_answer", answerColumns({ ...answer, userId })),
});
