import * as z from "zod/mini";
import { requireSelf } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { ofUsers, storedUserMail, tellsUsers, userId, UserMail } from "./fields.ts";

/** The address at which the signed-in user is told of answers of the expert. */
export const operation = defineEndpoint({
  name: "getUserMail",
  method: "GET",
  path: "/users/:userId/mail",
  pathWithoutParameter: "/users/mail",
  scope: "threads:write",
  failure: "Failed to fetch the email address",
  errors: ofUsers,
  input: z.object({ userId }),
  output: UserMail,
  async verb({ database, userId: signedIn, services }, { userId }) {
    const columns = { user_id: requireSelf(userId, signedIn) };
    const stored = await database.call("save_user_mail", columns, storedUserMail);
    return { ...stored, is_available: tellsUsers(services) };
  },
});
