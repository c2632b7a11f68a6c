import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requireSelf } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { addressField, languageField, ofUsers, storedUserMail, tellsUsers, userId, UserMail } from "./fields.ts";

/** Stores the address of the signed-in user, and has a mail with a link sent to it, unless it is confirmed already. */
export const operation = defineEndpoint({
  name: "saveUserMail",
  method: "PUT",
  path: "/users/:userId/mail",
  pathWithoutParameter: "/users/mail",
  body: "application/json",
  scope: "threads:write",
  failure: "Failed to save the email address",
  errors: () => [...ofUsers(), errors.mailNotAvailable(), errors.tooManyMails()],
  input: z.object({ userId, email: addressField, language: languageField }),
  output: UserMail,
  async verb({ database, userId: signedIn, services, log }, { userId, email, language }) {
    const columns = { user_id: requireSelf(userId, signedIn), changes: { email, language } };
    if (!tellsUsers(services)) {
      await database.admit();
      throw errors.mailNotAvailable();
    }
    // A new address is not confirmed.
    const stored = await database.call("save_user_mail", columns, storedUserMail);
    if (!stored.is_confirmed) services.waitUntil(services.wakeMailer(log));
    return { ...stored, is_available: true };
  },
});
