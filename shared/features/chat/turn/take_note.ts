import { errors } from "../../../base/errors.ts";
import type { ModelEvent } from "../../../infra/llm/model_event.ts";
import type { NoteTurn } from "./turn.ts";

/**
 * Stores the note of a turn and confirms it, in the events that a model would send.
 *
 * @throws 503 when the note could not be stored; no events were sent then.
 */
export async function* takeNote({ note, storeNote }: NoteTurn): AsyncGenerator<ModelEvent[]> {
  const { filename } = await storeNote(note).catch((cause) => {
    throw errors.unavailable(cause);
  });
  yield [{ type: "text", text: `Noted. It is in the knowledge base as “${filename}”.` }];
}
