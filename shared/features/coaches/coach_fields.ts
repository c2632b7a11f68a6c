import * as z from "zod/mini";
import { countCharacters, isStorableText, stripInvisible } from "../../libs/base/text.ts";
import { textField, wholeNumber } from "../../core/wire/fields.ts";
import {
  type Bounds,
  maxOutputTokensBounds,
  reasoningEfforts,
  temperatureBounds,
  verbosities,
} from "../../libs/llm/model_settings.ts";

/**
 * Where a field of coaches is: `public`, whoever may talk to the coach sees it; `draft`, experts edit it and owners publish
 * it; `settings`, owners set it, and it holds at once; `file`, operators set it in the file of a coach.
 */
type Place = "public" | "draft" | "settings" | "file";

/** A field of coaches, which is a column of `coach_profiles`. */
export type CoachField = {
  places: readonly Place[];
  description: string;
  /** The schema of a value that is given. */
  input: (name: string) => z.ZodMiniType;
  /** True if null may be given, too. */
  isNullable?: true;
  /** The schema of its value in replies. */
  reply: () => z.ZodMiniType;
  /** The value of a coach whose file does not have it. A file cannot do without a field that has none. */
  usual?: string | number | boolean | readonly string[] | null;
  /** What null stands for, if not for the deployment's variable of this name. */
  without?: string;
  variable?: string;
  /** What the help of coach files says about it. */
  help?: string;
  /** For the document and the help; left out: the help does not show it. */
  example?: unknown;
};

/** A name, a line or a question, without characters that nobody sees. */
const shown = { clean: (text: string) => stripInvisible(text).trim() };

/** A text of one line, without white space at its ends. */
export function lineField(name: string, most: number) {
  return z.string(`${name} must be a string`).check(
    z.overwrite(shown.clean),
    z.refine(
      (text) => text !== "" && countCharacters(text) <= most && isStorableText(text) && !/\p{Cc}/u.test(text),
      `${name} must be one line of 1 to ${most} characters`,
    ),
    z.meta({ minLength: 1, maxLength: most }),
  );
}

function startersField(name: string) {
  const error = `${name} must be a list of at most six questions`;
  const starter = textField(`Each of ${name}`, 200, shown).check(
    z.refine((text) => !/\p{Cc}/u.test(text), `Each of ${name} must be one line`),
  );
  return z.array(starter, error).check(z.maxLength(6, error));
}

function languageField(name: string) {
  const error = `${name} must be a text search configuration of Postgres`;
  return z.string(`${name} must be a string`).check(z.regex(/^[A-Za-z_][A-Za-z0-9_.]{0,62}$/, error));
}

