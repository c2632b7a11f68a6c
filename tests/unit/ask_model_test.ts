import { askExpertTool, type PassedOn } from "../../shared/features/chat/prompt/ask_expert_tool.ts";
import { createKnowledgeTool } from "../../shared/features/chat/prompt/create_knowledge_tool.ts";
import { askModel } from "../../shared/features/chat/turn/ask_model.ts";
import { createWatchdog, type Watchdog } from "../../shared/features/chat/turn/watchdog.ts";
import type { RequestContext } from "../../shared/core/context.ts";
import { failWith } from "../../shared/libs/llm/failure.ts";
import type { Model } from "../../shared/libs/llm/model.ts";
import { ModelError } from "../../shared/libs/llm/model_error.ts";
import type { ModelEvent } from "../../shared/libs/llm/model_event.ts";
import type { ModelRequest, ModelTool } from "../../shared/libs/llm/model_request.ts";
import { createUsageMeter } from "../../shared/libs/llm/usage_meter.ts";
import { unset } from "../../shared/libs/llm/model_settings.ts";
import { timeouts } from "../../shared/infra/timeouts.ts";
import { assertEquals, assertMatch } from "../support/assert.ts";
import { useFakeClock } from "../support/fake_clock.ts";

const ended: ModelEvent = { type: "ended", usage: null };
const message: ModelEvent = { type: "message", phase: null };
const comment: ModelEvent = { type: "message", phase: "commentary" };
const text = (text: string): ModelEvent => ({ type: "text", text });
const call = (given: unknown, id = "call_1", name = "ask_expert"): ModelEvent => ({
  type: "call",
  call: { id, name, arguments: typeof given === "string" ? given : JSON.stringify(given) },
});
const ask = (question: string, id?: string) => call({ question, for_human: false }, id);

const request: ModelRequest = {
  model: null,
  settings: unset,
  instructions: "",
  history: [],
  quoted: [],
  input: [{ role: "user", content: "Hm?" }],
};

/** A step of a model's reply: sends an event, fails, or acts on the turn. */
type Step = ModelEvent | Error | ((watchdog: Watchdog) => void);

/** Plays a turn whose model gives these replies, one for each request. */
async function play(
  replies: Step[][],
  { tools = [askExpertTool], noAnswer = null, isKept = true, whilePassedOn = () => {} }: {
    tools?: ModelTool[];
    noAnswer?: string | null;
    isKept?: boolean;
    whilePassedOn?: (watchdog: Watchdog) => void;
  } = {},
) {
  const requests: ModelRequest[] = [];
  const passedOn: PassedOn[] = [];
  const logged: string[] = [];
  const watchdog = createWatchdog(timeouts.turn);
  const model: Pick<Model, "stream"> = {
    async *stream(request, signal) {
      signal.throwIfAborted();
      const reply = replies[requests.push(request) - 1] ?? [];
      for (const step of reply) {
        if (typeof step === "function") step(watchdog);
        signal.throwIfAborted();
        if (step instanceof Error) throw step;
        if (typeof step === "object") yield await Promise.resolve([step]);
      }
      signal.throwIfAborted();
    },
  };
  const loadModels = () => Promise.resolve({ model });
  const log = (_level: string, event: string, { reason = "" }: { reason?: string } = {}) =>
    void logged.push(event === "model_says_nothing" ? `${event} ${reason}` : event);
  const ctx = { services: { loadModels, timeouts }, log } as unknown as RequestContext;
  const passOn = (each: PassedOn) => {
    passedOn.push(each);
    whilePassedOn(watchdog);
    return Promise.resolve(isKept);
  };
  const turn = { allowance: null, language: "german", noAnswer, storeNote: null, request: { ...request, tools } };
  const said: string[] = [];
  const played = { requests, passedOn, logged, said, failure: undefined as unknown };
  try {
    for await (const events of askModel(ctx, turn, { watchdog, passOn, meter: createUsageMeter() })) {
      said.push(...events.flatMap((event) => event.type === "text" ? [event.text] : []));
    }
  } catch (error) {
    played.failure = error;
  } finally {
    watchdog.stop();
  }
  return { ...played, answer: said.join("") };
}

