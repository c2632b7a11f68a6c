import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { coachColumns, uuidOrNull } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, Expert, nameUser, ofRoles, roleField, userId } from "./fields.ts";

/** Gives an expert another role. For owners: 409 if none would be left. */
export const operation = defineEndpoint({
  name: "updateExpert",
  method: "PATCH",
  path: "/coaches/:coachId/experts/:userId",
  body: "application/json",
  scope: "expert",
  failure: "Failed to update the expert",
  // The same role twice is the same role.
  isRepeatable: true,
  errors: () => [...ofRoles(), errors.expertNotFound(), errors.lastOwner()],
  input: z.object({ coachId, userId, role: roleField.check(z.describe("The new role")) }),
  output: Expert,
  async verb({ database, userId }, { coachId, userId: asked, role }) {
    const expertId = uuidOrNull(nameUser(asked, userId));
    return await database.callForBytes("set_expert_role", {
      ...coachColumns({ coachId, userId }),
      expert_id: expertId,
      role,
    });
  },
});
