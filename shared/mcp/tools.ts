import { answerMessage } from "../chat/answer_message.ts";
import { createObjectSink } from "../chat/transport/answer_sinks.ts";
import { AnswerObject } from "../chat/replies.ts";
import { ChatBody } from "../chat/schemas.ts";
import { ApiError } from "../errors.ts";
import { deleteFile } from "../knowledge/delete_file.ts";
import { DeleteReply, FileList, UploadReply } from "../knowledge/replies.ts";
import { SearchQuery } from "../knowledge/schemas.ts";
import { searchFiles } from "../knowledge/search_files.ts";
import { uploadFiles } from "../knowledge/upload_files.ts";
import { listMessages } from "../threads/list_messages.ts";
import { MessageList, ThreadList } from "../threads/replies.ts";
import { listThreads } from "../threads/list_threads.ts";
import { maxBodySize } from "./limits.ts";
import { reportProgress } from "./progress_sink.ts";
import { readInlineFile } from "./read_inline_file.ts";
import { DeleteInput, ThreadInput, UploadInput, UserThreadsInput } from "./schemas.ts";
import { defineTool, type McpTool } from "./tool.ts";

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const chat = defineTool({
  name: "chat",
  title: "Talk to a coach",
  description: "Sends a message to a coach, a persona built on the expertise of a real person, and returns the whole " +
    "answer with the passages of the coach's files that it was given. Without thread_id a new conversation starts and " +
    "context.coachId is required; with the thread_id of an earlier answer the conversation goes on. The question and " +
    "the answer are stored in the thread.",
  // The answer comes from a language model that is asked for it.
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  scope: "chat",
  failure: "Failed to answer the message",
  input: ChatBody,
  output: AnswerObject,
  async call(ctx, body, { report }) {
    const { head, produce } = await answerMessage(ctx, body);
    const sink = createObjectSink(head);
    ctx.services.waitUntil(produce(report === undefined ? sink : reportProgress(sink, report)));
    return await sink.whole.catch((failure: ApiError) => {
      // The question is stored: whoever wants to can go on from there.
      throw failure.withFields({ thread_id: head.threadId });
    });
  },
});

const getUserThreads = defineTool({
  name: "get-user-threads",
  title: "List a user's conversations",
  description:
    "Lists the conversations (threads) of one user, most recently updated first, each with its title, times " +
    "and coach; optionally only those with one coach. Gives all of them unless limit or cursor asks for a page. To " +
    "read what was said in one of them, call threads.",
  annotations: readOnly,
  scope: "threads:read",
  failure: "Failed to fetch threads",
  input: UserThreadsInput,
  output: ThreadList,
  call: async (ctx, input) => readJson(await listThreads(ctx, input)),
});

const threads = defineTool({
  name: "threads",
  title: "Read a conversation",
  description:
    "Returns the messages of one conversation (thread), oldest first: what the user and the coach said. Gives " +
    "all of them unless limit or cursor asks for a page; ask for pages when the conversation may be long.",
  annotations: readOnly,
  scope: "threads:read",
  failure: "Failed to fetch messages",
  input: ThreadInput,
  output: MessageList,
  call: async (ctx, input) => readJson(await listMessages(ctx, input)),
});

const searchKnowledge = defineTool({
  name: "search-knowledge",
  title: "Search a coach's files",
  description:
    "Searches the files of a coach's knowledge base, or lists them when no search is given. Each file comes " +
    "with how well it matches, the passage that matches best, and whether it has been indexed yet. To have a question " +
    "answered from the files, call chat.",
  annotations: readOnly,
  scope: "knowledge:read",
  failure: "Failed to search files",
  input: SearchQuery,
  output: FileList,
  call: async (ctx, input) => readJson(await searchFiles(ctx, input)),
});

const uploadKnowledge = defineTool({
  name: "upload-knowledge",
  title: "Add files to a coach's knowledge",
  description:
    "Adds files to a coach's knowledge base, whose conversations can draw on them some moments later. Give " +
    `the content of text files as text, of all others as base64; ${maxBodySize} in all, larger files go over HTTP. The reply ` +
    "says for each file whether it was accepted, or why not. A file that is already there is not added twice.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  scope: "knowledge:write",
  failure: "Failed to upload files",
  input: UploadInput,
  output: UploadReply,
  call: (ctx, { coachId, files }) => uploadFiles(ctx, { coachId, files: files.map(readInlineFile) }),
});

const deleteKnowledge = defineTool({
  name: "delete-knowledge",
  title: "Delete a coach's file",
  description: "Deletes one file from a coach's knowledge base for good: the coach no longer knows what it says. The " +
    "fileId comes from search-knowledge or upload-knowledge.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  scope: "knowledge:write",
  failure: "Failed to delete file",
  input: DeleteInput,
  output: DeleteReply,
  call: deleteFile,
});

/** All tools, by their names. */
export const tools: ReadonlyMap<string, McpTool> = new Map(
  [chat, getUserThreads, threads, searchKnowledge, uploadKnowledge, deleteKnowledge]
    .map((tool) => [tool.description.name, tool]),
);

const decoder = new TextDecoder();

/** The reply of a verb that passes on the JSON of Postgres. */
function readJson<Reply>(bytes: Uint8Array): Reply {
  return JSON.parse(decoder.decode(bytes));
}
