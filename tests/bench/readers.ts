import { readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { runCommand } from "../support/run_command.ts";
import { compareWords, type WordComparison } from "./compare_words.ts";
import type { Environment } from "./environment.ts";
import type { MeasuredProcess } from "./measured_process.ts";
import type { DocumentReading } from "./read_document.ts";
import { type Figure, formatNumber, percentile, printTable } from "./report.ts";
import { isShort } from "./short_form.ts";

const folder = Deno.env.get("DOCUMENTS_DIR");
/** The programs whose text is compared, by the extension of the documents. */
const programs: Record<string, (path: string) => [name: string, ...args: string[]]> = {
  ".pdf": (path) => ["pdftotext", "-q", "-enc", "UTF-8", path, "-"],
  ".docx": (path) => ["pandoc", "--from=docx", "--to=plain", "--wrap=none", path],
};
/** An isolate has 2 s for everything. */
const maxMillisecondsOfBatch = 2_000;
const longestReading = 30_000;
/** A document with fewer of the program's words is shown. */
const leastKept = 0.95;
const mostShown = 40;
const mostMissing = 12;

type Reading = DocumentReading & { path: string; memory: number; comparison: WordComparison | null };

/**
 * Reads the documents of a folder as the indexer does, with its memory, and compares their words with those of programs
 * that read such files. Documents that these refuse are only read.
 */
export async function measureReaders(environment: Pick<Environment, "startFunction">): Promise<Figure[]> {
  if (folder === undefined) console.log("  DOCUMENTS_DIR names no folder with documents: nothing is measured.");
  const paths = (folder === undefined ? [] : readdirSync(folder, { recursive: true, encoding: "utf8" }))
    .filter((path) => extname(path).toLowerCase() in programs).toSorted();
  const readings = await readAll(environment, isShort ? paths.slice(0, 5) : paths);
  const differing = readings.filter(({ comparison }) => comparison !== null && comparison.kept < leastKept);
  if (differing.length > 0) printDifferences(differing);
  return Object.keys(programs).flatMap((extension) => {
    const [program] = programs[extension]!("");
    const its = readings.filter(({ path }) => extname(path).toLowerCase() === extension);
    const compared = its.flatMap(({ comparison }) => comparison ?? []).filter(({ words }) => words > 0);
    const name = `readers: ${extension.slice(1)}`;
    return [
      { name: `${name}, documents`, unit: "", measured: its.length },
      { name: `${name}, not read`, unit: "", measured: its.filter(({ error }) => error !== undefined).length },
      { name: `${name}, compared with ${program}`, unit: "", measured: compared.length },
      {
        name: `${name}, with less than ${100 * leastKept} % of its words`,
        unit: "",
        measured: compared.filter(({ kept }) => kept < leastKept).length,
      },
      { name: `${name}, words of it that were read`, unit: "", measured: meanOf(compared, "kept") },
      { name: `${name}, words read that it has`, unit: "", measured: meanOf(compared, "shared") },
      { name: `${name}, its neighboring words that are neighbors`, unit: "", measured: meanOf(compared, "inOrder") },
      {
        name: `${name}, slowest batch`,
        unit: "ms",
        measured: percentile(its.flatMap(({ milliseconds }) => milliseconds), 1),
        budget: { atMost: maxMillisecondsOfBatch },
      },
      { name: `${name}, peak memory`, unit: "MB", measured: percentile(its.map(({ memory }) => memory), 1) },
    ];
  });
}

function meanOf(compared: WordComparison[], share: "kept" | "shared" | "inOrder"): number {
  const words = compared.reduce((sum, { words }) => sum + words, 0);
  return compared.reduce((sum, comparison) => sum + comparison[share] * comparison.words, 0) / words;
}

/** Documents share a process until one of them ends it. */
async function readAll({ startFunction }: Pick<Environment, "startFunction">, paths: string[]): Promise<Reading[]> {
  const readings: Reading[] = [];
  let process: MeasuredProcess | null = null;
  for (const path of paths) {
    process ??= await startFunction("read_document");
    const reading = await readOne(process, join(folder!, path));
    readings.push({
      ...reading,
      path,
      memory: process.peakMemory(),
      comparison: await compare(join(folder!, path), reading),
    });
    if (reading.milliseconds.length === 0) {
      await process[Symbol.asyncDispose]();
      process = null;
    }
  }
  await process?.[Symbol.asyncDispose]();
  return readings;
}

async function readOne({ url }: MeasuredProcess, path: string): Promise<DocumentReading> {
  try {
    const response = await fetch(`${url}/${extname(path).slice(1).toLowerCase()}`, {
      method: "POST",
      body: await Deno.readFile(path),
      signal: AbortSignal.timeout(longestReading),
    });
    return await response.json();
  } catch (error) {
    return { text: "", milliseconds: [], error: `The process ended, or took too long: ${error}` };
  }
}

/** Null if the program refuses the document, never ends, or is not installed. */
async function compare(path: string, { text }: DocumentReading): Promise<WordComparison | null> {
  const [program, ...args] = programs[extname(path).toLowerCase()]!(path);
  const { code, stdout } = await runCommand(program, args, { signal: AbortSignal.timeout(longestReading) }).catch(
    (error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      return { code: 127, stdout: "" };
    },
  );
  // Words that are divided at the end of a line are joined here.
  return code === 0 ? compareWords(text, stdout.replace(/(?<=\p{L})-\n(?=\p{Ll})/gu, "")) : null;
}

function printDifferences(readings: Reading[]): void {
  const worst = readings.toSorted((one, other) => lostBy(other) - lostBy(one)).slice(0, mostShown);
  const share = (part: number) => `${formatNumber(Math.round(part * 100))} %`;
  const rows = worst.map(({ path, milliseconds, error, warning, comparison }) => {
    const { words, kept, shared, inOrder, missing } = comparison!;
    const said = error ?? warning ?? "";
    const time = formatNumber(Math.round(Math.max(...milliseconds)), "ms");
    return [
      path,
      String(words),
      share(kept),
      share(shared),
      share(inOrder),
      time,
      said,
      missing.slice(0, mostMissing).join(" "),
    ];
  });
  const names = ["document", "words", "read", "read that are words", "in order", "slowest batch", "said", "missing"];
  printTable([names, ...rows], [0, 6, 7]);
}

function lostBy({ comparison }: Reading): number {
  return comparison!.words * (1 - comparison!.kept);
}
