/** What a model server may call a message of its response: one that only accompanies the work, or the answer itself. */
export const phases = ["commentary", "final_answer"] as const;
export type Phase = typeof phases[number];

/** The phase that a server names; null for any other value. */
export function readPhase(value: unknown): Phase | null {
  return phases.find((phase) => phase === value) ?? null;
}
