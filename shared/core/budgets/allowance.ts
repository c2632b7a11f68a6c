import { ApiError } from "../../infra/errors.ts";

/** The part of a budget that is reserved for the first call of a run. */
export type Allowance = {
  runId: string;
  /** The most tokens of the reply; null: no budget limits it. */
  outputTokens: number | null;
};

/** A call of a model that is to be made, at most: what a budget reserves. */
export type CallPlan = {
  model: string | null;
  inputTokens: number;
  /** The longest reply that the coach is set to. It has to fit as a whole; null: not set; 0: there is no reply. */
  outputLimit?: number | null;
  /** The longest reply that the deployment or the request allow; null: any. */
  outputMost?: number | null;
};

/** Returns whether work has failed because a budget does not allow it: then it waits. */
export function waitsForBudget(error: unknown): boolean {
  return error instanceof ApiError && (error.code === "budget_exhausted" || error.code === "price_unknown");
}

const encoder = new TextEncoder();

/** The most tokens that a text is likely to have: one for three bytes, where English has four and Chinese three. */
export function mostTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / 3);
}

/** The lower of some limits; null: there is none. */
export function lowest(...limits: (number | null | undefined)[]): number | null {
  const known = limits.filter((limit) => typeof limit === "number");
  return known.length === 0 ? null : Math.min(...known);
}
