// Written by `npm run client`; not to be edited.
import type { components, operations } from "./api_types.ts";
import type { CallOptions, RepeatableCallOptions } from "./call_operation.ts";

type Schemas = components["schemas"];
type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]["parameters"]["query"]>;

/** The methods that send a request and return its reply. */
export interface OperationMethods {
  /**
   * Stop an answer.
   *
   * Cancels the model call of a running answer, from any connection. The text so far is stored as the message.
   *
   * Needs a key with the scope `chat`.
   */
  stopAnswer(messageId: string, options?: CallOptions): Promise<Schemas["AnswerObject"]>;
  /**
   * Accept an invitation.
   *
   * Makes the signed-in user an expert, and uses the invitation up. Anonymous users and those of an application's own
   * login cannot be experts. A user who is an expert of the coach already keeps a higher role. If the invitation is
   * for a new coach, `name` and `title` are required: the coach is made, with the user as its owner, and answers
   * nobody until it is published.
   *
   * Needs a key with the scope `expert`.
   */
  acceptInvitation(
    body: Schemas["AcceptInvitationBody"],
    options?: CallOptions,
  ): Promise<Schemas["AcceptedInvitation"]>;
  /**
   * See who did what to a coach.
   *
   * For owners. What experts, servers and the operator did in the last year: who was invited, added or removed, what
   * was published. IDs and times, never what somebody wrote. With `limit` or `cursor`, one page of it.
   *
   * Needs a key with the scope `expert`.
   */
  listActs(coachId: string, query?: QueryOf<"listActs">, options?: CallOptions): Promise<Schemas["ActList"]>;
  /**
   * Import a sheet of questions and answers.
   *
   * Pins the answers of a CSV file. Commas, semicolons or tabs separate columns. Their names are in the first row, in
   * any order and case: `question` and `answer`, and optionally `variants` (one a line in a cell) and `is_active`.
   * Annotations that were exported from Dify, and FAQ files of Chatwoot, are read as they are.
   *
   * A row whose question is pinned already changes that answer; a row that says the same changes nothing, so importing
   * a sheet twice adds nothing. If the question is only a variant of the pinned answer, its question and variants
   * stay. Columns that are left out, and blank cells of `is_active`, leave what is pinned as it is. A sheet with a row
   * that cannot be used is refused, and the reply names all such rows. A long sheet is stored in parts: if the request
   * is interrupted, the same sheet stores the rest.
   *
   * With `preview`, nothing is stored: the reply shows what would become of each row.
   *
   * Needs a key with the scope `expert`.
   */
  importAnswers(
    coachId: string,
    body: Schemas["ImportPinnedAnswersBody"],
    options?: CallOptions,
  ): Promise<Schemas["ImportedAnswers"]>;
  /**
   * Get a pinned answer.
   *
   * A pinned answer with its versions: what each said, who wrote it, and when.
   *
   * Needs a key with the scope `expert`.
   */
  getPinnedAnswer(
    coachId: string,
    answerId: string,
    options?: CallOptions,
  ): Promise<Schemas["PinnedAnswerWithVersions"]>;
  /**
   * Change a pinned answer.
   *
   * Changes the fields that are sent, at least one. The previous text is kept as a version. Answers already given from
   * it do not change.
   *
   * Needs a key with the scope `expert`.
   */
  updatePinnedAnswer(
    coachId: string,
    answerId: string,
    body: Schemas["UpdatePinnedAnswerBody"],
    options?: CallOptions,
  ): Promise<Schemas["PinnedAnswer"]>;
  /**
   * Delete a pinned answer.
   *
   * Deletes a pinned answer and its versions. Answers already given from it do not change.
   *
   * Needs a key with the scope `expert`.
   */
  deletePinnedAnswer(coachId: string, answerId: string, options?: CallOptions): Promise<Schemas["DeletedPinnedAnswer"]>;
  /**
   * List the pinned answers of a coach.
   *
   * All pinned answers, most recently changed first. With `limit` or `cursor`, one page of them. Like all operations
   * on pinned answers, only for the expert behind the coach.
   *
   * Needs a key with the scope `expert`.
   */
  listPinnedAnswers(
    coachId: string,
    query?: QueryOf<"listPinnedAnswers">,
    options?: CallOptions,
  ): Promise<Schemas["PinnedAnswerList"]>;
  /**
   * Pin an answer to a question.
   *
   * From now on, a message that asks this question gets this answer word for word, without the model. Two questions
   * are the same if they have the same words in the same order. Case, accents, punctuation, articles, word endings,
   * and polite phrases at the beginning or end are ignored. For similar questions, the model is given this answer to
   * work from.
   *
   * A coach has each question only once, including variants. A duplicate is refused with 409 and the `answerId` of the
   * pinned answer that already has it.
   *
   * Needs a key with the scope `expert`.
   */
  createPinnedAnswer(
    coachId: string,
    body: Schemas["CreatePinnedAnswerBody"],
    options?: CallOptions,
  ): Promise<Schemas["PinnedAnswer"]>;
  /**
   * Bar a passage from answers.
   *
   * New answers no longer use the passage, whichever of the coach's files contains it, and even after the file is
   * indexed again. The file search still finds it.
   *
   * Needs a key with the scope `expert`.
   */
  barPassage(coachId: string, passageId: string, options?: CallOptions): Promise<Schemas["BarredPassage"]>;
  /**
   * Let answers use a passage again.
   *
   * New answers may use the passage again.
   *
   * Needs a key with the scope `expert`.
   */
  unbarPassage(coachId: string, passageId: string, options?: CallOptions): Promise<Schemas["UnbarredPassage"]>;
  /**
   * List the barred passages of a coach.
   *
   * The passages that answers must not use, newest first. With `limit` or `cursor`, one page of them. Only for the
   * expert behind the coach.
   *
   * Needs a key with the scope `expert`.
   */
  listBarredPassages(
    coachId: string,
    query?: QueryOf<"listBarredPassages">,
    options?: CallOptions,
  ): Promise<Schemas["BarredPassageList"]>;
  /**
   * Get the draft of a persona.
   *
   * The persona as it would be if its draft were published, with the names of the fields that would change. Without a
   * draft, that is what is published. For the experts of the coach.
   *
   * Needs a key with the scope `expert`.
   */
  getDraft(coachId: string, options?: CallOptions): Promise<Schemas["PersonaDraft"]>;
  /**
   * Save the draft of a persona.
   *
   * Replaces the draft, but for its picture. Fields that are left out are as published, so send only those that have
   * changed: then changes that are published meanwhile stay. People see nothing of a draft until it is published;
   * `try` and `test-runs` take it with `draft`. For owners and editors.
   *
   * Needs a key with the scope `expert`.
   */
  saveDraft(coachId: string, body: Schemas["SaveDraftBody"], options?: CallOptions): Promise<Schemas["PersonaDraft"]>;
  /**
   * Delete the draft of a persona.
   *
   * Discards what was not published, the picture included. For owners and editors.
   *
   * Needs a key with the scope `expert`.
   */
  deleteDraft(coachId: string, options?: CallOptions): Promise<Schemas["DeletedDraft"]>;
  /**
   * Get one's mail settings.
   *
   * The mails that the signed-in expert gets about a coach. They go to the confirmed address of the expert's sign-in.
   * An access token is required.
   *
   * Needs a key with the scope `expert`.
   */
  getExpertMail(coachId: string, options?: CallOptions): Promise<Schemas["ExpertMail"]>;
  /**
   * Change one's mail settings.
   *
   * Changes the mails that the signed-in expert gets about a coach. Fields that are left out stay as they are. The
   * digest lists the questions that wait, at an hour of the expert's own time zone; no digest is sent if nothing
   * waits. An access token is required.
   *
   * Needs a key with the scope `expert`.
   */
  saveExpertMail(
    coachId: string,
    body: Schemas["SaveExpertMailBody"],
    options?: CallOptions,
  ): Promise<Schemas["ExpertMail"]>;
  /**
   * Remove the picture under which one answers.
   *
   * People see the picture of the persona or, beside a name of one's own, none.
   *
   * Needs a key with the scope `expert`.
   */
  removeExpertPicture(coachId: string, options?: CallOptions): Promise<Schemas["ExpertFace"]>;
  /**
   * See under which name and face one answers.
   *
   * What people see of the signed-in expert who answers them in person: a name and a picture of their own, or null
   * where people see those of the persona.
   *
   * Needs a key with the scope `expert`.
   */
  getExpertFace(coachId: string, options?: CallOptions): Promise<Schemas["ExpertFace"]>;
  /**
   * Set the name under which one answers.
   *
   * For the signed-in expert, with this coach. People read it beside what the expert has written to them in person,
   * earlier messages too, and the other experts read it in place of the email address. Pinned answers that are given
   * word for word keep the name of the persona.
   *
   * Needs a key with the scope `expert`.
   */
  saveExpertFace(
    coachId: string,
    body: Schemas["SaveExpertFaceBody"],
    options?: CallOptions,
  ): Promise<Schemas["ExpertFace"]>;
  /**
   * Change the role of an expert.
   *
   * For owners. A coach keeps at least one owner: the last one cannot get another role.
   *
   * Needs a key with the scope `expert`.
   */
  updateExpert(
    coachId: string,
    userId: string,
    body: Schemas["UpdateExpertBody"],
    options?: CallOptions,
  ): Promise<Schemas["Expert"]>;
  /**
   * Remove an expert.
   *
   * Owners remove anyone; every expert may leave, with `me`. What the expert has said and written stays. A coach keeps
   * at least one owner: the last one can neither leave nor be removed.
   *
   * Needs a key with the scope `expert`.
   */
  removeExpert(coachId: string, userId: string, options?: CallOptions): Promise<Schemas["RemovedExpert"]>;
  /**
   * List the experts of a coach.
   *
   * All experts behind a coach with their roles, for each of them. With `limit` or `cursor`, one page of them.
   *
   * Needs a key with the scope `expert`.
   */
  listExperts(coachId: string, query?: QueryOf<"listExperts">, options?: CallOptions): Promise<Schemas["ExpertList"]>;
  /**
   * Take an invitation back.
   *
   * For owners. Its link is no longer valid.
   *
   * Needs a key with the scope `expert`.
   */
  deleteInvitation(coachId: string, invitationId: string, options?: CallOptions): Promise<Schemas["DeletedInvitation"]>;
  /**
   * List the open invitations of a coach.
   *
   * For owners. Invitations that nobody has accepted and that have not expired, newest first. With `limit` or
   * `cursor`, one page of them.
   *
   * Needs a key with the scope `expert`.
   */
  listInvitations(
    coachId: string,
    query?: QueryOf<"listInvitations">,
    options?: CallOptions,
  ): Promise<Schemas["InvitationList"]>;
  /**
   * Invite an expert.
   *
   * For owners. Makes a link with which one person can become an expert within seven days. Whoever opens it first,
   * signed in, gets the role, whatever address it was sent to. The token is in this reply only; its digest alone is
   * kept. A coach can have at most 50 open invitations.
   *
   * Needs a key with the scope `expert`.
   */
  createInvitation(
    coachId: string,
    body: Schemas["CreateInvitationBody"],
    options?: CallOptions,
  ): Promise<Schemas["NewInvitation"]>;
  /**
   * Get an overview of a coach.
   *
   * What waits for the experts, what has changed since a moment, how the coach did in the last seven days and in those
   * before, and what does not work. For every expert of the coach.
   *
   * Needs a key with the scope `expert`.
   */
  getOverview(coachId: string, query?: QueryOf<"getOverview">, options?: CallOptions): Promise<Schemas["Overview"]>;
  /**
   * Remove the picture of a persona.
   *
   * The draft has no picture then. For owners and editors.
   *
   * Needs a key with the scope `expert`.
   */
  removePicture(coachId: string, options?: CallOptions): Promise<Schemas["PersonaDraft"]>;
  /**
   * Publish the draft of a persona.
   *
   * The next answers are given by it. A persona that was never active becomes active. `if_version` names the version
   * that was seen, so that nobody overwrites what another expert has published. For owners.
   *
   * Needs a key with the scope `expert`.
   */
  publish(coachId: string, body: Schemas["PublishBody"], options?: CallOptions): Promise<Schemas["PersonaVersion"]>;
  /**
   * Dismiss all questions of a thread or a person.
   *
   * Dismisses the open questions that the person of a thread has asked in it or, with `of_person`, in any thread with
   * this coach. A question that somebody else has asked, too, stays open.
   *
   * Needs a key with the scope `expert`.
   */
  dismissQuestions(
    coachId: string,
    body: Schemas["DismissQuestionsBody"],
    options?: CallOptions,
  ): Promise<Schemas["DismissedQuestions"]>;
  /**
   * Answer a question.
   *
   * Pins an answer to the question: from now on, anyone who asks it gets the answer word for word. If the question
   * already has a pinned answer, this text replaces it. The question then counts as answered. If it is asked again and
   * not answered well, the question reopens.
   *
   * Unless `notify` is false, the answer is also put into the threads in which the question was asked, as a message of
   * the expert, even while an answer is being written there. It is no takeover, and ends no waiting. Each thread gets
   * it once, and again if the question is answered with another text. Archived threads are left out. The message
   * belongs to the person's own question: its source quotes it, and lists of messages with `include=author` name it as
   * `reply_to`. Someone who asked in other words, which a model has found to mean the same, gets it only if `notify`
   * names the asking.
   *
   * Needs a key with the scope `expert`.
   */
  answerQuestion(
    coachId: string,
    questionId: string,
    body: Schemas["AnswerQuestionBody"],
    options?: CallOptions,
  ): Promise<Schemas["AnsweredQuestion"]>;
  /**
   * Dismiss a question.
   *
   * Removes a question from the open ones. It is still counted. A dismissed question reopens automatically once the
   * number of people who asked it has doubled, with at least three new ones.
   *
   * Needs a key with the scope `expert`.
   */
  dismissQuestion(coachId: string, questionId: string, options?: CallOptions): Promise<Schemas["OpenQuestion"]>;
  /**
   * Reopen a question.
   *
   * Moves an answered or dismissed question back to the open ones.
   *
   * Needs a key with the scope `expert`.
   */
  reopenQuestion(coachId: string, questionId: string, options?: CallOptions): Promise<Schemas["OpenQuestion"]>;
  /**
   * List open questions.
   *
   * Questions that the coach could not answer well, those that most people asked first, and of those that as many
   * people asked, the latest first. A person can open at most ten questions a day. With `limit` or `cursor`, one page
   * of them instead of all. The same question in the same words is listed once, immediately; in other words, it is
   * merged once the worker has compared them. For the expert behind the coach: its own user, signed in, or a key that
   * acts alone.
   *
   * With `include=askings`, each comes with the number of threads that get an answer, and with the people who have
   * asked in other words.
   *
   * Needs a key with the scope `expert`.
   */
  listQuestions(
    coachId: string,
    query?: QueryOf<"listQuestions">,
    options?: CallOptions,
  ): Promise<Schemas["QuestionList"]>;
  /**
   * Change a saved reply.
   *
   * Fields that are left out stay as they are. What was sent with it does not change.
   *
   * Needs a key with the scope `expert`.
   */
  updateReply(
    coachId: string,
    replyId: string,
    body: Schemas["UpdateReplyBody"],
    options?: CallOptions,
  ): Promise<Schemas["SavedReply"]>;
  /**
   * Delete a saved reply.
   *
   * What was sent with it stays.
   *
   * Needs a key with the scope `expert`.
   */
  deleteReply(coachId: string, replyId: string, options?: CallOptions): Promise<Schemas["DeletedReply"]>;
  /**
   * List saved replies.
   *
   * What the experts of a coach often write, to be put into a reply. With `limit` or `cursor`, one page of them.
   *
   * Needs a key with the scope `expert`.
   */
  listReplies(
    coachId: string,
    query?: QueryOf<"listReplies">,
    options?: CallOptions,
  ): Promise<Schemas["SavedReplyList"]>;
  /**
   * Save a reply.
   *
   * For the experts of the coach, who share it. A coach can have at most 200 of them.
   *
   * Needs a key with the scope `expert`.
   */
  createReply(coachId: string, body: Schemas["CreateReplyBody"], options?: CallOptions): Promise<Schemas["SavedReply"]>;
  /**
   * Get the settings of a coach.
   *
   * What owners set at once, besides what is published. For owners and editors.
   *
   * Needs a key with the scope `expert`.
   */
  getSettings(coachId: string, options?: CallOptions): Promise<Schemas["CoachSettings"]>;
  /**
   * Change the settings of a coach.
   *
   * Changes those that are passed, at once: they are no part of drafts and versions.
   *
   * Needs a key with the scope `expert`.
   */
  saveSettings(
    coachId: string,
    body: Schemas["SaveSettingsBody"],
    options?: CallOptions,
  ): Promise<Schemas["CoachSettings"]>;
  /**
   * Stop a test run.
   *
   * Tests that have not begun are left out, and those under way are given up within seconds. The results so far stay.
   * A run that has ended stays as it is.
   *
   * Needs a key with the scope `expert`.
   */
  stopTestRun(coachId: string, runId: string, options?: CallOptions): Promise<Schemas["TestRun"]>;
  /**
   * Get a test run.
   *
   * A run with its results so far. Each result comes with that of the latest finished run of what was published in
   * which the test passed or failed, so that both answers can be shown side by side.
   *
   * Needs a key with the scope `expert`.
   */
  getTestRun(coachId: string, runId: string, options?: CallOptions): Promise<Schemas["TestRun"]>;
  /**
   * List the test runs of a coach.
   *
   * The newest 50 runs without their results, newest first. With `limit` or `cursor`, one page of them.
   *
   * Needs a key with the scope `expert`.
   */
  listTestRuns(
    coachId: string,
    query?: QueryOf<"listTestRuns">,
    options?: CallOptions,
  ): Promise<Schemas["TestRunList"]>;
  /**
   * Run tests.
   *
   * Asks the coach the questions of its tests in the background, a few at a time, and checks the answers. A run leaves
   * no thread, no open question and no hit of a pinned answer. It counts as usage and on the budgets of the coach and
   * the account, and waits while one is used up. Runs of a coach go one after another; at most ten may wait.
   *
   * Needs a key with the scope `expert`.
   */
  startTestRun(coachId: string, body?: Schemas["StartTestRunBody"], options?: CallOptions): Promise<Schemas["TestRun"]>;
  /**
   * Change a test.
   *
   * Changes the fields that are sent, at least one. Results that the test has do not change.
   *
   * Needs a key with the scope `expert`.
   */
  updateTest(
    coachId: string,
    testId: string,
    body: Schemas["UpdateTestBody"],
    options?: CallOptions,
  ): Promise<Schemas["PersonaTest"]>;
  /**
   * Delete a test.
   *
   * Deletes a test and its results in all runs.
   *
   * Needs a key with the scope `expert`.
   */
  deleteTest(coachId: string, testId: string, options?: CallOptions): Promise<Schemas["DeletedPersonaTest"]>;
  /**
   * List the tests of a coach.
   *
   * Questions with what is expected of the answer, newest first. With `limit` or `cursor`, one page of them. Like all
   * operations on tests, only for the expert behind the coach.
   *
   * Needs a key with the scope `expert`.
   */
  listTests(coachId: string, query?: QueryOf<"listTests">, options?: CallOptions): Promise<Schemas["PersonaTestList"]>;
  /**
   * Add a test.
   *
   * A test asks the coach a question, after the messages of `history` if there are any. A question and the answer that
   * the expert would give, `reference`, are a whole test: a language model compares both answers. `expect` checks
   * more: the outcome, texts that the answer contains or does not contain, the files that it draws on, and a rubric
   * that a language model judges. Everything in it must be so. A coach can have at most 500 tests.
   *
   * Needs a key with the scope `expert`.
   */
  createTest(coachId: string, body: Schemas["CreateTestBody"], options?: CallOptions): Promise<Schemas["PersonaTest"]>;
  /**
   * Get a conversation.
   *
   * One thread with the coach, as the list of all conversations shows it. For the experts of the coach.
   *
   * Needs a key with the scope `expert`.
   */
  getConversation(coachId: string, threadId: string, options?: CallOptions): Promise<Schemas["Conversation"]>;
  /**
   * Assign, close or annotate a conversation.
   *
   * What the experts of a coach arrange among each other: who sees to a conversation, whether it is done with, and a
   * note. Fields that are left out stay as they are. The person is told nothing of it. All of it is deleted with the
   * thread.
   *
   * Needs a key with the scope `expert`.
   */
  updateConversation(
    coachId: string,
    threadId: string,
    body: Schemas["UpdateConversationBody"],
    options?: CallOptions,
  ): Promise<Schemas["Conversation"]>;
  /**
   * List the conversations with a coach.
   *
   * One page of all users' threads with this coach, including archived ones: most recently updated first, or with
   * `search` the best match first. All filters can be combined. For the expert behind the coach: its own user, signed
   * in, or a key that acts alone. `GET /threads/{threadId}/messages` returns the messages.
   *
   * Needs a key with the scope `expert`.
   */
  listConversations(
    coachId: string,
    query?: QueryOf<"listConversations">,
    options?: CallOptions,
  ): Promise<Schemas["ConversationList"]>;
  /**
   * List the conversations of a topic.
   *
   * One page of the conversations of a topic that began in a period, newest first, without archived ones. Each is as
   * in the list of all conversations. For the expert behind the coach: its own user, signed in, or a key that acts
   * alone.
   *
   * Needs a key with the scope `expert`.
   */
  listTopicThreads(
    coachId: string,
    topicId: string,
    query?: QueryOf<"listTopicThreads">,
    options?: CallOptions,
  ): Promise<Schemas["ConversationList"]>;
  /**
   * List what people ask.
   *
   * The topics of the conversations that began in a period, the largest first: of those with at least three people in
   * it, at most 30. Topics keep their IDs. Their names and examples hold no personal details. Archived conversations,
   * tests and trials do not count. With `Accept: text/csv`, the same as a file for spreadsheets, where an apostrophe
   * is added before texts that a spreadsheet would compute. For the expert behind the coach: its own user, signed in,
   * or a key that acts alone.
   *
   * Needs a key with the scope `expert`.
   */
  listTopics(coachId: string, query?: QueryOf<"listTopics">, options?: CallOptions): Promise<Schemas["TopicList"]>;
  /**
   * Try a question.
   *
   * Shows what the coach would use to answer a question: the pinned answer that would be given word for word, or
   * similar ones, and passages from its files. With `answer: true`, the reply also has the answer itself. That calls
   * the model as a turn does, and may take as long. `history` has what was said before, so that a whole conversation
   * can be tried. `reference` is an answer to compare with: the reply says in a sentence what differs.
   *
   * With `Accept: text/event-stream`, the answer is streamed as `chat` streams it. When the client leaves, it is given
   * up.
   *
   * Nothing is stored: no thread, no open question, no hit of a pinned answer. The model's server is asked to store
   * nothing either. An inactive coach can be tried, too. For the expert behind the coach: its own user, signed in, or
   * a key that acts alone.
   *
   * Needs a key with the scope `expert`.
   */
  tryQuestion(
    coachId: string,
    body: Schemas["TryQuestionBody"],
    options?: CallOptions,
  ): Promise<Schemas["TriedQuestion"]>;
  /**
   * Get the usage of a coach by day.
   *
   * Turns, tokens, people, open questions and feedback of each day, and the totals of all days. Days without any
   * activity are included. For the expert behind the coach: its own user, signed in, or a key that acts alone.
   *
   * Needs a key with the scope `expert`.
   */
  getUsage(coachId: string, query?: QueryOf<"getUsage">, options?: CallOptions): Promise<Schemas["CoachUsage"]>;
  /**
   * Restore a version of a persona.
   *
   * Publishes a new version that has the fields and the picture of an earlier one. Settings of operators stay, and so
   * does the draft. For owners.
   *
   * Needs a key with the scope `expert`.
   */
  restoreVersion(
    coachId: string,
    version: number,
    body?: Schemas["RestoreVersionBody"],
    options?: CallOptions,
  ): Promise<Schemas["PersonaVersion"]>;
  /**
   * Get a version of a persona.
   *
   * What the persona was in this version. For the experts of the coach.
   *
   * Needs a key with the scope `expert`.
   */
  getVersion(coachId: string, version: number, options?: CallOptions): Promise<Schemas["PersonaVersion"]>;
  /**
   * List the versions of a persona.
   *
   * Every change that was published, newest first, also those by operators and their settings. With `limit` or
   * `cursor`, one page of them. For the experts of the coach.
   *
   * Needs a key with the scope `expert`.
   */
  listVersions(
    coachId: string,
    query?: QueryOf<"listVersions">,
    options?: CallOptions,
  ): Promise<Schemas["PersonaVersionList"]>;
  /**
   * Get a coach.
   *
   * An active coach that the caller may talk to.
   *
   * Needs a key with the scope `chat`.
   */
  getCoach(coachId: string, options?: CallOptions): Promise<Schemas["CoachWithTimes"]>;
  /**
   * List the coaches.
   *
   * All active coaches that the caller may talk to, by name. With `limit` or `cursor`, one page of them.
   *
   * Needs a key with the scope `chat`.
   */
  listCoaches(query?: QueryOf<"listCoaches">, options?: CallOptions): Promise<Schemas["CoachList"]>;
  /**
   * Make a coach.
   *
   * Makes an unpublished coach, for a signed-in user who is an owner of another one, if the account allows that.
   * Nobody can talk to it until it is published.
   *
   * Needs a key with the scope `expert`.
   */
  createCoach(body: Schemas["CreateCoachBody"], options?: CallOptions): Promise<Schemas["OwnCoach"]>;
  /**
   * Settle a contradiction.
   *
   * Says which of the two passages counts. Answers then do not draw on what the other file says instead: its passages
   * with these statements are barred, and can be used again as any barred passage can; or, with `ends_file`, the days
   * of the other file end. With `null` both stay. The same two statements are not listed again.
   *
   * Needs a key with the scope `knowledge:write`.
   */
  settleContradiction(
    coachId: string,
    contradictionId: string,
    body: Schemas["SettleContradictionBody"],
    options?: CallOptions,
  ): Promise<Schemas["SettledContradiction"]>;
  /**
   * List contradictions.
   *
   * Passages of two files that say something else about the same thing, such as another price, date or number, or yes
   * and no. They are looked for in the background whenever a file was read. Contradictions that were settled, and
   * those of passages that a file does not have any more or that are barred, are left out.
   *
   * Needs a key with the scope `knowledge:read`.
   */
  listContradictions(
    coachId: string,
    query?: Omit<QueryOf<"listContradictions">, "coachId">,
    options?: CallOptions,
  ): Promise<Schemas["ContradictionList"]>;
  /**
   * Read a web source again.
   *
   * Has a source read again now, from the beginning. Pages that have not changed are not indexed again.
   *
   * Needs a key with the scope `knowledge:write`.
   */
  refreshSource(coachId: string, sourceId: string, options?: CallOptions): Promise<Schemas["KnowledgeSource"]>;
  /**
   * Get a web source.
   *
   * A source, with the pages that could not be read or used, and why.
   *
   * Needs a key with the scope `knowledge:read`.
   */
  getSource(coachId: string, sourceId: string, options?: CallOptions): Promise<Schemas["KnowledgeSourceDetail"]>;
  /**
   * Change a web source.
   *
   * Changes how often a source is read, or the most pages that it may have.
   *
   * Needs a key with the scope `knowledge:write`.
   */
  updateSource(
    coachId: string,
    sourceId: string,
    body: Schemas["UpdateSourceBody"],
    options?: CallOptions,
  ): Promise<Schemas["KnowledgeSource"]>;
  /**
   * Delete a web source.
   *
   * Deletes a source with the files of all its pages.
   *
   * Needs a key with the scope `knowledge:write`.
   */
  deleteSource(coachId: string, sourceId: string, options?: CallOptions): Promise<Schemas["DeletedSource"]>;
  /**
   * List web sources.
   *
   * The web addresses that a coach knows, newest first. Their pages are in the list of files, too.
   *
   * Needs a key with the scope `knowledge:read`.
   */
  listSources(
    coachId: string,
    query?: Omit<QueryOf<"listSources">, "coachId">,
    options?: CallOptions,
  ): Promise<Schemas["KnowledgeSourceList"]>;
  /**
   * Add a web source.
   *
   * Adds a web address to the knowledge of a coach. It is read in the background: each page becomes a knowledge file
   * with its main content, and is read again as `refresh` says. If the coach has the address already, that source is
   * returned unchanged.
   *
   * Needs a key with the scope `knowledge:write`.
   */
  addSource(
    coachId: string,
    body: Schemas["AddSourceBody"],
    options?: CallOptions,
  ): Promise<Schemas["KnowledgeSource"]>;
  /**
   * Get a text.
   *
   * A text as it was saved last, even if answers still draw on what it said before.
   *
   * Needs a key with the scope `knowledge:read`.
   */
  getText(coachId: string, fileId: string, options?: CallOptions): Promise<Schemas["WrittenText"]>;
  /**
   * Save a text.
   *
   * Saves title and content of a text. What it said before answers until the new text has been read. With
   * `if_version`, it is a 409 if somebody else has saved another version since.
   *
   * Needs a key with the scope `knowledge:write`.
   */
  saveText(
    coachId: string,
    fileId: string,
    body: Schemas["SaveTextBody"],
    options?: CallOptions,
  ): Promise<Schemas["WrittenText"]>;
  /**
   * Write a text.
   *
   * Adds a text in Markdown to the knowledge of a coach. It is a knowledge file with the title as its first heading
   * and its name, and is listed, searched, quoted and deleted as files are. The same title and content again are the
   * text that there is.
   *
   * Needs a key with the scope `knowledge:write`.
   */
  createText(coachId: string, body: Schemas["CreateTextBody"], options?: CallOptions): Promise<Schemas["WrittenText"]>;
  /**
   * List what replacing a file has changed.
   *
   * Which passages came, went and stayed with each version of the last 30 days.
   *
   * Needs a key with the scope `knowledge:read`.
   */
  listFileChanges(coachId: string, fileId: string, options?: CallOptions): Promise<Schemas["FileChangeList"]>;
  /**
   * Get the address of the original.
   *
   * An address that opens the original of a file without a key, for 60 seconds. Browsers show PDF, PNG and JPEG in
   * place, the latter at `#page=N` if you add that; all other types are downloaded. After that, and if it was changed,
   * the address replies 403 with the code `address_not_valid`; if the file is deleted, 404 with `file_not_found`. For
   * a server whose key has the scope `knowledge:read`, for the coach's own user, and, if the coach's
   * `sources_are_open`, for everyone who may talk to the coach.
   *
   * Needs a key with the scope `knowledge:read` or `chat`.
   */
  getOriginal(coachId: string, fileId: string, options?: CallOptions): Promise<Schemas["OriginalAddress"]>;
  /**
   * Get a passage among its neighbors.
   *
   * A passage that an answer draws on, with the passages before and after it. Passages may begin with the end of the
   * one before: `repeats` says how much. A passage that a later version of the file no longer has is a 404. If the
   * same text is twice in the file, the first is meant. For a server whose key has the scope `knowledge:read`, for the
   * coach's own user, and, if the coach's `sources_are_open`, for everyone who may talk to the coach.
   *
   * Needs a key with the scope `knowledge:read` or `chat`.
   */
  getPassage(
    coachId: string,
    fileId: string,
    passageId: string,
    query?: Omit<QueryOf<"getPassage">, "coachId">,
    options?: CallOptions,
  ): Promise<Schemas["PassageInContext"]>;
  /**
   * List the answers that draw on a file.
   *
   * The answers of the last 30 days that draw on a file, newest first, and the open questions that it could answer.
   *
   * Needs a key with the scope `expert`.
   */
  listFileQuotes(coachId: string, fileId: string, options?: CallOptions): Promise<Schemas["FileQuotes"]>;
  /**
   * Get a knowledge file.
   *
   * A file with its sections: what is where. A section is a run of passages under one heading, or on one page if there
   * are no headings. For a server whose key has the scope `knowledge:read`, for the coach's own user, and, if the
   * coach's `sources_are_open`, for everyone who may talk to the coach.
   *
   * Needs a key with the scope `knowledge:read` or `chat`.
   */
  getFile(coachId: string, fileId: string, options?: CallOptions): Promise<Schemas["FileOutline"]>;
  /**
   * Rename a knowledge file, or date it.
   *
   * Changes the name of a file, or the days (UTC, inclusive) on which answers may draw on it. On other days it is
   * quoted to nobody, and reading it is a 404 for those who talk to the coach; searches of files find it, with
   * `is_valid_today: false`. What is left out stays as it is. Pages of a source cannot be renamed: 409.
   *
   * Needs a key with the scope `knowledge:write`.
   */
  updateFile(
    coachId: string,
    fileId: string,
    body: Schemas["UpdateFileBody"],
    options?: CallOptions,
  ): Promise<Schemas["StoredFile"]>;
  /**
   * Delete a knowledge file.
   *
   * Deletes a file and everything extracted from it.
   *
   * Needs a key with the scope `knowledge:write`.
   */
  deleteFile(coachId: string, fileId: string, options?: CallOptions): Promise<{ message: string; fileId: string }>;
  /**
   * Ask the expert in person.
   *
   * Asks the person behind the coach: about a question of the thread, by default the last one, or with a new
   * `question`, whose answer then waits for the expert. No model is called, so this also works when budgets are used
   * up, and the model goes on answering other messages. An answer that waits for the expert is never given by the
   * model.
   *
   * The reply is 201 for a new request. Asking again about the same question returns the same entry; one that was
   * withdrawn waits again. With an `email`, a mail asks to confirm the address, and another one has a link to the
   * answer, which works without an account. No other mails are sent there.
   *
   * Needs a key with the scope `chat`.
   */
  askExpert(
    threadId: string,
    body: Schemas["AskExpertBody"],
    options?: RepeatableCallOptions,
  ): Promise<Schemas["ExpertRequest"]>;
  /**
   * Draft a reply for the expert.
   *
   * Drafts what the expert might reply to the person's newest message, or to the one in `in_reply_to`, for the expert
   * to edit. It is made of the thread, pinned answers and passages of files alone. Where these do not say what is
   * asked, the draft has a gap in square brackets. If the very question is pinned, the draft is the pinned answer, and
   * the model is not asked.
   *
   * Nothing is stored or sent: what the expert then sends with `sayAsExpert` counts as their own words. A draft counts
   * on budgets, and fails as an answer does.
   *
   * Needs a key with the scope `expert`.
   */
  draftReply(
    threadId: string,
    body: Schemas["DraftReplyBody"],
    options?: CallOptions,
  ): Promise<Schemas["DraftedReply"]>;
  /**
   * Rate an answer.
   *
   * Stores what the thread's user thinks of an answer and replaces any earlier rating; `rating: null` removes it. With
   * a user's token, only that user's answers can be rated; a key alone acts for the user of the thread. A rating
   * belongs to the text that was rated: when the answer is run again, the rating is deleted.
   *
   * Needs a key with the scope `threads:write`.
   */
  rateAnswer(
    threadId: string,
    messageId: string,
    body: Schemas["RateAnswerBody"],
    options?: CallOptions,
  ): Promise<Schemas["RatedAnswer"]>;
  /**
   * Correct an answer.
   *
   * Turns the expert's correction into a pinned answer: from now on, the same question gets it word for word. If the
   * question is already pinned, that pinned answer gets a new version. The answer is marked as revised, and the open
   * questions it led to are answered. `bar_passages` excludes misleading passages from all further answers, and
   * `notify` informs the person in their thread. Either everything is done, or nothing.
   *
   * `question` is required unless the answer led to an open question with a sentence.
   *
   * Needs a key with the scope `expert`.
   */
  reviseAnswer(
    threadId: string,
    messageId: string,
    body: Schemas["ReviseAnswerBody"],
    options?: RepeatableCallOptions,
  ): Promise<Schemas["RevisedAnswer"]>;
  /**
   * Get the messages of a thread.
   *
   * All messages of a thread, oldest first. With `limit` or `cursor`, one page of them; with `order=desc`, newest
   * first. Answers without text are left out.
   *
   * With `include=status`, every answer is listed, including one that is still being written, with its text so far,
   * and one that failed before it had any text. A page that is reloaded in the middle of an answer finds its ID there
   * and continues with `followAnswer`.
   *
   * With an access token, for the thread's own user and for the expert behind its coach. `include=basis` shows what
   * each answer was based on. It is for the expert only: the coach's own user, or a key with the scope `expert` that
   * acts alone.
   *
   * Needs a key with the scope `threads:read`.
   */
  listMessages(
    threadId: string,
    query?: QueryOf<"listMessages">,
    options?: CallOptions,
  ): Promise<Schemas["MessageList"]>;
  /**
   * Say something as the expert.
   *
   * Stores a message of the expert. It becomes the answer to the oldest waiting question. If no question waits, it is
   * added at the end of the thread on its own. The thread is taken over, as by `takeOver`.
   *
   * Needs a key with the scope `expert`.
   */
  sayAsExpert(
    threadId: string,
    body: Schemas["SayAsExpertBody"],
    options?: RepeatableCallOptions,
  ): Promise<Schemas["ExpertMessage"]>;
  /**
   * Mark a thread as read.
   *
   * Sets `unread` to 0. May be repeated. With an access token, for the thread's own user; a key alone acts for the
   * user of the thread.
   *
   * `unread` counts the messages of the expert (also those that the user saw as they came, until this is called) and
   * each answer whose last text was stored when the connection of its reply was gone. An answer no longer counts once
   * its end was received through `followAnswer`, or through a repetition of its question, or when it is run again.
   * Failed and stopped answers never count.
   *
   * Needs a key with the scope `threads:write`.
   */
  markThreadRead(threadId: string, options?: CallOptions): Promise<Schemas["ThreadWithState"]>;
  /**
   * Let the model answer again.
   *
   * Ends a takeover. The model answers the waiting questions in the background; their answers appear in the list of
   * messages. A request for a human is closed: the thread leaves the list of those with `needs_reply`. If nobody has
   * taken the thread over, only the request for a human is closed.
   *
   * Needs a key with the scope `expert`.
   */
  releaseThread(threadId: string, options?: CallOptions): Promise<Schemas["ThreadWithState"]>;
  /**
   * Take a request back.
   *
   * The expert is no longer asked. An answer that waits for the expert ends as `stopped`. A link to the answer that
   * was sent by mail does not work any more. The request may be repeated.
   *
   * Needs a key with the scope `threads:write`.
   */
  withdrawRequest(threadId: string, requestId: string, options?: CallOptions): Promise<Schemas["ExpertRequest"]>;
  /**
   * List the requests of a thread.
   *
   * What the user of the thread has asked the expert in person, and what has become of it. If an expert of the coach
   * lists them, those that wait are `seen` from then on.
   *
   * Needs a key with the scope `threads:read`.
   */
  listRequests(threadId: string, options?: CallOptions): Promise<Schemas["RequestList"]>;
  /**
   * Answer a thread in person.
   *
   * From now on the expert behind the coach answers, and the model is silent: `handled_by` is `expert`. If an answer
   * is being written, it ends with the text so far; if it has no text yet, its question waits for the expert. Anyone
   * who asks during the takeover gets a notice (the coach's `takeover_notice`), and the question waits.
   *
   * The takeover lasts until `releaseThread`, or until `takeover_minutes` (a setting of the coach) after the expert's
   * last message. Calling this again extends it.
   *
   * Needs a key with the scope `expert`.
   */
  takeOver(threadId: string, options?: CallOptions): Promise<Schemas["ThreadWithState"]>;
  /**
   * Tell who is typing.
   *
   * Those who watch the thread get the event `typing.user` or, from a signed-in expert, `typing.expert`. Call it again
   * every few seconds while somebody types: after seven seconds without it, they have stopped. A key alone speaks for
   * the thread's user. The text itself is not sent, and nothing is kept.
   *
   * Needs a key with the scope `threads:write` or `expert`.
   */
  tellTyping(threadId: string, options?: CallOptions): Promise<Schemas["Typing"]>;
  /**
   * Get a thread.
   *
   * A thread as it appears in lists, with its state: whether it is pinned or archived, and whether an answer is being
   * written. With an access token, for the thread's own user and for the expert behind its coach.
   *
   * Needs a key with the scope `threads:read`.
   */
  getThread(threadId: string, options?: CallOptions): Promise<Schemas["ThreadWithState"]>;
  /**
   * Rename, pin or archive a thread.
   *
   * Changes the fields that are sent, at least one. The thread keeps its place in the list.
   *
   * Needs a key with the scope `threads:write`.
   */
  updateThread(
    threadId: string,
    body: Schemas["UpdateThreadBody"],
    options?: CallOptions,
  ): Promise<Schemas["ThreadWithState"]>;
  /**
   * Delete a thread.
   *
   * Deletes a thread and all its messages, also at the language model's server. An answer that is being written in it
   * is canceled.
   *
   * Needs a key with the scope `threads:write`.
   */
  deleteThread(threadId: string, options?: CallOptions): Promise<{ message: string; threadId: string }>;
  /**
   * Get what a user may still use.
   *
   * The budgets that limit what a user may have the language models do: of the account, of the API key and of coaches,
   * and the user's own share where each user has an amount. When a budget is used up, requests that would ask a model
   * get a 429 with the code `budget_exhausted`; pinned answers are given all the same.
   *
   * With an access token, the figures of budgets that are shared with other people are left out, and so are budgets
   * that only warn the operator.
   *
   * Needs a key with the scope `chat`.
   */
  getBudget(userId: string, query?: QueryOf<"getBudget">, options?: CallOptions): Promise<Schemas["BudgetList"]>;
  /**
   * List the coaches of an expert.
   *
   * The coaches that a user is an expert of, by name, including inactive ones, as far as the key reaches them. With
   * `limit` or `cursor`, one page of them.
   *
   * Needs a key with the scope `expert`.
   */
  listOwnCoaches(
    userId: string,
    query?: QueryOf<"listOwnCoaches">,
    options?: CallOptions,
  ): Promise<Schemas["OwnCoachList"]>;
  /**
   * Get the user's email address.
   *
   * The address at which the signed-in user is told that the expert has answered. An access token is required, and
   * `userId` must be its user, or `me`. Anonymous users have no account that an address could belong to: they get a
   * 403.
   *
   * Needs a key with the scope `threads:write`.
   */
  getUserMail(userId: string, options?: CallOptions): Promise<Schemas["UserMail"]>;
  /**
   * Store the user's email address.
   *
   * Stores the address at which the signed-in user is told that the expert has answered. A mail with a link is sent to
   * it, and nothing else until that link was opened. Sending the same address again sends the mail again, unless the
   * address is confirmed. A user and an address get a few of these mails a day. An access token is required, and
   * `userId` must be its user, or `me`. Anonymous users have no account that an address could belong to: they get a
   * 403.
   *
   * Needs a key with the scope `threads:write`.
   */
  saveUserMail(userId: string, body: Schemas["SaveUserMailBody"], options?: CallOptions): Promise<Schemas["UserMail"]>;
  /**
   * Delete the user's email address.
   *
   * Ends the mails to the signed-in user, and forgets the address. An access token is required, and `userId` must be
   * its user, or `me`. Anonymous users have no account that an address could belong to: they get a 403.
   *
   * Needs a key with the scope `threads:write`.
   */
  deleteUserMail(userId: string, options?: CallOptions): Promise<Schemas["DeletedUserMail"]>;
  /**
   * List a user's threads.
   *
   * All threads of a user: most recently updated first, or with `search` the best match first. With `limit` or
   * `cursor`, one page of them.
   *
   * Needs a key with the scope `threads:read`.
   */
  listThreads(userId: string, query?: QueryOf<"listThreads">, options?: CallOptions): Promise<Schemas["ThreadList"]>;
  /**
   * Delete the signed-in user.
   *
   * Deletes everything that is stored about the signed-in user in the account of the key: all threads with all
   * coaches, their messages (also at the language model's server), ratings, and the user's part in open questions.
   * Answers that are being written are canceled. An access token is required, and `userId` must be its user, or `me`.
   * The request may be repeated: its reply is the same.
   *
   * The sign-in itself is not deleted. The requests that the user has made are still counted, under a hash, until
   * their limits reset.
   *
   * Needs a key with the scope `threads:write`.
   */
  eraseUser(userId: string, options?: CallOptions): Promise<{ message: string; userId: string }>;
}

