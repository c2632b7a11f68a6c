/**
 * Reads the documents of a folder, `good.*` first, and prints as JSON by how many bytes the others raised the peak
 * memory of this process. Linux only.
 */
import { type DocumentKind, readPassages } from "../../shared/libs/documents/read_passages.ts";

const folder = Deno.args[0]!;
// A script of Deno 2.1.4 that does nothing else sometimes forgets timers: on two busy cores, 29 of 360
// never ended. With this they do, as functions do, which wait for requests.
const waker = setInterval(() => {}, 20);

async function read(name: string): Promise<void> {
  const bytes = await Deno.readFile(`${folder}/${name}`);
  try {
    for await (const _ of readPassages(name.split(".").at(-1) as DocumentKind, bytes, null));
  } catch {
    // Only the memory matters here, not the error.
  }
}

function peakOfMemory(): number {
  return 1024 * Number(/VmHWM:\s+(\d+) kB/.exec(Deno.readTextFileSync("/proc/self/status"))![1]);
}

const names = Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
await read(names.find((name) => name.startsWith("good"))!);
const before = peakOfMemory();
for (const name of names) await read(name);
console.log(JSON.stringify(peakOfMemory() - before));
clearInterval(waker);
