import { chatCompletionsApi } from "./chat_completions_api.ts";
import { failWith } from "./failure.ts";
import type { ReportedFailure } from "./model_event.ts";
import type { ModelRequest, SaidMessage } from "./model_request.ts";
import { noQuirks } from "./quirks.ts";
import {
  askAgainAfterSlip,
  type Attempt,
  type FailedAttempt,
  fallBackToChatCompletions,
  leaveOutRefused,
  recover,
  retryWhatMayPass,
  shortenInput,
} from "./recovery.ts";
import { responsesApi } from "./responses_api.ts";
import { unset } from "./model_settings.ts";
import { assert, assertEquals, assertRejects, assertStrictEquals } from "../../../tests/support/assert.ts";
import { useFakeClock } from "../../../tests/support/fake_clock.ts";

const history: SaidMessage[] = ["One?", "One.", "Two?", "Two."].map((content, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content,
}));
const request: ModelRequest = {
  model: null,
  settings: { ...unset, temperature: 0.5 },
  instructions: "Listen",
  history,
  quoted: [{ role: "user", content: "A passage" }],
  input: [{ role: "user", content: "Hi" }],
};
const attempt: Attempt = { api: responsesApi, model: "m", quirks: noQuirks, request };
const fail = (failure: Partial<ReportedFailure>, changed: Partial<FailedAttempt> = {}): FailedAttempt => ({
  attempt,
  failure: { ...failWith(""), status: 400, ...failure },
  isSilent: true,
  ...changed,
});
const never = new AbortController().signal;

Deno.test("recovery: the first policy that knows an attempt is asked, and no other", async () => {
  const asked: string[] = [];
  const policy = (name: string, next: Attempt | null) => () => {
    asked.push(name);
    return next;
  };
  const policies = [policy("a", null), policy("b", attempt), policy("c", attempt)];
  assertStrictEquals(await recover(policies, fail({})), attempt);
  assertEquals(asked, ["a", "b"]);
  assertEquals(await recover([policy("d", null)], fail({})), null);
});

Deno.test("recovery: an unknown path is asked by chat completions, unless the Responses API has worked", async () => {
  const unknownPath = fail({ status: 404, message: "Not Found" });
  const unknown = fallBackToChatCompletions(() => undefined);
  const next = await unknown(unknownPath);
  assertEquals(next?.api.path, "/chat/completions");
  assertEquals(await unknown(fail({ status: 404 }, { attempt: next! })), null);
  assertEquals(await fallBackToChatCompletions(() => responsesApi)(unknownPath), null);
  assertEquals(await unknown(fail({ status: 500 })), null);
  const isAnswered = await unknown(fail({ status: null, code: "chat_completion" }));
  assertEquals(isAnswered?.api.path, "/chat/completions");
});

Deno.test("recovery: a turn that was asked before another one learned the API uses what that one learned", async () => {
  const next = await fallBackToChatCompletions(() => chatCompletionsApi)(fail({ status: 404, message: "Not Found" }));
  assertEquals(next?.api.path, "/chat/completions");
});

Deno.test("recovery: after a slip of the model, the same is asked once more, and nothing is remembered", async () => {
  const logged: string[] = [];
  const policy = askAgainAfterSlip((_level, event) => void logged.push(event));
  const slip = fail({ code: "tool_use_failed", message: "Failed to call a function" });
  assertStrictEquals(await policy(slip), attempt);
  assertEquals(await policy(slip), null);
  assertEquals(await askAgainAfterSlip(() => {})(fail({ message: "tools" })), null);
  assertEquals(logged, ["model_slips"]);
});

Deno.test("recovery: what a server refuses is left out, and logged", async () => {
  const logged: unknown[] = [];
  const policy = leaveOutRefused((_level, event, fields) => void logged.push([event, fields]));
  const next = await policy(fail({ param: "temperature" }));
  assert(next?.quirks.leftOut.has("temperature"));
  assertEquals(logged, [["model_refuses", { model: "m", left_out: "temperature" }]]);
  assertEquals(await policy(fail({ status: 500 })), null);
});

Deno.test("recovery: forms of an item are tried one after the other, each once", async () => {
  const policy = leaveOutRefused(() => {});
  const forms: (string | undefined)[] = [];
  for (let next: Attempt | null = attempt; next !== null;) {
    next = await policy(fail({ param: "input[1]", message: "Invalid value" }, { attempt: next }));
    forms.push(next?.quirks.itemForm);
  }
  assertEquals(forms, ["untyped", "listed", undefined]);
});

Deno.test("recovery: too long an input loses half its history, then the rest, and last what is quoted", async () => {
  const learned: number[] = [];
  const policy = shortenInput({ learn: (_model, characters) => void learned.push(characters) }, () => {});
  assertEquals(await policy(fail({ status: 500 })), null);
  const lengths: number[][] = [];
  for (let next: Attempt | null = attempt; next !== null;) {
    next = await policy(fail({ status: 413 }, { attempt: next }));
    if (next !== null) lengths.push([next.request.history.length, next.request.quoted.length]);
  }
  assertEquals(lengths, [[2, 1], [0, 0]]);
  assertEquals(learned.length, 2);
});

Deno.test("recovery: what may pass is sent again, at most three times", async () => {
  const policy = retryWhatMayPass(never);
  const busy = fail({ status: 429, retryAfter: 0 });
  assertStrictEquals(await policy(busy), attempt);
  assertStrictEquals(await policy(busy), attempt);
  assertEquals(await policy(busy), null);
  assertEquals(await retryWhatMayPass(never, 1)(busy), null);
});

Deno.test("recovery: each wait is longer than the one before, and all of them together take five seconds at most", () => {
  using clock = useFakeClock();
  for (const status of [408, 409, 500]) {
    const policy = retryWhatMayPass(never);
    for (const enough of [500, 1_000]) {
      void policy(fail({ status }));
      clock.tick(enough / 2);
      assertEquals(clock.timers, 1, `${status}`);
      clock.tick(enough / 2);
      assertEquals(clock.timers, 0, `${status}`);
    }
  }
  const patient = retryWhatMayPass(never);
  const slow = fail({ status: 503, retryAfter: 3 });
  assert(patient(slow) !== null);
  assertEquals(patient(slow), null);
});

const notSentAgain: Record<string, FailedAttempt> = {
  "what will fail again": fail({ status: 401 }),
  "what has begun to come": fail({ status: 429, retryAfter: 0 }, { isSilent: false }),
  "what takes longer than a turn may wait": fail({ status: 503, retryAfter: 6 }),
};
for (const [what, failed] of Object.entries(notSentAgain)) {
  Deno.test(`recovery: ${what} is not sent again`, async () => {
    assertEquals(await retryWhatMayPass(never)(failed), null);
  });
}

Deno.test("recovery: an abort ends the wait before another try", async () => {
  const controller = new AbortController();
  const next = Promise.resolve(retryWhatMayPass(controller.signal)(fail({ status: 503, retryAfter: 5 })));
  controller.abort(new Error("Stopped"));
  await assertRejects(() => next, Error, "Stopped");
});
