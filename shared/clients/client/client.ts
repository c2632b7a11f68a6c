import createFetchClient from "openapi-fetch";
import type { components, operations, paths } from "./api_types.ts";
import { type Answer, readAnswer, readTrial, type TrialEvent } from "./answer.ts";
import { backOff, type BackOffOptions, type Send } from "./back_off.ts";
import {
  type Api,
  type CallOptions,
  createMethods,
  openOperation,
  type RepeatableCallOptions,
  unwrap,
} from "./call_operation.ts";
import { expertRequests, type OperationMethods, visitorRequests } from "./operations.gen.ts";
import { readServiceError, ServiceError } from "./service_error.ts";
import { createSessionKeeper, readSession, type Session, type SessionTokens } from "./session.ts";
import { sleep } from "./back_off.ts";
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

/** A client. Methods throw a `ServiceError` if the service refuses, a `TypeError` if it cannot be reached. */
export interface Client extends OperationMethods {
  /** Sends a message, and returns the answer as it is written. */
  chat(body: Schemas["ChatBody"], options?: RepeatableCallOptions): Promise<Answer>;
  /** An answer that another request has begun, from its beginning or after an event. */
  followAnswer(messageId: string, options?: CallOptions & { lastEventId?: string }): Promise<Answer>;
  /** Runs the last answer of a thread again, and returns it as it is written. */
  retryAnswer(messageId: string, options?: CallOptions): Promise<Answer>;
  /** Tries a question, and yields what is found for it, and the answer as it is written. It is not stored. */
  streamTrial(coachId: string, body: Schemas["TryQuestionBody"], options?: CallOptions): AsyncIterable<TrialEvent>;
  /** Deletes a coach with all that is its own. `confirm` is its published name. */
  deleteCoach(coachId: string, confirm: string, options?: CallOptions): Promise<Schemas["DeletedCoach"]>;
  /** Confirms an address with the token of the link: the part of the page's address after `#confirm-email=`. */
  confirmMail(token: string, options?: CallOptions): Promise<{ message: string }>;
  /** Has nothing sent to an address any more, with the token after `#not-me=` in the link of a mail. */
  refuseMail(token: string, options?: CallOptions): Promise<{ message: string }>;
  /** A question and its answer, by the token that the link in a mail has after `#answer=`. Nobody needs to sign in. */
  readMailedAnswer(token: string, options?: CallOptions): Promise<Schemas["MailedAnswer"]>;
  /**
   * Yields the events of a thread, as they happen, until the iteration ends or the signal aborts. After `watching`,
   * nothing is missed; before `missed`, events were lost. Broken connections are reopened.
   */
  watchThread(threadId: string, options?: CallOptions): AsyncIterable<WatchedEvent>;
  /** The same for everything about a coach, for its expert. */
  watchCoach(coachId: string, options?: CallOptions): AsyncIterable<WatchedEvent>;
  /** Returns what an invitation is for, without accepting it. */
  previewInvitation(token: string, options?: CallOptions): Promise<Schemas["InvitationPreview"]>;
  uploadFiles(
    coachId: string,
    files: File[],
    options?: RepeatableCallOptions & { replace?: boolean },
  ): Promise<Schemas["UploadReply"]>;
  /** Sends a new version of a file. The old one answers until the new one has been read. */
  replaceFile(coachId: string, fileId: string, file: File, options?: CallOptions): Promise<Schemas["StoredFile"]>;
  searchFiles(
    query: operations["searchFiles"]["parameters"]["query"],
    options?: CallOptions,
  ): Promise<Schemas["FileList"]>;
  /** The pinned answers as a sheet: a CSV file, with the byte order mark that spreadsheets need. */
  exportAnswers(coachId: string, options?: CallOptions): Promise<Blob>;
  /** The topics of a period as a sheet, in the same form. */
  exportTopics(
    coachId: string,
    query?: operations["listTopics"]["parameters"]["query"],
    options?: CallOptions,
  ): Promise<Blob>;
  /** Makes a PNG, JPEG or WebP image of at most 1 MB the picture of the draft. */
  setPicture(coachId: string, picture: Blob, options?: CallOptions): Promise<Schemas["PersonaDraft"]>;
  /** Makes such an image the picture under which the signed-in expert answers. */
  setExpertPicture(coachId: string, picture: Blob, options?: CallOptions): Promise<Schemas["ExpertFace"]>;
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
  /** Sets the password of the user who has opened such a link. @throws {ServiceError} 401 or 403 if it has expired */
  setPassword(password: string, tokens: SessionTokens): Promise<Session>;
  /** Forgets the session. */
  signOut(): void;
}

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
  // The header Last-Event-ID, as Idempotency-Key, cannot leave a page for another origin.
  const follow = (messageId: string, lastEventId?: string, signal?: AbortSignal) =>
    openOperation(
      api,
      "GET chat/{messageId}/stream query",
      [messageId, { after: lastEventId }, { signal }],
      typedEvents,
    );
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
    ...createMethods<OperationMethods & Pick<Client, "confirmMail" | "refuseMail" | "readMailedAnswer">>(api, {
      ...visitorRequests,
      confirmMail: "POST mailer/confirm body.token",
      refuseMail: "POST mailer/unsubscribe query.token",
      readMailedAnswer: "GET mailer/answer query.token",
    }),
    chat: async (body, options) =>
      read(await openOperation(api, "POST chat body", [body, options], typedEvents), options?.signal),
    retryAnswer: async (messageId, options) =>
      read(await openOperation(api, "POST chat/{messageId}/retry", [messageId, options], typedEvents), options?.signal),
    followAnswer: async (messageId, { lastEventId, signal } = {}) =>
      read(await follow(messageId, lastEventId, signal), signal),
    watchThread: (threadId, { signal } = {}) =>
      watchEvents({
        open: (after) => openOperation(api, "GET threads/{threadId}/events query", [threadId, { after }, { signal }]),
        sleep: (milliseconds) => wait(milliseconds, signal),
      }),
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

