import type { Client } from "../client.ts";
import { ServiceError } from "../service_error.ts";
import { describeSources, type StoredMessage } from "./ui_messages.ts";

/**
 * The messages of a thread, oldest first, for `useChat({ messages })`. It leaves out an answer that is being written,
 * which `resume: true` returns whole, one that waits for the expert, and one that failed without any text, which can be
 * regenerated. An empty conversation has no messages.
 */
export async function loadMessages(client: Pick<Client, "listMessages">, threadId: string): Promise<StoredMessage[]> {
  const { data } = await client.listMessages(threadId, { include: "status,sources,author" }).catch(orNone);
  return data.flatMap(({ id, role, content, sources = [], author = "ai", status = "complete" }) => {
    if (content === "" || status === "streaming") return [];
    const metadata = author === "user" ? {} : { metadata: { author, status } };
    return [{ id, role, parts: [{ type: "text", text: content }, ...describeSources(sources)], ...metadata }];
  });
}

function orNone(error: unknown): Pick<Awaited<ReturnType<Client["listMessages"]>>, "data"> {
  if (error instanceof ServiceError && error.status === 404) return { data: [] };
  throw error;
}
