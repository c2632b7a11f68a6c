import type { RequestContext } from "../context.ts";
import { errors } from "../errors.ts";
import type { ModelEvent } from "../llm/event_reader.ts";
import type { NoteTurn } from "./turn/turn.ts";

/**
 * Stores the note of a turn and then says so, in the events of a model.
 *
 * @throws 503 when the note could not be stored; nothing was said then.
 */
export async function* takeNote(ctx: RequestContext, { coachId, note }: NoteTurn): AsyncGenerator<ModelEvent[]> {
  // Loaded with the first note, to keep it out of the cold start of everybody else.
  const { storeNote } = await import("../knowledge/store_note.ts");
  const { filename } = await storeNote(ctx, { coachId, text: note }).catch((cause) => {
    throw errors.unavailable(cause);
  });
  yield [{ type: "text", text: `Noted. It is in the knowledge base as “${filename}”.` }];
}
