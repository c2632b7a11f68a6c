import { assert, assertEquals } from "../../support/assert.ts";
import { ask, assertReply, readTypedEvents, receive } from "../../support/client.ts";
import { chatOf } from "../../support/openai_clients.ts";
import { allScopes, createTenant, type Tenant } from "../../support/project.ts";
import { type Service, startService } from "../../support/service.ts";

const [completions, responses] = ["/openai/v1/chat/completions", "/openai/v1/responses"] as const;

/** The end of an answer: its text, and what says why it ended; the same whether it was streamed or not. */
type Ended = { text: string; reason: unknown; details?: unknown };

/** Asks in one of four forms. */
const forms: Record<string, (service: Service, tenant: Tenant, more?: object) => Promise<Ended>> = {
  "a completion": async (service, tenant, more) => {
    const { json } = await ask(service, "POST", completions, tenant, { messages: chatOf("Hi"), ...more });
    const [{ message, finish_reason }] = json.choices;
    return { text: message.content, reason: finish_reason };
  },
  "a completion, streamed": async (service, tenant, more) => {
    const body = { messages: chatOf("Hi"), stream: true, ...more };
    const { text, isBroken } = await receive(service, "POST", completions, tenant, body);
    assert(!isBroken && text.endsWith("data: [DONE]\n\n"), text);
    const chunks = readTypedEvents(text.replace("data: [DONE]\n\n", "")).map(({ data }) => data.choices[0]);
    assertEquals(chunks[0].delta, { role: "assistant", content: "" });
    assertEquals(chunks.filter(({ finish_reason }) => finish_reason !== null).length, 1);
    return { text: chunks.map(({ delta }) => delta.content ?? "").join(""), reason: chunks.at(-1).finish_reason };
  },
  "a response": async (service, tenant, more) => {
    const { json } = await ask(service, "POST", responses, tenant, { input: "Hi", ...more });
    return { text: json.output[0].content[0].text, reason: json.status, details: json.incomplete_details };
  },
  "a response, streamed": async (service, tenant, more) => {
    const body = { input: "Hi", stream: true, ...more };
    const { text, isBroken } = await receive(service, "POST", responses, tenant, body);
    assert(!isBroken, text);
    const { type, response } = readTypedEvents(text).at(-1)!.data;
    assertEquals(type, response.status === "completed" ? "response.completed" : "response.incomplete");
    const [{ content: [part] }] = response.output;
    return { text: part.text, reason: response.status, details: response.incomplete_details };
  },
};

/** The end that a completion and a response tell of. */
const endOf = (form: string, text: string, reason: string, status: string, details: string | null): Ended =>
  form.startsWith("a completion")
    ? { text, reason }
    : { text, reason: status, details: details === null ? null : { reason: details } };

for (const [form, send] of Object.entries(forms)) {
  Deno.test(`the end of ${form}`, async (t) => {
    await using service = await startService();
    const tenant = await createTenant({ requests_per_minute: 1_000, scopes: allScopes });
    const model = { model: tenant.coachId };
    const incomplete = (reason: string) => ({
      event: { type: "response.incomplete", response: { id: "r", incomplete_details: { reason } } },
    });

    await t.step("the model has said all", async () => {
      assertEquals(await send(service, tenant, model), endOf(form, "Hello world", "stop", "completed", null));
    });

    await t.step("its tokens are used up", async () => {
      service.model.script(tenant.modelName, { steps: [{ text: "Half" }, incomplete("max_output_tokens")] });
      const expected = endOf(form, "Half", "length", "incomplete", "max_output_tokens");
      assertEquals(await send(service, tenant, model), expected);
    });

    await t.step("it declines after some text", async () => {
      service.model.script(tenant.modelName, { steps: [{ text: "Half" }, incomplete("content_filter")] });
      const expected = endOf(form, "Half", "content_filter", "incomplete", "content_filter");
      assertEquals(await send(service, tenant, model), expected);
    });

    await t.step("the expert has taken over: the notice is the reply, and the question waits", async () => {
      service.model.script(tenant.modelName, { steps: [{ text: "Hello" }] });
      const named = { ...model, user: "u", metadata: { thread_id: "c" } };
      await send(service, tenant, named);
      const [{ id }] = (await ask(service, "GET", "/users/u/threads", tenant)).json.data;
      assertReply(await ask(service, "POST", `/threads/${id}/takeover`, tenant), 200);
      const asked = service.model.requestsOf(tenant.modelName).length;
      const end = await send(service, tenant, named);
      assert(end.text.includes("in person"), end.text);
      assertEquals(end, endOf(form, end.text, "stop", "completed", null));
      assertEquals(service.model.requestsOf(tenant.modelName).length, asked);
      assertReply(await ask(service, "POST", `/threads/${id}/messages`, tenant, { content: "I say so." }), 200);
      const { data } = (await ask(service, "GET", `/threads/${id}/messages`, tenant)).json;
      assertEquals(data.map(({ content }: { content: string }) => content), ["Hi", "Hello", "Hi", "I say so."]);
    });
  });
}