/** What the methods for visitors send, as the client reads it. */
export const visitorRequests: Record<string, string> = {
  stopAnswer: "POST chat/{messageId}/stop",
  getCoach: "GET coaches/{coachId}",
  listCoaches: "GET coaches query",
  getOriginal: "GET coachId?knowledge-handler/{fileId}/content",
  getPassage: "GET coachId?knowledge-handler/{fileId}/passages/{passageId} query",
  getFile: "GET coachId?knowledge-handler/{fileId}",
  askExpert: "POST threads/{threadId}/ask-expert body",
  rateAnswer: "PUT threads/{threadId}/messages/{messageId}/feedback body",
  listMessages: "GET threads/{threadId}/messages query",
  markThreadRead: "POST threads/{threadId}/read",
  withdrawRequest: "DELETE threads/{threadId}/requests/{requestId}",
  listRequests: "GET threads/{threadId}/requests",
  tellTyping: "POST threads/{threadId}/typing",
  getThread: "GET threads/{threadId}",
  updateThread: "PATCH threads/{threadId} body",
  deleteThread: "DELETE threads/{threadId}",
  getBudget: "GET users/{userId}/budget query",
  getUserMail: "GET users/{userId}/mail",
  saveUserMail: "PUT users/{userId}/mail body",
  deleteUserMail: "DELETE users/{userId}/mail",
  listThreads: "GET users/{userId}/threads query",
  eraseUser: "DELETE users/{userId}",
};

