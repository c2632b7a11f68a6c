import type { Role } from "../../shared/features/experts/roles.ts";
import { operator, type Tenant } from "./project.ts";
import { samplePictures } from "./sample_pictures.ts";
import { storeAnswers } from "./turns.ts";

/** A coach with a conversation, an open question and a pinned answer. */
export type Thing = { coachId: string; threadId: string; messageId: string; questionId: string; answerId: string };

/** A request of an expert. */
export type Act = {
  path: (thing: Thing) => string;
  body?: (thing: Thing) => unknown;
  /** The status for those who may send it, if that is not 200. */
  status?: number;
  /** The lowest role that may send it, if that is not `answerer`. */
  needs?: Role;
  /** It is about the signed-in expert: a server alone is told to sign in. */
  isOfUser?: boolean;
};

const unknownId = crypto.randomUUID();

const coach = (rest: string): Act["path"] => ({ coachId }) => `/coaches/${coachId}/${rest}`;
const thread = (rest: string): Act["path"] => ({ threadId }) => `/threads/${threadId}/${rest}`;

/** Every operation that only experts of a coach may perform, with the scope `expert`. */
export const acts: Record<string, Act> = {
  listQuestions: { path: coach("questions") },
  dismissQuestion: { path: ({ coachId, questionId }) => `/coaches/${coachId}/questions/${questionId}/dismiss` },
  dismissQuestions: { path: coach("questions/dismiss"), body: ({ threadId }) => ({ thread_id: threadId }) },
  reopenQuestion: { path: ({ coachId, questionId }) => `/coaches/${coachId}/questions/${questionId}/reopen` },
  answerQuestion: {
    path: ({ coachId, questionId }) => `/coaches/${coachId}/questions/${questionId}/answer`,
    body: () => ({ answer: "At noon." }),
  },
  listPinnedAnswers: { path: coach("answers") },
  createPinnedAnswer: {
    needs: "editor",
    path: coach("answers"),
    body: ({ messageId }) => ({ question: `Who said ${messageId}?`, answer: "Ada." }),
  },
  importPinnedAnswers: {
    needs: "editor",
    path: coach("answers/import"),
    body: ({ messageId }) => ({ csv: `question,answer\nWho wrote ${messageId}?,Ada.` }),
  },
  exportPinnedAnswers: { path: coach("answers/export") },
  getPinnedAnswer: { path: ({ coachId, answerId }) => `/coaches/${coachId}/answers/${answerId}` },
  updatePinnedAnswer: {
    needs: "editor",
    path: ({ coachId, answerId }) => `/coaches/${coachId}/answers/${answerId}`,
    body: () => ({ answer: "At one." }),
  },
  deletePinnedAnswer: { needs: "editor", path: ({ coachId, answerId }) => `/coaches/${coachId}/answers/${answerId}` },
  listBarredPassages: { path: coach("barred-passages") },
  barPassage: { needs: "editor", path: coach(`barred-passages/${"0".repeat(32)}`) },
  // Only who may do it is asked: no such passage is barred.
  unbarPassage: { needs: "editor", path: coach(`barred-passages/${"1".repeat(32)}`), status: 404 },
  // Only who may do it is asked: the coach has no such test or run.
  listTests: { needs: "editor", path: coach("tests") },
  createTest: { needs: "editor", path: coach("tests"), body: () => ({ question: "When is tea?" }) },
  updateTest: { needs: "editor", path: coach(`tests/${unknownId}`), body: () => ({ question: "When?" }), status: 404 },
  deleteTest: { needs: "editor", path: coach(`tests/${unknownId}`), status: 404 },
  listTestRuns: { needs: "editor", path: coach("test-runs") },
  startTestRun: { needs: "editor", path: coach("test-runs"), body: () => ({ tests: [unknownId] }), status: 404 },
  getTestRun: { needs: "editor", path: coach(`test-runs/${unknownId}`), status: 404 },
  stopTestRun: { needs: "editor", path: coach(`test-runs/${unknownId}/stop`), status: 404 },
  tryQuestion: { path: coach("try"), body: () => ({ question: "When is lunch?" }) },
  getDraft: { path: coach("draft") },
  saveDraft: { needs: "editor", path: coach("draft"), body: () => ({ title: "Teacher" }) },
  deleteDraft: { needs: "editor", path: coach("draft") },
  setPicture: { needs: "editor", path: coach("picture"), body: () => samplePictures.png },
  removePicture: { needs: "editor", path: coach("picture") },
  // Only who may do it is asked: the coach has no such version.
  publish: { needs: "owner", path: coach("publish"), body: () => ({ if_version: 999_999 }), status: 409 },
  listVersions: { path: coach("versions") },
  getVersion: { path: coach("versions/999999"), status: 404 },
  restoreVersion: { needs: "owner", path: coach("versions/999999/restore"), status: 404 },
  getExpertMail: { path: coach("experts/me/mail"), isOfUser: true },
  saveExpertMail: { path: coach("experts/me/mail"), body: () => ({ digest: "weekly" }), isOfUser: true },
  listConversations: { path: coach("threads") },
  getUsage: { path: coach("usage") },
  watchCoach: { path: coach("events") },
  takeOver: { path: thread("takeover") },
  releaseThread: { path: thread("release") },
  sayAsExpert: { path: thread("messages"), body: () => ({ content: "Here I am." }) },
  reviseAnswer: {
    path: ({ threadId, messageId }) => `/threads/${threadId}/messages/${messageId}/revise`,
    body: () => ({ answer: "At two.", question: "When is tea?" }),
  },
  getOverview: { path: coach("overview") },
  listExperts: { path: coach("experts") },
  // Only who may do it is asked: the coach has no such expert or invitation.
  updateExpert: { needs: "owner", path: coach(`experts/${unknownId}`), body: () => ({ role: "editor" }), status: 404 },
  removeExpert: { needs: "owner", path: coach(`experts/${unknownId}`), status: 404 },
  createInvitation: { needs: "owner", path: coach("invitations"), body: () => ({ role: "answerer" }) },
  listInvitations: { needs: "owner", path: coach("invitations") },
  deleteInvitation: { needs: "owner", path: coach(`invitations/${unknownId}`), status: 404 },
};

/** Operations with the scope `expert` that are of no coach: whoever has a token may see and use an invitation. */
export const ofNoCoach = ["acceptInvitation", "listOwnCoaches", "previewInvitation"];

/** Creates some things of a coach. */
export async function createThings({ accountId, coachId }: Tenant, count: number): Promise<Thing[]> {
  const answer = { accountId, coachId, content: "Said", status: "complete", user_id: "somebody" };
  const turns = await storeAnswers(Array(count).fill(answer));
  const owned = { account_id: accountId, coach_id: coachId };
  const { data: questions } = await operator.from("open_questions")
    .insert(turns.map(({ messageId }) => ({ ...owned, question: `When is lunch, ${messageId}?` }))).select("id")
    .throwOnError();
  const { data: answers } = await operator.from("pinned_answers")
    .insert(
      turns.map(({ messageId }) => ({ ...owned, question: `When is dinner, ${messageId}?`, answer: "At eight." })),
    )
    .select("id").throwOnError();
  return turns.map(({ threadId, messageId }, index) => ({
    ...{ coachId, threadId, messageId, questionId: questions[index]!.id, answerId: answers[index]!.id },
  }));
}
