import { assert, assertEquals } from "../../support/assert.ts";
import { eventually } from "../../support/eventually.ts";
import { startModelServer, type Step } from "../../support/model_server.ts";
import { storedMessages } from "../../support/openai_turns.ts";
import { startPlatform } from "../../support/platform.ts";
import { createTenant, operator, type Tenant } from "../../support/project.ts";

/** The ways in which a client may leave: what it asks for, and what is stored in the end. */
const ways: Record<string, { path: string; body: object; stored: string[] }> = {
  "in the stream of a completion": {
    path: "chat/completions",
    body: { messages: [{ role: "user", content: "Talk" }], stream: true },
    stored: ["user: Talk", "assistant: Half"],
  },
  "before a completion is whole": {
    path: "chat/completions",
    body: { messages: [{ role: "user", content: "Talk" }] },
    stored: ["user: Talk", "assistant: Half"],
  },
  "in the stream of a response that is not to be stored": {
    path: "responses",
    body: { input: "Talk", stream: true, store: false },
    stored: [],
  },
};

async function statusesOf({ accountId }: Tenant): Promise<string[]> {
  const { data } = await operator.from("messages").select("status, threads!inner(account_id)").eq("role", "assistant")
    .eq("threads.account_id", accountId).throwOnError();
  return data.map(({ status }) => status);
}

Deno.test("under the rules of the platform, an answer that its client has left is stopped ten seconds later", async (t) => {
  await using model = await startModelServer();
  // Each request has a worker of its own, which is retired at once: only what it has announced keeps it.
  await using platform = startPlatform({ OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: "leave" }, { cpuSoft: 1 });
  await Promise.all(
    Object.entries(ways).map(([name, { path, body, stored }]) =>
      t.step({
        name: `a client that leaves ${name}`,
        sanitizeOps: false,
        sanitizeResources: false,
        sanitizeExit: false,
        async fn() {
          const tenant = await createTenant();
          const steps: Step[] = [{ text: "Half" }, { hang: true }];
          model.script(tenant.modelName, { steps });
          const leaving = new AbortController();
          const asking = fetch(`${platform.url}/openai/v1/${path}`, {
            method: "POST",
            headers: { Authorization: `Bearer ${tenant.apiKey}`, "Content-Type": "application/json" },
            body: JSON.stringify({ model: tenant.coachId, ...body }),
            signal: leaving.signal,
          });
          asking.catch(() => {});
          const hasHalf = async () => (await storedMessages(tenant)).includes("assistant: Half");
          await eventually(hasHalf, "the half is stored");
          const began = performance.now();
          leaving.abort();
          await eventually(() => model.requestsOf(tenant.modelName)[0]!.aborted, "the model is stopped", 30);
          assert(performance.now() - began > 9_000, "it was not waited for a repeated request");
          const isOver = async () => (await statusesOf(tenant)).every((status) => status === "stopped");
          await eventually(isOver, "the answer is stopped", 30);
          await eventually(async () => (await storedMessages(tenant)).length === stored.length, "the rest is erased");
          assertEquals(await storedMessages(tenant), stored);
        },
      })
    ),
  );
  assert(platform.events.some(({ event }) => event === "worker_retired"), "no worker was retired");
  const failures = platform.events.filter(({ event }) => event === "worker_killed" || event === "worker_crashed");
  assertEquals(failures, []);
});
