import type { Conversation } from "./read_conversation.ts";

/** A text with which a chat interface asks for something of its own: how it begins, and what must follow. */
type Template = { begins: string; holds?: string; ends?: string };

/** The end of a chat that is quoted. */
const quoted = { ends: "</chat_history>" };

/**
 * Texts of requests in one message, as their defaults in the sources of the interfaces begin. An operator can replace them
 * there: then only a header tells. "### Task:" alone says nothing, since Open WebUI puts it before questions, too.
 */
const templates: Template[] = [
  // Open WebUI: titles of chats and of notes, tags, questions to go on with, searches, images, and what stays of a chat that
  // has become too long; the older ones last.
  { begins: "### Task:\nGenerate a concise title summarizing the chat history", ...quoted },
  { begins: "### Task:\nGenerate a concise, 3-5 word title", ...quoted },
  {
    begins: "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the content in the content's",
    ends: "</content>",
  },
  { begins: "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history", ...quoted },
  { begins: "### Task:\nSuggest 3-5 relevant follow-up questions", ...quoted },
  { begins: "### Task:\nAnalyze the chat history to determine the necessity of generating search queries", ...quoted },
  { begins: "### Task:\nGenerate a detailed prompt for a", ...quoted },
  {
    begins: "### Task:\nSummarize the conversation history that will be compacted out of the active chat context.",
    holds: "### Messages Being Compacted:",
  },
  { begins: "### Task:\nYou are an autocompletion system.", holds: "<text>", ends: "#### Output:" },
  { begins: "Your task is to reflect the speaker's likely facial expression", holds: "Message: ```" },
  { begins: "You have been provided with a set of responses from various models", holds: "Responses from models:" },
  { begins: "Create a concise, 3-5 word title with an emoji as a title for the chat history", ...quoted },
  { begins: "Create a concise, 3-5 word title with an emoji as a title for the prompt", holds: "\nPrompt: " },
  { begins: "Create a concise, 3-5 word phrase as a header for the following query, strictly adhering to" },
  { begins: "Assess the need for a web search based on the current question", holds: "Current Question:" },
  // LibreChat: titles and summaries.
  { begins: "Provide a concise, 5-word-or-less title for the conversation", holds: "\nConversation:\n" },
  { begins: "Analyze this conversation and provide:\n1. The detected language", holds: "\nUser: " },
  { begins: "Please generate a concise, 5-word-or-less title for the conversation", holds: "||>User:" },
  { begins: "Detect user language and write in the same language an extremely concise title", holds: "||>User:" },
  { begins: "Summarize the conversation by integrating new lines into the current summary", holds: "New lines:" },
  // Chatbox and Continue.
  { begins: "Based on the chat history, give this conversation a name.", holds: "Here's the conversation:" },
];

const isCheckpoint = { holds: "Only the checkpoint, don't respond to me or continue the conversation." };

/** Texts that may end a conversation, which they ask to summarize instead of going on: LibreChat's. */
const endings: Template[] = [
  { begins: "Hold on, before you continue I need you to write me a checkpoint of everything so far.", ...isCheckpoint },
  { begins: "Hold on again, update your checkpoint.", ...isCheckpoint },
  { begins: "Write a checkpoint of everything so far. This checkpoint replaces the messages above", ...isCheckpoint },
  { begins: "Update the checkpoint. Merge the new messages into the existing checkpoint", ...isCheckpoint },
];

/** The same, where the text is the system prompt and the message quotes the chat. */
const systemTemplates: Template[] = [
  // Open WebUI: the choice of a tool.
  { begins: "Available Tools:", holds: "Your task is to choose and return the correct tool(s)" },
  // LibreChat: what to remember of a user.
  { begins: "Use the `set_memory` tool to save important information about the user" },
  // LibreChat: headers of what an agent does, and of what a model thinks.
  { begins: "Write a short label describing what this block of agent activity accomplished." },
  { begins: "Summarize what this phase of an agent run accomplished." },
  { begins: "Write a short orientation title for a user-visible reasoning step in a chat UI." },
  // LobeChat: titles, summaries and searches.
  { begins: "You are a professional conversation summarizer. Generate a concise title" },
  { begins: "You're an assistant who's good at extracting key takeaways from conversations" },
  { begins: "Given the following conversation and a follow-up question, rephrase the follow up question" },
  // Cherry Studio: titles.
  {
    begins: "You are an assistant skilled in conversation. You need to summarize the user's conversation into a title",
  },
];

/** Returns whether a request has the text of a well-known task. Most of them have no conversation before it. */
export function isKnownTask({ application, history, question }: Conversation): boolean {
  if (fitsAny(endings, question)) return true;
  if (history.length > 0) return false;
  return fitsAny(templates, question) || application !== null && fitsAny(systemTemplates, application);
}

function fitsAny(templates: Template[], text: string): boolean {
  const trimmed = text.trim().replaceAll("\r\n", "\n");
  return templates.some(({ begins, holds = "", ends = "" }) =>
    trimmed.startsWith(begins) && trimmed.includes(holds) && trimmed.endsWith(ends)
  );
}
