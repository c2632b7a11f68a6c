import { median } from "../report.ts";
import type { SoakProcess } from "./soak_process.ts";

/** The memory of a process, second by second, in MB. */
export type MemorySamples = { name: string; samples: number[] };

/** Records the memory of processes each second, until it is stopped. */
export function watchMemory(processes: SoakProcess[]): { stop(): MemorySamples[] } {
  const watched = processes.map(({ name, memory }) => ({ name, memory, samples: [] as number[] }));
  const timer = setInterval(() => {
    for (const { memory, samples } of watched) samples.push(memory());
  }, 1_000);
  return {
    stop() {
      clearInterval(timer);
      return watched;
    },
  };
}

/**
 * The largest allowed ratio of the memory in the last quarter to that in the second. V8 collects late: functions
 * without a leak had ratios from 0.9 to 1.18, and the chat still grew after a minute. On two processors a minute shows
 * leaks of 60 kB a turn and more, ten minutes those of 8 kB.
 */
export const growthLimit = 1.25;

/** With fewer samples than in a minute, processes are still warming up in the second quarter. */
export const fewestSamples = 55;

/** The medians of the four quarters. */
export function medianOfQuarters(samples: number[]): [number, number, number, number] {
  const quarter = (index: number) => Math.floor(index * samples.length / 4);
  const medianOf = (index: number) => median(samples.slice(quarter(index), quarter(index + 1)));
  return [medianOf(0), medianOf(1), medianOf(2), medianOf(3)];
}

/** The ratio of the memory in the last quarter to that in the second. */
export function growthOf(samples: number[]): number {
  const [, second, , last] = medianOfQuarters(samples);
  return last / second;
}
