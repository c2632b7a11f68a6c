import type { RequestIdentity } from "../../../core/wire/ids.ts";
import { type AccountDatabase, callRepeatable } from "../../../infra/db/account_database.ts";
import { BeginReply, type BegunTurn, type EarlierTurn } from "../begun_turn.ts";
import { withQuestions } from "../../../core/questions/read_questions.ts";
import type { ClientConversation } from "../question.ts";
import { planColumns, type TurnPlan } from "./plan_turn.ts";

/** A question with everything that Postgres needs to begin a turn. */
export type NewTurn = RequestIdentity & {
  runId: string;
  /** Null starts a new thread. */
  threadId: string | null;
  /** The ID of the thread to start, or of the one that was started with it; null: Postgres makes one. */
  newThreadId: string | null;
  /** The question that this one replaces, together with everything after it; null: none. */
  replaces: string | null;
  /** Null: the thread's coach. */
  coachId: string | null;
  /** Null: the key acts alone and names no user. */
  userId: string | null;
  isSignedIn: boolean;
  message: string;
  /** The title of a new thread. */
  title: string;
  mode: string | null;
  /** True if only the coach's own user may do this. */
  isExpertAction: boolean;
  requestId: string;
  /** The maximum length of the history; null: only the coach's history_limit applies. */
  historyCharacters: number | null;
  conversation: ClientConversation | null;
  /** Facts for the experts about the person; null: nothing is known. */
  person: { name?: string | null; email?: string | null; page_url?: string; language?: string } | null;
  plan: TurnPlan;
};

/** Stores the question and an empty answer, and finds passages for it, also by its embedding if there is one. */
export async function storeTurn(
  database: AccountDatabase,
  turn: NewTurn,
  queryVector: string | null,
): Promise<BegunTurn | EarlierTurn> {
  return await withQuestions(turn, [turn.message], ([asked]) =>
    callRepeatable(database, "begin_turn", {
      user_id: turn.userId,
      turn: {
        asked: { ...asked!, content: undefined },
        run_id: turn.runId,
        thread_id: turn.threadId,
        new_thread_id: turn.newThreadId,
        replaces: turn.replaces,
        coach_id: turn.coachId,
        is_signed_in: turn.isSignedIn,
        is_expert_action: turn.isExpertAction,
        content: turn.message,
        title: turn.title,
        mode: turn.mode,
        query_vector: queryVector,
        history_characters: turn.historyCharacters,
        request_id: turn.requestId,
        idempotency_key: turn.idempotencyKey,
        fingerprint: turn.fingerprint,
        key_lasts: turn.keyLastsSeconds === undefined ? undefined : `${turn.keyLastsSeconds} s`,
        person: turn.person ?? undefined,
        conversation: turn.conversation && conversationColumns(turn.conversation),
        plan: planColumns(turn.plan),
      },
    }, BeginReply));
}

function conversationColumns({ name, previousId, isStandalone, isUnkept, history }: ClientConversation) {
  return {
    name,
    previous_id: previousId,
    is_standalone: isStandalone,
    is_unkept: isUnkept,
    // Compared with what is stored, which holds no NUL.
    said: history.map(({ role, content }) => role[0] + content.trim().toWellFormed().replaceAll("\0", "")),
  };
}

/** An answer that is to be run again. */
export type AnswerToRetry =
  & Pick<NewTurn, "runId" | "userId" | "isSignedIn" | "requestId" | "historyCharacters" | "plan">
  & { messageId: string };

/** Begins another run of an answer, and finds passages for its question, also by its embedding if there is one. */
export async function storeRetry(
  database: AccountDatabase,
  answer: AnswerToRetry,
  queryVector: string | null,
): Promise<BegunTurn | EarlierTurn> {
  // Its question is stored: SQL tells what it is.
  return await withQuestions({}, [], ([asked]) =>
    callRepeatable(database, "begin_turn", {
      user_id: answer.userId,
      turn: {
        asked,
        run_id: answer.runId,
        retried_id: answer.messageId,
        is_signed_in: answer.isSignedIn,
        query_vector: queryVector,
        history_characters: answer.historyCharacters,
        request_id: answer.requestId,
        plan: planColumns(answer.plan),
      },
    }, BeginReply));
}
