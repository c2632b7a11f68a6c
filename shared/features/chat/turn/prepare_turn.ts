import { buildRequest } from "../prompt/build_request.ts";
import { citeSources } from "../prompt/cite_sources.ts";
import type { BegunTurn } from "../store.ts";
import type { ModelTurn } from "./turn.ts";

/** The fields that all kinds of turns have in common. */
export function describeTurn(
  begun: BegunTurn,
  { runId }: { runId: string },
  message: string,
): Omit<ModelTurn, "request" | "language" | "noAnswer" | "takeoverNotice" | "storeNote"> {
  const { threadId, messageId, createdAt } = begun;
  return { threadId, messageId, createdAt, runId, sources: citeSources(begun, message) };
}

/** The fields that a run needs in addition to those from Postgres. */
export type AskedQuestion = Pick<ModelTurn, "runId" | "storeNote"> & {
  message: string;
  mode: string | null;
};

/** A turn that has begun, with the request to the model. */
export function prepareTurn(begun: BegunTurn, { message, mode, storeNote, ...run }: AskedQuestion): ModelTurn {
  const { language, noAnswer, takeoverNotice } = begun.coach;
  const request = buildRequest(begun, { message, mode, mayStoreNotes: storeNote !== null });
  return { ...describeTurn(begun, run, message), request, language, noAnswer, takeoverNotice, storeNote };
}
