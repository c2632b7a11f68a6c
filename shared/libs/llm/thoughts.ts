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

/**
 * The tags around thoughts: of most models, of Gemini and GLM, of EXAONE, of prompts that ask for them, of Seed-OSS, of
 * Kimi-VL, of Cohere, of Magistral, of Gemma, and of gpt-oss.
 */
const tags = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<reflection>", "</reflection>"],
  ["<seed:think>", "</seed:think>"],
  ["◁think▷", "◁/think▷"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["[THINK]", "[/THINK]"],
  ["<|channel>thought", "<channel|>"],
  ["<|channel|>analysis<|message|>", "<|channel|>final<|message|>"],
] as const;

/** The frames of answers: tokens of gpt-oss and of Cohere and, after thoughts, tags of Hunyuan, GLM and Granite. */
const frames: { opening: string; isTag?: true }[] = [
  { opening: "<|channel|>final<|message|>" },
  { opening: "<|START_RESPONSE|>" },
  { opening: "<answer>", isTag: true },
  { opening: "<response>", isTag: true },
];
const openings = [...tags.map(([opening]) => opening), ...frames.map(({ opening }) => opening)];
/** Tokens that end a reply, which servers with the wrong template pass on. */
const endTokens = ["<|return|>", "<|END_RESPONSE|>", "<|im_end|>", "<|eot_id|>"];

/**
 * Models whose templates open the thoughts in the prompt, so that a reply shows only where they end: DeepSeek-R1 and what
 * was distilled from it, QwQ, MiniMax-M2, and the thinking editions of Qwen, Kimi and Olmo.
 */
const openInPrompt = /\bdeepseek-?r1\b|\br1-|\bqwq\b|\bminimax-m\d|-think(?:ing)?\b/i;

/** The longest end of an answer that is held back, in UTF-16 units. */
const maxTail = 32;

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
  /** The end of what is held. To look for a tag in all of it with each piece would join the pieces anew: 7 s for 240 kB. */
  let recent = "";
  /** True if the reply has opened its thoughts itself: without an end, they are not an answer. */
  let isOpened = false;
  /** True if thoughts have ended: others may follow, white space goes, and the answer may stand between tags. */
  let hasThought = false;
  let closing: string = tags[0][1];
  let isTrimming = false;
  const ends = [...endTokens];
  /** The end of the answer so far, which may be a part of its frame. */
  let tail = "";

  function read(text: string): string {
    if (state === "answering") return show(trim(text));
    held += text;
    recent += text;
    while (true) {
      if (state === "beginning") {
        const start = held.trimStart();
        const frame = frames.find(({ opening, isTag }) => (hasThought || !isTag) && start.startsWith(opening));
        if (frame?.isTag) ends.push(frame.opening.replace("<", "</"));
        if (frame) {
          isTrimming = true;
          return answer(start.slice(frame.opening.length));
        }
        const tag = tags.find(([opening]) => start.startsWith(opening));
        if (tag) {
          isOpened = true;
          closing = tag[1];
          held = start.slice(tag[0].length);
        } else if (openings.some((opening) => opening.startsWith(start))) return "";
        else if (hasThought || !openInPrompt.test(model)) return answer(held);
        state = "thinking";
        recent = held;
      }
      if (!recent.includes(closing)) break;
      const end = held.indexOf(closing);
      state = "beginning";
      isTrimming = hasThought = true;
      isOpened = false;
      held = held.slice(end + closing.length);
    }
    recent = recent.slice(-closing.length);
    if (isOpened) held = recent;
    return held.length > maxHeld ? answer(held) : "";
  }
  function answer(text: string): string {
    state = "answering";
    held = "";
    return show(trim(text));
  }
  /** Leaves out the white space between the thoughts and the answer. */
  function trim(text: string): string {
    if (!isTrimming) return text;
    const rest = text.trimStart();
    isTrimming = rest === "";
    return rest;
  }
  /** Holds back what may be the end of the frame. */
  function show(piece: string): string {
    const text = tail + piece;
    const at = text.lastIndexOf("<");
    const last = at < 0 ? "" : text.slice(at);
    const isEnd = last.length <= maxTail && ends.some((end) => end.startsWith(last.trimEnd()));
    tail = isEnd ? last : "";
    return tail === "" ? text : text.slice(0, at);
  }
  function end(): string {
    const rest = state === "thinking" && isOpened ? "" : answer(held);
    return rest + (ends.includes(tail.trimEnd()) ? "" : tail);
  }

  return {
    read,
    trust: () => state === "beginning" || state === "thinking" && !isOpened ? answer(held) : "",
    end,
    isThinking: () => state === "thinking",
  };
}
