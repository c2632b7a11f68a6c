import type { WatchedEvent } from "../../client/watch.ts";

/** The parts of the desk that an event of a coach may have changed: they are read again. */
export function concernsOf({ kind }: Pick<WatchedEvent, "kind">) {
  const isStart = kind === "watching" || kind === "missed";
  const isRequest = kind.startsWith("request.");
  const isQuestion = kind.startsWith("question.");
  const isTyping = kind.startsWith("typing.");
  const isPerson = kind === "thread.needs_expert";
  return {
    questions: isStart || isRequest || isQuestion,
    /** Any event in any conversation may change the order of the list. */
    conversations: !isQuestion && !isTyping,
    /** The number of conversations that wait for an expert. */
    waiting: isStart || isRequest || isPerson || kind.startsWith("takeover."),
    /** The news for an expert who looks elsewhere; null for none. */
    notice: isPerson ? "person" as const : isQuestion && kind !== "question.closed" ? "question" as const : null,
  };
}
