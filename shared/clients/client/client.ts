import createFetchClient from "openapi-fetch";
import type { components, operations, paths } from "./api_types.ts";
import { type Answer, readAnswer } from "./answer.ts";
import { backOff, type BackOffOptions, type Send } from "./back_off.ts";
import { readServiceError, ServiceError } from "./service_error.ts";
import { createSessionKeeper, readSession, type Session, type SessionTokens } from "./session.ts";
import { sleep } from "./sleep.ts";
import { type WatchedEvent, watchEvents } from "./watch.ts";

type Schemas = components["schemas"];
type Json<Content> = { content: { "application/json": Content } };
/** What the client uses of Supabase Auth besides signing in. */
type AuthPaths = {
  /**
   * For a body without an email address and a password, Auth creates an anonymous user. If the address has to be confirmed
   * first, the reply is the user without a session.
   */
  "/auth/v1/signup": {
    post: {
      parameters: { query?: { redirect_to: string } };
      requestBody: Json<{ email?: string; password?: string }>;
      responses: { 200: Json<Partial<Schemas["Session"]>> };
    };
  };
  "/auth/v1/user": {
    put: {
      requestBody: Json<{ email?: string; password: string }>;
      responses: { 200: Json<{ id: string; is_anonymous?: boolean }> };
    };
  };
  "/auth/v1/recover": {
    post: {
      parameters: { query: { redirect_to: string } };
      requestBody: Json<{ email: string }>;
      responses: { 200: Json<Record<string, never>> };
    };
  };
  "/auth/v1/settings": {
    get: { responses: { 200: Json<{ disable_signup: boolean; external: { email?: boolean } }> } };
  };
};
/** What a project lets people do with an email address and a password. */
export type SignInOptions = {
  signUp: boolean;
  /** True if a forgotten password can be replaced. */
  newPassword: boolean;
};
type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]["parameters"]["query"]>;

/** The account's key that a client sends. It may be left out if a server in between adds it. */
export type ClientKey =
  | {
    /** A secret key, `hi_live_…`, for servers only. */
    apiKey?: string;
    publishableKey?: never;
  }
  | {
    /** A publishable key, `hi_pub_…`, for pages and apps. Calls then need a user's token. */
    publishableKey?: string;
    apiKey?: never;
  };

/** The address of the service, and the credentials. */
export type ClientOptions = ClientKey & {
  /** The project's address, such as `https://<ref>.supabase.co`. */
  baseUrl: string;
  /** The publishable or anon key of the Supabase project; needed to sign users in with Supabase Auth. */
  supabaseKey?: string;
  /** The session of an earlier `signIn`. */
  session?: Session | null;
  /**
   * Reads the session that `onSession` has stored, null for none. For pages, instead of `session`: a session renewed by
   * another tab is then used, and tabs wait for each other, because every refresh token works only once.
   */
  loadSession?: () => Session | null | Promise<Session | null>;
  /** Called with every new session, and with null when a session has ended: stores it. */
  onSession?: (session: Session | null) => void;
  /**
   * Returns the access token of the signed-in user, null if there is none. For applications that manage the session
   * themselves, with supabase-js or their own login. Called before every request, instead of using the session of
   * `signIn`.
   */
  accessToken?: () => Promise<string | null>;
  /**
   * The rules for resending requests that exceed a rate limit. With a secret key, they wait up to a minute, four times.
   * In pages, where a person is watching, they wait up to two seconds, twice; then the `ServiceError` is thrown.
   */
  backOff?: Partial<BackOffOptions>;
  /** Sends requests; by default `fetch`. */
  send?: Send;
  /** Milliseconds since 1970; by default `Date.now`. */
  now?: () => number;
};

/** Options of every call. */
export type CallOptions = { signal?: AbortSignal };

/** Options of calls that can be repeated safely. */
export type RepeatableCallOptions = CallOptions & { idempotencyKey?: string };

/**
 * A client of the service. Every method throws a `ServiceError` if the service refuses, and a `TypeError` with a
 * sentence if the service cannot be reached.
 */
