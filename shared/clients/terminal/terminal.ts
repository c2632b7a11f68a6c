import { basename } from "node:path";
import type { Answer } from "../client/answer.ts";
import type { Client } from "../client/client.ts";
import { ServiceError } from "../client/service_error.ts";
import { isolate } from "../isolate.ts";
import type { WordWrap } from "./wrap_words.ts";

/** A conversation at a terminal. */
export type Conversation = {
  client: Client;
  coachId: string;
  userId: string;
  messages: AsyncIterable<string>;
  output: WordWrap;
  readFile: (path: string) => Promise<Uint8Array<ArrayBuffer>>;
};

/** Thrown if the service did not reply at all. Its message is shown to the user. */
export class UnreachableError extends Error {
  override name = "UnreachableError";
}

const help = `Type a message to talk to the coach. Ctrl-C stops an answer. Between answers, it ends the program.
  /new               start a new conversation
  /threads           list your conversations
  /open NUMBER       continue one of them
  /rename TITLE      give this conversation another title
  /delete            delete this conversation
  /ask [QUESTION]    ask the person behind the coach: this question, or your last one
  /asked             show what you have asked in person, and how far it is
  /take-back         take the last such question back
  /source NUMBER     show the passage that the last answer draws on, and the text around it
  /upload FILE       add a file to the coach's knowledge
  /replace FILE      the same in place of the file with its name
  /files             list the coach's files
  /delete-file FILE  delete one of them by its number or name
  /help              show this text
  /quit              end the program
`;

type Asked = Awaited<ReturnType<Client["listRequests"]>>["data"][number];

const progress: Record<Asked["status"], string> = {
  waiting: "passed on",
  seen: "seen",
  answered: "answered",
  withdrawn: "taken back",
};

type Source = NonNullable<Answer["ending"]>["sources"][number];

type ListedFile = Pick<Awaited<ReturnType<Client["searchFiles"]>>["data"][number], "fileId" | "filename" | "status">;

const states: Record<ListedFile["status"], string> = {
  queued: "waiting to be indexed",
  indexing: "being read",
  ready: "ready",
  empty: "has no text",
  failed: "cannot be read",
};

const noThread = "There is no conversation yet. Send a message, or open one with /threads and /open.\n";

const limit = 100;

/** Holds a conversation until there are no more messages. Errors are printed, and a conversation continues. */
export interface Terminal {
  /** Ends with null, or with a sentence that explains why the conversation could not begin. */
  run(): Promise<string | null>;
  /** Stops the answer that is being written; returns false if there is none. */
  interrupt(): boolean;
}

/** Marks the author of each message of an earlier conversation. */
const marks = { user: "> ", ai: "", expert: "(in person) " };

type Message = Awaited<ReturnType<Client["listMessages"]>>["data"][number];

/** A message, and the question that it answers unless that is right above it. */
function describeMessage(message: Message, all: Message[]): string {
  const answered = message.author === "expert" ? all.find(({ id }) => id === message.in_reply_to) : undefined;
  const isNext = answered !== undefined && all.indexOf(message) === all.indexOf(answered) + 1;
  const quoted = answered === undefined || isNext ? "" : `(to “${answered.content}”)\n`;
  return `${quoted}${marks[message.author ?? "ai"]}${message.content}\n`;
}

function describeAsked({ question, status }: Asked): string {
  return `  ${progress[status]}: “${question}”\n`;
}

