import { startServer } from "../bench/measured_process.ts";
import { checkRows } from "../bench/soak/check_rows.ts";
import { driveTraffic } from "../bench/soak/drive_traffic.ts";
import { createCoaches } from "../bench/soak/target.ts";
import { assertEquals } from "../support/assert.ts";
import { clearQueue } from "../support/knowledge.ts";
import { createCoach, createTenant, secretKey } from "../support/project.ts";
import { projectVariable, startService } from "../support/service.ts";

const operations = 240;
const noLimit = 1_000_000;

// `npm run soak` does the same for a minute, in processes whose memory is watched.
Deno.test("under mixed traffic every request is answered, and every row is stored once and matches its reply", async () => {
  // The model's text follows from the question, so that a mixed-up answer is noticed.
  await using model = await startServer("tests/bench/model_server.ts");
  await using service = await startService({ env: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "soak" } });
  await clearQueue();
  const { accountId, apiKey } = await createTenant({
    requests_per_minute: noLimit,
    requests_per_hour: noLimit,
    requests_per_day: noLimit,
  });
  const target = {
    functions: { chat: service, users: service, threads: service, "knowledge-handler": service },
    backend: { url: projectVariable("SUPABASE_URL"), headers: { apikey: secretKey } },
    accountId,
    apiKey,
    coaches: await createCoaches(async (model) => (await createCoach(accountId, { model })).id),
  };
  const ledger = await driveTraffic(target, { seed: 7, clients: 16, goesOn: (count) => count < operations });
  await service.turns();
  await checkRows(target, ledger);
  assertEquals([ledger.operations, ledger.problems], [operations, []]);
});
