import { formOf, formWith } from "./client.ts";
import type { Refusal } from "./refusals.ts";
import { samplePictures } from "./sample_pictures.ts";

/** What a request is about: the values of the fields of its path, and of some bodies. */
export type Thing = Record<
  | "userId"
  | "coachId"
  | "threadId"
  | "messageId"
  | "questionId"
  | "requestId"
  | "answerId"
  | "passageId"
  | "version"
  | "replyId"
  | "testId"
  | "topicId"
  | "runId"
  | "invitationId"
  | "fileId"
  | "sourceId",
  string
>;

/** An operation of the interface. */
export type Endpoint = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Fields of a {@link Thing} are in braces. */
  path: string;
  /** What an API key needs; of a list, any. */
  scope: string | readonly string[];
  /** The lowest role among the experts of the coach or thread that may send it; left out if others may, too. */
  role?: "answerer" | "editor" | "owner";
  /** True if it is about the signed-in user: a key alone is told to sign in. */
  needsUser?: boolean;
  /** The body of a sound request. */
  body?: (thing: Thing) => unknown;
  /** The refusal of a request about {@link nothing}, and what fills its sentence. */
  refused: readonly [Refusal, what?: string];
  /** The path of that request, if it is sound about {@link nothing}. */
  refusedPath?: string;
  /**
   * The status of a request about a coach, a thread, a turn, a question, a pinned answer and a file that exist, if that is
   * not 200. There is nothing else then: only who may send it can be asked.
   */
  status?: number;
  /** The MCP tool that does the same. */
  tool?: string;
  /** The arguments of a call that gets the same refusal, if they are not the fields of path and body. */
  args?: Record<string, unknown>;
};

/** A thing that does not exist. */
export const nothing: Thing = {
  userId: "u",
  coachId: "nobody",
  version: "999999",
  passageId: inventPassageId(),
  ...idsOf(
    "threadId",
    "messageId",
    "questionId",
    "requestId",
    "answerId",
    "replyId",
    "testId",
    "topicId",
    "runId",
    "invitationId",
    "fileId",
    "sourceId",
  ),
};

function idsOf<Name extends string>(...names: Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, crypto.randomUUID()])) as Record<Name, string>;
}

/** A value that can be the id of a passage. */
export function inventPassageId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** The path of a request about a thing. */
export function pathOf({ path }: Pick<Endpoint, "path">, thing: Partial<Thing>): string {
  return path.replaceAll(/\{(\w+)\}/g, (field, name) => encodeURIComponent(thing[name as keyof Thing] ?? field));
}

const expert = { scope: "expert", role: "answerer", refused: ["coach_not_found"] } as const;
const editor = { ...expert, role: "editor" } as const;
const owner = { ...expert, role: "owner" } as const;
const ofThread = { ...expert, refused: ["thread_not_found"] } as const;
const chat = { scope: "chat", refused: ["message_not_found"] } as const;
const read = { scope: "threads:read", refused: ["thread_not_found"] } as const;
const write = { scope: "threads:write", refused: ["thread_not_found"] } as const;
const ofUser = { scope: "threads:write", refused: ["user_mismatch"], needsUser: true } as const;
const search = { scope: "knowledge:read", refused: ["coach_not_found"] } as const;
const change = { scope: "knowledge:write", refused: ["coach_not_found"] } as const;
const source = { scope: ["knowledge:read", "chat"], refused: ["coach_not_found"] } as const;

const coach = "/coaches/{coachId}";
const thread = "/threads/{threadId}";
const user = "/users/{userId}";
const knowledge = "/knowledge-handler";
const ofCoach = "?coachId={coachId}";

/**
 * Every operation of the interface by its name, written down a second time, independently of the routes of the service: a
 * test compares both. Tests of what all endpoints have in common read this table, so a new endpoint needs one row.
 */