/** A conversation with a coach, in one thread until the user changes it. */
export function createTerminal({ client, coachId, userId, messages, output, readFile }: Conversation): Terminal {
  let threadId: string | undefined;
  let listed: { id: string; title: string }[] = [];
  let listedFiles: ListedFile[] = [];
  let answer: Answer | null = null;
  let sources: Source[] = [];
  /** The questions in person of this conversation that have no answer yet. */
  let awaited = new Set<string>();

  function write(text: string): void {
    output.write(text);
    output.flush();
  }

  async function greet(): Promise<void> {
    const { name, title, greeting, starters } = await client.getCoach(coachId);
    write(`${name}, ${title} (an AI)\n`);
    if (greeting !== null) write(`\n${greeting}\n`);
    if (starters.length > 0) write(`\nYou could ask:\n${starters.map((starter) => `  - ${starter}\n`).join("")}`);
    write("\n");
  }

  async function say(message: string): Promise<void> {
    answer = await client.chat({ message, thread_id: threadId, context: { coachId, userId } });
    threadId = answer.threadId;
    try {
      for await (const text of answer) output.write(text);
      output.flush();
      sources = answer.ending?.sources ?? [];
      const names = new Set(
        sources.map((source) => {
          const name = source.kind === "passage"
            ? isolate(source.filename)
            : `the expert's answer to “${source.question}”`;
          return source.number === undefined ? name : `[${source.number}] ${name}`;
        }),
      );
      write(names.size > 0 ? `\n  (from ${[...names].join(", ")})\n` : "\n");
    } finally {
      output.flush();
      answer = null;
    }
  }

  async function obey(command: string, argument: string): Promise<void> {
    switch (command) {
      case "new":
        threadId = undefined;
        return write("A new conversation begins.\n");
      case "threads": {
        listed = (await client.listThreads(userId, { coachId, limit })).data;
        const rows = listed.map(({ id, title }, index) => `${id === threadId ? "*" : " "} ${index + 1}  ${title}\n`);
        return write(rows.join("") || "You have no conversations with this coach yet.\n");
      }
      case "open": {
        const thread = listed[Number(argument) - 1];
        if (thread === undefined) {
          const isListed = listed.length > 0 && /^\d+$/.test(argument);
          return write(
            isListed ? `There is no conversation ${argument}.\n` : "Which one? List them with /threads first.\n",
          );
        }
        threadId = thread.id;
        const { data } = await client.listMessages(thread.id, { include: "author" });
        write(data.map((message) => describeMessage(message, data)).join(""));
        awaited = new Set();
        return await tellAnswers();
      }
      case "rename": {
        if (threadId === undefined) return write(noThread);
        if (argument === "") return write("Which title? Type /rename and a title.\n");
        const { title } = await client.updateThread(threadId, { title: argument });
        return write(`This conversation is now called ${title}.\n`);
      }
      case "delete": {
        if (threadId === undefined) return write(noThread);
        const { title } = await client.getThread(threadId);
        await client.deleteThread(threadId);
        threadId = undefined;
        return write(`The conversation “${title}” was deleted. A new one begins.\n`);
      }
      case "ask": {
        if (threadId === undefined) return write(noThread);
        const body = argument === "" ? {} : { question: argument };
        const { id, question } = await client.askExpert(threadId, { ...body, idempotency_key: crypto.randomUUID() });
        awaited.add(id);
        return write(`“${question}” was passed on. The answer will appear here.\n`);
      }
      case "asked":
      case "take-back": {
        if (threadId === undefined) return write(noThread);
        const { data } = await client.listRequests(threadId);
        if (command === "asked") {
          return write(data.map(describeAsked).join("") || "You have asked nothing in person here.\n");
        }
        const last = data.find(({ id }) => awaited.has(id));
        if (last === undefined) return write("Nothing waits for an answer in person here.\n");
        return write(describeAsked(await client.withdrawRequest(last.thread_id, last.id)));
      }
      case "source":
        return await showSource(argument);
      case "replace":
      case "upload": {
        if (argument === "") return write(`Which file? Type /${command} and the path of a file.\n`);
        const path = unquote(argument);
        const content = await readFile(path).catch((error) => {
          write(`${describeFileError(error, path)}\n`);
        });
        if (content === undefined) return;
        const { uploadedFiles, failedFiles } = await client.uploadFiles(coachId, [
          new File([content], basename(path)),
        ], { replace: command === "replace" });
        for (const { filename } of uploadedFiles) {
          write(`${isolate(filename)} was uploaded. The coach can use it in a moment.\n`);
        }
        for (const { filename, error } of failedFiles) write(`${isolate(filename)}: ${error}\n`);
        return;
      }
      case "files": {
        const { data, total } = await client.searchFiles({ coachId, limit });
        listedFiles = data;
        const rows = data.map(({ filename, status }, index) =>
          `  ${index + 1}  ${isolate(filename)} (${states[status]})\n`
        );
        if (total > data.length) rows.push(`  … and ${total - data.length} older ones\n`);
        return write(rows.join("") || "The coach has no files yet.\n");
      }
      case "delete-file": {
        const [file, ...others] = await findFiles(argument);
        if (file === undefined) return write("Which file? List them with /files first.\n");
        if (others.length > 0) return write("Several files have this name. Type the number that /files shows.\n");
        await client.deleteFile(coachId, file.fileId);
        return write(`${isolate(file.filename)} is deleted.\n`);
      }
      case "help":
        return write(help);
      default:
        return write(`Unknown command /${command}. Type /help to see all commands.\n`);
    }
  }

  /** Shows a source of the last answer by its number or, if the text names none, by its place in the list. */
  async function showSource(asked: string): Promise<void> {
    if (sources.length === 0) return write("The last answer names no sources.\n");
    const source = sources.find(({ number }) => String(number) === asked) ??
      sources.filter(({ number }) => number === undefined)[Number(asked) - 1];
    if (source === undefined) return write("Which source? Type /source and its number.\n");
    if (source.kind === "pinned_answer") return write(`“${source.question}”\n\n${source.quote}\n`);
    const shown = await client.getPassage(coachId, source.fileId, source.passageId, { before: 1, after: 1 });
    const { page, heading } = shown.passage;
    const place = [isolate(shown.filename), heading, page === null ? null : `page ${page}`].filter(Boolean).join(", ");
    const texts = [...shown.before, shown.passage, ...shown.after].map((passage, index) => {
      const text = passage.content.slice(index === 0 ? 0 : passage.repeats).trim();
      return passage === shown.passage ? text.replaceAll(/^/gm, "> ") : text;
    });
    write(`${place}\n${shown.source_url === null ? "" : `${shown.source_url}\n`}\n`);
    if (shown.has_more_before) write("…\n\n");
    write(`${texts.join("\n\n")}\n`);
    if (shown.has_more_after) write("\n…\n");
  }

  /** The files that the user means: by a number of the list or, failing that, by their name. */
  async function findFiles(asked: string): Promise<ListedFile[]> {
    const numbered = listedFiles[Number(asked) - 1];
    if (numbered !== undefined || asked === "") return numbered === undefined ? [] : [numbered];
    const { data } = await client.searchFiles({ coachId, search: asked, limit });
    return data.filter(({ filename }) => filename === asked);
  }

  /** Shows the answers in person that have come since, each with its question. */
  async function tellAnswers(): Promise<void> {
    if (threadId === undefined) return;
    const { data } = await client.listRequests(threadId);
    const isOpen = ({ status }: Asked) => status === "waiting" || status === "seen";
    const answered = data.filter(({ id, status }) => status === "answered" && awaited.has(id));
    awaited = new Set(data.filter(isOpen).map(({ id }) => id));
    if (answered.length === 0) return;
    const { data: messages } = await client.listMessages(threadId, { include: "author" });
    for (
      const message of messages.filter(({ in_reply_to }) => answered.some((one) => one.message_id === in_reply_to))
    ) {
      write(describeMessage(message, messages));
    }
  }

  async function attempt(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      write(`\n${describe(error)}\n`);
    }
  }

  return {
    async run() {
      try {
        await greet();
      } catch (error) {
        return describe(error);
      }
      write("Type a message, or /help.\n");
      for await (const message of messages) {
        // Not a text of several lines, which may begin with a path.
        const [, command, argument = ""] = /^\/(\S+)\s*(.*?)\s*$/.exec(message) ?? [];
        if (command === "quit") return null;
        if (awaited.size > 0) await attempt(tellAnswers);
        if (command !== undefined) await attempt(() => obey(command, argument));
        else if (message.trim() !== "") await attempt(() => say(message.trimEnd()));
      }
      return null;
    },
    interrupt() {
      if (answer === null) return false;
      write("\n(stopping)\n");
      const { messageId } = answer;
      void attempt(async () => void await client.stopAnswer(messageId));
      return true;
    },
  };
}

