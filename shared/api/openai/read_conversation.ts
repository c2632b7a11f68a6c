import { errors } from "../../infra/errors.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { parseInput } from "../../core/operation.ts";
import { said } from "../../features/chat/fields.ts";
import type { SaidMessage } from "../../libs/llm/model_request.ts";
import type { InputItem } from "./describe_response.ts";
import type { ChatMessage } from "./fields.ts";
import { withoutFootnotes } from "./citations.ts";

/** A conversation as a client sends it. */
export type Conversation = {
  /** The application's own text for the model; null for none. */
  application: string | null;
  /** The messages before the question, oldest first. */
  history: SaidMessage[];
  question: string;
  /** The parameter that holds it. */
  param: string;
  /** The answer that the client names where its text would be; null: none. All before it is in its thread. */
  previousId: string | null;
};

const Question = said("The last message", "The question");

/** The question of a conversation, for a persona. @throws 400 if it is too long, or cannot be stored. */
export function requireQuestion({ question, param }: Pick<Conversation, "question" | "param">): string {
  return parseInput(Question, question, param);
}

/**
 * Reads the messages of a chat completion. Calls of tools and their results are left out, since a persona has none.
 *
 * @throws 400 for a part that is no text, an unknown role, or if the user does not speak last.
 */
export function readMessages(messages: ChatMessage[]): Conversation {
  const reader = new ConversationReader();
  messages.forEach(({ role, content }, place) => {
    const at = `messages.${place}`;
    if (role === "tool" || role === "function") return;
    reader.add(role, readContent(content, `${at}.content`), at);
  });
  return reader.end("messages");
}

/** The items of a response that are left out: what a model thought, and calls of tools with their results. */
const leftOut = /^(?:reasoning|\w+_call(?:_output)?)$/;

/**
 * Reads the input of a response. Calls of tools and their results are left out, as is what models think.
 *
 * @throws 400 as `readMessages` does, and for items that are no messages.
 */
export function readInput(input: string | InputItem[], instructions: string | null): Conversation {
  const reader = new ConversationReader();
  if (instructions) reader.add("system", instructions, "instructions");
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  items.forEach((item, place) => {
    const at = `input.${place}`;
    const { type = "message", role = "user", content } = item as InputItem;
    if (leftOut.test(type)) return;
    if (type === "item_reference") return reader.refer((item as InputItem).id, at);
    if (type !== "message") {
      throw errors.invalidInput(`${at} must be a message: other items are not supported`, `${at}.type`);
    }
    reader.add(role, readContent(content, `${at}.content`), at);
  });
  return reader.end("input");
}

class ConversationReader {
  readonly #application: string[] = [];
  readonly #said: SaidMessage[] = [];
  #previousId: string | null = null;

  add(role: string, text: string, at: string): void {
    if (text.trim() === "") return;
    if (role === "system" || role === "developer") this.#application.push(text);
    else if (role === "user") this.#said.push({ role, content: text });
    else if (role === "assistant") this.#said.push({ role, content: withoutFootnotes(text) });
    else throw errors.invalidInput(`${at}.role must be system, developer, user or assistant`, `${at}.role`);
  }

  /** Goes on from an answer, of which there is only the ID. */
  refer(id: unknown, at: string): void {
    const [, kind, messageId] = /^(msg|rs)_(.+)$/.exec(String(id)) ?? [];
    if (kind === "rs") return;
    if (messageId === undefined || !uuidPattern.test(messageId)) {
      throw errors.invalidInput(`${at}.id must be the ID of a message of this API`, `${at}.id`);
    }
    this.#previousId = messageId;
    this.#said.length = 0;
  }

  end(param: string): Conversation {
    // Some applications put a whole task into the instructions.
    if (this.#said.length === 0) this.#said.push({ role: "user", content: this.#application.pop() ?? "" });
    const last = this.#said.pop();
    if (last?.role !== "user" || last.content === "") {
      throw errors.invalidInput("The last message must be of the user, and not blank", param);
    }
    const application = this.#application.length === 0 ? null : this.#application.join("\n\n");
    return { application, history: this.#said, question: last.content, param, previousId: this.#previousId };
  }
}

const textTypes = ["text", "input_text", "output_text"];

function readContent(content: ChatMessage["content"], at: string): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ type, text, refusal }, place) => {
    if (type === "refusal" && typeof refusal === "string") return refusal;
    if (!textTypes.includes(type) || text === undefined) {
      throw errors.invalidInput(
        `${at}.${place} must be a text: images, sounds and files are not supported`,
        `${at}.${place}`,
      );
    }
    return text;
  }).join("\n");
}
