import { chunk } from "../support/chunk.ts";
import { startBackendProxy } from "./backend_proxy.ts";
import type { Environment } from "./environment.ts";
import type { MeasuredProcess } from "./measured_process.ts";
import { type Figure, median } from "./report.ts";
import { orShort } from "./short_form.ts";

const userId = "bench-reader";
const rounds = orShort(5, 1);
const lists = orShort(100, 2);

/** One list: the client's request, and the function's request to the backend. */
type List = { name: string; rows: number; path: string; call: string; args: Record<string, unknown> };

/** CPU of long lists, compared with a proxy that pipes the same reply of the backend through. */
export async function measureLists(environment: Environment): Promise<Figure[]> {
  const { accountId: account_id, insert } = environment;
  await using backend = startBackendProxy(environment.backendUrl, { isReplaying: true });
  await using users = await environment.startFunction("users", { SUPABASE_URL: backend.url });
  await using threads = await environment.startFunction("threads", { SUPABASE_URL: backend.url });
  await using proxy = await environment.startFunction("bare_proxy", { TARGET: backend.url });

  const coach_id = await environment.createCoach("");
  const thread = { coach_id, account_id, title: "How do I begin with a new team, when nobody knows me?" };
  await insertAll("threads", Array(2_000).fill({ ...thread, user_id: userId }));
  const [{ id: thread_id } = { id: "" }] = await insert("threads", [{ ...thread, user_id: "bench-talker" }]);
  const content = "Begin by listening: ask each of them what works, and write it down. ".repeat(4);
  await insertAll(
    "messages",
    Array.from({ length: 5_000 }, (_, index) => (
      { thread_id, role: index % 2 === 0 ? "user" : "assistant", content }
    )),
  );

  async function insertAll(table: string, rows: Record<string, unknown>[]): Promise<void> {
    for (const part of chunk(rows, 500)) await insert(table, part);
  }

  return [
    ...await measure(users, {
      name: "list of 2,000 threads",
      rows: 2_000,
      path: `/users/${userId}/threads`,
      call: "list_threads",
      args: { caller: { account_id }, user_id: userId },
    }),
    ...await measure(threads, {
      name: "list of 5,000 messages",
      rows: 5_000,
      path: `/threads/${thread_id}/messages`,
      call: "list_messages",
      args: { caller: { account_id }, thread_id },
    }),
  ];

  async function measure(served: MeasuredProcess, { name, rows, path, call, args }: List): Promise<Figure[]> {
    let list = "";
    const askFunction = async () => {
      const response = await fetch(served.url + path, { headers: { "X-API-Key": environment.apiKey } });
      list = await response.text();
      if (JSON.parse(list).data?.length !== rows) throw new Error(`The list is not whole: ${list.slice(0, 200)}`);
    };
    const askProxy = async () => {
      const url = `${proxy.url}/rest/v1/rpc/${call}`;
      const headers = environment.backendHeaders;
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(args) });
      // The reply of the backend wraps the list: it also says who was admitted.
      const reply = await response.text();
      if (!reply.includes(list)) throw new Error(`The proxy altered the list: ${reply.slice(0, 200)}`);
    };
    const [measured, baseline]: [number[], number[]] = [[], []];
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      measured.push(await cpuPerList(served, askFunction));
      baseline.push(await cpuPerList(proxy, askProxy));
    }
    const [cpu, bare] = [median(measured.slice(1)), median(baseline.slice(1))];
    return [
      { name: `${name}: CPU a list`, unit: "ms", measured: cpu, baseline: bare },
      { name: `${name}: CPU a row`, unit: "µs", measured: cpu * 1000 / rows, baseline: bare * 1000 / rows },
      { name: `${name}: size`, unit: "KB", measured: list.length / 1024 },
    ];
  }
}

async function cpuPerList(process: MeasuredProcess, ask: () => Promise<void>): Promise<number> {
  const before = process.cpu();
  for (let index = 0; index < lists; index++) await ask();
  return (process.cpu() - before) / lists;
}
