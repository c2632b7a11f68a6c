import * as z from "zod/mini";
import { recoverAnswers } from "../answers/recover_answers.ts";
import { AbandonedAnswer } from "../answers/schemas.ts";
import type { RequestContext } from "../context.ts";
import { parseReply } from "../db/database.ts";
import { errors } from "../errors.ts";
import { readPage } from "../wire/paging.ts";
import { uuidPattern } from "../wire/uuid.ts";
import type { ListMessagesInput } from "./schemas.ts";

/** The reply instead of a list, where answers are abandoned. */
const AbandonedReply = z.object({ abandoned: z.array(AbandonedAnswer) });

const decoder = new TextDecoder();

/**
 * The messages of a thread, oldest first, as the JSON of the reply. Abandoned answers are first completed from the
 * model's backend.
 *
 * @throws 404 when the caller has no such thread.
 */
export async function listMessages(
  { services, caller, log }: RequestContext,
  input: ListMessagesInput,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!uuidPattern.test(input.threadId)) throw errors.threadNotFound();
  const { pageSize, afterAt, afterKey } = readPage(input);
  const list = (skipAbandoned: boolean) =>
    services.database.callForBytes("list_messages", {
      account_id: caller.accountId,
      thread_id: input.threadId,
      user_id: caller.userId,
      page_size: pageSize,
      after_at: afterAt,
      after_sequence: afterKey === null ? null : Number(afterKey),
      skip_abandoned: skipAbandoned,
    });

  const reply = await list(false);
  // The first bytes tell the kinds of reply apart: the usual one is passed on without being parsed.
  const start = decoder.decode(reply.subarray(0, 12));
  if (start.startsWith("null")) throw errors.threadNotFound();
  if (start !== '{"abandoned"') return reply;

  const { abandoned } = parseReply("list_messages", AbandonedReply, JSON.parse(decoder.decode(reply)));
  await recoverAnswers(services, abandoned, log);
  return await list(true);
}
