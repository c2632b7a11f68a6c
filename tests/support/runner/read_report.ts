/** What a report says of a file. Tests and steps count the same. */
export type ReportedFile = { file: string; passed: number; failed: number; ignored: number; milliseconds: number };

type Case = { file: string; name: string; outcome: "passed" | "failed" | "ignored"; milliseconds: number };

/**
 * Reads the report of `deno test --junit-path`. It lists tests and steps by the file that declares them, which may be a
 * helper for steps; they count as the test's.
 */
export function readReport(xml: string): ReportedFile[] {
  const cases = [
    ...xml.matchAll(/<testcase name="([^"]*)" classname="(?:\.\/)?([^"]*)" time="([\d.]+)"[^>]*>\s*<(\w+)?/g),
  ]
    .map(([, name = "", file = "", seconds, inner]): Case => ({
      file,
      name,
      outcome: inner === "failure" ? "failed" : inner === "skipped" ? "ignored" : "passed",
      milliseconds: Number(seconds) * 1_000,
    }));
  const files = new Map<string, ReportedFile>();
  const tests: Case[] = [];
  // A step's name begins with that of its test, and its time is part of the test's.
  for (const { file, name, outcome, milliseconds } of cases.toSorted((a, b) => a.name.length - b.name.length)) {
    const within = tests.filter((test) => name.startsWith(`${test.name} &gt; `));
    const test = within.find((test) => test.file === file) ?? within[0];
    if (test === undefined) tests.push({ file, name, outcome, milliseconds });
    const key = test?.file ?? file;
    const counts = files.get(key) ?? { file: key, passed: 0, failed: 0, ignored: 0, milliseconds: 0 };
    counts[outcome] += 1;
    counts.milliseconds += test === undefined ? milliseconds : 0;
    files.set(key, counts);
  }
  return [...files.values()].toSorted((a, b) => a.file < b.file ? -1 : 1);
}
