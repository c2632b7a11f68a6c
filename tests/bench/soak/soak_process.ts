import type { Environment } from "../environment.ts";
import type { MeasuredProcess } from "../measured_process.ts";

/** A function in its own process. Disposing of it kills it. */
export type SoakProcess = MeasuredProcess & {
  name: string;
  /** The number of its warnings and errors in the log, by event and reason. */
  complaints: Map<string, number>;
  /** Its ending if it crashed; null while it runs. */
  death(): string | null;
};

/** Starts a function as it is deployed; `env` is added to the common variables. */
export async function startSoakProcess(
  { startFunction }: Environment,
  name: string,
  env?: Record<string, string>,
): Promise<SoakProcess> {
  const complaints = new Map<string, number>();
  const process = await startFunction(name, env, {
    onComplaint(line) {
      const complaint = describeLine(line);
      complaints.set(complaint, (complaints.get(complaint) ?? 0) + 1);
    },
  });
  let death: string | null = null;
  process.ended.then((reason) => death = reason);
  return { ...process, name, complaints, death: () => death };
}

function describeLine(line: string): string {
  try {
    const { level, event, status, reason } = JSON.parse(line.slice(line.indexOf("{")));
    return [level, event, status, reason].filter((part) => part !== undefined).join(" ");
  } catch {
    return line;
  }
}
