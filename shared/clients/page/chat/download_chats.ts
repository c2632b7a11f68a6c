/// <reference lib="dom" />
import type { components } from "../../client/api_types.ts";
import type { Client } from "../../client/client.ts";
import { saveFile } from "../ui/save_file.ts";

type Thread = components["schemas"]["Thread"] & { messages: components["schemas"]["Message"][] };

/** The words of a Markdown file. */
export type DownloadWords = { you: string; locale: string };

/** Reads all chats of the signed-in user, and has the browser keep them as a file. */
export async function downloadChats(client: Client, format: "md" | "json", words: DownloadWords): Promise<void> {
  const { data } = await patiently(() => client.listThreads("me", {}));
  const threads: Thread[] = [];
  for (const thread of data) {
    const { data: messages } = await patiently(() => client.listMessages(thread.id, { include: "author" }));
    threads.push({ ...thread, messages });
  }
  const text = format === "json" ? JSON.stringify(threads, null, 2) : writeMarkdown(threads, words);
  const type = format === "json" ? "application/json" : "text/markdown";
  saveFile(new Blob([text], { type }), `chats.${format}`);
}

/** A person may ask only so often: what comes too soon is asked again when the service says so. */
async function patiently<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    const { status, body } = error as { status?: number; body?: { retryAfter?: number } };
    if (status !== 429) throw error;
    await new Promise((resolve) => setTimeout(resolve, 1_000 * (body?.retryAfter ?? 30)));
    return await patiently(ask);
  }
}

function writeMarkdown(threads: Thread[], { you, locale }: DownloadWords): string {
  const time = (at: string) => new Date(at).toLocaleString(locale);
  return threads.map(({ title, created_at, coach_profiles: { name }, messages }) =>
    [
      `# ${title}`,
      `${name}, ${time(created_at)}`,
      ...messages.map(({ role, content, created_at }) =>
        `**${role === "user" ? you : name}** (${time(created_at)})\n\n${content}`
      ),
    ].join("\n\n")
  ).join("\n\n---\n\n") + "\n";
}