function colorField(name: string) {
  const error = `${name} must be a color such as #0a7d5c, or null`;
  return z.string(error).check(z.overwrite((color) => color.toLowerCase()), z.regex(/^#[0-9a-f]{6}$/, error));
}

const flag = (name: string) => z.boolean(`${name} must be true or false`);
const oneOf = (words: readonly string[]) => (name: string) =>
  z.enum(words, `${name} must be one of ${words.join(", ")}`);
const number = ({ least, most }: Bounds) => (name: string) => {
  const error = `${name} must be a number from ${least} to ${most}`;
  return z.number(error).check(z.gte(least, error), z.lte(most, error));
};
const whole = (bounds: Bounds) => (name: string) => wholeNumber(name, bounds);

const nullableText = () => z.nullable(z.string());

/** Every field of coaches that somebody sets, in the order of a coach's file, but for the picture. */
export const coachFields = {
  name: {
    places: ["public", "draft", "file"],
    description: "The coach's full name",
    input: (name) => textField(name, 200, shown),
    reply: z.string,
    example: "Mara Lindqvist",
  },
  title: {
    places: ["public", "draft", "file"],
    description: "The coach's professional title",
    input: (name) => textField(name, 200, shown),
    reply: z.string,
    example: "Leadership Coach",
  },
  greeting: {
    places: ["public", "draft", "file"],
    description: "The text to show before the first message; null: none",
    input: (name) => textField(name, 2_000),
    isNullable: true,
    reply: nullableText,
    usual: null,
    without: "none",
    help: "shown before the first message",
    example: "Hello, I am Mara. What is on your mind?",
  },
  starters: {
    places: ["public", "draft", "file"],
    description: "Up to six questions to suggest as the first message",
    input: startersField,
    reply: () => z.array(z.string()),
    usual: [],
    without: "none",
    help: "up to 6 suggested questions",
    example: ["How do I start with a new team?", "How do I give feedback that lands?"],
  },
  instructions: {
    places: ["draft", "file"],
    description: "How the persona thinks and speaks: what the model is told",
    input: (name) => textField(name, 100_000),
    reply: z.string,
    example: "Ask before you tell. Answer in at most five sentences.",
  },
  model: {
    places: ["file"],
    description: "The language model",
    input: (name) => textField(name, 200),
    reply: nullableText,
    usual: null,
    variable: "OPENAI_MODEL",
    example: "gpt-6.1-sol",
  },
  reasoning_effort: {
    places: ["file"],
    description: "The effort that the model may spend on thinking",
    input: oneOf(reasoningEfforts),
    reply: nullableText,
    usual: null,
    variable: "OPENAI_REASONING_EFFORT",
    example: "low",
  },
  verbosity: {
    places: ["file"],
    description: "The length of its answers",
    input: oneOf(verbosities),
    reply: nullableText,
    usual: null,
    variable: "OPENAI_VERBOSITY",
    example: "medium",
  },
  temperature: {
    places: ["file"],
    description: "The variety of its words. Models that reason take none",
    input: number(temperatureBounds),
    reply: () => z.nullable(z.number()),
    usual: null,
    variable: "OPENAI_TEMPERATURE",
  },
  max_output_tokens: {
    places: ["file"],
    description: "The longest answer, in tokens, reasoning included",
    input: whole(maxOutputTokensBounds),
    reply: () => z.nullable(z.int()),
    usual: null,
    variable: "OPENAI_MAX_OUTPUT_TOKENS",
    help: "including reasoning",
    example: 4000,
  },
  store_responses: {
    places: ["file"],
    description: "Whether the model's server stores responses",
    input: flag,
    reply: () => z.nullable(z.boolean()),
    usual: null,
    variable: "OPENAI_STORE",
    help: "at the model's server",
    example: true,
  },
  language: {
    places: ["draft", "file"],
    description:
      "The language of its files, a text search configuration of Postgres such as `german`. When another one " +
      "is published, the files are indexed again",
    input: languageField,
    reply: z.string,
    usual: "english",
    help: "the language of its files",
    example: "english",
  },
  history_limit: {
    places: ["file"],
    description: "The number of earlier messages that the model is sent",
    input: whole({ least: 0, most: 200 }),
    reply: z.int,
    usual: 20,
    help: "messages sent to the model, 0 to 200",
    example: 20,
  },
  no_answer: {
    places: ["draft", "file"],
    description: "How it says that it does not know something; null: a default text",
    input: (name) => textField(name, 1_000),
    isNullable: true,
    reply: nullableText,
    usual: null,
    without: "a default text",
    help: "sent when it does not know",
    example: "I have not worked on that. Let me ask the real Mara.",
  },
  takeover_notice: {
    places: ["draft", "file"],
    description: "The notice shown to someone who asks during a takeover; null: a default text",
    input: (name) => textField(name, 1_000),
    isNullable: true,
    reply: nullableText,
    usual: null,
    without: "a default text",
    help: "sent during a takeover",
    example: "I will write to you myself.",
  },
  takeover_minutes: {
    places: ["file"],
    description: "A takeover ends this long after the expert's last message",
    input: whole({ least: 1, most: 10_080 }),
    reply: z.int,
    usual: 60,
    help: "after the expert's last message, the takeover ends",
    example: 60,
  },
  sources_are_open: {
    places: ["public", "settings", "file"],
    description: "Whether everyone who may talk to the coach may also read the files that its answers draw on",
    input: flag,
    reply: z.boolean,
    usual: false,
    help: "whether whoever may talk to it may read its files",
    example: false,
  },
  slug: {
    places: ["public", "settings"],
    description:
      "The name of the coach in addresses, which stands for its `id` wherever that is asked for: 3 to 40 of " +
      "`a-z`, `0-9` and `-`, or null until it is first published. It can be changed ten times; earlier ones go on " +
      "leading to the coach",
    input: (name) => z.string(`${name} must be a string`),
    reply: nullableText,
    example: "mara-lindqvist",
  },
  is_active: {
    places: ["settings"],
    description:
      "Whether the coach answers. It does not if it was never published; with `false` it is paused: nobody " +
      "can talk to it, but threads stay readable",
    input: flag,
    reply: z.boolean,
    example: true,
  },
  accent_color: {
    places: ["public", "settings"],
    description: "The color of buttons and links of its page, such as `#0a7d5c`; null: the usual one",
    input: colorField,
    isNullable: true,
    reply: nullableText,
    example: "#0a7d5c",
  },
  launcher_text: {
    places: ["public", "settings"],
    description: "The words of its button on other sites; null: the usual ones",
    input: (name) => lineField(name, 60),
    isNullable: true,
    reply: nullableText,
    example: null,
  },
} as const satisfies Record<string, CoachField>;

type Fields = typeof coachFields;
type FieldsIn<Where extends Place> = {
  [Name in keyof Fields as Where extends Fields[Name]["places"][number] ? Name : never]: Fields[Name];
};

/** The fields of a place. */
export function fieldsIn<Where extends Place>(place: Where) {
  const fields: [name: string, field: CoachField][] = Object.entries(coachFields);
  return fields.filter(([, { places }]) => places.includes(place)) as [keyof FieldsIn<Where>, CoachField][];
}

function mapFields<Where extends Place, Value>(place: Where, map: (field: CoachField, name: string) => Value) {
  return Object.fromEntries(fieldsIn(place).map(([name, field]) => [name, map(field, String(name))]));
}

/** The fields of a place as input. Those that are left out stay as they are. */
export function inputFields(place: Place): Record<string, z.ZodMiniType> {
  return mapFields(place, ({ input, isNullable, description }, name) => {
    const schema = input(name);
    return z.optional(isNullable ? z.nullable(schema) : schema).check(z.describe(description));
  });
}

/** The fields of a place in replies. */
export function replyFields<Where extends Place>(place: Where) {
  return mapFields(place, ({ reply, description }) => reply().check(z.describe(description))) as {
    [Name in keyof FieldsIn<Where> & keyof Fields]: ReturnType<Fields[Name]["reply"]>;
  };
}

/** An example of the fields of a place. */
export function exampleOf<Where extends Place>(place: Where) {
  return mapFields(place, ({ example }) => example) as {
    [Name in keyof FieldsIn<Where> & keyof Fields]: Fields[Name] extends { example: infer Example } ? Example
      : undefined;
  };
}
