import { createThoughtFilter } from "./thoughts.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

/** The text shown of a reply that comes in these pieces. */
function show(pieces: string[], model = "m"): string {
  const { read, end } = createThoughtFilter(model);
  return pieces.map(read).join("") + end();
}

const replies: [what: string, reply: string, shown: string, model?: string][] = [
  ["no thoughts", "Hello. How are you?", "Hello. How are you?"],
  ["thoughts", "<think>Hm. <b>\n</think>\n\nHello.", "Hello."],
  ["thoughts after white space", "\n <think>Hm.</think> Hello.", "Hello."],
  ["empty thoughts", "<think>\n\n</think>\n\nHello.", "Hello."],
  ["thoughts of Gemini", "<thinking>Hm.</think>\n</thinking>\nHello.", "Hello."],
  ["thoughts of EXAONE", "<thought>\nHm.\n</thought>\n\nHello.", "Hello."],
  ["thoughts of Magistral", "[THINK]Hm.[/THINK]Hello.", "Hello."],
  ["thoughts of Gemma", "<|channel>thought\nHm.<channel|>Hello.", "Hello."],
  [
    "thoughts of gpt-oss",
    "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hello.",
    "Hello.",
  ],
  ["thoughts that a prompt asks for", "<reasoning>Hm.</reasoning>\nHello.", "Hello."],
  ["thoughts of Seed-OSS", "<seed:think>Hm.</seed:think>Hello.", "Hello."],
  ["thoughts of Kimi-VL", "◁think▷Hm.◁/think▷Hello.", "Hello."],
  [
    "thoughts of Cohere",
    "<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Hello.<|END_RESPONSE|>",
    "Hello.",
  ],
  ["thoughts twice", "<think>Hm.</think>\n<think>Yes.</think>\n\nHello.", "Hello."],
  ["thoughts, and half a tag", "<think>Hm.</think>\n<thi", "<thi"],
  ["an answer between tags, after thoughts", "<think>\nHm.\n</think>\n<answer>\nHello.\n</answer>", "Hello.\n"],
  ["the same of Granite", "<think>Hm.</think><response>Hello, <b>you</b>.</response>\n", "Hello, <b>you</b>."],
  ["such tags without thoughts", "<answer>Hello.</answer>", "<answer>Hello.</answer>"],
  ["gpt-oss without thoughts", "<|channel|>final<|message|>Hello.<|return|>", "Hello."],
  ["a token that a server passes on", "Hello.<|im_end|>", "Hello."],
  ["the same in the middle", "It is <|im_end|>, and no other. <|im", "It is <|im_end|>, and no other. <|im"],
  ["something like such a tag", "[Think](https://example.org) of it.", "[Think](https://example.org) of it."],
  ["a tag later on", "HTML has no <think>, and no </think>.", "HTML has no <think>, and no </think>."],
  ["something like a tag", "<thin> is no tag.", "<thin> is no tag."],
  ["half a tag", "<thi", "<thi"],
  ["nothing but thoughts", "<think>Hm.</think>", ""],
  ["thoughts that do not end", "<think>Hm. On and on", ""],
  ["a second tag", "<think>Hm.</think>Hello</think>.", "Hello</think>."],
  ["thoughts that were opened in the prompt", "Hm.\n</think>\n\nHello.", "Hello.", "deepseek-ai/DeepSeek-R1"],
  ["the same of Olmo", "Hm.\n</think>\nHello.", "Hello.", "allenai/Olmo-3-7B-Think"],
  ["the same, opened after all", "<think>Hm.</think>Hello.", "Hello.", "qwen3-235b-a22b-thinking-2507"],
  ["such a model, without thoughts", "Hello.", "Hello.", "Qwen/QwQ-32B"],
  ["no thoughts, white space first", " Hello.", " Hello."],
];

for (const [what, reply, shown, model] of replies) {
  Deno.test(`thoughts: ${what}`, () => assertEquals(show([reply], model), shown));
  Deno.test(`thoughts: ${what}, in single characters`, () => assertEquals(show([...reply], model), shown));
}

Deno.test("thoughts: nothing is held back of a model that does not think", () => {
  const { read } = createThoughtFilter("gpt-5.1");
  assertEquals(["He", "llo", "."].map(read), ["He", "llo", "."]);
});

Deno.test("thoughts: where the server sends them elsewhere, nothing is held back", () => {
  const { read, trust } = createThoughtFilter("deepseek-r1");
  assertEquals([trust(), read("He"), read("llo")], ["", "He", "llo"]);
});

Deno.test("thoughts: no more is held back of an answer than may be its end", () => {
  const { read } = createThoughtFilter("gpt-5.1");
  assertEquals(["a <", " b", "<|im_", "x", "<", " ".repeat(40)].map(read), [
    "a ",
    "< b",
    "",
    "<|im_x",
    "",
    `<${" ".repeat(40)}`,
  ]);
});

Deno.test("thoughts: what a model may have thought is held back within limits", () => {
  const { read } = createThoughtFilter("deepseek-r1");
  const pieces = Array.from({ length: 600 }, () => read("x".repeat(1_000)));
  assertEquals(pieces.join("").length, 600_000);
});
