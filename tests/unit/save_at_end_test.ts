import type { Database } from "../../shared/infra/db/database.ts";
import { readEnv } from "../../shared/infra/env.ts";
import type { LogFields } from "../../shared/libs/base/log.ts";
import type { Services } from "../../shared/core/context.ts";
import { createServices } from "../../shared/core/services.ts";
import { assertEquals } from "../support/assert.ts";

const env = readEnv((name) =>
  ({ SUPABASE_URL: "http://supabase.invalid", SUPABASE_SERVICE_ROLE_KEY: "sb_secret_1" })[name]
);

/** Services that record their calls. */
function createNotedServices() {
  const saved: { message_id: string; content: string }[][] = [];
  const lines: [string, string, LogFields | undefined][] = [];
  const waits: Promise<unknown>[] = [];
  const database: Database = {
    call(_name, args, schema) {
      saved.push(structuredClone((args as { turns: { message_id: string; content: string }[] }).turns));
      return Promise.resolve(schema.parse([]));
    },
    callForBytes: () => Promise.reject(new Error("Not asked")),
  };
  const services: Services = createServices(env, {
    database,
    createLog: () => (level, event, fields) => lines.push([level, event, fields]),
    waitUntil: (promise) => waits.push(promise),
  });
  return { services, saved, lines, waits };
}

/** The event that the platform sends. */
function announceEnd(reason: string): void {
  dispatchEvent(new CustomEvent("beforeunload", { detail: { reason } }));
}

const newTurn = (content: string) => ({
  messageId: crypto.randomUUID(),
  runId: crypto.randomUUID(),
  content,
  status: "streaming" as const,
});

Deno.test("before the platform ends an isolate", async (t) => {
  await t.step("nothing happens outside the platform", () => {
    const { lines, saved } = createNotedServices();
    announceEnd("wall_clock");
    assertEquals([lines, saved], [[], []]);
  });

  Object.assign(globalThis, { EdgeRuntime: {} });
  const { services, saved, lines, waits } = createNotedServices();

  await t.step("without a running turn nothing is saved, and the reason for the end is logged", () => {
    announceEnd("early_drop");
    assertEquals(lines.splice(0), [["info", "worker_ends", { reason: "early_drop", turns: 0 }]]);
    assertEquals(saved, []);
  });

  await t.step("the text of all running turns is saved, and the isolate kept alive until then", async () => {
    const turns = [newTurn("One"), newTurn("Two")];
    for (const turn of turns) services.journal.open(turn, () => {});
    announceEnd("wall_clock");
    await waits.at(-1);
    assertEquals(saved.map((each) => each.map(({ message_id, content }) => [message_id, content])), [
      turns.map(({ messageId, content }) => [messageId, content]),
    ]);
    assertEquals(lines, [["warn", "worker_ends", { reason: "wall_clock", turns: 2 }]]);
    for (const turn of turns) await services.journal.close(turn);
  });

  Reflect.deleteProperty(globalThis, "EdgeRuntime");
});
