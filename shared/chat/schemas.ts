import * as z from "zod/mini";
import { isStorableText } from "../storable_text.ts";
import { uuidPattern } from "../uuid.ts";

const maxMessageCharacters = 32_000;

const storable = (name: string) =>
  z.refine<string>(isStorableText, `${name} must not contain NUL characters or halves of surrogate pairs`);

/** A text that may be left out; null counts as left out, since many clients send it for an absent value. */
function optionalText(name: string, ...checks: ReturnType<typeof storable>[]) {
  return z.nullish(z.string(`${name} must be a string`).check(storable(name), ...checks));
}

/** Body of `POST /chat`. */
export const ChatBody = z.object({
  message: z.string({ error: ({ input }) => input === undefined ? "message is required" : "message must be a string" })
    .check(
      z.refine((text) => text.trim() !== "", { error: "message must not be blank", abort: true }),
      // Counted as characters, not as UTF-16 units; spread only when it can matter.
      z.refine(
        (text) => text.length <= maxMessageCharacters || [...text].length <= maxMessageCharacters,
        { error: "message must be at most 32,000 characters long", abort: true },
      ),
      storable("message"),
      z.meta({
        description: "What the user says: something besides white space",
        minLength: 1,
        maxLength: maxMessageCharacters,
      }),
    ),
  thread_id: optionalText("thread_id", z.regex(uuidPattern, "thread_id must be a UUID")).check(
    z.meta({ description: "The thread to go on with; left out, a new one is started" }),
  ),
  context: z.nullish(z.object({
    coachId: optionalText("context.coachId").check(
      z.describe("The coach to talk to; required to start a thread, otherwise the thread's own"),
    ),
    userId: optionalText(
      "context.userId",
      z.maxLength(255, "context.userId must be at most 255 characters long"),
      z.refine<string>((text) => text.trim() !== "", "context.userId must not be blank"),
    ).check(z.describe(
      "The user who talks, not blank; with a bearer token, its own user. Left out, the new thread is anonymous",
    )),
    isAuthenticated: z.nullish(z.boolean("context.isAuthenticated must be true or false")).check(
      z.describe("True demands a bearer token"),
    ),
    mode: optionalText("context.mode", z.maxLength(64, "context.mode must be at most 64 characters long")).check(
      z.describe("Shown to the coach; `create_knowledge` stores the message as a note, for the coach's own user"),
    ),
  }, "context must be an object")).check(z.describe("Who talks to whom, and in what kind of conversation")),
}, "The request body must be a JSON object");
export type ChatBody = z.infer<typeof ChatBody>;

/** The header `Last-Event-ID`: how many characters of an answer its reader has, and of which run of the turn. */
export const LastEventId = z.optional(
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}(?:-[0-9a-f]{8})?$/, "Last-Event-ID must be the id of an event of this stream")),
    z.transform((id) => {
      const [characters = ""] = id.split("-");
      return { after: Number(characters), run: id.slice(characters.length) };
    }),
  ),
);

/** A passage that an answer was given, as it is kept with the message. The quote stands in the file word for word. */
export const Source = z.object({
  fileId: z.string(),
  filename: z.string(),
  page: z.nullable(z.number()),
  heading: z.nullable(z.string()),
  quote: z.string(),
  score: z.number(),
});
export type Source = z.infer<typeof Source>;

/** An answer as the SQL functions `read_answers`, `stop_turn` and `begin_turn` tell how it stands. */
export const StoredAnswer = z.object({
  message_id: z.string(),
  /** The run that writes it; another after a retry, which begins anew. */
  run_id: z.nullable(z.string()),
  thread_id: z.string(),
  created_at: z.string(),
  status: z.enum(["streaming", "complete", "stopped", "failed"]),
  /** The text from where it was asked for. */
  content: z.string(),
  response_id: z.nullable(z.string()),
  input_tokens: z.nullable(z.number()),
  output_tokens: z.nullable(z.number()),
  /** What it failed with: the code of the error that its reader was told. */
  error_code: z.nullable(z.string()),
  sources: z.nullable(z.array(Source)),
  /** Whether its writer has shown no sign of life for 30 s. */
  is_abandoned: z.boolean(),
});
export type StoredAnswer = z.infer<typeof StoredAnswer>;

/** Reply of the SQL function `read_answers`: null for what the caller does not have. */
export const StoredAnswers = z.array(z.nullable(StoredAnswer));

/** Reply of the SQL function `begin_turn`, the usual one first: the others are tried after it. */
export const BeginTurnReply = z.union([
  z.object({
    thread_id: z.string(),
    message_id: z.string(),
    created_at: z.string(),
    coach: z.object({
      id: z.string(),
      name: z.string(),
      title: z.string(),
      instructions: z.string(),
      model: z.nullable(z.string()),
      temperature: z.nullable(z.number()),
    }),
    /** Whether a bearer token signs the coach's own user in. */
    is_owner: z.boolean(),
    history: z.array(z.object({ role: z.enum(["user", "assistant", "system"]), content: z.string() })),
    /** Of the coach's files, for the message; best first. */
    passages: z.array(z.object({
      file_id: z.string(),
      filename: z.string(),
      page: z.nullable(z.number()),
      heading: z.nullable(z.string()),
      content: z.string(),
      score: z.number(),
    })),
  }),
  /** A turn with the same idempotency key has been begun before. */
  z.object({ earlier: StoredAnswer }),
  z.object({
    error: z.enum(["thread_not_found", "coach_not_found", "coach_mismatch", "not_the_coach", "idempotency_key_reused"]),
  }),
]);
/** A turn that has begun: question and empty answer are stored. */
export type BegunTurn = Extract<z.infer<typeof BeginTurnReply>, { coach: unknown }>;
export type Coach = BegunTurn["coach"];
export type Passage = BegunTurn["passages"][number];
