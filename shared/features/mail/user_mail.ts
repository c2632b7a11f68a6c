import type * as z from "zod/mini";
import { errors } from "../../base/errors.ts";
import { requireSelf } from "../../core/auth/named_user.ts";
import type { RequestContext } from "../../core/context.ts";
import type { DeletedUserMail, UserMail } from "./replies.ts";
import type { SaveUserMailInput, UserMailInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * Returns the address at which the signed-in user is told of answers of the expert.
 *
 * @throws 401 if nobody is signed in, 403 for another user and for anonymous ones.
 */
export async function getUserMail(
  ctx: RequestContext,
  { userId: asked }: UserMailInput,
): Promise<z.infer<typeof UserMail>> {
  return describe(ctx, await store.readAddress(ctx.database, requireSelf(asked, ctx.userId)));
}

/**
 * Stores the address, and has a mail with a link sent to it, unless it is confirmed already.
 *
 * @throws as {@link getUserMail}; 409 if the service sends no mails, 429 after too many confirmation mails.
 */
export async function saveUserMail(
  ctx: RequestContext,
  { userId: asked, email, language }: SaveUserMailInput,
): Promise<z.infer<typeof UserMail>> {
  const userId = requireSelf(asked, ctx.userId);
  if (!isAvailable(ctx)) {
    await ctx.database.admit();
    throw errors.mailNotAvailable();
  }
  const stored = await store.saveAddress(ctx.database, { userId, email, language: language ?? null });
  if (!stored.is_confirmed) ctx.services.waitUntil(ctx.services.wakeMailer(ctx.log));
  return describe(ctx, stored);
}

/** Deletes the address. Repeatable. @throws as {@link getUserMail}. */
export async function deleteUserMail(
  ctx: RequestContext,
  { userId: asked }: UserMailInput,
): Promise<z.infer<typeof DeletedUserMail>> {
  const userId = requireSelf(asked, ctx.userId);
  await store.deleteAddress(ctx.database, userId);
  return { message: "Email address deleted successfully", userId };
}

/** Returns whether people who ask can be told by mail: a mail has to lead back to the conversation. */
function isAvailable({ services }: RequestContext): boolean {
  return services.mail !== null && services.pageUrl !== null;
}

function describe(ctx: RequestContext, address: store.StoredAddress): z.infer<typeof UserMail> {
  const { email, is_confirmed, is_refused, language } = address;
  return { email, is_confirmed, is_refused, is_available: isAvailable(ctx), language };
}
