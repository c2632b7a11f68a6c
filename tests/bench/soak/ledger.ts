import type { SoakCoach } from "./target.ts";

/** The text of an answer that one reader has received, and how its stream ended. */
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

/** An uploaded file. Its marker is a number that is in no other file. */
export type SentFile = {
  /** Null when the client did not wait for the reply. */
  id: string | null;
  name: string;
  coach: SoakCoach;
  marker: string;
  /** `maybe`: the client hung up before the reply. */
  state: "there" | "maybe" | "deleting" | "deleted";
};

/** One request: its operation, its time, and its status or outcome. */
export type Sample = { operation: string; ms: number; outcome: string };

/** The promises of the service, and those that it has broken. */
export type Ledger = {
  turns: Map<string, Turn>;
  conversations: Map<string, Conversation>;
  /** Messages whose request failed: they may or may not be stored. */
  doubtful: Set<string>;
  files: SentFile[];
  samples: Sample[];
  problems: string[];
  operations: number;
  /** The number of questions so far, accepted or not; numbers each of them. */
  questions: number;
  /** Records a question as accepted, with the ids of its reply; null: the reply had none. */
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
