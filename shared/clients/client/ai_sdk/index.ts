/** The exports of `human-intelligence-client/ai-sdk` in the npm package. */
export { type ChatTransport, type ChatTransportOptions, createChatTransport } from "./chat_transport.ts";
export type { SendMessagesOptions, TransportClient } from "./chat_transport.ts";
export { loadMessages } from "./ui_messages.ts";
export type { MessageChunk } from "./message_chunks.ts";
export type { AnswerMetadata, ChatMessage, SourceDocument, Sources, SourcesPart } from "./ui_messages.ts";
export type { StoredMessage, StoredPart } from "./ui_messages.ts";
