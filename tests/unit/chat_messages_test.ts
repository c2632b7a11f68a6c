import {
  addSent,
  hasArrived,
  type LiveAnswer,
  mergeNewest,
  newlyEnded,
  type SentQuestion,
  showMessages,
  type StoredMessage,
  type Unsent,
} from "../../shared/clients/page/chat/messages.ts";
import { isNews } from "../../shared/clients/page/chat/thread_watch.ts";
import { assertEquals } from "../support/assert.ts";

function said(id: string, fields: Partial<StoredMessage> = {}): StoredMessage {
  const role = id.startsWith("q") ? "user" : "assistant";
  const author = role === "user" ? "user" : "ai";
  const rest = { thread_id: "t", response_id: null, created_at: "", status: "complete" as const };
  return { id, role, author, content: `said ${id}`, ...rest, ...fields };
}

const two = [said("q1"), said("a1")];
const four = [...two, said("q2"), said("a2")];
const sent: SentQuestion = { text: "new", idempotencyKey: "key", known: two };
const idle: Unsent = { questions: [], isSending: false, trouble: null };
const sending: Unsent = { questions: [sent], isSending: true, trouble: null };
const noAnswers = new Map<string, LiveAnswer>();
const ids = (messages: StoredMessage[]) => messages.map(({ id }) => id);
const shown = (...[stored, live, unsent]: Parameters<typeof showMessages>) =>
  showMessages(stored, live, unsent).map(({ author, content, status }) => [author, content, status]);

Deno.test("the newest page of messages meets the earlier ones, or takes their place", () => {
  const cases: [name: string, known: StoredMessage[], page: StoredMessage[], expected: string[], meets: boolean][] = [
    ["nothing known", [], two, ["q1", "a1"], false],
    ["the same", two, two, ["q1", "a1"], false],
    ["earlier ones known", four, [said("a1"), ...four.slice(2)], ["q1", "a1", "q2", "a2"], true],
    ["more than a page is new", two, [said("q8"), said("a8")], ["q8", "a8"], false],
    ["some were replaced", four, [said("a1"), said("q3"), said("a3")], ["q1", "a1", "q3", "a3"], true],
    ["a question that is not listed yet", addSent(two, "t", sent), [said("a1"), said("q2")], ["q1", "a1", "q2"], true],
    ["none is left", four, [], [], false],
  ];
  for (const [name, known, page, expected, meets] of cases) {
    const merged = mergeNewest(known, page);
    assertEquals([name, ids(merged.messages), merged.meets], [name, expected, meets]);
  }
});

Deno.test("what is sent and read at the moment is laid over what is stored", () => {
  const old = shown(two, noAnswers, idle);
  assertEquals(old, [["user", "said q1", "complete"], ["ai", "said a1", "complete"]]);
  assertEquals(shown(two, noAnswers, sending), [...old, ["user", "new", "sending"], [null, "", "streaming"]]);
  assertEquals(shown(two, noAnswers, { ...sending, questions: [{ ...sent, replaces: "q1" }] }), [[
    "user",
    "new",
    "sending",
  ], [
    null,
    "",
    "streaming",
  ]]);

  // What could not be sent has replaced nothing.
  const unsent: Unsent = { ...idle, questions: [{ ...sent, replaces: "q1" }], trouble: { kind: "trouble" } };
  assertEquals(shown(two, noAnswers, unsent), [...old, ["user", "new", "unsent"]]);
  assertEquals(shown(two, noAnswers, { ...unsent, trouble: { kind: "offline" } }).at(-1), ["user", "new", "queued"]);

  const question = addSent(two, "t", sent);
  assertEquals(shown(question, new Map([["a2", { kind: "reading", text: "so far" }]]), idle), [
    ...old,
    ["user", "new", "complete"],
    [null, "so far", "streaming"],
  ]);
  // What waits for its turn is below the answer that is being written.
  const later = { text: "later", idempotencyKey: "other" };
  const reading = new Map<string, LiveAnswer>([["a2", { kind: "reading", text: "so far" }]]);
  assertEquals(shown(question, reading, { ...idle, questions: [later] }).slice(-2), [
    [null, "so far", "streaming"],
    ["user", "later", "queued"],
  ]);
  assertEquals(shown(two, noAnswers, { ...sending, questions: [sent, later] }).slice(-3), [
    ["user", "new", "sending"],
    [null, "", "streaming"],
    ["user", "later", "queued"],
  ]);
  assertEquals(ids(addSent(four, "t", { ...sent, replaces: "q2" })).length, 3);

  // An answer that is written anew keeps its words until there are others, and nobody's name.
  assertEquals(shown(two, new Map([["a1", { kind: "reading", text: "" }]]), idle).at(-1), [
    null,
    "said a1",
    "streaming",
  ]);
  const streaming = [said("q1"), said("a1", { status: "streaming" })];
  assertEquals(shown(streaming, new Map([["a1", { kind: "reading", text: "new" }]]), idle).at(-1), [
    "ai",
    "new",
    "streaming",
  ]);
  const ending = { kind: "ended", status: "complete", author: "expert", sources: [] } as const;
  assertEquals(shown(streaming, new Map([["a1", { ...ending, text: "mine", sources: [] }]]), idle).at(-1), [
    "expert",
    "mine",
    "complete",
  ]);
});

