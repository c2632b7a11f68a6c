import { BudgetWatch } from "../../shared/clients/page/chat/budget_watch.ts";
import type { Client } from "../../shared/clients/client/client.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("BudgetWatch tells the user from 80 percent on, of the fullest share", async () => {
  type Share = { limit?: number; used?: number; resets_at: string | null };
  let data: Share[] = [];
  let calls = 0;
  const client = { getBudget: () => (calls++, Promise.resolve({ data })) } as unknown as Client;
  const watch = new BudgetWatch({ client, coachId: "owl", onChange: () => {} });
  const read = async (...shares: Share[]) => {
    data = shares;
    await watch.read();
    return watch.low;
  };
  const resets_at = "2026-12-01T00:00:00Z";
  assertEquals(await read({ limit: 1_000, used: 799, resets_at }), null);
  assertEquals(await read({ limit: 1_000, used: 800, resets_at }), { percent: 80, until: Date.parse(resets_at) });
  assertEquals(await read({ limit: 200, used: 199, resets_at: null }), { percent: 99, until: null });
  assertEquals(await read({ limit: 10, used: 9, resets_at }, { limit: 10, used: 12, resets_at: null }), {
    percent: 120,
    until: null,
  });
  // What others share with the user has no figures.
  assertEquals(await read({ resets_at }), null);
  // Far from a limit, every fifth answer is enough.
  for (let answer = 1; answer < 5; answer++) assertEquals(await read({ limit: 10, used: 9, resets_at }), null);
  assertEquals(calls, 5);
  assertEquals(await read(), null);
  await read({ limit: 1, used: 1, resets_at });
  assertEquals([calls, watch.low], [6, null], "without a share, it is not read again");
});
