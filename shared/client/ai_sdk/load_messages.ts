import type { Client } from "../client.ts";
import { describeSources, type StoredMessage } from "./ui_messages.ts";

/**
 * The messages of a thread, oldest first, for `useChat({ messages })`. An answer without text is left out: one that is
 * being written comes with `resume: true`, one that failed can be regenerated.
 *
 * @throws {ServiceError} 404 when there is no such thread
 */
export async function loadMessages(client: Pick<Client, "listMessages">, threadId: string): Promise<StoredMessage[]> {
  const { data } = await client.listMessages(threadId, { include: "status,sources" });
  return data.filter(({ content }) => content !== "").map(({ id, role, content, sources = [] }) => (
    { id, role, parts: [{ type: "text", text: content }, ...describeSources(sources)] }
  ));
}
