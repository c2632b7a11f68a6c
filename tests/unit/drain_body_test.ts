import { createKnowledgeApp } from "../../shared/api/knowledge_app.ts";
import { readEnv } from "../../shared/infra/env.ts";
import { createServices } from "../../shared/core/services.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { useFakeClock } from "../support/fake_clock.ts";

const megabyte = new Uint8Array(1024 * 1024);

/** Sends a body without a key to knowledge-handler, which refuses it without a backend. */
async function refuse(body: ReadableStream<Uint8Array>): Promise<number> {
  const variables: Record<string, string> = {
    SUPABASE_URL: "http://localhost",
    SUPABASE_SECRET_KEYS: `{"default": "sb_secret_x"}`,
  };
  const services = createServices(readEnv((name) => variables[name]), { createLog: () => () => {} });
  const request = new Request("http://localhost/knowledge-handler", { method: "POST", body });
  return (await createKnowledgeApp(services).fetch(request)).status;
}

Deno.test("a refusal is sent", async (t) => {
  await t.step("when the body has been read to its end", async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < 30) controller.enqueue(megabyte);
        else controller.close();
      },
    }, { highWaterMark: 0 });
    assertEquals(await refuse(body), 401);
    assertEquals(sent, 31);
  });

  await t.step("when more has arrived than the largest upload may have; the rest is cut off", async () => {
    let sent = 0;
    let isCut = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent++;
        controller.enqueue(megabyte);
      },
      cancel() {
        isCut = true;
      },
    }, { highWaterMark: 0 });
    assertEquals(await refuse(body), 401);
    assert(isCut);
    assert(sent >= 100 && sent <= 102, `${sent} MB`);
  });

  await t.step("after 10 s, when the body does not arrive", async () => {
    const waiting = Promise.withResolvers<void>();
    using clock = useFakeClock();
    const body = new ReadableStream<Uint8Array>({ pull: () => waiting.resolve() }, { highWaterMark: 0 });
    let status: number | undefined;
    const refused = refuse(body).then((sent) => status = sent);
    await waiting.promise;
    clock.tick(9_999);
    await Promise.resolve();
    assertEquals(status, undefined);
    clock.tick(1);
    await refused;
    assertEquals(status, 401);
  });

  await t.step("when the client has disconnected", async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("gone")) });
    assertEquals(await refuse(body), 401);
  });
});
