import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { lineField } from "../coaches/coach_fields.ts";
import { firstInstructions, language } from "./first_instructions.ts";
import { OwnCoach } from "./list_own_coaches.ts";

/** Makes an unpublished coach of the signed-in owner of another one, where account and key allow it. */
export const operation = defineEndpoint({
  name: "createCoach",
  method: "POST",
  path: "/coaches",
  body: "application/json",
  scope: "expert",
  failure: "Failed to create the coach",
  errors: () => [errors.mayNotCreate(), errors.tooManyCoaches()],
  input: z.object({ name: lineField("name", 200).check(z.describe("The name of the coach")), language }),
  output: OwnCoach,
  async verb({ database, userId, services: { picturesUrl } }, { name, language = "english" }) {
    if (userId === null) throw errors.signInFirst();
    return await database.callForBytes("make_own_coach", {
      user_id: userId,
      name,
      instructions: firstInstructions(language, { name }),
      language,
      pictures_url: picturesUrl,
    });
  },
  reply: (c, coach) => c.body(coach, 201, { "Content-Type": "application/json" }),
});
