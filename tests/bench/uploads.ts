import { delay } from "deno-std/async/delay.js";
import { startBackendProxy } from "./backend_proxy.ts";
import type { Environment } from "./environment.ts";
import { startServer } from "./measured_process.ts";
import type { Figure } from "./report.ts";
import { createZipfText } from "./zipf_text.ts";

const files = 20;
const passagesPerFile = 8;
const wordsPerPassage = 250;
const megabyte = 1024 * 1024;

/** Requests that uploading and indexing cost, how quick they are, and what a large upload holds in memory. */
export async function measureUploads(environment: Environment): Promise<Figure[]> {
  await using backend = startBackendProxy(environment.backendUrl);
  const env = { SUPABASE_URL: backend.url };
  await using handler = await environment.startFunction("knowledge-handler", env);
  await using indexer = await environment.startFunction("indexer", env);
  // Uploads call somebody else, who does nothing, so that the two are counted apart; the indexer does not call itself.
  await using idle = await startServer("tests/bench/hello.ts");
  backend.functions.indexer = idle.url;
  const coachId = await environment.createCoach("");
  const text = createZipfText(2);

  async function upload(url: string, files: [name: string, content: BlobPart][]): Promise<void> {
    const body = new FormData();
    for (const [name, content] of files) body.append("files", new File([content], name));
    const headers = { "X-API-Key": environment.apiKey };
    const response = await fetch(`${url}/knowledge-handler?coachId=${coachId}`, { method: "POST", headers, body });
    const reply = await response.json();
    if (reply.totalUploaded !== files.length) {
      throw new Error(`The upload said ${response.status} ${JSON.stringify(reply)}`);
    }
  }
  async function untilIndexed(): Promise<void> {
    const path =
      `${environment.backendUrl}/rest/v1/knowledge_files?select=id&coach_id=eq.${coachId}&due_at=not.is.null`;
    while ((await (await fetch(path, { headers: environment.backendHeaders })).json()).length > 0) await delay(20);
  }
  const createDocument = (name: string): [string, string] => [
    `${name}.txt`,
    Array.from({ length: passagesPerFile }, () => text.passage(wordsPerPassage)).join("\n\n"),
  ];
  /** What some work costs: requests to the backend, and seconds. */
  async function measure(work: () => Promise<unknown>): Promise<{ requests: number; seconds: number }> {
    backend.count = 0;
    const began = performance.now();
    await work();
    return { requests: backend.count, seconds: (performance.now() - began) / 1000 };
  }
  async function index(): Promise<void> {
    await fetch(`${indexer.url}/indexer`, { method: "POST", headers: environment.backendHeaders });
    await untilIndexed();
  }

  await upload(handler.url, [createDocument("warm")]);
  await index();
  const single = await measure(() => upload(handler.url, [createDocument("one")]));
  const documents = Array.from({ length: files }, (_, number) => createDocument(String(number)));
  const uploading = await measure(() => upload(handler.url, documents));
  const indexing = await measure(index);

  await using large = await environment.startFunction("knowledge-handler", env);
  const video = new Uint8Array(10 * megabyte);
  video.set(new TextEncoder().encode("\0\0\0\x18ftypmp42"));
  await upload(large.url, Array.from({ length: 10 }, (_, number) => [`${number}.mp4`, video]));

  const budget = { atMost: 3 };
  return [
    { name: "requests to Supabase: one uploaded file, its key included", unit: "", measured: single.requests },
    {
      name: `requests to Supabase: each of ${files} uploaded files`,
      unit: "",
      measured: uploading.requests / files,
      budget,
    },
    {
      name: "requests to Supabase: each indexed file",
      unit: "",
      measured: indexing.requests / (files + 1),
      budget,
    },
    { name: "uploading files of 2,000 words", unit: "files/s", measured: files / uploading.seconds },
    { name: "indexing them", unit: "files/s", measured: (files + 1) / indexing.seconds },
    {
      name: "upload of 10 files of 10 MB: memory of the process",
      unit: "MB",
      measured: large.peakMemory(),
      budget: { atMost: 200 },
    },
  ];
}
