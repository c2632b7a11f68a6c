import { chat } from "../../features/chat/operations.ts";
import { listCoaches } from "../../features/coaches/operations.ts";
import { createObjectSink } from "../../features/chat/transport/answer_sinks.ts";
import type { ApiError } from "../../base/errors.ts";
import { deleteFile, searchFiles, uploadFiles } from "../../features/knowledge/operations.ts";
import { answerQuestion, listQuestions } from "../../features/questions/operations.ts";
import { reviseAnswer } from "../../features/takeover/operations.ts";
import { listMessages, listThreads } from "../../features/threads/operations.ts";
import { maxBodySize } from "./limits.ts";
import { reportProgress } from "./progress_sink.ts";
import { type AnyMcpTool, defineTool } from "./tool.ts";

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** All tools, in the order in which they are listed. */
export const tools: AnyMcpTool[] = [
  defineTool({
    operation: listCoaches,
    name: "list-coaches",
    title: "List the coaches",
    description:
      "Lists the coaches that can be talked to, by name, each with its professional title, its greeting and " +
      "questions to begin with. The id of a coach is what chat takes as context.coachId. Gives all of them unless limit " +
      "or cursor asks for a page.",
    annotations: readOnly,
  }),
  defineTool({
    operation: chat,
    name: "chat",
    title: "Talk to a coach",
    description:
      "Sends a message to a coach, a persona built on the expertise of a real person, and returns the whole " +
      "answer with the passages of the coach's files that it was given. Without thread_id a new conversation starts and " +
      "context.coachId is required, which list-coaches gives; with the thread_id of an earlier answer the conversation goes on. The question and " +
      "the answer are stored in the thread.",
    // Open world, since a language model writes the answer.
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    input: async () => (await import("../../features/chat/schemas.ts")).ChatArguments,
    async reply({ services }, { head, produce }, { report }) {
      const sink = createObjectSink(head);
      services.waitUntil(produce(report === undefined ? sink : reportProgress(sink, report)));
      return await sink.whole.catch((failure: ApiError) => {
        // The question is stored: the conversation can go on from there.
        throw failure.withFields({ thread_id: head.threadId });
      });
    },
  }),
  defineTool({
    operation: listThreads,
    name: "get-user-threads",
    title: "List a user's conversations",
    description:
      "Lists the conversations (threads) of one user, most recently updated first, each with its title, times " +
      "and coach; optionally only those with one coach. Gives all of them unless limit or cursor asks for a page. To " +
      "read what was said in one of them, call threads.",
    annotations: readOnly,
  }),
  defineTool({
    operation: listMessages,
    name: "threads",
    title: "Read a conversation",
    description:
      "Returns the messages of one conversation (thread), oldest first: what the user and the coach said. Gives " +
      "all of them unless limit or cursor asks for a page; ask for pages when the conversation may be long, with order " +
      "desc when only the latest messages matter.",
    annotations: readOnly,
  }),
  defineTool({
    operation: searchFiles,
    name: "search-knowledge",
    title: "Search a coach's files",
    description:
      "Searches the files of a coach's knowledge base, or lists them when no search is given. Each file comes " +
      "with how well it matches, the passage that matches best, and whether it has been indexed yet. To have a question " +
      "answered from the files, call chat.",
    annotations: readOnly,
  }),
  defineTool({
    operation: uploadFiles,
    name: "upload-knowledge",
    title: "Add files to a coach's knowledge",
    description:
      "Adds files to a coach's knowledge base, whose conversations can draw on them some moments later. Give " +
      `the content of text files as text, of all others as base64; ${maxBodySize} in all, larger files go over HTTP. The reply ` +
      "says for each file whether it was accepted, or why not. A file that is already there is not added twice.",
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: async () => (await import("./schemas.ts")).UploadArguments,
  }),
  defineTool({
    operation: deleteFile,
    name: "delete-knowledge",
    title: "Delete a coach's file",
    description:
      "Deletes one file from a coach's knowledge base for good: the coach no longer knows what it says. The " +
      "fileId comes from search-knowledge or upload-knowledge.",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  }),
  defineTool({
    operation: listQuestions,
    name: "list-questions",
    title: "List what a coach could not answer",
    description:
      "For the expert behind a coach: lists the questions that the coach could not answer well, those that most people " +
      "have asked first, each with how often it was asked and the conversation in which it was asked last. Gives all " +
      "of them unless limit or cursor asks for a page. To answer one, call answer-question.",
    annotations: readOnly,
  }),
  defineTool({
    operation: answerQuestion,
    name: "answer-question",
    title: "Answer a question for good",
    description:
      "For the expert behind a coach: stores the expert's own answer to a question of list-questions. From then on, " +
      "whoever asks this question is given the answer word for word, as the expert's own, so pass on what the expert " +
      "has said and add nothing. It takes the place of an earlier answer to the same question. question is required " +
      "where the one in the list is null.",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  }),
  defineTool({
    operation: reviseAnswer,
    name: "revise-answer",
    title: "Correct an answer",
    description:
      "For the expert behind a coach: replaces a wrong answer for good. The correction is pinned, and whoever asks the " +
      "same question gets it word for word; with notify the person who got the wrong answer reads it in their " +
      "conversation, and bar_passages keeps the passages that misled from further answers. threads gives the messageId. " +
      "question is needed unless the answer has led to an open question.",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  }),
];
