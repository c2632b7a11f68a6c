import { basename } from "deno-std/path/mod.js";
import type { Answer } from "../client/answer.ts";
import type { Client } from "../client/client.ts";
import { ServiceError } from "../client/service_error.ts";

/** A conversation at a terminal. */
export type Conversation = {
  client: Client;
  coachId: string;
  userId: string;
  /** What the user types, line by line. */
  lines: AsyncIterable<string>;
  write: (text: string) => void;
  readFile: (path: string) => Promise<Uint8Array<ArrayBuffer>>;
};

const help = `Type a message to talk to the coach. Ctrl-C stops an answer; between answers it ends the program.
  /new           start a new conversation
  /threads       list your conversations
  /open NUMBER   continue one of them
  /upload FILE   give the coach a file to know
  /help          show this text
  /quit          end the program
`;

/** Holds a conversation until there are no more lines. Errors are printed, and the conversation continues. */
export interface Terminal {
  run(): Promise<void>;
  /** Stops the answer that is being written; false when there is none. */
  interrupt(): boolean;
}

/** A conversation with a coach, in one thread until the user changes it. */
export function createTerminal({ client, coachId, userId, lines, write, readFile }: Conversation): Terminal {
  let threadId: string | undefined;
  let listed: { id: string; title: string }[] = [];
  let answer: Answer | null = null;

  async function say(message: string): Promise<void> {
    answer = await client.chat({ message, thread_id: threadId, context: { coachId, userId } });
    threadId = answer.threadId;
    try {
      for await (const text of answer) write(text);
      const names = new Set(answer.ending?.sources.map(({ filename }) => filename));
      write(names.size > 0 ? `\n  (from ${[...names].join(", ")})\n` : "\n");
    } finally {
      answer = null;
    }
  }

  async function obey(command: string, argument: string): Promise<void> {
    switch (command) {
      case "new":
        threadId = undefined;
        return write("A new conversation begins.\n");
      case "threads": {
        listed = (await client.listThreads(userId, { coachId, limit: 100 })).data;
        const rows = listed.map(({ id, title }, index) => `${id === threadId ? "*" : " "} ${index + 1}  ${title}\n`);
        return write(rows.join("") || "You have no conversations with this coach yet.\n");
      }
      case "open": {
        const thread = listed[Number(argument) - 1];
        if (thread === undefined) return write("Which one? List them with /threads first.\n");
        threadId = thread.id;
        const { data } = await client.listMessages(thread.id);
        return write(data.map(({ role, content }) => `${role === "user" ? "> " : ""}${content}\n`).join(""));
      }
      case "upload": {
        const file = new File([await readFile(argument)], basename(argument));
        const { uploadedFiles, failedFiles } = await client.uploadFiles(coachId, [file]);
        for (const { filename } of uploadedFiles) {
          write(`${filename} is uploaded; the coach will know it in a moment.\n`);
        }
        for (const { filename, error } of failedFiles) write(`${filename}: ${error}\n`);
        return;
      }
      default:
        return write(help);
    }
  }

  return {
    async run() {
      for await (const line of lines) {
        const [, command, argument = ""] = /^\/(\w+)\s*(.*?)\s*$/.exec(line) ?? [];
        if (command === "quit") return;
        try {
          if (command !== undefined) await obey(command, argument);
          else if (line.trim() !== "") await say(line);
        } catch (error) {
          write(`\n${describe(error)}\n`);
        }
      }
    },
    interrupt() {
      if (answer === null) return false;
      write(" (stopping)");
      client.stopAnswer(answer.messageId).catch((error) => write(`\n${describe(error)}\n`));
      return true;
    },
  };
}

function describe(error: unknown): string {
  if (error instanceof ServiceError) {
    return error.body.message ? `${error.message}: ${error.body.message}` : error.message;
  }
  if (!(error instanceof Error)) return String(error);
  // `fetch` gives the reason only in `cause`.
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
