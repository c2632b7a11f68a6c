// Written by `npm run client`; not to be edited.
import type { Address } from "../../http/endpoint.ts";

export const addresses: Address[] = [
  {
    method: "POST",
    path: "/coaches/invitations/accept",
    load: () => import("../../features/experts/accept_invitation.ts"),
  },
  {
    method: "POST",
    path: "/coaches/invitations/preview",
    load: () => import("../../features/experts/preview_invitation.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/acts",
    load: () => import("../../features/experts/list_acts.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/answers/export",
    load: () => import("../../features/pinned_answers/export_pinned_answers.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/answers/import",
    load: () => import("../../features/pinned_answers/import_pinned_answers.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/answers/:answerId",
    load: () => import("../../features/pinned_answers/get_pinned_answer.ts"),
  },
  {
    method: "PATCH",
    path: "/coaches/:coachId/answers/:answerId",
    load: () => import("../../features/pinned_answers/update_pinned_answer.ts"),
  },
  {
    method: "DELETE",
    path: "/coaches/:coachId/answers/:answerId",
    load: () => import("../../features/pinned_answers/delete_pinned_answer.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/answers",
    load: () => import("../../features/pinned_answers/list_pinned_answers.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/answers",
    load: () => import("../../features/pinned_answers/create_pinned_answer.ts"),
  },
  {
    method: "PUT",
    path: "/coaches/:coachId/barred-passages/:passageId",
    load: () => import("../../features/pinned_answers/bar_passage.ts"),
  },
  {
    method: "DELETE",
    path: "/coaches/:coachId/barred-passages/:passageId",
    load: () => import("../../features/pinned_answers/unbar_passage.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/barred-passages",
    load: () => import("../../features/pinned_answers/list_barred_passages.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/draft",
    load: () => import("../../features/drafts/get_draft.ts"),
  },
  {
    method: "PUT",
    path: "/coaches/:coachId/draft",
    load: () => import("../../features/drafts/save_draft.ts"),
  },
  {
    method: "DELETE",
    path: "/coaches/:coachId/draft",
    load: () => import("../../features/drafts/delete_draft.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/events",
    load: () => import("../../features/events/watch_coach.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/experts/me/mail",
    load: () => import("../../features/mail/get_expert_mail.ts"),
  },
  {
    method: "PUT",
    path: "/coaches/:coachId/experts/me/mail",
    load: () => import("../../features/mail/save_expert_mail.ts"),
  },
  {
    method: "PUT",
    path: "/coaches/:coachId/experts/me/picture",
    load: () => import("../../features/experts/set_expert_picture.ts"),
  },
  {
    method: "DELETE",
    path: "/coaches/:coachId/experts/me/picture",
    load: () => import("../../features/experts/remove_expert_picture.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/experts/me",
    load: () => import("../../features/experts/get_expert_face.ts"),
  },
  {
    method: "PUT",
    path: "/coaches/:coachId/experts/me",
    load: () => import("../../features/experts/save_expert_face.ts"),
  },
  {
    method: "PATCH",
    path: "/coaches/:coachId/experts/:userId",
    load: () => import("../../features/experts/update_expert.ts"),
  },
  {
    method: "DELETE",
    path: "/coaches/:coachId/experts/:userId",
    load: () => import("../../features/experts/remove_expert.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/experts",
    load: () => import("../../features/experts/list_experts.ts"),
  },
  {
    method: "DELETE",
    path: "/coaches/:coachId/invitations/:invitationId",
    load: () => import("../../features/experts/delete_invitation.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/invitations",
    load: () => import("../../features/experts/list_invitations.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/invitations",
    load: () => import("../../features/experts/create_invitation.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/overview",
    load: () => import("../../features/overview/get_overview.ts"),
  },
  {
    method: "PUT",
    path: "/coaches/:coachId/picture",
    load: () => import("../../features/drafts/set_picture.ts"),
  },
  {
    method: "DELETE",
    path: "/coaches/:coachId/picture",
    load: () => import("../../features/drafts/remove_picture.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/publish",
    load: () => import("../../features/drafts/publish.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/questions/dismiss",
    load: () => import("../../features/questions/dismiss_questions.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/questions/:questionId/answer",
    load: () => import("../../features/questions/answer_question.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/questions/:questionId/dismiss",
    load: () => import("../../features/questions/dismiss_question.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/questions/:questionId/reopen",
    load: () => import("../../features/questions/reopen_question.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/questions",
    load: () => import("../../features/questions/list_questions.ts"),
  },
  {
    method: "PATCH",
    path: "/coaches/:coachId/replies/:replyId",
    load: () => import("../../features/conversations/update_reply.ts"),
  },
  {
    method: "DELETE",
    path: "/coaches/:coachId/replies/:replyId",
    load: () => import("../../features/conversations/delete_reply.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/replies",
    load: () => import("../../features/conversations/list_replies.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/replies",
    load: () => import("../../features/conversations/create_reply.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/settings",
    load: () => import("../../features/coaches/get_settings.ts"),
  },
  {
    method: "PATCH",
    path: "/coaches/:coachId/settings",
    load: () => import("../../features/coaches/save_settings.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/test-runs/:runId/stop",
    load: () => import("../../features/coach_tests/stop_test_run.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/test-runs/:runId",
    load: () => import("../../features/coach_tests/get_test_run.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/test-runs",
    load: () => import("../../features/coach_tests/list_test_runs.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/test-runs",
    load: () => import("../../features/coach_tests/start_test_run.ts"),
  },
  {
    method: "PATCH",
    path: "/coaches/:coachId/tests/:testId",
    load: () => import("../../features/coach_tests/update_test_case.ts"),
  },
  {
    method: "DELETE",
    path: "/coaches/:coachId/tests/:testId",
    load: () => import("../../features/coach_tests/delete_test_case.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/tests",
    load: () => import("../../features/coach_tests/list_tests.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/tests",
    load: () => import("../../features/coach_tests/create_test_case.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/threads/:threadId",
    load: () => import("../../features/conversations/get_conversation.ts"),
  },
  {
    method: "PATCH",
    path: "/coaches/:coachId/threads/:threadId",
    load: () => import("../../features/conversations/update_conversation.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/threads",
    load: () => import("../../features/conversations/list_conversations.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/topics/:topicId/threads",
    load: () => import("../../features/topics/list_topic_threads.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/topics",
    load: () => import("../../features/topics/list_topics.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/try",
    load: () => import("../../features/coach_tests/try_question.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/usage",
    load: () => import("../../features/conversations/get_usage.ts"),
  },
  {
    method: "POST",
    path: "/coaches/:coachId/versions/:version/restore",
    load: () => import("../../features/drafts/restore_version.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/versions/:version",
    load: () => import("../../features/drafts/get_version.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId/versions",
    load: () => import("../../features/drafts/list_versions.ts"),
  },
  {
    method: "GET",
    path: "/coaches/:coachId",
    load: () => import("../../features/coaches/get_coach.ts"),
  },
  {
    method: "DELETE",
    path: "/coaches/:coachId",
    load: () => import("../../features/coaches/delete_coach.ts"),
  },
  {
    method: "GET",
    path: "/coaches",
    load: () => import("../../features/coaches/list_coaches.ts"),
  },
  {
    method: "POST",
    path: "/coaches",
    load: () => import("../../features/experts/create_coach.ts"),
  },
];
