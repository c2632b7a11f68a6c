import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { modelId } from "./fields.ts";

/** A coach as a model. */
export const Model = z.object({
  id: z.string().check(z.describe("The ID of the coach")),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.string().check(z.describe("The name of the account")),
  name: z.string(),
  description: z.string(),
  slug: z.nullable(z.string()).check(
    z.describe("The name of the coach in addresses, which can take the place of `id`"),
  ),
});

/** A coach as a model that a client chooses. */
const CoachModels = z.array(replyObject({
  id: z.string(),
  /** Seconds since 1970. */
  created: z.number(),
  owned_by: z.string(),
  name: z.string(),
  description: z.string(),
  slug: z.nullable(z.string()),
  /** The language model that plays the coach; null: the deployment's. */
  model: z.nullable(z.string()),
}));
type CoachModel = z.infer<typeof CoachModels>[number];

/** The coaches that the caller may talk to, by name; with an ID, only that one. */
export async function findModels(database: AccountDatabase, id: string | null): Promise<CoachModel[]> {
  return await database.call("list_models", { model_id: id ?? undefined }, CoachModels);
}

/** @throws 404 if the caller may not talk to such a coach. */
export async function requireModel({ database }: RequestContext, id: string): Promise<CoachModel> {
  const [model] = await findModels(database, requireCoachId(id));
  if (model === undefined) throw errors.coachNotFound();
  return model;
}

/** A coach, as clients of OpenAI's API see it. */
export function describeModel({ id, created, ownedBy, name, description, slug }: CoachModel): z.infer<typeof Model> {
  return { id, object: "model", created, owned_by: ownedBy, name, description, slug };
}

/** A coach as a model. */
export const operation = defineEndpoint({
  name: "getModel",
  method: "GET",
  path: "/openai/v1/models/:model{[^/]+}",
  scope: "chat",
  failure: "Failed to fetch the model",
  errors: () => [errors.coachNotFound()],
  input: z.object({ model: modelId }),
  output: Model,
  verb: async (ctx, { model }) => describeModel(await requireModel(ctx, model)),
});