Deno.test("a pinned answer is told apart from a correction, which stands after an answer", () => {
  const source = { kind: "pinned_answer", pinnedAnswerId: "p", version: 1, question: "q", quote: "mine" } as const;
  const fields = { author: "expert" as const, sources: [{ ...source, isWordForWord: true }] };
  const authors = (stored: StoredMessage[]) => showMessages(stored, noAnswers, idle).map(({ author }) => author);
  assertEquals(authors([said("q1"), said("a1", fields)]), ["user", "pinned"]);
  assertEquals(authors([...two, said("a2", fields)]), ["user", "ai", "expert"]);
  assertEquals(authors([said("q1"), said("a1", { author: "expert" })]), ["user", "expert"]);
  const near = [{ ...source, isWordForWord: false }];
  assertEquals(authors([said("q1"), said("a1", { sources: near })]), ["user", "ai"]);
  // The first message of a page belongs to a question that is not read yet, or to an answer.
  const correction = said("a2", fields);
  authors([correction]);
  assertEquals(authors([...two, correction]), ["user", "ai", "expert"]);
});

Deno.test("a message that is the same is the same object, so that nothing is rendered anew", () => {
  assertEquals(showMessages(two, noAnswers, idle)[0] === showMessages(two, noAnswers, sending)[0], true);
});

Deno.test("a question whose reply was lost is found in what is stored", () => {
  assertEquals(hasArrived([...two, said("q2", { content: "new" })], sent), true);
  assertEquals(hasArrived(two, sent), false);
  assertEquals(hasArrived([...two, said("q2", { content: "new" })], { ...sent, known: undefined }), false);
  // An answer that only repeats the words.
  assertEquals(hasArrived([...two, said("a2", { content: "new" })], sent), false);
  // The same words, asked before.
  const before = [...two, said("q2", { content: "new" })];
  assertEquals(hasArrived(before, { ...sent, known: before }), false);
});

Deno.test("the answer that has ended since the last reading is told, and no other", () => {
  const waiting = [said("q1"), said("a1", { status: "waiting", content: "" })];
  assertEquals(newlyEnded(two, two), null);
  assertEquals(newlyEnded(two, [...two, said("q2")]), null);
  assertEquals(newlyEnded(two, four)?.id, "a2");
  assertEquals(newlyEnded(two, [...two, said("q2"), said("a2", { status: "streaming" })]), null);
  assertEquals(newlyEnded(waiting, [said("q1"), said("a1", { author: "expert" })])?.author, "expert");
  assertEquals(newlyEnded(two, [said("q1"), said("a1", { content: "anew" })])?.content, "anew");
});

Deno.test("an event is news where the messages do not say it already", () => {
  const reading = new Map<string, LiveAnswer>([
    ["a2", { kind: "reading", text: "so far" }],
    ["a4", { kind: "ended", text: "", status: "waiting", author: null, sources: [] }],
  ]);
  const rated = [said("q1"), said("a1", { feedback: { rating: "up", comment: null } })];
  const cases: [kind: Parameters<typeof isNews>[0]["kind"], id: string, stored: StoredMessage[], expected: boolean][] =
    [
      ["message.begun", "a2", two, false],
      ["message.begun", "a3", two, true],
      // The model answers what has waited for the expert.
      ["message.begun", "a4", two, true],
      ["message.completed", "a2", two, false],
      ["message.completed", "a1", two, false],
      ["message.completed", "a3", two, true],
      ["message.completed", "a1", [said("a1", { status: "waiting" })], true],
      ["takeover.released", "", two, true],
      ["feedback.up", "a1", rated, false],
      ["feedback.down", "a1", rated, true],
      ["feedback.removed", "a1", rated, true],
      ["feedback.removed", "a1", two, false],
      ["watching", "", two, false],
    ];
  for (const [kind, message_id, stored, expected] of cases) {
    assertEquals([kind, message_id, isNews({ kind, message_id }, stored, reading)], [kind, message_id, expected]);
  }
});
