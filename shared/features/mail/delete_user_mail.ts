import * as z from "zod/mini";
import { requireSelf } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { ofUsers, storedUserMail, userId } from "./fields.ts";

export const DeletedUserMail = z.object({ message: z.string(), userId: z.string() });

/** Deletes the address of the signed-in user. */
export const operation = defineEndpoint({
  name: "deleteUserMail",
  method: "DELETE",
  path: "/users/:userId/mail",
  pathWithoutParameter: "/users/mail",
  scope: "threads:write",
  failure: "Failed to delete the email address",
  isRepeatable: true,
  errors: ofUsers,
  input: z.object({ userId }),
  output: DeletedUserMail,
  async verb({ database, userId: signedIn }, { userId: asked }) {
    const userId = requireSelf(asked, signedIn);
    await callRepeatable(database, "save_user_mail", { user_id: userId, changes: { email: null } }, storedUserMail);
    return { message: "Email address deleted successfully", userId };
  },
});
