import type { IncomingRequest } from "../../shared/core/context.ts";
import { ApiError, errors } from "../../shared/infra/errors.ts";
import { readAdmitted, readJsonBody } from "../../shared/http/read_input.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";

/** Reads a body with or without a valid key, and records whether the key was checked before the body ended. */
async function read(
  body: BodyInit,
  { headers = {}, isValid = true, onAsk = () => {} }: {
    headers?: HeadersInit;
    isValid?: boolean;
    onAsk?: () => void;
  } = {},
) {
  let asked = 0;
  const admission = {
    require() {
      asked++;
      onAsk();
      return isValid ? Promise.resolve() : Promise.reject(errors.invalidApiKey());
    },
  };
  const incoming = { admission, services: { timeouts: { body: 20 } } } as unknown as IncomingRequest;
  const request = new Request("http://localhost", { method: "POST", body, headers });
  return { json: await readAdmitted(request, incoming, () => readJsonBody(request, 256 * 1024)), asked };
}

const text = JSON.stringify({ text: "Hi" });
const lengthOf = (body: string) => ({ "Content-Length": String(body.length) });

/** A body that ends on command. */
function openBody(begin: string) {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const stream = new ReadableStream<Uint8Array>({ start: (created) => void (controller = created) });
  const encoder = new TextEncoder();
  controller.enqueue(encoder.encode(begin));
  return {
    stream,
    end(rest: string) {
      controller.enqueue(encoder.encode(rest));
      controller.close();
    },
  };
}

Deno.test("the body of a request whose key is not checked yet", async (t) => {
  await t.step("a short one that is there is read", async () => {
    assertEquals(await read(text, { headers: lengthOf(text) }), { json: { text: "Hi" }, asked: 0 });
  });

  await t.step("a long one, or one of unknown length, is not read without a valid key", async () => {
    const long = JSON.stringify({ text: "x".repeat(20_000) });
    for (
      const [body, headers] of [
        [long, lengthOf(long)],
        [text, {}],
        [text, { ...lengthOf(text), "Transfer-Encoding": "chunked" }],
      ] as const
    ) {
      assertEquals((await read(body, { headers })).asked, 1);
      const { status } = await assertRejects(() => read(body, { headers, isValid: false }), ApiError);
      assertEquals(status, 401);
    }
  });

  await t.step("one that does not come is waited for with a valid key only", async () => {
    const headers = lengthOf(text);
    const { status } = await assertRejects(
      () => read(openBody(text.slice(0, 3)).stream, { headers, isValid: false }),
      ApiError,
    );
    assertEquals(status, 401);

    const slow = openBody(text.slice(0, 3));
    const rest = () => slow.end(text.slice(3));
    assertEquals(await read(slow.stream, { headers, onAsk: rest }), { json: { text: "Hi" }, asked: 1 });
  });
});
