import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { isStorableText } from "../../libs/base/text.ts";
import { requireNamedUser } from "../../core/wire/ids.ts";
import { listOf, requiredId } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { Coach, coachPageColumns, coachPageFields } from "../coaches/fields.ts";
import { role } from "./fields.ts";

/** A coach whose expert the user is. */
export const OwnCoach = z.object({
  ...Coach.shape,
  role,
  is_active: z.boolean().check(z.describe("Whether the coach answers; one that was never published does not")),
});

export const OwnCoachList = listOf(OwnCoach, "coaches", "By name");

/** The coaches whose expert a user is, inactive ones too. A signed-in user may say `me`, and ask for nobody else's. */
export const operation = defineEndpoint({
  name: "listOwnCoaches",
  method: "GET",
  path: "/users/:userId/coaches",
  pathWithoutParameter: "/users/coaches",
  scope: "expert",
  failure: "Failed to fetch coaches",
  errors: () => [errors.userMismatch()],
  input: z.object({
    userId: requiredId("userId", "The expert: the ID in the access token, or `me`; for a server, any user"),
    ...coachPageFields,
  }),
  output: OwnCoachList,
  async verb({ database, userId, services: { picturesUrl } }, { userId: asked, ...page }) {
    const expertId = requireNamedUser(asked, userId);
    return await database.callForBytes("list_own_coaches", {
      // No expert has an ID that Postgres cannot store.
      user_id: isStorableText(expertId) ? expertId : "",
      ...coachPageColumns(page),
      pictures_url: picturesUrl,
    });
  },
});
