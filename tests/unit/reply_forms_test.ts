import { chooseForm, type ReplyForm } from "../../shared/features/chat/reply_with_answer.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("chooseForm", async (t) => {
  const cases: [accept: string | undefined, form: ReplyForm][] = [
    [undefined, "text"],
    ["", "text"],
    ["*/*", "text"],
    ["text/event-stream", "text"],
    ["text/html, application/xhtml+xml, */*;q=0.8", "text"],
    ["application/json, text/plain, */*", "text"],
    ["application/json, text/event-stream", "text"],
    ["text/plain", "text"],
    ["application/json;q=0", "text"],
    ["application/problem+json", "text"],
    [',;,=;"', "text"],
    ["application/json", "object"],
    ["Application/JSON; charset=utf-8", "object"],
    ["application/json, text/plain;q=0.5", "object"],
    ["application/json, */*;q=0", "object"],
    ['text/event-stream; profile="events"', "events"],
    ["text/event-stream;profile=events", "events"],
    ['application/json, TEXT/Event-Stream; charset=utf-8; profile="events", */*', "events"],
    ['text/event-stream; profile="other"', "text"],
    ['application/json; profile="events"', "object"],
    ['text/event-stream; profile="events"; q=0, application/json', "object"],
  ];
  for (const [accept, form] of cases) {
    await t.step(`${accept ?? "no Accept"} → ${form}`, () => assertEquals(chooseForm(accept), form));
  }
});
