import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { uuidOrNull } from "../../core/wire/ids.ts";
import { isStorableText } from "../../libs/base/text.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, contradictionId } from "./fields.ts";

export const SettledContradiction = z.object({
  message: z.literal("Contradiction settled successfully"),
  contradictionId: z.string(),
});

const countsError = "counts must be the passage_id of one of the two passages, or null";

/** Settles a contradiction for good: answers draw on one passage instead of the other, or on none of it. */
export const operation = defineEndpoint({
  name: "settleContradiction",
  method: "POST",
  path: "/knowledge-handler/contradictions/:contradictionId/settle",
  query: ["coachId"],
  body: "application/json",
  scope: "knowledge:write",
  failure: "Failed to settle the contradiction",
  isRepeatable: true,
  errors: () => [
    errors.coachNotFound(),
    errors.notTheCoach(),
    errors.contradictionNotFound(),
    errors.passageNotFound(),
  ],
  input: z.object({
    coachId,
    contradictionId,
    counts: z.nullable(z.string(countsError).check(z.refine(isStorableText, countsError))).check(
      z.describe("`passage_id` of the passage that counts: the other one is barred from answers. Null: both stay"),
    ),
    ends_file: z.nullish(z.boolean("ends_file must be true or false")).check(
      z.describe(
        "True: instead of barring the passage, the `valid_until` of the other file is set to yesterday (UTC), so that " +
          "no answer draws on the file any more",
      ),
    ),
  }).check(z.refine(({ counts, ends_file }) => counts !== null || ends_file !== true, "ends_file requires counts")),
  output: SettledContradiction,
  async verb(
    { database, userId },
    { coachId, contradictionId, counts, ends_file },
  ): Promise<z.infer<typeof SettledContradiction>> {
    await database.callForBytes("settle_contradiction", {
      user_id: userId,
      coach_id: coachId,
      contradiction_id: uuidOrNull(contradictionId),
      counts,
      ends_file: ends_file ?? false,
    });
    return { message: "Contradiction settled successfully", contradictionId };
  },
});
