import { buildRequest } from "../prompt/build_request.ts";
import { citeSources } from "../prompt/cite_sources.ts";
import type { BegunTurn } from "../store.ts";
import type { ModelTurn } from "./turn.ts";

/** A turn that has begun, without what its kind adds. */
export function describeTurn(
  begun: BegunTurn,
  { runId }: { runId: string },
  message: string,
): Omit<ModelTurn, "request" | "language" | "noAnswer" | "takeoverNotice" | "storeNote"> {
  const { threadId, messageId, createdAt } = begun;
  return { threadId, messageId, createdAt, runId, sources: citeSources(begun, message) };
}

/** What a run needs to know of a question besides what Postgres says. */
export type AskedQuestion = Pick<ModelTurn, "runId" | "storeNote"> & {
  message: string;
  mode: string | null;
};

/** A turn that has begun, with what the model is asked. */
export function prepareTurn(begun: BegunTurn, { message, mode, storeNote, ...run }: AskedQuestion): ModelTurn {
  const { language, noAnswer, takeoverNotice } = begun.coach;
  const request = buildRequest(begun, { message, mode, mayStoreNotes: storeNote !== null });
  return { ...describeTurn(begun, run, message), request, language, noAnswer, takeoverNotice, storeNote };
}
