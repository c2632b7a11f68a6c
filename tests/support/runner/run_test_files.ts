import { join } from "node:path";
import { readReport } from "./read_report.ts";
import { stopTree } from "./stop_tree.ts";

/** The options of a process that runs tests. */
export type TestCommand = {
  /** The program. */
  deno: string;
  /** One or more files. */
  files: string[];
  options: string[];
  env: Record<string, string>;
  /** The milliseconds after which the process is stopped and counts as failed. */
  limit: number;
  /** Called with the output while it is printed. */
  onOutput?: (bytes: Uint8Array) => void;
  /** Stops the process. */
  signal: AbortSignal;
};

/** The result of a file, or of several if their process ended early. Tests and steps count the same. */
export type FileResult = {
  name: string;
  passed: number;
  failed: number;
  /** Left out because they are marked as such. */
  ignored: number;
  isOk: boolean;
  /** All that the process printed; empty for a file that shared it, unless it failed. */
  output: string;
  milliseconds: number;
};

const group = join(import.meta.dirname!, "group.ts");

/** Runs the tests of files in a separate process. */
export async function runTestFiles(
  { deno, files, options, env, limit, onOutput, signal }: TestCommand,
): Promise<FileResult[]> {
  const start = performance.now();
  await using resources = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "test-report-" });
  resources.defer(() => Deno.remove(folder, { recursive: true }));
  const report = join(folder, "report.xml");
  const target = files.length === 1 ? files : [`--junit-path=${report}`, group];
  const child = new Deno.Command(deno, {
    args: ["test", "--allow-all", "--no-check", ...options, ...target],
    env: { ...env, TEST_FILES: files.join("\n") },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();

  const decoder = new TextDecoder();
  let output = "";
  const readers = [child.stdout, child.stderr].map((stream) => stream.getReader());
  async function read(reader: ReadableStreamDefaultReader<Uint8Array>) {
    while (true) {
      const { value, done } = await reader.read();
      if (done) return;
      output += decoder.decode(value, { stream: true });
      onOutput?.(value);
    }
  }
  async function stop() {
    await stopTree(child.pid);
    // A process that the tests left behind may keep the pipe open.
    for (const reader of readers) await reader.cancel();
  }

  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    void stop();
  }, limit);
  signal.addEventListener("abort", stop);
  const [{ code }] = await Promise.all([child.status, ...readers.map(read)]);
  clearTimeout(timer);
  signal.removeEventListener("abort", stop);

  const counts = countTests(output);
  const name = files.join(", ");
  if (isTooLate) output += `\n${name} was stopped: it took longer than ${limit / 1_000} seconds.\n`;
  const isOk = code === 0 && !isTooLate;
  const reported = files.length === 1 ? [] : readReport(await Deno.readTextFile(report).catch(() => ""));
  if (isOk && reported.length > 0 || reported.some(({ failed }) => failed > 0)) {
    return reported.map(({ file, ...counts }) => {
      const isOk = counts.failed === 0;
      return { name: file, ...counts, isOk, output: isOk ? "" : withoutSuccesses(output) };
    });
  }
  return [{
    name,
    ...counts,
    // When a file cannot be loaded or was stopped, no failed test is reported.
    failed: isOk ? counts.failed : Math.max(counts.failed, 1),
    isOk,
    output,
    milliseconds: performance.now() - start,
  }];
}

/** Leaves out the lines of tests that passed, which are many where files share a process. */
function withoutSuccesses(output: string): string {
  // deno-lint-ignore no-control-regex
  return output.split("\n").filter((line) => !/ \.\.\. (?:\x1b\[\d+m)?ok\b/.test(line)).join("\n");
}

/** Reads the summary at the end of the output of `deno test`. */
export function countTests(output: string): Pick<FileResult, "passed" | "failed" | "ignored"> {
  // deno-lint-ignore no-control-regex
  const plain = output.replace(/\x1b\[\d+(?:;\d+)*m/g, "");
  // The last such line, since tests print as well: ok | 12 passed (85 steps) | 1 failed (2 steps) | 3 ignored (1 step)
  const summary = plain.split("\n").findLast((line) => /\| \d+ passed.* \| \d+ failed/.test(line)) ?? "";
  const count = (word: string) => {
    const [, tests = 0, steps = 0] = new RegExp(`\\| (\\d+) ${word}(?: \\((\\d+) steps?\\))?`).exec(summary) ?? [];
    return Number(tests) + Number(steps);
  };
  return { passed: count("passed"), failed: count("failed"), ignored: count("ignored") };
}
