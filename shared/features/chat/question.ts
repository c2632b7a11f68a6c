import { stripInvisible } from "../../libs/base/text.ts";
import type { SaidMessage } from "../../libs/llm/model_request.ts";

/** A question, with its user and its coach. */
export type Question = {
  message: string;
  mode: string | null;
  /** The IANA name of the person's time zone; left out if it is not known. */
  timeZone?: string;
  /** The page that the person is on, and its language; left out where they are not known. */
  place?: { page_url?: string; language?: string };
  /** Null: a new thread. */
  threadId: string | null;
  /** The id of the new thread, which may have been started; null: it gets one. */
  newThreadId: string | null;
  /** The earlier question that this one takes the place of; null: none. */
  replaces: string | null;
  /** Null: the coach of the thread. */
  coachId: string | null;
  /** Null: the key acts alone and names no user. */
  userId: string | null;
  /** In the mode `create_knowledge`: the note to store instead of asking the model. */
  note: string | null;
  /** Null: the service keeps the conversation for the client. */
  conversation: ClientConversation | null;
};

/** A conversation that a client keeps itself, as it sends it with a question. */
export type ClientConversation = {
  /** The client's own name for it; null: none. */
  name: string | null;
  /** The answer that the question follows; null: none. */
  previousId: string | null;
  /** True if the turn stands alone: only the history came before it, and no list shows it. */
  isStandalone: boolean;
  /** True if its turn is deleted when it has ended. */
  isUnkept: boolean;
  /** The messages before the question, oldest first. */
  history: SaidMessage[];
  /** The application's own text for the model; null for none. */
  application: string | null;
  /** The most tokens of the answer, where the coach allows more; null: as the coach does. */
  maxOutputTokens: number | null;
};

const maxTitleLength = 80;

/** The title of a thread: its first message on one line, cut at a word to at most 80 characters. */
export function shortenTitle(message: string): string {
  // A message may hold nothing that can be seen; a title must not be empty.
  const shown = stripInvisible(message).trim() || message.trim();
  const characters = [...shown.replace(/\s+/g, " ")];
  if (characters.length <= maxTitleLength) return characters.join("");
  // One character is for the ellipsis. A first word that is longer than that is cut inside.
  const cut = characters.slice(0, maxTitleLength);
  const lastSpace = cut.lastIndexOf(" ");
  return cut.slice(0, lastSpace > 0 ? lastSpace : maxTitleLength - 1).join("") + "…";
}
