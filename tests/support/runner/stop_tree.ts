import { runCommand } from "../run_command.ts";

/** Kills a process and all its descendants. */
export async function stopTree(pid: number): Promise<void> {
  const { stdout } = await runCommand("ps", ["-A", "-o", "pid=,ppid="]);
  const processes = stdout.trim().split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const childrenOf = (parent: number): number[] =>
    processes.filter(([, ppid]) => ppid === parent).flatMap(([child]) => [child!, ...childrenOf(child!)]);
  for (const each of [pid, ...childrenOf(pid)]) {
    try {
      Deno.kill(each, "SIGKILL");
    } catch (error) {
      // The process has already ended.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
