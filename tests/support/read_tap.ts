/** One line of a TAP report, with the comments that follow it. */
export type TapTest = { number: number; name: string; isOk: boolean; diagnosis: string };

/** Reads pgTAP's report; values that are not TAP are left out. `planned` is 0 without a plan. */
export function readTap(values: unknown[]): { planned: number; tests: TapTest[] } {
  const tests: TapTest[] = [];
  let planned = 0;
  for (const line of values.flatMap((value) => typeof value === "string" ? value.split("\n") : [])) {
    const plan = /^1\.\.(\d+)$/.exec(line);
    const test = /^(not )?ok (\d+)(?: - (.*))?$/.exec(line);
    if (plan) planned = Number(plan[1]);
    if (test) {
      const [, not, number, name] = test;
      tests.push({ number: Number(number), name: name ?? `test ${number}`, isOk: !not, diagnosis: "" });
    }
    const last = tests.at(-1);
    if (last && line.startsWith("#")) last.diagnosis += `${line}\n`;
  }
  return { planned, tests };
}