/** The same for experts and servers. */
export const expertRequests: Record<string, string> = {
  acceptInvitation: "POST coaches/invitations/accept body",
  listActs: "GET coaches/{coachId}/acts query",
  importAnswers: "POST coaches/{coachId}/answers/import body",
  getPinnedAnswer: "GET coaches/{coachId}/answers/{answerId}",
  updatePinnedAnswer: "PATCH coaches/{coachId}/answers/{answerId} body",
  deletePinnedAnswer: "DELETE coaches/{coachId}/answers/{answerId}",
  listPinnedAnswers: "GET coaches/{coachId}/answers query",
  createPinnedAnswer: "POST coaches/{coachId}/answers body",
  barPassage: "PUT coaches/{coachId}/barred-passages/{passageId}",
  unbarPassage: "DELETE coaches/{coachId}/barred-passages/{passageId}",
  listBarredPassages: "GET coaches/{coachId}/barred-passages query",
  getDraft: "GET coaches/{coachId}/draft",
  saveDraft: "PUT coaches/{coachId}/draft body",
  deleteDraft: "DELETE coaches/{coachId}/draft",
  getExpertMail: "GET coaches/{coachId}/experts/me/mail",
  saveExpertMail: "PUT coaches/{coachId}/experts/me/mail body",
  removeExpertPicture: "DELETE coaches/{coachId}/experts/me/picture",
  getExpertFace: "GET coaches/{coachId}/experts/me",
  saveExpertFace: "PUT coaches/{coachId}/experts/me body",
  updateExpert: "PATCH coaches/{coachId}/experts/{userId} body",
  removeExpert: "DELETE coaches/{coachId}/experts/{userId}",
  listExperts: "GET coaches/{coachId}/experts query",
  deleteInvitation: "DELETE coaches/{coachId}/invitations/{invitationId}",
  listInvitations: "GET coaches/{coachId}/invitations query",
  createInvitation: "POST coaches/{coachId}/invitations body",
  getOverview: "GET coaches/{coachId}/overview query",
  removePicture: "DELETE coaches/{coachId}/picture",
  publish: "POST coaches/{coachId}/publish body",
  dismissQuestions: "POST coaches/{coachId}/questions/dismiss body",
  answerQuestion: "POST coaches/{coachId}/questions/{questionId}/answer body",
  dismissQuestion: "POST coaches/{coachId}/questions/{questionId}/dismiss",
  reopenQuestion: "POST coaches/{coachId}/questions/{questionId}/reopen",
  listQuestions: "GET coaches/{coachId}/questions query",
  updateReply: "PATCH coaches/{coachId}/replies/{replyId} body",
  deleteReply: "DELETE coaches/{coachId}/replies/{replyId}",
  listReplies: "GET coaches/{coachId}/replies query",
  createReply: "POST coaches/{coachId}/replies body",
  getSettings: "GET coaches/{coachId}/settings",
  saveSettings: "PATCH coaches/{coachId}/settings body",
  stopTestRun: "POST coaches/{coachId}/test-runs/{runId}/stop",
  getTestRun: "GET coaches/{coachId}/test-runs/{runId}",
  listTestRuns: "GET coaches/{coachId}/test-runs query",
  startTestRun: "POST coaches/{coachId}/test-runs body",
  updateTest: "PATCH coaches/{coachId}/tests/{testId} body",
  deleteTest: "DELETE coaches/{coachId}/tests/{testId}",
  listTests: "GET coaches/{coachId}/tests query",
  createTest: "POST coaches/{coachId}/tests body",
  getConversation: "GET coaches/{coachId}/threads/{threadId}",
  updateConversation: "PATCH coaches/{coachId}/threads/{threadId} body",
  listConversations: "GET coaches/{coachId}/threads query",
  listTopicThreads: "GET coaches/{coachId}/topics/{topicId}/threads query",
  listTopics: "GET coaches/{coachId}/topics query",
  tryQuestion: "POST coaches/{coachId}/try body",
  getUsage: "GET coaches/{coachId}/usage query",
  restoreVersion: "POST coaches/{coachId}/versions/{version}/restore body",
  getVersion: "GET coaches/{coachId}/versions/{version}",
  listVersions: "GET coaches/{coachId}/versions query",
  createCoach: "POST coaches body",
  settleContradiction: "POST coachId?knowledge-handler/contradictions/{contradictionId}/settle body",
  listContradictions: "GET coachId?knowledge-handler/contradictions query",
  refreshSource: "POST coachId?knowledge-handler/sources/{sourceId}/refresh",
  getSource: "GET coachId?knowledge-handler/sources/{sourceId}",
  updateSource: "PATCH coachId?knowledge-handler/sources/{sourceId} body",
  deleteSource: "DELETE coachId?knowledge-handler/sources/{sourceId}",
  listSources: "GET coachId?knowledge-handler/sources query",
  addSource: "POST coachId?knowledge-handler/sources body",
  getText: "GET coachId?knowledge-handler/texts/{fileId}",
  saveText: "PUT coachId?knowledge-handler/texts/{fileId} body",
  createText: "POST coachId?knowledge-handler/texts body",
  listFileChanges: "GET coachId?knowledge-handler/{fileId}/changes",
  listFileQuotes: "GET coachId?knowledge-handler/{fileId}/quotes",
  updateFile: "PATCH coachId?knowledge-handler/{fileId} body",
  deleteFile: "DELETE coachId?knowledge-handler/{fileId}",
  draftReply: "POST threads/{threadId}/draft-reply body",
  reviseAnswer: "POST threads/{threadId}/messages/{messageId}/revise body",
  sayAsExpert: "POST threads/{threadId}/messages body",
  releaseThread: "POST threads/{threadId}/release",
  takeOver: "POST threads/{threadId}/takeover",
  listOwnCoaches: "GET users/{userId}/coaches query",
};
