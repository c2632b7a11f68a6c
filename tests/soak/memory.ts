import { median } from "../bench/report.ts";
import type { SoakProcess } from "./soak_process.ts";

/** What a process held, second by second, in MB. */
export type MemorySamples = { name: string; samples: number[] };

/** Notes the memory of processes each second, until it is stopped. */
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
 * How far the memory of the last quarter may lie above that of the second. V8 collects late: sound functions came to
 * between 0.9 and 1.18, with the chat still settling after a minute. On two processors a minute shows leaks from about
 * 60 kB a turn, ten minutes those from 8 kB.
 */
export const growthLimit = 1.25;

/** With fewer samples than a minute has, the second quarter is still that of a process that warms up. */
export const fewestSamples = 55;

/** The medians of the four quarters. */
export function medianOfQuarters(samples: number[]): [number, number, number, number] {
  const quarter = (index: number) => Math.floor(index * samples.length / 4);
  const medianOf = (index: number) => median(samples.slice(quarter(index), quarter(index + 1)));
  return [medianOf(0), medianOf(1), medianOf(2), medianOf(3)];
}

/** How many times the memory of the second quarter the last one holds. */
export function growthOf(samples: number[]): number {
  const [, second, , last] = medianOfQuarters(samples);
  return last / second;
}
