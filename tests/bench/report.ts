/** One line of the report. */
export type Figure = {
  name: string;
  unit: string;
  measured: number;
  /** The same for the baseline. */
  baseline?: number;
  /** The limit for `measured`, or for its ratio to `baseline`. */
  budget?: { atMost: number } | { atLeast: number } | { ratio: number };
};

/** The middle value. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

/** The arithmetic mean; NaN without values. */
export function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value that a share of all values does not exceed. */
export function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? NaN;
}

/** Prints all figures as one table and returns whether every budget is kept. */
export function printReport(figures: Figure[]): boolean {
  const verdicts = figures.map(judge);
  const rows = figures.map(({ name, unit, measured, baseline, budget }, index) => [
    name,
    formatNumber(measured, unit),
    baseline === undefined ? "" : formatNumber(baseline, unit),
    baseline === undefined ? "" : `${formatNumber(measured / baseline)} x`,
    budget === undefined
      ? ""
      : "ratio" in budget
      ? `at most ${budget.ratio} x`
      : "atMost" in budget
      ? `at most ${formatNumber(budget.atMost, unit)}`
      : `at least ${formatNumber(budget.atLeast, unit)}`,
    verdicts[index]!,
  ]);
  printTable([["figure", "measured", "baseline", "ratio", "budget", ""], ...rows], [0, 4, 5]);
  return !verdicts.includes("OVER");
}

/** Prints a table whose first row has the headings. The columns with words are aligned to the left. */
export function printTable(table: string[][], wordColumns: number[]): void {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  const lines = table.map((row) =>
    row.map((cell, column) =>
      wordColumns.includes(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
    ).join("  ").trimEnd()
  );
  lines.splice(1, 0, widths.map((width) => "-".repeat(width)).join("  "));
  console.log(`\n${lines.join("\n")}`);
}

function judge({ measured, baseline = NaN, budget }: Figure): string {
  if (budget === undefined) return "";
  if (Number.isNaN(measured)) return "not measured";
  const isKept = "ratio" in budget
    ? measured / baseline <= budget.ratio
    : "atMost" in budget
    ? measured <= budget.atMost
    : measured >= budget.atLeast;
  return isKept ? "within budget" : "OVER";
}

/** A number with as many digits as matter, and its unit. */
export function formatNumber(value: number, unit = ""): string {
  if (Number.isNaN(value)) return "n/a";
  const digits = Number.isInteger(value) ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`
    .trim();
}