export interface Client {
  /** Sends a message, and returns the answer as it is written. */
  chat(body: Schemas["ChatBody"], options?: RepeatableCallOptions): Promise<Answer>;
  /** An answer that another request has begun, from its beginning or after an event. */
  followAnswer(messageId: string, options?: CallOptions & { lastEventId?: string }): Promise<Answer>;
  /** Runs the last answer of a thread again, and returns it as it is written. */
  retryAnswer(messageId: string, options?: CallOptions): Promise<Answer>;
  /** Stops an answer, and returns its text so far. */
  stopAnswer(messageId: string, options?: CallOptions): Promise<Schemas["AnswerObject"]>;
  /** The coaches that the caller may talk to. */
  listCoaches(query?: QueryOf<"listCoaches">, options?: CallOptions): Promise<Schemas["CoachList"]>;
  getCoach(coachId: string, options?: CallOptions): Promise<Schemas["CoachWithTimes"]>;
  /** Makes an unpublished coach of a signed-in owner. */
  createCoach(body: Schemas["CreateCoachBody"], options?: CallOptions): Promise<Schemas["OwnCoach"]>;
  /** Deletes a coach with all that is its own. `confirm` is its published name. */
  deleteCoach(coachId: string, confirm: string, options?: CallOptions): Promise<Schemas["DeletedCoach"]>;
  /** Settings of a coach, which hold at once, without being published. */
  getSettings(coachId: string, options?: CallOptions): Promise<Schemas["CoachSettings"]>;
  saveSettings(
    coachId: string,
    body: Schemas["SaveSettingsBody"],
    options?: CallOptions,
  ): Promise<Schemas["CoachSettings"]>;
  listThreads(userId: string, query?: QueryOf<"listThreads">, options?: CallOptions): Promise<Schemas["ThreadList"]>;
  getThread(threadId: string, options?: CallOptions): Promise<Schemas["ThreadWithState"]>;
  /** Renames, pins or archives a thread. */
  updateThread(
    threadId: string,
    body: Schemas["UpdateThreadBody"],
    options?: CallOptions,
  ): Promise<Schemas["ThreadWithState"]>;
  /** Deletes everything that is stored about the signed-in user, named by ID or as `me`, but not the sign-in. */
  eraseUser(userId: string, options?: CallOptions): Promise<{ message: string; userId: string }>;
  /** The budgets that limit a user, named by ID or as `me`. */
  getBudget(userId: string, query?: QueryOf<"getBudget">, options?: CallOptions): Promise<Schemas["BudgetList"]>;
  /** The address at which the signed-in user, named by ID or as `me`, is told of answers of the expert. */
  getUserMail(userId: string, options?: CallOptions): Promise<Schemas["UserMail"]>;
  /** Stores the address, and has a link sent to it that confirms it. */
  saveUserMail(
    userId: string,
    body: Schemas["SaveUserMailBody"],
    options?: CallOptions,
  ): Promise<Schemas["UserMail"]>;
  deleteUserMail(userId: string, options?: CallOptions): Promise<{ message: string; userId: string }>;
  /** Confirms an address with the token of the link: the part of the page's address after `#confirm-email=`. */
  confirmMail(token: string, options?: CallOptions): Promise<{ message: string }>;
  /** Has nothing sent to an address any more, with the token after `#not-me=` in the link of a mail. */
  refuseMail(token: string, options?: CallOptions): Promise<{ message: string }>;
  /** A question and its answer, by the token that the link in a mail has after `#answer=`. Nobody needs to sign in. */
  readMailedAnswer(token: string, options?: CallOptions): Promise<Schemas["MailedAnswer"]>;
  /** Asks the expert in person, about a question of the thread or with a new one. */
  askExpert(
    threadId: string,
    body: Schemas["AskExpertBody"],
    options?: CallOptions,
  ): Promise<Schemas["ExpertRequest"]>;
  /** Questions that were asked in person in a thread, newest first. */
  listRequests(threadId: string, options?: CallOptions): Promise<Schemas["RequestList"]>;
  /** Takes a request back. */
  withdrawRequest(threadId: string, requestId: string, options?: CallOptions): Promise<Schemas["ExpertRequest"]>;
  /** The mails that the signed-in expert gets about a coach. */
  getExpertMail(coachId: string, options?: CallOptions): Promise<Schemas["ExpertMail"]>;
  /** Changes them. Fields that are left out stay as they are. */
  saveExpertMail(
    coachId: string,
    body: Schemas["SaveExpertMailBody"],
    options?: CallOptions,
  ): Promise<Schemas["ExpertMail"]>;
  /** Marks all messages of a thread as read: `unread` is 0 then. */
  markThreadRead(threadId: string, options?: CallOptions): Promise<Schemas["ThreadWithState"]>;
  /** Deletes a thread with all its messages. */
  deleteThread(threadId: string, options?: CallOptions): Promise<{ message: string; threadId: string }>;
  listMessages(
    threadId: string,
    query?: QueryOf<"listMessages">,
    options?: CallOptions,
  ): Promise<Schemas["MessageList"]>;
  /** Stores the user's rating of an answer; the rating null removes it. */
  rateAnswer(
    threadId: string,
    messageId: string,
    body: Schemas["RateAnswerBody"],
    options?: CallOptions,
  ): Promise<Schemas["RatedAnswer"]>;
  /**
   * Yields the events of a thread, as they happen, until the iteration ends or the signal aborts. After `watching`,
   * nothing is missed; before `missed`, events were lost. Broken connections are reopened.
   */
  watchThread(threadId: string, options?: CallOptions): AsyncIterable<WatchedEvent>;
  /** The same for everything about a coach, for its expert. */
  watchCoach(coachId: string, options?: CallOptions): AsyncIterable<WatchedEvent>;
  /**
   * Returns the material that a coach would use to answer a question and, with `answer`, the answer itself. For the
   * expert behind it.
   */
  tryQuestion(
    coachId: string,
    body: Schemas["TryQuestionBody"],
    options?: CallOptions,
  ): Promise<Schemas["TriedQuestion"]>;
  /** The conversations with a coach, for the expert behind it. */
  listConversations(
    coachId: string,
    query?: QueryOf<"listConversations">,
    options?: CallOptions,
  ): Promise<Schemas["ConversationList"]>;
  /** Has the expert answer a thread in person, and the model be silent. */
  takeOver(threadId: string, options?: CallOptions): Promise<Schemas["ThreadWithState"]>;
  /** Lets the model answer a thread again. */
  releaseThread(threadId: string, options?: CallOptions): Promise<Schemas["ThreadWithState"]>;
  /** Sends a message as the expert, which also takes the thread over. */
  sayAsExpert(
    threadId: string,
    body: Schemas["SayAsExpertBody"],
    options?: RepeatableCallOptions,
  ): Promise<Schemas["ExpertMessage"]>;
  /** The usage of a coach by day, for the expert behind it. */
  getUsage(coachId: string, query?: QueryOf<"getUsage">, options?: CallOptions): Promise<Schemas["CoachUsage"]>;
  /** What waits for the experts of a coach, what has changed, and how the coach does. */
  getOverview(coachId: string, query?: QueryOf<"getOverview">, options?: CallOptions): Promise<Schemas["Overview"]>;
  /** The coaches whose expert a user is, named by ID or as `me`, inactive ones too. */
  listOwnCoaches(
    userId: string,
    query?: QueryOf<"listOwnCoaches">,
    options?: CallOptions,
  ): Promise<Schemas["OwnCoachList"]>;
  /** The experts behind a coach, for each of them. */
  listExperts(coachId: string, query?: QueryOf<"listExperts">, options?: CallOptions): Promise<Schemas["ExpertList"]>;
  /** Gives an expert, named by ID or as `me`, another role. This and the invitations of a coach are for its owners. */
  updateExpert(
    coachId: string,
    userId: string,
    body: Schemas["UpdateExpertBody"],
    options?: CallOptions,
  ): Promise<Schemas["Expert"]>;
  /** Removes an expert; with `me`, leaves the coach. */
  removeExpert(coachId: string, userId: string, options?: CallOptions): Promise<Schemas["RemovedExpert"]>;
  /** Invites somebody to become an expert. The reply alone has the token of the invitation. */
  createInvitation(
    coachId: string,
    body: Schemas["CreateInvitationBody"],
    options?: CallOptions,
  ): Promise<Schemas["NewInvitation"]>;
  /** The invitations that nobody has accepted yet. */
  listInvitations(
    coachId: string,
    query?: QueryOf<"listInvitations">,
    options?: CallOptions,
  ): Promise<Schemas["InvitationList"]>;
  deleteInvitation(
    coachId: string,
    invitationId: string,
    options?: CallOptions,
  ): Promise<Schemas["DeletedInvitation"]>;
  /** Acts on the coach and its experts, newest first. */
  listActs(coachId: string, query?: QueryOf<"listActs">, options?: CallOptions): Promise<Schemas["ActList"]>;
  /** Returns what an invitation is for, without accepting it. */
  previewInvitation(token: string, options?: CallOptions): Promise<Schemas["InvitationPreview"]>;
  /** Makes the signed-in user an expert of a coach, or of a new one with this name and title. */
  acceptInvitation(
    body: Schemas["AcceptInvitationBody"],
    options?: CallOptions,
  ): Promise<Schemas["AcceptedInvitation"]>;
  /** The questions that a coach could not answer well, those that most people asked first. For the expert behind it. */
  listQuestions(
    coachId: string,
    query?: QueryOf<"listQuestions">,
    options?: CallOptions,
  ): Promise<Schemas["QuestionList"]>;
  /** Pins an answer to a question. */
  answerQuestion(
    coachId: string,
    questionId: string,
    body: Schemas["AnswerQuestionBody"],
    options?: CallOptions,
  ): Promise<Schemas["AnsweredQuestion"]>;
  /** Takes a question out of the open ones. */
  dismissQuestion(coachId: string, questionId: string, options?: CallOptions): Promise<Schemas["OpenQuestion"]>;
  /** Dismisses the open questions that only the person of a thread has asked, there or in all their threads. */
  dismissQuestions(
    coachId: string,
    body: Schemas["DismissQuestionsBody"],
    options?: CallOptions,
  ): Promise<Schemas["DismissedQuestions"]>;
  /** Puts a question back to the open ones. */
  reopenQuestion(coachId: string, questionId: string, options?: CallOptions): Promise<Schemas["OpenQuestion"]>;
  /** Corrects an answer permanently, as the expert, and notifies the person if requested. */
  reviseAnswer(
    threadId: string,
    messageId: string,
    body: Schemas["ReviseAnswerBody"],
    options?: RepeatableCallOptions,
  ): Promise<Schemas["RevisedAnswer"]>;
  uploadFiles(coachId: string, files: File[], options?: RepeatableCallOptions): Promise<Schemas["UploadReply"]>;
  searchFiles(query: QueryOf<"searchFiles">, options?: CallOptions): Promise<Schemas["FileList"]>;
  deleteFile(coachId: string, fileId: string, options?: CallOptions): Promise<{ message: string; fileId: string }>;
  /** The web addresses that a coach knows, newest first. */
  listSources(
    coachId: string,
    query?: Omit<QueryOf<"listSources">, "coachId">,
    options?: CallOptions,
  ): Promise<Schemas["KnowledgeSourceList"]>;
  /** A web address, with the pages that could not be read. */
  getSource(coachId: string, sourceId: string, options?: CallOptions): Promise<Schemas["KnowledgeSourceDetail"]>;
  /** Adds a web address, or returns the one that the coach has already. It is read in the background. */
  addSource(
    coachId: string,
    body: Schemas["AddSourceBody"],
    options?: CallOptions,
  ): Promise<Schemas["KnowledgeSource"]>;
  updateSource(
    coachId: string,
    sourceId: string,
    body: Schemas["UpdateSourceBody"],
    options?: CallOptions,
  ): Promise<Schemas["KnowledgeSource"]>;
  /** Deletes a web address with the files of its pages. */
  deleteSource(coachId: string, sourceId: string, options?: CallOptions): Promise<Schemas["DeletedSource"]>;
  /** Has a web address read again now. */
  refreshSource(coachId: string, sourceId: string, options?: CallOptions): Promise<Schemas["KnowledgeSource"]>;
  /** A file with its sections. */
  getFile(coachId: string, fileId: string, options?: CallOptions): Promise<Schemas["FileOutline"]>;
  /** An address that opens the original of a file for a minute. */
  getOriginal(coachId: string, fileId: string, options?: CallOptions): Promise<Schemas["OriginalAddress"]>;
  /**
   * A passage among its neighbors, two on each side unless `query` says otherwise.
   *
   * @throws {ServiceError} with the code `passage_not_found` if a later version of the file no longer has it
   */
  getPassage(
    coachId: string,
    fileId: string,
    passageId: string,
    query?: Omit<QueryOf<"getPassage">, "coachId">,
    options?: CallOptions,
  ): Promise<Schemas["PassageInContext"]>;
  /** The pinned answers of a coach. This and all following methods on a coach are for its expert only. */
  listPinnedAnswers(
    coachId: string,
    query?: QueryOf<"listPinnedAnswers">,
    options?: CallOptions,
  ): Promise<Schemas["PinnedAnswerList"]>;
  /** A pinned answer with its versions. */
  getPinnedAnswer(
    coachId: string,
    answerId: string,
    options?: CallOptions,
  ): Promise<Schemas["PinnedAnswerWithVersions"]>;
  /** Pins an answer to a question. */
  createPinnedAnswer(
    coachId: string,
    body: Schemas["CreatePinnedAnswerBody"],
    options?: CallOptions,
  ): Promise<Schemas["PinnedAnswer"]>;
  /** Pins the answers of a sheet, or tells what that would do. */
  importAnswers(
    coachId: string,
    body: Schemas["ImportPinnedAnswersBody"],
    options?: CallOptions,
  ): Promise<Schemas["ImportedAnswers"]>;
  /** The pinned answers as a sheet: a CSV file, with the byte order mark that spreadsheets need. */
  exportAnswers(coachId: string, options?: CallOptions): Promise<Blob>;
  updatePinnedAnswer(
    coachId: string,
    answerId: string,
    body: Schemas["UpdatePinnedAnswerBody"],
    options?: CallOptions,
  ): Promise<Schemas["PinnedAnswer"]>;
  deletePinnedAnswer(
    coachId: string,
    answerId: string,
    options?: CallOptions,
  ): Promise<Schemas["DeletedPinnedAnswer"]>;
  /** The passages that answers do not draw on. */
  listBarredPassages(
    coachId: string,
    query?: QueryOf<"listBarredPassages">,
    options?: CallOptions,
  ): Promise<Schemas["BarredPassageList"]>;
  /** Bars a passage from answers, by its ID in their sources. */
  barPassage(coachId: string, passageId: string, options?: CallOptions): Promise<Schemas["BarredPassage"]>;
  /** Lets answers draw on a passage again. */
  unbarPassage(coachId: string, passageId: string, options?: CallOptions): Promise<Schemas["UnbarredPassage"]>;
  /** The persona as it would be if its draft were published. This and the next methods are for its experts. */
  getDraft(coachId: string, options?: CallOptions): Promise<Schemas["PersonaDraft"]>;
  /** Replaces the draft, but for its picture. Fields that are left out are as published. */
  saveDraft(
    coachId: string,
    body: Schemas["SaveDraftBody"],
    options?: CallOptions,
  ): Promise<Schemas["PersonaDraft"]>;
  deleteDraft(coachId: string, options?: CallOptions): Promise<Schemas["DeletedDraft"]>;
  /** Makes a PNG, JPEG or WebP image of at most 1 MB the picture of the draft. */
  setPicture(coachId: string, picture: Blob, options?: CallOptions): Promise<Schemas["PersonaDraft"]>;
  removePicture(coachId: string, options?: CallOptions): Promise<Schemas["PersonaDraft"]>;
  /** Publishes the draft. */
  publish(coachId: string, body: Schemas["PublishBody"], options?: CallOptions): Promise<Schemas["PersonaVersion"]>;
  /** What was published, newest first. */
  listVersions(
    coachId: string,
    query?: QueryOf<"listVersions">,
    options?: CallOptions,
  ): Promise<Schemas["PersonaVersionList"]>;
  getVersion(coachId: string, version: number, options?: CallOptions): Promise<Schemas["PersonaVersion"]>;
  /** Publishes what the persona was in an earlier version. */
  restoreVersion(
    coachId: string,
    version: number,
    body?: Schemas["RestoreVersionBody"],
    options?: CallOptions,
  ): Promise<Schemas["PersonaVersion"]>;
  /** The tests of a coach. This and all other operations on tests are for its expert. */
  listTests(coachId: string, query?: QueryOf<"listTests">, options?: CallOptions): Promise<Schemas["PersonaTestList"]>;
  createTest(
    coachId: string,
    body: Schemas["CreateTestBody"],
    options?: CallOptions,
  ): Promise<Schemas["PersonaTest"]>;
  updateTest(
    coachId: string,
    testId: string,
    body: Schemas["UpdateTestBody"],
    options?: CallOptions,
  ): Promise<Schemas["PersonaTest"]>;
  deleteTest(coachId: string, testId: string, options?: CallOptions): Promise<Schemas["DeletedPersonaTest"]>;
  /** Starts a run of all tests of a coach, or of some. It goes on in the background: `getTestRun` tells how far it is. */
  startTestRun(coachId: string, body?: Schemas["StartTestRunBody"], options?: CallOptions): Promise<Schemas["TestRun"]>;
  listTestRuns(
    coachId: string,
    query?: QueryOf<"listTestRuns">,
    options?: CallOptions,
  ): Promise<Schemas["TestRunList"]>;
  getTestRun(coachId: string, runId: string, options?: CallOptions): Promise<Schemas["TestRun"]>;
  stopTestRun(coachId: string, runId: string, options?: CallOptions): Promise<Schemas["TestRun"]>;
  /** Signs a user in: from then on every call is that user's. This and the next method need `supabaseKey`. */
  signIn(email: string, password: string): Promise<Session>;
  /**
   * Creates an anonymous user and signs it in. The session is the only access to its threads. With `loadSession`, an
   * existing stored session is used instead, so that tabs opened at the same time share one user.
   */
  signInAnonymously(): Promise<Session>;
  /** Returns what the project lets people do with an email address and a password: sign up, and replace a forgotten one. */
  readSignInOptions(): Promise<SignInOptions>;
  /**
   * Gives the signed-in anonymous user an email address and a password. The user keeps their threads, and is signed in
   * with them from then on. Returns false if the address has to be confirmed first: Auth has sent an email then.
   */
  becomePermanent(email: string, password: string): Promise<boolean>;
  /**
   * Creates a user with an email address and a password, and signs them in. Returns false if the address has to be
   * confirmed first: Auth has sent an email then.
   *
   * @param page the address that the link in this email opens, which the project has to allow
   */
  signUp(email: string, password: string, page: string): Promise<boolean>;
  /**
   * Sends a link for a new password to an email address. The promise settles in the same way if nobody has this address.
   *
   * @param page the address that the link opens, which the project has to allow. Auth adds the tokens after `#`, or
   * `error_code=otp_expired`
   */
  sendPasswordLink(email: string, page: string): Promise<void>;
  /**
   * Sets the password of the user who has opened such a link, and signs them in.
   *
   * @param tokens those of the link
   * @throws {ServiceError} with the status 401 or 403 if they have expired.
   */
  setPassword(password: string, tokens: SessionTokens): Promise<Session>;
  /** Forgets the session. */
  signOut(): void;
}

