import { createApiDocument } from "../../shared/api/docs/document.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { createJudge } from "../support/contract.ts";
import { sentenceOf } from "../support/refusals.ts";

const judge = createJudge(await createApiDocument());

const limits = { "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "1795219200" };
const json = { "Content-Type": "application/json", "X-Request-Id": "r", ...limits };
const refused = (code: string) => ({ ...json, "X-Error-Code": code });
const stream = {
  ...json,
  "Content-Type": "text/event-stream; charset=utf-8",
  "X-Thread-Id": crypto.randomUUID(),
  "X-Message-Id": crypto.randomUUID(),
};
const thread = {
  id: crypto.randomUUID(),
  title: "t",
  created_at: "2026-11-20T16:03:33.140Z",
  updated_at: "2026-11-20T16:03:33.140Z",
  coach_id: "c",
  user_id: "u",
  coach_profiles: { name: "n", title: "t" },
};
const list = "/functions/v1/users/u/threads";

function complaint(method: string, path: string, status: number, headers: Record<string, string>, body: unknown) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return judge(method, path, { status, headers: new Headers(headers), text });
}

Deno.test("replies that the document describes are accepted", () => {
  for (
    const [method, path, status, headers, body] of [
      ["GET", list, 200, json, { data: [thread], count: 1 }],
      ["GET", list, 200, json, { data: [], count: 0, next_cursor: null }],
      ["HEAD", list, 200, json, ""],
      ["GET", list, 200, { ...json, "X-Request-Id": "66" }, { data: [], count: 0 }],
      ["GET", list, 401, {
        "Content-Type": "application/json",
        "X-Request-Id": "r",
        "X-Error-Code": "missing_api_key",
      }, { error: sentenceOf("missing_api_key") }],
      ["GET", list, 401, refused("invalid_access_token"), { error: sentenceOf("invalid_access_token") }],
      ["GET", list, 403, refused("user_mismatch"), { error: sentenceOf("user_mismatch") }],
      ["GET", list, 400, refused("invalid_input"), { error: "limit must be something" }],
      ["POST", "/functions/v1/chat", 200, stream, ": ping\n\ndata: Hi\ndata: \n\n"],
      ["POST", "/functions/v1/chat", 200, stream, 'event: delta\nid: 2\ndata: {"text":"Hi"}\n\n'],
      ["PUT", list, 405, refused("method_not_allowed"), { error: sentenceOf("method_not_allowed") }],
    ] as const
  ) {
    assertEquals(complaint(method, path, status, headers, body), null, `${method} ${path} ${status}`);
  }
});

Deno.test("replies that the document does not describe are reported", async (t) => {
  const { "X-RateLimit-Reset": _, ...withoutReset } = json;
  for (
    const [name, method, path, status, headers, body] of [
      ["a path", "GET", "/functions/v1/secrets", 200, json, {}],
      ["a method", "PUT", list, 200, json, { data: [], count: 0 }],
      ["a status", "GET", list, 418, refused("not_found"), { error: "teapot" }],
      ["an error", "GET", list, 404, refused("thread_not_found"), { error: sentenceOf("thread_not_found") }],
      ["words of an error", "GET", list, 403, refused("user_mismatch"), { error: "Go away" }],
      ["a refusal without a code", "GET", list, 403, json, { error: sentenceOf("user_mismatch") }],
      ["the code of another error", "GET", list, 403, refused("missing_scope"), {
        error: sentenceOf("user_mismatch"),
      }],
      ["a code of another status", "GET", list, 403, refused("invalid_api_key"), {
        error: sentenceOf("user_mismatch"),
      }],
      ["a code for a success", "GET", list, 200, refused("not_found"), { data: [], count: 0 }],
      ["a refusal without an error", "PUT", list, 405, refused("method_not_allowed"), { reason: "no" }],
      ["a code of no error", "PUT", list, 405, refused("no_such_code"), { error: sentenceOf("method_not_allowed") }],
      ["a type", "GET", list, 200, { ...json, "Content-Type": "text/html" }, "<p>"],
      ["a missing header", "GET", list, 200, withoutReset, { data: [], count: 0 }],
      ["a header of another form", "GET", list, 200, { ...json, "X-RateLimit-Limit": "many" }, { data: [], count: 0 }],
      ["a missing field", "GET", list, 200, json, { data: [] }],
      ["a further field", "GET", list, 200, json, { data: [], count: 0, secret: 1 }],
      ["a further field within", "GET", list, 200, json, { data: [{ ...thread, account_id: "a" }], count: 1 }],
      ["a field of another type", "GET", list, 200, json, { data: [], count: "0" }],
      ["a time in another form", "GET", list, 200, json, { data: [{ ...thread, created_at: "yesterday" }], count: 1 }],
      ["no body", "GET", list, 200, json, ""],
      ["a header", "GET", list, 200, { ...json, "X-Secret": "1" }, { data: [], count: 0 }],
      ["details of a refusal", "GET", list, 403, refused("user_mismatch"), {
        error: sentenceOf("user_mismatch"),
        details: "d",
      }],
      ["a 429 without a time", "GET", list, 429, { ...refused("rate_limit_exceeded"), "Retry-After": "1" }, {
        error: sentenceOf("rate_limit_exceeded"),
        message: "m",
      }],
      ["a line of a stream", "POST", "/functions/v1/chat", 200, stream, "data: Hi\n\n[DONE]\n\n"],
      ["an event without id", "POST", "/functions/v1/chat", 200, stream, 'event: delta\ndata: {"text":"Hi"}\n\n'],
      [
        "an event after a comment",
        "POST",
        "/functions/v1/chat",
        200,
        stream,
        ": ping\n\nevent: delta\nid: 1\ndata: {}\n\n",
      ],
      ["an event", "POST", "/functions/v1/chat", 200, stream, "event: delta\ndata: {}\n\n"],
    ] as const
  ) {
    await t.step(name, () => assert(complaint(method, path, status, headers, body) !== null));
  }
});