export const endpoints: Record<string, Endpoint> = {
  chat: {
    ...{ method: "POST", path: "/chat", ...chat, refused: ["coach_not_found"], tool: "chat" },
    body: ({ coachId }) => ({ message: "Hi", context: { coachId } }),
  },
  stopAnswer: { method: "POST", path: "/chat/{messageId}/stop", ...chat },
  retryAnswer: { method: "POST", path: "/chat/{messageId}/retry", ...chat },
  followAnswer: { method: "GET", path: "/chat/{messageId}/stream", ...chat },

  listCoaches: {
    ...{ method: "GET", path: "/coaches", scope: "chat", tool: "list-coaches", args: { limit: 0 } },
    // Nothing but bad input is an error of it.
    refusedPath: "/coaches?limit=0",
    refused: ["invalid_input", "limit must be a whole number from 1 to 100"],
  },
  getCoach: { method: "GET", path: coach, scope: "chat", refused: ["coach_not_found"] },
  createCoach: {
    ...{ method: "POST", path: "/coaches", scope: "expert", refused: ["may_not_create"], needsUser: true, status: 403 },
    body: () => ({ name: "Second" }),
  },
  // A wrong name: what the other tests need stays.
  deleteCoach: { method: "DELETE", path: coach, ...owner, status: 400, body: () => ({ confirm: "Somebody else" }) },
  getSettings: { method: "GET", path: `${coach}/settings`, ...editor },
  saveSettings: { method: "PATCH", path: `${coach}/settings`, ...owner, body: () => ({ launcher_text: "Ask" }) },
  getDraft: { method: "GET", path: `${coach}/draft`, ...expert },
  saveDraft: { method: "PUT", path: `${coach}/draft`, ...editor, body: () => ({ title: "Teacher" }) },
  deleteDraft: { method: "DELETE", path: `${coach}/draft`, ...editor },
  setPicture: { method: "PUT", path: `${coach}/picture`, ...editor, body: () => samplePictures.png },
  removePicture: { method: "DELETE", path: `${coach}/picture`, ...editor },
  publish: {
    ...{ method: "POST", path: `${coach}/publish`, ...owner, status: 409 },
    body: () => ({ if_version: 999_999 }),
  },
  listVersions: { method: "GET", path: `${coach}/versions`, ...expert },
  getVersion: { method: "GET", path: `${coach}/versions/{version}`, ...expert, status: 404 },
  restoreVersion: { method: "POST", path: `${coach}/versions/{version}/restore`, ...owner, status: 404 },
  listQuestions: { method: "GET", path: `${coach}/questions`, ...expert, tool: "list-questions" },
  dismissQuestions: {
    ...{ method: "POST", path: `${coach}/questions/dismiss`, ...expert },
    body: ({ threadId }) => ({ thread_id: threadId }),
  },
  dismissQuestion: { method: "POST", path: `${coach}/questions/{questionId}/dismiss`, ...expert },
  reopenQuestion: { method: "POST", path: `${coach}/questions/{questionId}/reopen`, ...expert },
  answerQuestion: {
    ...{ method: "POST", path: `${coach}/questions/{questionId}/answer`, ...expert, tool: "answer-question" },
    body: () => ({ answer: "At noon." }),
  },
  listPinnedAnswers: { method: "GET", path: `${coach}/answers`, ...expert },
  createPinnedAnswer: {
    ...{ method: "POST", path: `${coach}/answers`, ...editor },
    body: ({ messageId }) => ({ question: `Who said ${messageId}?`, answer: "Ada." }),
  },
  importPinnedAnswers: {
    ...{ method: "POST", path: `${coach}/answers/import`, ...editor },
    body: ({ messageId }) => ({ csv: `question,answer\nWho wrote ${messageId}?,Ada.` }),
  },
  exportPinnedAnswers: { method: "GET", path: `${coach}/answers/export`, ...expert },
  getPinnedAnswer: { method: "GET", path: `${coach}/answers/{answerId}`, ...expert },
  updatePinnedAnswer: {
    ...{ method: "PATCH", path: `${coach}/answers/{answerId}`, ...editor },
    body: () => ({ answer: "At one." }),
  },
  deletePinnedAnswer: { method: "DELETE", path: `${coach}/answers/{answerId}`, ...editor },
  listBarredPassages: { method: "GET", path: `${coach}/barred-passages`, ...expert },
  barPassage: { method: "PUT", path: `${coach}/barred-passages/{passageId}`, ...editor },
  unbarPassage: { method: "DELETE", path: `${coach}/barred-passages/{passageId}`, ...editor, status: 404 },
  listTests: { method: "GET", path: `${coach}/tests`, ...editor },
  createTest: { method: "POST", path: `${coach}/tests`, ...editor, body: () => ({ question: "When is tea?" }) },
  updateTest: {
    ...{ method: "PATCH", path: `${coach}/tests/{testId}`, ...editor, status: 404 },
    body: () => ({ question: "When?" }),
  },
  deleteTest: { method: "DELETE", path: `${coach}/tests/{testId}`, ...editor, status: 404 },
  listTestRuns: { method: "GET", path: `${coach}/test-runs`, ...editor },
  startTestRun: {
    ...{ method: "POST", path: `${coach}/test-runs`, ...editor, status: 404 },
    body: ({ testId }) => ({ tests: [testId] }),
  },
  getTestRun: { method: "GET", path: `${coach}/test-runs/{runId}`, ...editor, status: 404 },
  stopTestRun: { method: "POST", path: `${coach}/test-runs/{runId}/stop`, ...editor, status: 404 },
  tryQuestion: { method: "POST", path: `${coach}/try`, ...expert, body: () => ({ question: "When is lunch?" }) },
  listConversations: { method: "GET", path: `${coach}/threads`, ...expert },
  listTopics: { method: "GET", path: `${coach}/topics`, ...expert },
  listTopicThreads: { method: "GET", path: `${coach}/topics/{topicId}/threads`, ...expert, status: 404 },
  getConversation: { method: "GET", path: `${coach}/threads/{threadId}`, ...expert },
  updateConversation: {
    ...{ method: "PATCH", path: `${coach}/threads/{threadId}`, ...expert },
    body: () => ({ note: "Call back" }),
  },
  listReplies: { method: "GET", path: `${coach}/replies`, ...expert },
  createReply: {
    ...{ method: "POST", path: `${coach}/replies`, ...expert },
    body: () => ({ name: "Thanks", content: "Thank you for asking." }),
  },
  updateReply: {
    ...{ method: "PATCH", path: `${coach}/replies/{replyId}`, ...expert, status: 404 },
    body: () => ({ name: "Thanks" }),
  },
  deleteReply: { method: "DELETE", path: `${coach}/replies/{replyId}`, ...expert, status: 404 },
  getUsage: { method: "GET", path: `${coach}/usage`, ...expert },
  watchCoach: { method: "GET", path: `${coach}/events`, ...expert },
  getOverview: { method: "GET", path: `${coach}/overview`, ...expert },
  listExperts: { method: "GET", path: `${coach}/experts`, ...expert },
  updateExpert: {
    ...{ method: "PATCH", path: `${coach}/experts/{userId}`, ...owner, status: 404 },
    body: () => ({ role: "editor" }),
  },
  removeExpert: { method: "DELETE", path: `${coach}/experts/{userId}`, ...owner, status: 404 },
  previewInvitation: {
    ...{ method: "POST", path: "/coaches/invitations/preview", scope: "expert", refused: ["invitation_not_found"] },
    body: () => ({ token: "x" }),
  },
  acceptInvitation: {
    ...{ method: "POST", path: "/coaches/invitations/accept", scope: "expert", refused: ["invitation_not_found"] },
    needsUser: true,
    body: () => ({ token: "x" }),
  },
  createInvitation: {
    ...{ method: "POST", path: `${coach}/invitations`, ...owner },
    body: () => ({ role: "answerer" }),
  },
  listInvitations: { method: "GET", path: `${coach}/invitations`, ...owner },
  listActs: { method: "GET", path: `${coach}/acts`, ...owner },
  deleteInvitation: { method: "DELETE", path: `${coach}/invitations/{invitationId}`, ...owner, status: 404 },
  getExpertFace: { method: "GET", path: `${coach}/experts/me`, ...expert, needsUser: true },
  saveExpertFace: {
    ...{ method: "PUT", path: `${coach}/experts/me`, ...expert, needsUser: true },
    body: () => ({ name: "Jon" }),
  },
  setExpertPicture: {
    ...{ method: "PUT", path: `${coach}/experts/me/picture`, ...expert, needsUser: true },
    body: () => samplePictures.png,
  },
  removeExpertPicture: { method: "DELETE", path: `${coach}/experts/me/picture`, ...expert, needsUser: true },
  getExpertMail: { method: "GET", path: `${coach}/experts/me/mail`, ...expert, needsUser: true },
  saveExpertMail: {
    ...{ method: "PUT", path: `${coach}/experts/me/mail`, ...expert, needsUser: true },
    body: () => ({ digest: "weekly" }),
  },

  listThreads: {
    method: "GET",
    path: `${user}/threads`,
    ...read,
    refused: ["user_mismatch"],
    tool: "get-user-threads",
  },
  eraseUser: { method: "DELETE", path: user, ...ofUser },
  getBudget: { method: "GET", path: `${user}/budget`, scope: "chat", refused: ["user_mismatch"] },
  listOwnCoaches: { method: "GET", path: `${user}/coaches`, scope: "expert", refused: ["user_mismatch"] },
  getUserMail: { method: "GET", path: `${user}/mail`, ...ofUser },
  saveUserMail: { method: "PUT", path: `${user}/mail`, ...ofUser, body: () => ({ email: "a@example.com" }) },
  deleteUserMail: { method: "DELETE", path: `${user}/mail`, ...ofUser },

  listMessages: { method: "GET", path: `${thread}/messages`, ...read, tool: "threads" },
  sayAsExpert: {
    ...{ method: "POST", path: `${thread}/messages`, ...ofThread },
    body: () => ({ content: "Here I am." }),
  },
  rateAnswer: {
    ...{ method: "PUT", path: `${thread}/messages/{messageId}/feedback`, ...write },
    body: () => ({ rating: "down" }),
  },
  markThreadRead: { method: "POST", path: `${thread}/read`, ...write },
  getThread: { method: "GET", path: thread, ...read },
  updateThread: { method: "PATCH", path: thread, ...write, body: () => ({ title: "Renamed" }) },
  deleteThread: { method: "DELETE", path: thread, ...write },
  askExpert: {
    method: "POST",
    path: `${thread}/ask-expert`,
    scope: "chat",
    status: 201,
    refused: ["thread_not_found"],
    tool: "ask-expert",
  },
  listRequests: { method: "GET", path: `${thread}/requests`, ...read, tool: "list-requests" },
  withdrawRequest: { method: "DELETE", path: `${thread}/requests/{requestId}`, ...write, status: 404 },
  draftReply: { method: "POST", path: `${thread}/draft-reply`, ...ofThread, body: () => ({}) },
  takeOver: { method: "POST", path: `${thread}/takeover`, ...ofThread },
  releaseThread: { method: "POST", path: `${thread}/release`, ...ofThread },
  reviseAnswer: {
    ...{ method: "POST", path: `${thread}/messages/{messageId}/revise`, ...ofThread, tool: "revise-answer" },
    body: ({ messageId }) => ({ answer: "At two.", question: `Is it ${messageId}?`, notify: true }),
  },
  tellTyping: { method: "POST", path: `${thread}/typing`, ...write, scope: ["threads:write", "expert"] },
  watchThread: { method: "GET", path: `${thread}/events`, ...read },

  createText: {
    ...{ method: "POST", path: `${knowledge}/texts${ofCoach}`, ...change },
    body: () => ({ title: `Text ${crypto.randomUUID()}`, content: "Words" }),
  },
  getText: { method: "GET", path: `${knowledge}/texts/{fileId}${ofCoach}`, ...search, status: 404 },
  saveText: {
    ...{ method: "PUT", path: `${knowledge}/texts/{fileId}${ofCoach}`, ...change, status: 404 },
    body: () => ({ title: "A", content: "B" }),
  },
  listContradictions: { method: "GET", path: `${knowledge}/contradictions${ofCoach}`, ...search },
  settleContradiction: {
    ...{
      method: "POST",
      path: `${knowledge}/contradictions/{contradictionId}/settle${ofCoach}`,
      ...change,
      status: 404,
    },
    body: () => ({ counts: null }),
  },
  listSources: { method: "GET", path: `${knowledge}/sources${ofCoach}`, ...search },
  addSource: {
    ...{ method: "POST", path: `${knowledge}/sources${ofCoach}`, ...change, tool: "add-source" },
    body: () => ({ url: `https://example.com/${crypto.randomUUID()}`, kind: "page", refresh: "never" }),
  },
  getSource: { method: "GET", path: `${knowledge}/sources/{sourceId}${ofCoach}`, ...search, status: 404 },
  updateSource: {
    ...{ method: "PATCH", path: `${knowledge}/sources/{sourceId}${ofCoach}`, ...change, status: 404 },
    body: () => ({ refresh: "daily" }),
  },
  deleteSource: { method: "DELETE", path: `${knowledge}/sources/{sourceId}${ofCoach}`, ...change, status: 404 },
  refreshSource: { method: "POST", path: `${knowledge}/sources/{sourceId}/refresh${ofCoach}`, ...change, status: 404 },
  uploadFiles: {
    ...{ method: "POST", path: `${knowledge}${ofCoach}`, ...change, tool: "upload-knowledge" },
    body: () => formOf(["a.md", crypto.randomUUID()]),
    args: { coachId: "nobody", files: [{ filename: "a.md", text: "Text" }] },
  },
  searchFiles: { method: "GET", path: `${knowledge}${ofCoach}`, ...search, tool: "search-knowledge" },
  replaceFile: {
    ...{ method: "PUT", path: `${knowledge}/{fileId}${ofCoach}`, ...change },
    body: () => formWith("file", ["a.md", crypto.randomUUID()]),
  },
  updateFile: {
    ...{ method: "PATCH", path: `${knowledge}/{fileId}${ofCoach}`, ...change },
    body: () => ({ valid_until: "2999-12-31" }),
  },
  listFileQuotes: { ...expert, method: "GET", path: `${knowledge}/{fileId}/quotes${ofCoach}` },
  listFileChanges: { method: "GET", path: `${knowledge}/{fileId}/changes${ofCoach}`, ...search },
  deleteFile: { method: "DELETE", path: `${knowledge}/{fileId}${ofCoach}`, ...change, tool: "delete-knowledge" },
  getFile: { method: "GET", path: `${knowledge}/{fileId}${ofCoach}`, ...source, tool: "read-source" },
  getOriginal: { method: "GET", path: `${knowledge}/{fileId}/content${ofCoach}`, ...source },
  getPassage: { method: "GET", path: `${knowledge}/{fileId}/passages/{passageId}${ofCoach}`, ...source, status: 404 },
};