type Api = ReturnType<typeof createFetchClient<paths>>;
type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Creates a client of the service. It runs wherever `fetch` does. */
export function createClient(options: ClientOptions): Client {
  const { api, wait, methods } = createParts(options);
  return { ...methods, ...expertMethods(api, wait) };
}

/** A client without the methods of experts, which would make the script of a chat larger. */
export function createVisitorClient(options: ClientOptions): Client {
  return createParts(options).methods as Partial<Client> as Client;
}

function createParts(options: ClientOptions) {
  const { apiKey, publishableKey, supabaseKey, now = Date.now } = options;
  const transport = options.send ?? fetch;
  const send = backOff(
    async (request) => requireReply(await reach(transport, request)),
    { ...apiKey === undefined && patienceOfPages, ...options.backOff },
  );
  const wait = options.backOff?.sleep ?? sleep;
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const auth = createFetchClient<paths & AuthPaths>({
    baseUrl,
    fetch: send,
    headers: { apikey: supabaseKey },
  });
  const sessions = createSessionKeeper(refresh, {
    initial: options.session ?? null,
    load: options.loadSession,
    now,
    onChange: options.onSession ?? (() => {}),
  });

  const api = createFetchClient<paths>({
    baseUrl,
    headers: { "X-API-Key": apiKey, apikey: publishableKey },
    async fetch(request) {
      const accessToken = await (options.accessToken ?? sessions.accessToken)();
      if (accessToken !== null) request.headers.set("Authorization", `Bearer ${accessToken}`);
      return await send(request);
    },
  });

  /** Returns the client of the login service. */
  function requireAuth(): typeof auth {
    if (!supabaseKey) throw new Error("supabaseKey is missing: signing in needs the project's publishable or anon key");
    return auth;
  }
  async function refresh(refreshToken: string): Promise<Schemas["Session"]> {
    return await unwrap(
      requireAuth().POST("/auth/v1/token", {
        params: { query: { grant_type: "refresh_token" } },
        body: { refresh_token: refreshToken },
      }),
    );
  }
  function startSession(reply: SessionTokens, userId: string): Session {
    const session = readSession(reply, userId, now());
    sessions.set(session);
    return session;
  }
  async function follow(messageId: string, lastEventId?: string, signal?: AbortSignal): Promise<Response> {
    return await unwrapStream(api.GET("/functions/v1/chat/{messageId}/stream", {
      // The header Last-Event-ID, and Idempotency-Key below, cannot leave a page for another origin.
      params: { path: { messageId }, query: { after: lastEventId } },
      headers: { Accept: typedEvents },
      parseAs: "stream",
      signal,
    }));
  }
  function read(response: Response, signal?: AbortSignal): Answer {
    return readAnswer(response, {
      resume: (messageId, lastEventId) => follow(messageId, lastEventId, signal),
      sleep: (milliseconds) => wait(milliseconds, signal),
    });
  }

  async function signIn(email: string, password: string): Promise<Session> {
    const query = { grant_type: "password" } as const;
    const reply = await unwrap(requireAuth().POST("/auth/v1/token", { params: { query }, body: { email, password } }));
    return startSession(reply, reply.user?.id ?? "");
  }
  async function updateUser(accessToken: string | null, body: { email?: string; password: string }) {
    const headers = { Authorization: `Bearer ${accessToken}` };
    return await unwrap(requireAuth().PUT("/auth/v1/user", { headers, body }));
  }

  const methods = {
    async chat(body, { signal, idempotencyKey } = {}) {
      const response = await unwrapStream(api.POST("/functions/v1/chat", {
        headers: { Accept: typedEvents },
        body: { ...body, idempotency_key: idempotencyKey ?? body.idempotency_key },
        parseAs: "stream",
        signal,
      }));
      return read(response, signal);
    },
    async retryAnswer(messageId, { signal } = {}) {
      const response = await unwrapStream(api.POST("/functions/v1/chat/{messageId}/retry", {
        params: { path: { messageId } },
        headers: { Accept: typedEvents },
        parseAs: "stream",
        signal,
      }));
      return read(response, signal);
    },
    followAnswer: async (messageId, { lastEventId, signal } = {}) =>
      read(await follow(messageId, lastEventId, signal), signal),
    stopAnswer: (messageId, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/chat/{messageId}/stop", { params: { path: { messageId } }, signal })),
    listCoaches: (query, { signal } = {}) => unwrap(api.GET("/functions/v1/coaches", { params: { query }, signal })),
    getCoach: (coachId, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}", { params: { path: { coachId } }, signal })),
    listThreads: (userId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/users/{userId}/threads", { params: { path: { userId }, query }, signal })),
    getThread: (threadId, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/threads/{threadId}", { params: { path: { threadId } }, signal })),
    updateThread: (threadId, body, { signal } = {}) =>
      unwrap(api.PATCH("/functions/v1/threads/{threadId}", { params: { path: { threadId } }, body, signal })),
    eraseUser: (userId, { signal } = {}) =>
      unwrap(api.DELETE("/functions/v1/users/{userId}", { params: { path: { userId } }, signal })),
    getBudget: (userId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/users/{userId}/budget", { params: { path: { userId }, query }, signal })),
    getUserMail: (userId, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/users/{userId}/mail", { params: { path: { userId } }, signal })),
    saveUserMail: (userId, body, { signal } = {}) =>
      unwrap(api.PUT("/functions/v1/users/{userId}/mail", { params: { path: { userId } }, body, signal })),
    deleteUserMail: (userId, { signal } = {}) =>
      unwrap(api.DELETE("/functions/v1/users/{userId}/mail", { params: { path: { userId } }, signal })),
    confirmMail: (token, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/mailer/confirm", { body: { token }, signal })),
    refuseMail: (token, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/mailer/unsubscribe", { params: { query: { token } }, signal })),
    readMailedAnswer: (token, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/mailer/answer", { params: { query: { token } }, signal })),
    askExpert: (threadId, body, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/threads/{threadId}/ask-expert", { params: { path: { threadId } }, body, signal })),
    listRequests: (threadId, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/threads/{threadId}/requests", { params: { path: { threadId } }, signal })),
    withdrawRequest: (threadId, requestId, { signal } = {}) =>
      unwrap(api.DELETE("/functions/v1/threads/{threadId}/requests/{requestId}", {
        params: { path: { threadId, requestId } },
        signal,
      })),
    getExpertMail: (coachId, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/experts/me/mail", { params: { path: { coachId } }, signal })),
    saveExpertMail: (coachId, body, { signal } = {}) =>
      unwrap(api.PUT("/functions/v1/coaches/{coachId}/experts/me/mail", {
        params: { path: { coachId } },
        body,
        signal,
      })),
    markThreadRead: (threadId, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/threads/{threadId}/read", { params: { path: { threadId } }, signal })),
    deleteThread: (threadId, { signal } = {}) =>
      unwrap(api.DELETE("/functions/v1/threads/{threadId}", { params: { path: { threadId } }, signal })),
    listMessages: (threadId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/threads/{threadId}/messages", { params: { path: { threadId }, query }, signal })),
    rateAnswer: (threadId, messageId, body, { signal } = {}) =>
      unwrap(api.PUT("/functions/v1/threads/{threadId}/messages/{messageId}/feedback", {
        params: { path: { threadId, messageId } },
        body,
        signal,
      })),
    watchThread: (threadId, { signal } = {}) =>
      watchEvents({
        open: (after) =>
          unwrapStream(api.GET("/functions/v1/threads/{threadId}/events", {
            params: { path: { threadId }, query: { after } },
            parseAs: "stream",
            signal,
          })),
        sleep: (milliseconds) => wait(milliseconds, signal),
      }),
    getOriginal: (coachId, fileId, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/knowledge-handler/{fileId}/content", {
        params: { path: { fileId }, query: { coachId } },
        signal,
      })),
    getPassage: (coachId, fileId, passageId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/knowledge-handler/{fileId}/passages/{passageId}", {
        params: { path: { fileId, passageId }, query: { ...query, coachId } },
        signal,
      })),
    signIn,
    signInAnonymously: () =>
      sessions.ensure(async () => {
        const reply = await unwrap(requireAuth().POST("/auth/v1/signup", { body: {} })) as Schemas["Session"];
        return startSession(reply, reply.user?.id ?? "");
      }),
    async readSignInOptions() {
      const { disable_signup, external: { email = false } } = await unwrap(requireAuth().GET("/auth/v1/settings"));
      return { signUp: email && !disable_signup, newPassword: email };
    },
    async becomePermanent(email, password) {
      const user = await updateUser(await sessions.accessToken(), { email, password });
      if (user.is_anonymous) return false;
      // The old token still says that the user is anonymous.
      await signIn(email, password);
      return true;
    },
    async signUp(email, password, page) {
      const params = { query: { redirect_to: page } };
      const body = { email, password };
      const reply = await unwrap(requireAuth().POST("/auth/v1/signup", { params, body })) as Schemas["Session"];
      if (!reply.access_token) return false;
      startSession(reply, reply.user?.id ?? "");
      return true;
    },
    async sendPasswordLink(email, page) {
      try {
        await unwrap(
          requireAuth().POST("/auth/v1/recover", {
            params: { query: { redirect_to: page } },
            body: { email },
          }),
        );
      } catch (error) {
        // Auth limits mails only for addresses that it knows.
        const isSentBefore = error instanceof ServiceError && error.body.error_code === "over_email_send_rate_limit";
        if (!isSentBefore) throw error;
      }
    },
    async setPassword(password, tokens) {
      const { id } = await updateUser(tokens.access_token, { password });
      return startSession(tokens, id);
    },
    signOut: () => sessions.set(null),
  } satisfies Partial<Client>;
  return { api, wait, methods };
}

/** The methods of experts, and of servers. */
function expertMethods(api: Api, wait: Wait) {
  return {
    watchCoach: (coachId, { signal } = {}) =>
      watchEvents({
        open: (after) =>
          unwrapStream(api.GET("/functions/v1/coaches/{coachId}/events", {
            params: { path: { coachId }, query: { after } },
            parseAs: "stream",
            signal,
          })),
        sleep: (milliseconds) => wait(milliseconds, signal),
      }),
    tryQuestion: (coachId, body, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/{coachId}/try", { params: { path: { coachId } }, body, signal })),
    listConversations: (coachId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/threads", { params: { path: { coachId }, query }, signal })),
    takeOver: (threadId, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/threads/{threadId}/takeover", { params: { path: { threadId } }, signal })),
    releaseThread: (threadId, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/threads/{threadId}/release", { params: { path: { threadId } }, signal })),
    sayAsExpert: (threadId, body, { signal, idempotencyKey } = {}) =>
      unwrap(api.POST("/functions/v1/threads/{threadId}/messages", {
        params: { path: { threadId } },
        body: { ...body, idempotency_key: idempotencyKey ?? body.idempotency_key },
        signal,
      })),
    getUsage: (coachId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/usage", { params: { path: { coachId }, query }, signal })),
    getOverview: (coachId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/overview", { params: { path: { coachId }, query }, signal })),
    listOwnCoaches: (userId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/users/{userId}/coaches", { params: { path: { userId }, query }, signal })),
    listExperts: (coachId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/experts", { params: { path: { coachId }, query }, signal })),
    updateExpert: (coachId, userId, body, { signal } = {}) =>
      unwrap(api.PATCH("/functions/v1/coaches/{coachId}/experts/{userId}", {
        params: { path: { coachId, userId } },
        body,
        signal,
      })),
    removeExpert: (coachId, userId, { signal } = {}) =>
      unwrap(api.DELETE("/functions/v1/coaches/{coachId}/experts/{userId}", {
        params: { path: { coachId, userId } },
        signal,
      })),
    createInvitation: (coachId, body, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/{coachId}/invitations", { params: { path: { coachId } }, body, signal })),
    listInvitations: (coachId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/invitations", { params: { path: { coachId }, query }, signal })),
    deleteInvitation: (coachId, invitationId, { signal } = {}) =>
      unwrap(api.DELETE("/functions/v1/coaches/{coachId}/invitations/{invitationId}", {
        params: { path: { coachId, invitationId } },
        signal,
      })),
    listActs: (coachId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/acts", { params: { path: { coachId }, query }, signal })),
    previewInvitation: (token, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/invitations/preview", { body: { token }, signal })),
    acceptInvitation: (body, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/invitations/accept", { body, signal })),
    listQuestions: (coachId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/questions", { params: { path: { coachId }, query }, signal })),
    answerQuestion: (coachId, questionId, body, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/{coachId}/questions/{questionId}/answer", {
        params: { path: { coachId, questionId } },
        body,
        signal,
      })),
    dismissQuestion: (coachId, questionId, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/{coachId}/questions/{questionId}/dismiss", {
        params: { path: { coachId, questionId } },
        signal,
      })),
    dismissQuestions: (coachId, body, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/{coachId}/questions/dismiss", {
        params: { path: { coachId } },
        body,
        signal,
      })),
    reopenQuestion: (coachId, questionId, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/{coachId}/questions/{questionId}/reopen", {
        params: { path: { coachId, questionId } },
        signal,
      })),
    reviseAnswer: (threadId, messageId, body, { signal, idempotencyKey } = {}) =>
      unwrap(api.POST("/functions/v1/threads/{threadId}/messages/{messageId}/revise", {
        params: { path: { threadId, messageId } },
        body: { ...body, idempotency_key: idempotencyKey ?? body.idempotency_key },
        signal,
      })),
    uploadFiles: (coachId, files, { idempotencyKey, signal } = {}) =>
      unwrap(api.POST("/functions/v1/knowledge-handler", {
        params: { query: { coachId }, header: { "Idempotency-Key": idempotencyKey } },
        // The document has bytes as strings.
        body: { files: [] },
        bodySerializer: () => createForm(files),
        signal,
      })),
    searchFiles: (query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/knowledge-handler", { params: { query }, signal })),
    listPinnedAnswers: (coachId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/answers", { params: { path: { coachId }, query }, signal })),
    getPinnedAnswer: (coachId, answerId, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/answers/{answerId}", {
        params: { path: { coachId, answerId } },
        signal,
      })),
    createPinnedAnswer: (coachId, body, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/{coachId}/answers", { params: { path: { coachId } }, body, signal })),
    importAnswers: (coachId, body, { signal } = {}) =>
      unwrap(
        api.POST("/functions/v1/coaches/{coachId}/answers/import", { params: { path: { coachId } }, body, signal }),
      ),
    exportAnswers: async (coachId, { signal } = {}) => {
      const params = { path: { coachId } };
      const path = "/functions/v1/coaches/{coachId}/answers/export";
      return await (await unwrapStream(api.GET(path, { params, parseAs: "stream", signal }))).blob();
    },
    updatePinnedAnswer: (coachId, answerId, body, { signal } = {}) =>
      unwrap(api.PATCH("/functions/v1/coaches/{coachId}/answers/{answerId}", {
        params: { path: { coachId, answerId } },
        body,
        signal,
      })),
    deletePinnedAnswer: (coachId, answerId, { signal } = {}) =>
      unwrap(api.DELETE("/functions/v1/coaches/{coachId}/answers/{answerId}", {
        params: { path: { coachId, answerId } },
        signal,
      })),
    listBarredPassages: (coachId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/barred-passages", {
        params: { path: { coachId }, query },
        signal,
      })),
    barPassage: (coachId, passageId, { signal } = {}) =>
      unwrap(api.PUT("/functions/v1/coaches/{coachId}/barred-passages/{passageId}", {
        params: { path: { coachId, passageId } },
        signal,
      })),
    unbarPassage: (coachId, passageId, { signal } = {}) =>
      unwrap(api.DELETE("/functions/v1/coaches/{coachId}/barred-passages/{passageId}", {
        params: { path: { coachId, passageId } },
        signal,
      })),
    createCoach: async (body, { signal } = {}) => {
      return await unwrap(api.POST("/functions/v1/coaches", { body, signal }));
    },
    deleteCoach: (coachId, confirm, { signal } = {}) =>
      unwrap(
        api.DELETE("/functions/v1/coaches/{coachId}", { params: { path: { coachId } }, body: { confirm }, signal }),
      ),
    getSettings: (coachId, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/settings", { params: { path: { coachId } }, signal })),
    saveSettings: (coachId, body, { signal } = {}) =>
      unwrap(api.PATCH("/functions/v1/coaches/{coachId}/settings", { params: { path: { coachId } }, body, signal })),
    getDraft: (coachId, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/draft", { params: { path: { coachId } }, signal })),
    saveDraft: (coachId, body, { signal } = {}) =>
      unwrap(api.PUT("/functions/v1/coaches/{coachId}/draft", { params: { path: { coachId } }, body, signal })),
    deleteDraft: (coachId, { signal } = {}) =>
      unwrap(api.DELETE("/functions/v1/coaches/{coachId}/draft", { params: { path: { coachId } }, signal })),
    setPicture: (coachId, picture, { signal } = {}) =>
      unwrap(api.PUT("/functions/v1/coaches/{coachId}/picture", {
        params: { path: { coachId } },
        // The document has bytes as strings.
        body: "",
        bodySerializer: () => picture,
        headers: { "Content-Type": picture.type || "application/octet-stream" },
        signal,
      })),
    removePicture: (coachId, { signal } = {}) =>
      unwrap(api.DELETE("/functions/v1/coaches/{coachId}/picture", { params: { path: { coachId } }, signal })),
    publish: (coachId, body, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/{coachId}/publish", { params: { path: { coachId } }, body, signal })),
    listVersions: (coachId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/versions", { params: { path: { coachId }, query }, signal })),
    getVersion: (coachId, version, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/versions/{version}", {
        params: { path: { coachId, version: String(version) } },
        signal,
      })),
    restoreVersion: (coachId, version, body = {}, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/{coachId}/versions/{version}/restore", {
        params: { path: { coachId, version: String(version) } },
        body,
        signal,
      })),
    listTests: (coachId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/tests", { params: { path: { coachId }, query }, signal })),
    createTest: (coachId, body, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/{coachId}/tests", { params: { path: { coachId } }, body, signal })),
    updateTest: (coachId, testId, body, { signal } = {}) =>
      unwrap(api.PATCH("/functions/v1/coaches/{coachId}/tests/{testId}", {
        params: { path: { coachId, testId } },
        body,
        signal,
      })),
    deleteTest: (coachId, testId, { signal } = {}) =>
      unwrap(api.DELETE("/functions/v1/coaches/{coachId}/tests/{testId}", {
        params: { path: { coachId, testId } },
        signal,
      })),
    startTestRun: (coachId, body = {}, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/{coachId}/test-runs", { params: { path: { coachId } }, body, signal })),
    listTestRuns: (coachId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/test-runs", { params: { path: { coachId }, query }, signal })),
    getTestRun: (coachId, runId, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/coaches/{coachId}/test-runs/{runId}", {
        params: { path: { coachId, runId } },
        signal,
      })),
    stopTestRun: (coachId, runId, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/coaches/{coachId}/test-runs/{runId}/stop", {
        params: { path: { coachId, runId } },
        signal,
      })),
    deleteFile: (coachId, fileId, { signal } = {}) =>
      unwrap(api.DELETE("/functions/v1/knowledge-handler/{fileId}", {
        params: { path: { fileId }, query: { coachId } },
        signal,
      })),
    listSources: (coachId, query, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/knowledge-handler/sources", {
        params: { query: { coachId, ...query } },
        signal,
      })),
    getSource: (coachId, sourceId, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/knowledge-handler/sources/{sourceId}", {
        params: { path: { sourceId }, query: { coachId } },
        signal,
      })),
    addSource: (coachId, body, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/knowledge-handler/sources", { params: { query: { coachId } }, body, signal })),
    updateSource: (coachId, sourceId, body, { signal } = {}) =>
      unwrap(api.PATCH("/functions/v1/knowledge-handler/sources/{sourceId}", {
        params: { path: { sourceId }, query: { coachId } },
        body,
        signal,
      })),
    deleteSource: (coachId, sourceId, { signal } = {}) =>
      unwrap(api.DELETE("/functions/v1/knowledge-handler/sources/{sourceId}", {
        params: { path: { sourceId }, query: { coachId } },
        signal,
      })),
    refreshSource: (coachId, sourceId, { signal } = {}) =>
      unwrap(api.POST("/functions/v1/knowledge-handler/sources/{sourceId}/refresh", {
        params: { path: { sourceId }, query: { coachId } },
        signal,
      })),
    getFile: (coachId, fileId, { signal } = {}) =>
      unwrap(api.GET("/functions/v1/knowledge-handler/{fileId}", {
        params: { path: { fileId }, query: { coachId } },
        signal,
      })),
  } satisfies Partial<Client>;
}

/** Short, because a person is watching the page and can be asked to wait. */
const patienceOfPages = { retries: 2, maxDelay: 2_000 };

// Without quotation marks: a page may not send them in this header to another origin.
const typedEvents = "text/event-stream; profile=events";

function createForm(files: File[]): FormData {
  const form = new FormData();
  for (const file of files) form.append("files", file);
  return form;
}

type Call<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;

async function unwrap<Data>(call: Call<Data>): Promise<NonNullable<Data>> {
  const { data, error, response } = await call;
  if (data === undefined || data === null) throw readServiceError(response, error);
  return data;
}

/** Returns the reply with its body unread. */
async function unwrapStream(call: Call<unknown>): Promise<Response> {
  const { error, response } = await call;
  if (!response.ok) throw readServiceError(response, error);
  return response;
}

/** @throws {TypeError} with a sentence for users if there is no reply, because there is no network for example */
async function reach(send: Send, request: Request): Promise<Response> {
  try {
    return await send(request);
  } catch (cause) {
    // Each browser words the errors of `fetch` differently.
    if (request.signal.aborted || !(cause instanceof TypeError)) throw cause;
    throw new TypeError("The service cannot be reached. Check the network connection.", { cause });
  }
}

/** @throws when a success is not the service's: proxies have pages of their own for that. */
function requireReply(response: Response): Response {
  const type = response.headers.get("Content-Type") ?? "";
  if (!response.ok || /^(application\/json|text\/(?:event-stream|csv))\b/.test(type)) return response;
  throw readServiceError(response);
}
