import { median, percentile } from "../report.ts";
import type { SoakProcess } from "./soak_process.ts";
import type { Sample } from "./ledger.ts";
import { growthOf, medianOfQuarters, type MemorySamples } from "./memory.ts";

/** Prints the number of requests, their times and their outcomes for each operation. */
export function printOperations(samples: Sample[]): void {
  const rows = [...Map.groupBy(samples, ({ operation }) => operation)].map(([operation, all]) => {
    const times = all.map(({ ms }) => ms);
    const outcomes = [...Map.groupBy(all, ({ outcome }) => outcome)].map(([outcome, { length }]) => [outcome, length]);
    return [
      operation,
      String(all.length),
      median(times).toFixed(0),
      percentile(times, 0.95).toFixed(0),
      Math.max(...times).toFixed(0),
      outcomes.toSorted().map(([outcome, count]) => `${outcome}: ${count}`).join(", "),
    ];
  });
  printTable([["operation", "requests", "p50 ms", "p95 ms", "max ms", "statuses"], ...rows.toSorted()]);
}

/** Prints the memory of each process in each quarter of the run. */
export function printMemory(memory: MemorySamples[]): void {
  const rows = memory.map(({ name, samples }) => {
    const figures = [...medianOfQuarters(samples), Math.max(...samples)].map((value) => value.toFixed(0));
    return [name, ...figures, growthOf(samples).toFixed(2)];
  });
  printTable([["memory in MB", "1st quarter", "2nd", "3rd", "4th", "highest", "4th / 2nd"], ...rows]);
}

/** Prints the warnings and errors that the functions have logged. */
export function printComplaints(processes: SoakProcess[]): void {
  const rows = processes.flatMap(({ name, complaints }) =>
    [...complaints].map(([complaint, count]) => [name, String(count), complaint])
  );
  printTable([["log of", "lines", "warning or error"], ...rows]);
}

function printTable(rows: string[][]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const isNumber = (column: number) => rows.slice(1).every((row) => /^[\d.]+$|^NaN$/.test(row[column]!));
  const lines = rows.map((row) =>
    row.map((cell, column) => isNumber(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))
      .join("  ").trimEnd()
  );
  lines.splice(1, 0, widths.map((width) => "-".repeat(width)).join("  "));
  console.log(`\n${lines.join("\n")}`);
}
