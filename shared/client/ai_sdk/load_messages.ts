import type { Client } from "../client.ts";
import { describeSources, type StoredMessage } from "./ui_messages.ts";

/**
 * The messages of a thread, oldest first, for `useChat({ messages })`. Left out are an answer that is being written, which
 * comes whole with `resume: true`, and one that failed without any text, which can be regenerated.
 *
 * @throws {ServiceError} 404 when there is no such thread
 */
export async function loadMessages(client: Pick<Client, "listMessages">, threadId: string): Promise<StoredMessage[]> {
  const { data } = await client.listMessages(threadId, { include: "status,sources" });
  return data.filter(({ content, status }) => content !== "" && status !== "streaming").map((
    { id, role, content, sources = [] },
  ) => (
    { id, role, parts: [{ type: "text", text: content }, ...describeSources(sources)] }
  ));
}
