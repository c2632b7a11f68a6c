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
    ),
  thread_id: optionalText("thread_id", z.regex(uuidPattern, "thread_id must be a UUID")),
  context: z.nullish(z.object({
    coachId: optionalText("context.coachId"),
    userId: optionalText(
      "context.userId",
      z.maxLength(255, "context.userId must be at most 255 characters long"),
      z.refine<string>((text) => text.trim() !== "", "context.userId must not be blank"),
    ),
    isAuthenticated: z.nullish(z.boolean("context.isAuthenticated must be true or false")),
    mode: optionalText("context.mode", z.maxLength(64, "context.mode must be at most 64 characters long")),
  }, "context must be an object")),
}, "The request body must be a JSON object");
export type ChatBody = z.infer<typeof ChatBody>;

/** Reply of the SQL function `begin_turn`. */
export const BeginTurnReply = z.union([
  z.object({ error: z.enum(["thread_not_found", "coach_not_found", "coach_mismatch", "not_the_coach"]) }),
  z.object({
    thread_id: z.string(),
    message_id: z.string(),
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
]);
/** A turn that has begun: question and empty answer are stored. */
export type BegunTurn = Exclude<z.infer<typeof BeginTurnReply>, { error: string }>;
export type Coach = BegunTurn["coach"];
export type Passage = BegunTurn["passages"][number];
