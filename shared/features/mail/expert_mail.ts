import type * as z from "zod/mini";
import { errors } from "../../base/errors.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import type { RequestContext } from "../../core/context.ts";
import type { ExpertMail } from "./replies.ts";
import type { ExpertMailInput, SaveExpertMailInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * Returns the mails that the signed-in expert gets about a coach.
 *
 * @throws 401 if nobody is signed in, 403 if the caller is no expert of the coach, 404 if there is no such coach.
 */
export async function getExpertMail(
  ctx: RequestContext,
  { coachId }: ExpertMailInput,
): Promise<z.infer<typeof ExpertMail>> {
  return describe(ctx, await store.readSettings(ctx.database, requireExpert(ctx, coachId)));
}

/**
 * Changes the mails that the signed-in expert gets about a coach, and returns all of them.
 *
 * @throws as {@link getExpertMail}; 400 if Postgres does not know the time zone.
 */
export async function saveExpertMail(
  ctx: RequestContext,
  { coachId, ...settings }: SaveExpertMailInput,
): Promise<z.infer<typeof ExpertMail>> {
  return describe(ctx, await store.saveSettings(ctx.database, requireExpert(ctx, coachId), settings));
}

function requireExpert({ userId }: RequestContext, coachId: string) {
  if (userId === null) throw errors.signInFirst();
  if (!isStorableText(coachId)) throw errors.coachNotFound();
  return { coachId, userId };
}

function describe({ services }: RequestContext, settings: store.StoredSettings): z.infer<typeof ExpertMail> {
  const { address, is_refused, ...chosen } = settings;
  return { address, is_available: services.mail !== null && services.deskUrl !== null, is_refused, ...chosen };
}
