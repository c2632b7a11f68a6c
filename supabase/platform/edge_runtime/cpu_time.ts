/** The pauses between two measurements of a busy process, and of an idle one, in milliseconds. */
const pauses = { shortest: Deno.build.os === "linux" ? 10 : 100, longest: 1_000 };

/** Reports the CPU time of a process in milliseconds, again and again; more often while it works. */
export function watchCpu(pid: number, onUsed: (milliseconds: number) => void): { wake(): void; stop(): void } {
  let pause = pauses.shortest;
  let isStopped = false;
  let before = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function look(): Promise<void> {
    timer = undefined;
    const used = await readCpuTime(pid);
    if (isStopped || used === null) return;
    onUsed(used);
    pause = used - before < 1 ? Math.min(pause * 2, pauses.longest) : pauses.shortest;
    before = used;
    timer = setTimeout(look, pause);
  }
  void look();

  return {
    /** The process is about to work: measure often. */
    wake() {
      if (pause === pauses.shortest) return;
      pause = pauses.shortest;
      // Without a timer, a measurement is under way.
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(look, pause);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * The CPU time in milliseconds that a process has used so far. It covers the main thread, which is what the edge
 * runtime counts for an isolate. macOS only reports the whole process, and Windows nothing.
 *
 * @returns null if the system does not report it, or the process has ended
 */
export async function readCpuTime(pid: number): Promise<number | null> {
  if (Deno.build.os === "linux") return await readMainThread(pid);
  if (Deno.build.os === "darwin") return await askPs(pid);
  return null;
}

async function readMainThread(pid: number): Promise<number | null> {
  const nanoseconds = await Deno.readTextFile(`/proc/${pid}/schedstat`).then((text) => Number(text.split(" ")[0]))
    .catch(() => 0);
  // Some kernels do not have these statistics.
  if (nanoseconds > 0) return nanoseconds / 1e6;
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => null);
  return stat === null ? null : cpuTimeOfStat(stat);
}

/** CPU time in milliseconds of a process, all threads, as its file `stat` in /proc has it: in steps of 10 ms. */
export function cpuTimeOfStat(stat: string): number {
  // The name of the process, in brackets, may contain blanks. User and system time are fields 14 and 15, in ticks. A
  // second has 100 ticks on every Linux that Deno supports.
  const fields = stat.replace(/^.*\) /s, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function askPs(pid: number): Promise<number | null> {
  const ps = new Deno.Command("ps", { args: ["-o", "time=", "-p", String(pid)], stderr: "null" });
  const stdout = await ps.output().then(({ stdout }) => stdout, () => new Uint8Array());
  const text = new TextDecoder().decode(stdout).trim();
  // [[hours:]minutes:]seconds
  return text === "" ? null : text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1_000;
}
