import { stopTree } from "./stop_tree.ts";

/** The options of a run of one file. */
export type TestCommand = {
  /** The program. */
  deno: string;
  file: string;
  options: string[];
  env: Record<string, string>;
  /** The milliseconds after which the file is stopped and counts as failed. */
  limit: number;
  /** Called with the output while it is printed. */
  onOutput?: (bytes: Uint8Array) => void;
  /** Stops the file. */
  signal: AbortSignal;
};

/** The result of a file. Tests and steps count the same. */
export type FileResult = {
  passed: number;
  failed: number;
  /** Left out because they are marked as such. */
  ignored: number;
  isOk: boolean;
  /** All that was printed. */
  output: string;
  milliseconds: number;
};

/** Runs the tests of a file in a separate process. */
export async function runTestFile(
  { deno, file, options, env, limit, onOutput, signal }: TestCommand,
): Promise<FileResult> {
  const start = performance.now();
  const child = new Deno.Command(deno, {
    args: ["test", "--allow-all", "--no-check", ...options, file],
    env,
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
  if (isTooLate) output += `\n${file} was stopped: it took longer than ${limit / 1_000} seconds.\n`;
  const isOk = code === 0 && !isTooLate;
  return {
    ...counts,
    // When a file cannot be loaded or was stopped, no failed test is reported.
    failed: isOk ? counts.failed : Math.max(counts.failed, 1),
    isOk,
    output,
    milliseconds: performance.now() - start,
  };
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
