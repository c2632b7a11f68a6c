import * as store from "./store.ts";
import { errors } from "../../base/errors.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { Model, ModelList } from "./replies.ts";
import type { GetModelInput } from "./schemas.ts";

/** The coaches that the caller may talk to, as models. */
export async function listModels({ database }: RequestContext): Promise<ModelList> {
  const models = await store.listModels(database, null);
  return { object: "list", data: models.map(describeModel) };
}

/** A coach as a model. @throws 404 if the caller may not talk to such a coach. */
export async function getModel(ctx: RequestContext, { model }: GetModelInput): Promise<Model> {
  return describeModel(await requireModel(ctx, model));
}

/** @throws 404 if the caller may not talk to such a coach. */
export async function requireModel({ database }: RequestContext, id: string): Promise<store.CoachModel> {
  const [model] = await store.listModels(database, requireCoachId(id));
  if (model === undefined) throw errors.coachNotFound();
  return model;
}

function describeModel({ id, created, ownedBy, name, description, slug }: store.CoachModel): Model {
  return { id, object: "model", created, owned_by: ownedBy, name, description, slug };
}
