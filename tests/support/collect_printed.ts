/** The output since this was imported, without log lines, which functions do not print in tests. */
export const printed: string[] = [];

const print = (...values: unknown[]) => void printed.push(values.map((value) => Deno.inspect(value)).join(" "));
Object.assign(console, { debug: print, info: print, warn: print, error: print, log: print });