function expertMethods(api: Api, wait: Wait) {
  return {
    ...createMethods<OperationMethods & Pick<Client, "previewInvitation" | "searchFiles" | "deleteCoach">>(api, {
      ...expertRequests,
      previewInvitation: "POST coaches/invitations/preview body.token",
      searchFiles: "GET knowledge-handler query",
      deleteCoach: "DELETE coaches/{coachId} body.confirm",
    }),
    watchCoach: (coachId, { signal } = {}) =>
      watchEvents({
        open: (after) => openOperation(api, "GET coaches/{coachId}/events query", [coachId, { after }, { signal }]),
        sleep: (milliseconds) => wait(milliseconds, signal),
      }),
    async *streamTrial(coachId, body, options) {
      yield* readTrial(
        await openOperation(api, "POST coaches/{coachId}/try body", [coachId, body, options], typedEvents),
      );
    },
    uploadFiles: (coachId, files, { idempotencyKey, replace, signal } = {}) =>
      unwrap(api.POST("/functions/v1/knowledge-handler", {
        params: {
          query: { coachId, replace: replace ? "true" : undefined },
          header: { "Idempotency-Key": idempotencyKey },
        },
        // The document has bytes as strings.
        body: { files: [] },
        bodySerializer: () => createForm("files", files),
        signal,
      })),
    replaceFile: (coachId, fileId, file, { signal } = {}) =>
      unwrap(api.PUT("/functions/v1/knowledge-handler/{fileId}", {
        params: { path: { fileId }, query: { coachId } },
        body: { file: "" },
        bodySerializer: () => createForm("file", [file]),
        signal,
      })),
    exportAnswers: async (coachId, options) =>
      (await openOperation(api, "GET coaches/{coachId}/answers/export", [coachId, options])).blob(),
    exportTopics: async (coachId, query, options) =>
      (await openOperation(api, "GET coaches/{coachId}/topics query", [coachId, query, options], "text/csv")).blob(),
    setPicture: (coachId, picture, options) =>
      unwrap(api.PUT("/functions/v1/coaches/{coachId}/picture", pictureOf(coachId, picture, options))),
    setExpertPicture: (coachId, picture, options) =>
      unwrap(api.PUT("/functions/v1/coaches/{coachId}/experts/me/picture", pictureOf(coachId, picture, options))),
  } satisfies Partial<Client>;
}

function pictureOf(coachId: string, picture: Blob, { signal }: CallOptions = {}) {
  return {
    params: { path: { coachId } },
    // The document has bytes as strings.
    body: "",
    bodySerializer: () => picture,
    headers: { "Content-Type": picture.type || "application/octet-stream" },
    signal,
  };
}

/** Short, because a person is watching the page and can be asked to wait. */
const patienceOfPages = { retries: 2, maxDelay: 2_000 };

// Without quotation marks: a page may not send them in this header to another origin.
const typedEvents = "text/event-stream; profile=events";

function createForm(field: string, files: File[]): FormData {
  const form = new FormData();
  for (const file of files) form.append(field, file);
  return form;
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
