import type { SoakCoach } from "./target.ts";

/** What one reader has got of an answer, and how its stream ended. */
export type Reading = { text: string; end: "open" | "clean" | "broken" | "left" | "refused" };

/** A question that the service has accepted. No two have the same message. */
export type Turn = {
  message: string;
  coach: SoakCoach;
  userId: string;
  threadId: string;
  messageId: string;
  readings: Reading[];
  isStopped: boolean;
};

/** A question that is about to be asked. */
export type Question = Pick<Turn, "message" | "coach" | "userId"> & { threadId: string | null };

/** A conversation that the service has begun. */
export type Conversation = Pick<Turn, "threadId" | "coach" | "userId"> & { turns: Turn[] };

/** A file that was sent. Its marker is a word that no other file holds. */
export type SentFile = {
  /** Null where the reply was not waited for. */
  id: string | null;
  name: string;
  coach: SoakCoach;
  marker: string;
  /** `maybe`: the client has left before the reply. */
  state: "there" | "maybe" | "deleting" | "deleted";
};

/** One request: what it was part of, how long it took, and its status or end. */
export type Sample = { operation: string; ms: number; outcome: string };

/** What the service has promised, and what it has failed to keep. */
export type Ledger = {
  turns: Map<string, Turn>;
  conversations: Map<string, Conversation>;
  /** Messages whose request failed, so that nobody knows whether they are stored. */
  doubtful: Set<string>;
  files: SentFile[];
  samples: Sample[];
  problems: string[];
  operations: number;
  /** Drawn so far, accepted or not: each has its number. */
  questions: number;
  /** Writes a question down as accepted under the ids of its reply, which are null where they are missing. */
  accept(question: Question, ids: { threadId: string | null; messageId: string | null }): Turn | null;
};

/** An empty ledger. */
export function createLedger(): Ledger {
  const ledger: Ledger = {
    turns: new Map(),
    conversations: new Map(),
    doubtful: new Set(),
    files: [],
    samples: [],
    problems: [],
    operations: 0,
    questions: 0,
    accept({ threadId: asked, ...question }, { threadId, messageId }) {
      const { message, coach, userId } = question;
      if (threadId === null || messageId === null) {
        ledger.problems.push(`"${message}" was answered without ids`);
        ledger.doubtful.add(message);
        return null;
      }
      if (asked !== null && asked !== threadId) {
        ledger.problems.push(`"${message}" was for thread ${asked} and went to ${threadId}`);
      }
      const earlier = ledger.turns.get(message);
      if (earlier) {
        if (earlier.threadId !== threadId || earlier.messageId !== messageId) {
          ledger.problems.push(`"${message}", sent twice with one key, was taken for two`);
        }
        return earlier;
      }
      const turn: Turn = { ...question, threadId, messageId, readings: [], isStopped: false };
      ledger.turns.set(message, turn);
      const conversation = ledger.conversations.get(threadId) ?? { threadId, coach, userId, turns: [] };
      conversation.turns.push(turn);
      ledger.conversations.set(threadId, conversation);
      return turn;
    },
  };
  return ledger;
}
