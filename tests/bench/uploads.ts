import { type BackendProxy, startBackendProxy } from "./backend_proxy.ts";
import type { Environment } from "./environment.ts";
import { startIndexerWorkers } from "./indexer_workers.ts";
import type { Figure } from "./report.ts";
import { orShort } from "./short_form.ts";
import { untilIndexed, uploadFiles } from "./upload_files.ts";
import { createZipfText } from "./zipf_text.ts";

const files = orShort(20, 2);
const passagesPerFile = 8;
const wordsPerPassage = 250;
const megabyte = 1024 * 1024;
/** The requests of an indexer for files: a sweep also works off the threads and questions that other sections have left. */
const ofFiles = /^\/storage\/|\/(?:take_indexing_work|save_indexing)$/;

/** Requests and time of uploading and indexing, and the memory of a large upload. */
export async function measureUploads(environment: Environment): Promise<Figure[]> {
  // One for each, so that neither counts requests of the other. Uploads call an idle indexer.
  await using uploaded = startBackendProxy(environment.backendUrl);
  await using indexed = startBackendProxy(environment.backendUrl, { counted: ofFiles });
  const env = { SUPABASE_URL: uploaded.url };
  await using handler = await environment.startFunction("knowledge-handler", env);
  await using indexer = await startIndexerWorkers(environment, indexed);
  await using idle = await environment.startFunction("hello");
  uploaded.functions.indexer = idle.url;
  indexed.functions.indexer = indexer.url;
  const coachId = await environment.createCoach("");
  const text = createZipfText(2);

  const upload = (url: string, files: [name: string, content: BlobPart][]) =>
    uploadFiles(environment, { url, coachId, files });
  const createDocument = (name: string): [string, string] => [
    `${name}.txt`,
    Array.from({ length: passagesPerFile }, () => text.passage(wordsPerPassage)).join("\n\n"),
  ];
  /** The cost of some work: requests to a backend, and seconds. */
  async function measure(backend: BackendProxy, work: () => Promise<unknown>) {
    backend.count = 0;
    const began = performance.now();
    await work();
    return { requests: backend.count, seconds: (performance.now() - began) / 1000 };
  }
  async function index(): Promise<void> {
    await fetch(`${indexer.url}/indexer`, { method: "POST", headers: environment.backendHeaders });
    await untilIndexed(environment, coachId);
  }

  await upload(handler.url, [createDocument("warm")]);
  await index();
  const single = await measure(uploaded, () => upload(handler.url, [createDocument("one")]));
  const documents = Array.from({ length: files }, (_, number) => createDocument(String(number)));
  const uploading = await measure(uploaded, () => upload(handler.url, documents));
  const indexing = await measure(indexed, index);

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