const own = "That one is for another day.";
const usual = "Das weiß ich nicht, und ich möchte nicht raten. Ich habe Ihre Frage weitergegeben.";
const dunno = [message, text("No idea."), ended];
const refused = new ModelError(failWith("overloaded"), request);

Deno.test("a model that asks the expert has its question passed on once, and then says that it does not know", async () => {
  const { requests, passedOn, answer } = await play([[ask("What do owls eat?"), ended], dunno], { noAnswer: own });
  assertEquals(answer, "No idea.");
  assertEquals(passedOn, [{ question: "What do owls eat?", isForHuman: false }]);
  const [first, second, ...others] = requests;
  assertEquals([first?.toolChoice, second?.toolChoice, others], [undefined, "none", []]);
  assertEquals(second?.tools, first?.tools);
  const [question, called, result] = second!.input as { role?: string; arguments?: string; output: string }[];
  assertEquals([question?.role, called?.arguments], ["user", '{"question":"What do owls eat?","for_human":false}']);
  const { passed_on, as_you_put_it, now } = JSON.parse(result!.output);
  assertEquals([passed_on, as_you_put_it], [true, own]);
  assertMatch(now, /own voice.*person's language.*do not know.*passed the question on.*Do not guess/);
});

Deno.test("awkward calls of ask_expert", async (t) => {
  const rows: Record<string, { replies: Step[][]; questions: (string | null)[]; answer: string; requests?: number }> = {
    "with text before it: that stays, the rest is a new paragraph": {
      replies: [[message, text("Let me see."), ask("Owls?"), ended], dunno],
      questions: ["Owls?"],
      answer: "Let me see.\n\nNo idea.",
    },
    "with talk after it in the same reply: that is a guess": {
      replies: [[ask("Owls?"), message, text("They eat mice."), ended], dunno],
      questions: ["Owls?"],
      answer: "No idea.",
    },
    "with text before and after it": {
      replies: [[message, text("Well."), ask("Owls?"), message, text("Mice."), ended], dunno],
      questions: ["Owls?"],
      answer: "Well.\n\nNo idea.",
    },
    "twice in the same words": {
      replies: [[ask("Owls?"), ask("Owls?", "call_2"), ended], dunno],
      questions: ["Owls?"],
      answer: "No idea.",
    },
    "twice in other words": {
      replies: [[ask("Owls?"), ask("What of owls?", "call_2"), ended], dunno],
      questions: ["Owls?"],
      answer: "No idea.",
    },
    "twice, first without a sentence": {
      replies: [[call("{"), ask("Owls?", "call_2"), ended], dunno],
      questions: ["Owls?"],
      answer: "No idea.",
    },
    "again in the last request, although it may not": {
      replies: [[ask("Owls?"), ended], [ask("And owls?", "call_2"), ended], dunno],
      questions: ["Owls?"],
      answer: "No idea.",
    },
    "again and again": {
      replies: [[ask("Owls?"), ended], [ask("Owls?"), ended], [ask("Owls?"), ended], dunno],
      questions: ["Owls?"],
      answer: usual,
      requests: 3,
    },
    "again, with talk before it": {
      replies: [[ask("Owls?"), ended], [message, text("I do not know."), ask("Owls?"), ended], [ended]],
      questions: ["Owls?"],
      answer: "I do not know.",
    },
    "first in the last request": {
      replies: [[call({}, "a", "x"), ended], [call({}, "b", "x"), ended], [ask("Owls?"), ended], dunno],
      questions: ["Owls?"],
      answer: usual,
      requests: 3,
    },
    "with arguments that are no JSON": {
      replies: [[call("{question:"), ended], dunno],
      questions: [null],
      answer: "No idea.",
    },
    "with arguments that are no object": {
      replies: [[call("7"), ended], dunno],
      questions: [null],
      answer: "No idea.",
    },
    "with empty arguments": { replies: [[call(""), ended], dunno], questions: [null], answer: "No idea." },
    "with a blank question": { replies: [[ask(" \n"), ended], dunno], questions: [null], answer: "No idea." },
    "with a question that is a number": {
      replies: [[call({ question: 7 }), ended], dunno],
      questions: [null],
      answer: "No idea.",
    },
    "with a question that Postgres cannot hold": {
      replies: [[ask("Owls\0?"), ended], dunno],
      questions: [null],
      answer: "No idea.",
    },
    "with a question that goes on and on": {
      replies: [[ask("owl ".repeat(300)), ended], dunno],
      questions: [null],
      answer: "No idea.",
    },
  };
  for (const [name, { replies, questions, answer, requests = 2 }] of Object.entries(rows)) {
    await t.step(name, async () => {
      const played = await play(replies);
      assertEquals(played.failure, undefined);
      assertEquals(played.passedOn.map(({ question }) => question), questions);
      assertEquals(played.answer, answer);
      assertEquals(played.requests.length >= requests, true);
      assertEquals(played.requests.length <= 3, true);
      // Whatever was passed on, the model is told the same.
      const outputs = played.requests.at(-1)!.input.filter((item) =>
        "output" in item && item.call_id.startsWith("call_")
      );
      assertEquals(new Set(outputs.map((item) => "output" in item && item.output)).size <= 1, true);
    });
  }

  await t.step("with marks of direction: they are left out", async () => {
    const { passedOn } = await play([[ask("May I \u202Eton\u202C eat\u{E0041}?"), ended], dunno]);
    assertEquals(passedOn, [{ question: "May I ton eat?", isForHuman: false }]);
  });
  await t.step("for a human", async () => {
    const { passedOn } = await play([[call({ question: "May I talk to you?", for_human: true }), ended], dunno]);
    assertEquals(passedOn, [{ question: "May I talk to you?", isForHuman: true }]);
  });
  await t.step("for a human, in arguments that are broken otherwise", async () => {
    const { passedOn } = await play([[call({ question: [], for_human: true }), ended], dunno]);
    assertEquals(passedOn, [{ question: null, isForHuman: true }]);
  });
  await t.step("where it was not offered: it is an unknown tool", async () => {
    const { passedOn, requests, answer } = await play([[ask("Owls?"), ended], dunno], { tools: [] });
    assertEquals([passedOn, answer], [[], "No idea."]);
    const result = requests[1]!.input.at(-1)!;
    assertEquals("output" in result && result.output, '{"error":"There is no such tool."}');
  });
  await t.step("beside another tool, which may still be called: three requests at most", async () => {
    const { requests, passedOn } = await play(
      [[ask("Owls?"), ended], [call({}, "n", "create_knowledge"), ended], [ask("Owls?"), ended], dunno],
      { tools: [askExpertTool, createKnowledgeTool] },
    );
    assertEquals(requests.map(({ toolChoice }) => toolChoice), [undefined, undefined, "none"]);
    assertEquals(passedOn.length, 1);
  });
  await t.step("where the question cannot be kept: the model is not to say that it was", async () => {
    const { requests, answer } = await play([[ask("Owls?"), ended], dunno], { isKept: false });
    const result = requests[1]!.input.at(-1)!;
    const { passed_on, now } = JSON.parse("output" in result ? result.output : "");
    assertEquals([passed_on, answer], [false, "No idea."]);
    assertMatch(now, /do not know.*Do not say that you have passed it on/);
  });
});

Deno.test("where the request after the call does not say it, the coach's own sentence does", async (t) => {
  const rows: Record<string, [reply: Step[], answer: string]> = {
    "it says nothing": [[ended], own],
    "it says white space": [[message, text(" \n"), ended], own],
    "it only comments": [[comment, text("Thinking."), ended], own],
    "it fails": [[refused], own],
    "it fails in a way that nobody knows": [[new TypeError("x")], own],
    "it breaks off": [[message, text("I do"), refused], `I do\n\n${own}`],
  };
  for (const [name, [reply, answer]] of Object.entries(rows)) {
    await t.step(name, async () => {
      const played = await play([[ask("Owls?"), ended], reply], { noAnswer: own });
      assertEquals([played.failure, played.answer], [undefined, answer]);
      assertEquals(played.logged, reply.some((step) => step instanceof Error) ? ["no_answer_not_told"] : []);
    });
  }
  await t.step("it falls silent", async () => {
    using clock = useFakeClock();
    const silence = () => clock.tick(timeouts.firstChunk + 1);
    const played = await play([[ask("Owls?"), ended], [silence]], { noAnswer: own });
    assertEquals([played.failure, played.answer], [undefined, own]);
  });
  await t.step("after text before the call, as a new paragraph", async () => {
    const { answer } = await play([[message, text("Let me see."), ask("Owls?"), ended], [refused]], { noAnswer: own });
    assertEquals(answer, `Let me see.\n\n${own}`);
  });
  await t.step("where the coach has none, in a usual one of its language", async () => {
    assertEquals((await play([[ask("Owls?"), ended], [refused]])).answer, usual);
  });
});

Deno.test("a model that fails or says nothing without having asked fails the turn", async () => {
  const failed = await play([[refused]]);
  assertEquals([failed.failure, failed.answer, failed.passedOn], [refused, "", []]);
  const cut = await play([[ask("Owls?"), refused]]);
  assertEquals([cut.failure, cut.answer, cut.passedOn], [refused, "", []]);
  const { failure, answer } = await play([[ended]]);
  assertEquals([failure instanceof ModelError, answer], [true, ""]);
});

Deno.test("a model that only calls tools ends with the honest sentence, and the expert is asked", async (t) => {
  const search = (id: string) => call({ query: "owls" }, id, "web_search");
  const note = (id: string) => call({ text: "Owls" }, id, "create_knowledge");
  const looking = [message, text("Let me "), text("look.")];
  const rows: Record<string, [replies: Step[][], answer: string]> = {
    "unknown tools, the same words before each": [
      ["a", "b", "c"].map((id) => [...looking, search(id), ended]),
      `Let me look.\n\n${own}`,
    ],
    "unknown tools, without a word": [["a", "b", "c"].map((id) => [search(id), ended]), own],
    "unknown tools, white space before each": [
      ["a", "b", "c"].map((id) => [message, text("\n\n"), search(id), ended]),
      own,
    ],
    "its own tools, white space before each": [
      ["a", "b", "c"].map((id) => [message, text("\n"), text("\n"), note(id), ended]),
      own,
    ],
    "its own tools, without a word": [["a", "b", "c"].map((id) => [note(id), ended]), own],
    "more calls than a turn may make": [
      [Array.from({ length: 9 }, (_, index) => search(`${index}`)), [...looking, search("z"), ended]],
      `Let me look.\n\n${own}`,
    ],
  };
  for (const [name, [replies, answer]] of Object.entries(rows)) {
    await t.step(name, async () => {
      const played = await play(replies, { noAnswer: own, tools: [askExpertTool, createKnowledgeTool] });
      assertEquals([played.failure, played.answer], [undefined, answer]);
      assertEquals(played.passedOn, [{ question: null, isForHuman: false }]);
      assertEquals(played.requests.length <= 3, true);
    });
  }
  await t.step("its own tools, and text: that is the answer", async () => {
    const replies = ["One.", "Two.", "Three."].map((each) => [message, text(each), note(each), ended]);
    const { answer, passedOn } = await play(replies, { tools: [askExpertTool, createKnowledgeTool] });
    assertEquals([answer, passedOn], ["One.\n\nTwo.\n\nThree.", []]);
  });
  await t.step("words that only begin like the earlier ones are shown", async () => {
    const { answer } = await play([[...looking, search("a"), ended], [message, text("Let me"), ended]]);
    assertEquals(answer, "Let me look.\n\nLet me");
  });
  await t.step("where the expert cannot be asked, it fails", async () => {
    const { failure, passedOn } = await play(["a", "b", "c"].map((id) => [search(id), ended]), { tools: [] });
    assertEquals([failure instanceof ModelError, passedOn], [true, []]);
  });
});

for (const written of ["", "{", "null", "[1]", '"text"']) {
  Deno.test(`arguments that are no object are sent back as one: ${JSON.stringify(written)}`, async () => {
    const { requests } = await play([[call(written, "a", "web_search"), ended], dunno]);
    const sent = requests[1]!.input.find((item) => "arguments" in item);
    assertEquals(sent && "arguments" in sent && sent.arguments, "{}");
  });
}

Deno.test("a model that says nothing is asked once more, and the log tells why", async (t) => {
  const cut: ModelEvent = { type: "ended", usage: null, isCut: true };
  await t.step("and answers", async () => {
    const { answer, requests, logged } = await play([[ended], dunno]);
    assertEquals([answer, requests.length, logged], ["No idea.", 2, ["model_says_nothing stop"]]);
    assertEquals(requests[1], requests[0]);
  });
  await t.step("and says nothing again, at its limit of tokens", async () => {
    const { failure, requests, logged } = await play([[cut], [cut]]);
    assertEquals([failure instanceof ModelError, requests.length], [true, 2]);
    assertEquals(logged, ["model_says_nothing length"]);
  });
  await t.step("white space is nothing", async () => {
    const blank = [message, text("\n"), text(" \n"), ended];
    const { answer, requests, logged } = await play([blank, dunno]);
    assertEquals([answer, requests.length, logged], ["No idea.", 2, ["model_says_nothing stop"]]);
    const { failure, said } = await play([blank, blank]);
    assertEquals([failure instanceof ModelError, said], [true, []]);
  });
  await t.step("white space before words stays, and before a call is neither shown nor sent back", async () => {
    const { answer } = await play([[message, text("\n"), text("\nHi"), text("\n"), text("you"), ended]]);
    assertEquals(answer, "\n\nHi\nyou");
    const called = await play([[message, text("\n\n"), call({}, "a", "web_search"), ended], dunno]);
    assertEquals(called.answer, "No idea.");
    assertEquals(called.requests[1]!.input.filter((item) => "role" in item), request.input);
  });
  await t.step("not where it only comments", async () => {
    const { answer, requests } = await play([[comment, text("Hm."), ended]]);
    assertEquals([answer, requests.length], ["Hm.", 1]);
  });
});

Deno.test("a turn that is stopped keeps nothing more, and says nothing more", async (t) => {
  const stop = (watchdog: Watchdog) => watchdog.abort();
  await t.step("after the call", async () => {
    const played = await play([[ask("Owls?"), stop]]);
    assertEquals([played.passedOn, played.said], [[], []]);
    assertMatch(String(played.failure), /AbortError/);
  });
  await t.step("while the question is kept", async () => {
    const played = await play([[ask("Owls?"), ended], dunno], { whilePassedOn: stop });
    assertEquals([played.passedOn.length, played.said], [1, []]);
    assertMatch(String(played.failure), /AbortError/);
  });
  await t.step("in the request after it", async () => {
    const played = await play([[ask("Owls?"), ended], [message, text("I"), stop, ended]]);
    assertEquals([played.passedOn.length, played.said], [1, ["I"]]);
    assertMatch(String(played.failure), /AbortError/);
  });
});
