import type * as z from "zod/mini";
import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { UnbarredPassage } from "./replies.ts";
import type { BarredPassageInput } from "./schemas.ts";

/** An md5, the ID of a passage in sources. */
const passagePattern = /^[0-9a-f]{32}$/;

/**
 * Bars a passage from new answers. Returns it as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach, or for what cannot be a passage; 403 for anyone but the expert.
 */
export async function barPassage(
  ctx: RequestContext,
  input: BarredPassageInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await setBarred(ctx, input, true);
}

/**
 * Lets answers draw on a passage again.
 *
 * @throws 404 if the caller has no such coach, or the passage is not barred; 403 for anyone but the expert.
 */
export async function unbarPassage(
  ctx: RequestContext,
  input: BarredPassageInput,
): Promise<z.infer<typeof UnbarredPassage>> {
  await setBarred(ctx, input, false);
  return { message: "The passage may be used again", passageId: input.passageId };
}

async function setBarred(
  { database, userId }: RequestContext,
  { coachId, passageId }: BarredPassageInput,
  isBarred: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.setPassageBarred(database, {
    coachId: requireCoachId(coachId),
    userId,
    passageId: passagePattern.test(passageId) ? passageId : null,
  }, isBarred);
}
