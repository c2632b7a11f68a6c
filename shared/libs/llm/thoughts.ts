/** Passes on the text of a reply without the thoughts at its beginning. */
export interface ThoughtFilter {
  /** Returns the text that may be shown so far; empty while the model thinks. */
  read(text: string): string;
  /** Says that the server sends thoughts in a field of their own. Returns what was held back. */
  trust(): string;
  /** Returns what was held back, and is no thought. */
  end(): string;
  /** Returns whether what was read last is a thought, as far as that is known. */
  isThinking(): boolean;
}

/** The tags around thoughts: of most models, of Gemini and GLM, of EXAONE, of Magistral, of Gemma, and of gpt-oss. */
const tags = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["[THINK]", "[/THINK]"],
  ["<|channel>thought", "<channel|>"],
  ["<|channel|>analysis<|message|>", "<|channel|>final<|message|>"],
] as const;

/**
 * Models whose templates open the thoughts in the prompt, so that a reply shows only where they end: DeepSeek-R1 and what
 * was distilled from it, QwQ, MiniMax-M2, and the thinking editions of Qwen and Kimi.
 */
const openInPrompt = /\bdeepseek-?r1\b|\br1-|\bqwq\b|\bminimax-m\d|-thinking\b/i;

/** The most text that is held back in the hope of an end of the thoughts, in UTF-16 units. */
const maxHeld = 256 * 1024;

/**
 * Leaves out what a model writes between tags of thoughts before it answers. Servers with a parser for reasoning send it in
 * fields of its own; many hosts of DeepSeek-R1 and Qwen have none. Tags may be split over pieces of text. Where it is
 * unknown whether a reply begins with thoughts, it is held back until they end.
 *
 * @param model of some, replies begin with thoughts that they do not open
 */
export function createThoughtFilter(model: string): ThoughtFilter {
  let state: "beginning" | "thinking" | "answering" = "beginning";
  /** Of thoughts that the model has opened, only the end, which may be half a tag. */
  let held = "";
  /** True if the reply has opened its thoughts itself: without an end, they are not an answer. */
  let isOpened = false;
  let closing: string = tags[0][1];
  let isTrimming = false;

  function read(text: string): string {
    if (state === "answering") return trim(text);
    held += text;
    if (state === "beginning") {
      const start = held.trimStart();
      const tag = tags.find(([opening]) => start.startsWith(opening));
      if (tag) {
        isOpened = true;
        closing = tag[1];
        held = start.slice(tag[0].length);
      } else if (tags.some(([opening]) => opening.startsWith(start))) return "";
      else if (!openInPrompt.test(model)) return answer(held);
      state = "thinking";
    }
    const end = held.indexOf(closing);
    if (end >= 0) {
      isTrimming = true;
      return answer(trim(held.slice(end + closing.length)));
    }
    if (isOpened) held = held.slice(-closing.length);
    return held.length > maxHeld ? answer(held) : "";
  }
  function answer(text: string): string {
    state = "answering";
    held = "";
    return text;
  }
  /** Leaves out the white space between the thoughts and the answer. */
  function trim(text: string): string {
    if (!isTrimming) return text;
    const rest = text.trimStart();
    isTrimming = rest === "";
    return rest;
  }

  return {
    read,
    trust: () => state === "beginning" || state === "thinking" && !isOpened ? answer(held) : "",
    end: () => isOpened ? "" : answer(held),
    isThinking: () => state === "thinking",
  };
}
