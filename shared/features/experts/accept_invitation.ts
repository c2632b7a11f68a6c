import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { countCharacters, isStorableText, stripInvisible } from "../../libs/base/text.ts";
import { sha256Hex } from "../../core/auth/digest.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { role, token } from "./fields.ts";
import { firstInstructions, language } from "./first_instructions.ts";

export const AcceptedInvitation = z.object({
  coach_id: z.string(),
  role,
  is_new: z.boolean().check(z.describe("Whether the coach was made for this invitation")),
});

const mostNameCharacters = 200;

/** A line about a coach to come, without white space at its ends. */
function lineField(name: string, description: string) {
  return z.optional(
    z.string(`${name} must be a string`).check(
      z.trim(),
      z.refine(isStorableText, {
        error: `${name} must not contain NUL characters or unpaired surrogates`,
        abort: true,
      }),
      z.refine((text) => stripInvisible(text).trim() !== "", { error: `${name} must not be blank`, abort: true }),
      z.refine(
        (text) => countCharacters(text) <= mostNameCharacters,
        `${name} must be at most ${mostNameCharacters} characters long`,
      ),
      z.meta({ minLength: 1, maxLength: mostNameCharacters }),
    ),
  ).check(z.describe(description));
}

/** Makes the signed-in user an expert. The token cannot be used again. 400 if a coach has to be made and has no name. */
export const operation = defineEndpoint({
  name: "acceptInvitation",
  method: "POST",
  path: "/coaches/invitations/accept",
  body: "application/json",
  scope: "expert",
  failure: "Failed to accept the invitation",
  errors: () => [errors.permanentUserRequired(), errors.invitationNotFound()],
  input: z.object({
    token,
    name: lineField("name", "The full name of the persona, if the invitation is for a new one; otherwise ignored"),
    title: lineField("title", "Its professional title, likewise"),
    language,
  }),
  output: AcceptedInvitation,
  async verb({ database, userId }, { token, name, title, language = "english" }) {
    if (userId === null) throw errors.signInFirst();
    return await database.callForBytes("accept_invitation", {
      user_id: userId,
      digest: sha256Hex(token),
      name: name ?? null,
      title: title ?? null,
      instructions: firstInstructions(language, { name: name ?? "", title }),
      language,
    });
  },
});
