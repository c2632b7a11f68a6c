import type { RequestContext } from "../../context.ts";
import { errors } from "../../errors.ts";
import type { ModelEvent } from "../../llm/model_event.ts";
import type { NoteTurn } from "./turn.ts";

/**
 * Stores the note of a turn and confirms it, in the events that a model would send.
 *
 * @throws 503 when the note could not be stored; there were no events then.
 */
export async function* takeNote(ctx: RequestContext, { coachId, note }: NoteTurn): AsyncGenerator<ModelEvent[]> {
  // Loaded with the first note: other turns start without it.
  const { storeNote } = await import("../../knowledge/store_note.ts");
  const { filename } = await storeNote(ctx, { coachId, text: note }).catch((cause) => {
    throw errors.unavailable(cause);
  });
  yield [{ type: "text", text: `Noted. It is in the knowledge base as “${filename}”.` }];
}
