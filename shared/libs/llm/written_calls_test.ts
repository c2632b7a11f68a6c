import { createCallFinder } from "./written_calls.ts";
import { assert, assertEquals } from "../../../tests/support/assert.ts";

const tools = [{ type: "function" as const, name: "ask_expert", parameters: {}, strict: true }];

/** A summary of a reply whose text comes in these pieces. */
function read(pieces: string[], offered = tools): string {
  const find = createCallFinder(offered);
  const events = pieces.flatMap((text) => find([{ type: "text", text }]));
  return [...events, ...find([{ type: "ended", usage: null }])].map((event) => {
    if (event.type === "text") return event.text;
    if (event.type === "call") return `«${event.call.name} ${event.call.arguments}»`;
    return event.type === "ended" ? "|" : "";
  }).join("");
}

const call = '{"name": "ask_expert", "arguments": {"question": "a"}}';
const found = '«ask_expert {"question":"a"}»';

const replies: [what: string, reply: string, read: string][] = [
  ["no call", "Hello [1]. a < b", "Hello [1]. a < b|"],
  ["Qwen's and Hermes'", `<tool_call>\n${call}\n</tool_call>`, `${found}|`],
  [
    "after a text, and twice",
    `Well.\n<tool_call>${call}</tool_call>\n<tool_call>${call}</tool_call>\n`,
    `Well.\n${found}${found}|`,
  ],
  ["without an end", `<tool_call>\n${call}`, `${found}|`],
  [
    "Qwen's coder",
    "<tool_call>\n<function=ask_expert>\n<parameter=question>\na\n</parameter>\n<parameter=for_human>\ntrue\n</parameter>\n" +
    "</function>\n</tool_call>",
    '«ask_expert {"question":"a","for_human":true}»|',
  ],
  ["Llama's", '<function=ask_expert>{"question":"a"}</function>', `${found}|`],
  ["Llama's, with a mark", '<|python_tag|>{"name": "ask_expert", "parameters": {"question": "a"}}', `${found}|`],
  [
    "Llama's, and nothing else",
    '{"type": "function", "name": "ask_expert", "parameters": {"question": "a"}}',
    `${found}|`,
  ],
  ["Mistral's", `[TOOL_CALLS][${call}]`, `${found}|`],
  [
    "Mistral's newer ones",
    '[TOOL_CALLS]ask_expert[ARGS]{"question":"a"}[TOOL_CALLS]ask_expert[ARGS]{"question":"a"}',
    `${found}${found}|`,
  ],
  [
    "a tool that was not offered",
    '<tool_call>{"name": "rm", "arguments": {}}</tool_call> Bye',
    '<tool_call>{"name": "rm", "arguments": {}}</tool_call> Bye|',
  ],
  ["what cannot be read", "<tool_call>ask_expert</tool_call>", "<tool_call>ask_expert</tool_call>|"],
  ["an object", '{"a": 1} and more', '{"a": 1} and more|'],
  ["half a mark", "It is <tool_", "It is <tool_|"],
];

for (const [what, reply, expected] of replies) {
  Deno.test(`written calls: ${what}`, () => {
    assertEquals(read([reply]), expected);
    assertEquals(read([...reply]), expected, "in single characters");
  });
}

Deno.test("written calls: without tools, none is looked for", () => {
  assertEquals(read([`<tool_call>${call}</tool_call>`], []), `<tool_call>${call}</tool_call>|`);
});

Deno.test("written calls: what is held back belongs to its own message", () => {
  const find = createCallFinder(tools);
  const message = { type: "message" as const, phase: null };
  const events = find([message, { type: "text", text: '{"name": "Bo' }, message, { type: "text", text: "Bye" }]);
  const shown = events.map((event) => event.type === "text" ? event.text : event.type);
  assertEquals(shown, ["message", '{"name": "Bo', "message", "Bye"]);
});

Deno.test("written calls: an object that can be no call is not held back", () => {
  for (const text of ['{ "a"', "{}", "{{"]) {
    assertEquals(createCallFinder(tools)([{ type: "text", text }]), [{ type: "text", text }]);
  }
  for (const text of ['{ "a', '{"name"']) {
    assertEquals(createCallFinder(tools)([{ type: "text", text }]), [{ type: "alive" }]);
  }
});

Deno.test("written calls: what is held back, and looked at, is limited", () => {
  const find = createCallFinder(tools);
  const long = Array.from({ length: 20 }, () => find([{ type: "text", text: `<tool_call>${"x".repeat(1_000)}` }]))
    .flat();
  assert(long.some(({ type }) => type === "text"));
  const marks = "<tool_call></tool_call>".repeat(100_000);
  assertEquals(read([marks]), `${marks}|`);
});
