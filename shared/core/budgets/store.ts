import * as z from "zod/mini";
import type { Database } from "../../infra/db/database.ts";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { CountedUsage } from "../../libs/llm/usage_meter.ts";
import { requireResult } from "../refusals.ts";
import type { CallPlan } from "./allowance.ts";

const Reserved = z.union([
  replyObject({
    /** False: there is no budget, and nothing to settle. */
    is_budgeted: z.boolean(),
    /** The most tokens of the reply; null: no budget limits it. */
    output_tokens: z.optional(z.nullable(z.number())),
  }),
  z.object({ error: z.string(), retry_after: z.optional(z.number()) }),
]);

/** A call that is reserved; null where there is no budget. */
export type Reserved = { outputTokens: number | null } | null;

/** The columns of a plan. */
export function planColumns({ model, inputTokens, outputLimit, outputMost }: CallPlan) {
  return {
    model: model ?? undefined,
    input_tokens: inputTokens,
    output_limit: outputLimit ?? undefined,
    output_most: outputMost ?? undefined,
  };
}

/** An embedding as a plan: it has no reply. */
export function embeddingPlan(model: string, tokens: number) {
  return { output_limit: 0, input_tokens: 0, embedding_model: model, embedding_tokens: tokens };
}

type SqlPlan = ReturnType<typeof planColumns> | ReturnType<typeof embeddingPlan>;

/** The coach or the conversation that a call of a model is for. One of them names it. */
export type CallSubject = {
  coachId?: string | null;
  threadId?: string | null;
  messageId?: string | null;
  /** The user that a server names. */
  userId: string | null;
};

/**
 * Reserves a call of a model for a client, before it is made; the request is admitted by it. Without a run, the call has
 * no reply and counts as used.
 *
 * @throws 429, 502 where a budget does not allow the call, 404 for a coach that the caller does not have.
 */
export async function reserveCall(
  database: AccountDatabase,
  { coachId, threadId, messageId, userId }: CallSubject,
  { runId, plan }: { runId: string | null; plan: SqlPlan },
): Promise<Reserved> {
  const reserved = await database.call("reserve_call", {
    user_id: userId,
    coach_id: coachId ?? null,
    thread_id: threadId ?? null,
    message_id: messageId ?? null,
    run_id: runId,
    plan,
  }, Reserved);
  return readReserved(reserved);
}

/** Reserves a call of a model for background work on a coach. @throws 429, 502 where no budget allows it */
export async function reserveWork(
  database: Database,
  coachId: string,
  { runId, plan }: { runId: string | null; plan: SqlPlan },
): Promise<Reserved> {
  return readReserved(await database.call("reserve_work", { coach_id: coachId, run_id: runId, plan }, Reserved));
}

/** Reserves another call of a run. @throws 429, 502 where a budget does not allow it. */
export async function extendReservation(database: Database, runId: string, plan: CallPlan): Promise<Reserved> {
  const args = { run_id: runId, plan: planColumns(plan) };
  return readReserved(await database.call("extend_reservation", args, Reserved));
}

/** @throws {ApiError} what a refusal means. */
function readReserved(reserved: z.infer<typeof Reserved>): Reserved {
  if ("error" in reserved) {
    requireResult("reserve_call", reserved);
    return null;
  }
  return reserved.isBudgeted ? { outputTokens: reserved.outputTokens ?? null } : null;
}

const Nothing = z.null();

/** The tokens that a run has used. */
export type Spending = {
  /** Null: they are estimated from what was reserved, and from the text. */
  usage: CountedUsage | null;
  text?: string;
  /** Left out or null: the model that was reserved. */
  model?: string | null;
};

/** Settles a run that is no turn. A run without a reservation is skipped. */
export async function settleWork(database: Database, runId: string, { usage, text, model }: Spending): Promise<void> {
  await database.call("settle_work", {
    settlement: {
      run_id: runId,
      model: model ?? undefined,
      text,
      ...(usage && {
        input_tokens: usage.freshInput + usage.cachedInput,
        cached_tokens: usage.cachedInput,
        output_tokens: usage.visibleOutput + usage.reasoning,
        reasoning_tokens: usage.reasoning,
      }),
    },
  }, Nothing);
}