function describe(error: unknown): string {
  if (error instanceof ServiceError) {
    const { status, code, message, body } = error;
    const seconds = body.retryAfter;
    if (code === "budget_exhausted") {
      return seconds === undefined
        ? "The budget for this conversation is used up."
        : `The budget for this conversation is used up. It is renewed on ${
          formatMoment(Date.now() + 1_000 * seconds)
        }.`;
    }
    if (status === 429 && seconds) {
      return `Too many requests. Try again in ${seconds} second${seconds === 1 ? "" : "s"}.`;
    }
    if (code === "invalid_api_key") return "The service does not know this API key. Set API_KEY to one of its keys.";
    return body.message ? `${message}: ${body.message}` : message;
  }
  return error instanceof Error ? error.message : String(error);
}

/** A time, in the language of the terminal. */
function formatMoment(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: "full", timeStyle: "short" });
}

/** A path as it was typed, or as a terminal writes one that is dragged into it: quoted, or with backslashes. */
function unquote(path: string): string {
  const [, quote, quoted = ""] = /^(["'])(.*)\1$/.exec(path) ?? [];
  if (quote !== undefined) return quote === "'" ? quoted.replaceAll(`'\\''`, "'") : quoted;
  // On Windows a backslash separates folders.
  return Deno.build.os === "windows" ? path : path.replaceAll(/\\(.)/g, "$1");
}

function describeFileError(error: unknown, path: string): string {
  if (error instanceof Deno.errors.NotFound) return `There is no file ${path}.`;
  if (error instanceof Deno.errors.IsADirectory) return `${path} is a folder. Upload its files one by one.`;
  if (error instanceof Deno.errors.PermissionDenied) return `You do not have permission to read ${path}.`;
  return `The file ${path} cannot be read.`;
}
