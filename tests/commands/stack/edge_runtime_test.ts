import { deadline } from "../../../shared/libs/base/std/async.ts";
import { startEdgeRuntime, type WorkerEvent } from "../../../supabase/platform/edge_runtime/edge_runtime.ts";
import { limitsOf, type WorkerLimits } from "../../../supabase/platform/edge_runtime/limits.ts";
import { assert, assertEquals, assertNotEquals, assertRejects } from "../../support/assert.ts";
import { serve } from "../../support/serve.ts";
import { slowStep } from "../../support/slow.ts";

const unlimited: WorkerLimits = { cpuSoft: 0, cpuHard: 0, wallClock: 0, idle: 0, memory: 256 };
/** The time that the test waits for an expected event, in milliseconds. */
const patience = 30_000;

/** A runtime with one function, and a record of its workers' events. */
function startProbe(
  { limits = {}, workers, entryPoint = import.meta.resolve("./probe_function.ts") }: {
    limits?: Partial<WorkerLimits>;
    workers?: number;
    entryPoint?: string;
  } = {},
) {
  const events: WorkerEvent[] = [];
  const lines: string[] = [];
  let waiting: (() => void)[] = [];
  function note<Item>(list: Item[], item: Item) {
    list.push(item);
    for (const wake of waiting) wake();
    waiting = [];
  }
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const gate = serve(async () => {
    await released;
    return new Response();
  });
  const runtime = startEdgeRuntime({
    functions: { probe: { entryPoint } },
    env: { GATE: gate.url },
    limits: { ...unlimited, ...limits },
    workers,
    onEvent: (event) => note(events, event),
    onLine: (_, line) => note(lines, line),
  });

  async function until(what: string, isSo: () => boolean): Promise<void> {
    const come = (async () => {
      while (!isSo()) await new Promise<void>((resolve) => waiting.push(resolve));
    })();
    await deadline(come, patience).catch(() => {
      throw new Error(`Timed out waiting for ${what}\n${JSON.stringify(events)}\n${lines.join("\n")}`);
    });
  }
  const send = (path: string) =>
    runtime.fetch("probe", `/probe/${path}`, new Request("http://localhost/", { method: "POST" }));
  return {
    runtime,
    events,
    lines,
    send,
    /** Opens the gate at which actions wait. */
    release,
    /** The reply's text: the process id of the worker. */
    ask: async (path: string) => await (await send(path)).text(),
    sees: (event: WorkerEvent["event"], reason?: string) =>
      until(`${event} ${reason}`, () => events.some((each) => each.event === event && each.reason === reason)),
    prints: (line: string) => until(line, () => lines.includes(line)),
    /** A worker's events after its start, in the form of the log. */
    storyOf: (pid: string) =>
      events.filter(({ worker, event }) => String(worker) === pid && event !== "worker_started")
        .map(({ event, reason }) => reason === undefined ? event : `${event} ${reason}`),
    async [Symbol.asyncDispose]() {
      release();
      await runtime[Symbol.asyncDispose]();
      await gate[Symbol.asyncDispose]();
    },
  };
}

/** A stream that has begun: the worker that sends it, and the rest of its text. */
async function openStream(send: (path: string) => Promise<Response>) {
  const response = await send("stream");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const pid = (await reader.read()).value!;
  async function rest() {
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    return text;
  }
  return { pid, rest };
}

Deno.test("the stand-in for the edge runtime retires and kills workers", async (t) => {
  await t.step("sends all requests of a function to one worker until that worker is retired", async () => {
    await using probe = startProbe();
    const pids = await Promise.all([probe.ask("pid"), probe.ask("pid"), probe.ask("work/50")]);
    assertEquals(new Set([...pids, await probe.ask("pid")]).size, 1);
    assertEquals(probe.events.map(({ event }) => event), ["worker_started"]);
  });

  await t.step("counts CPU time over all requests: past the soft limit a new worker takes over", async () => {
    await using probe = startProbe({ limits: { cpuSoft: 600 } });
    const { pid, rest } = await openStream(probe.send);
    // On a busy machine it takes more requests, since each works for a fixed time, not a fixed amount.
    let requests = 0;
    while (requests < 100 && await probe.ask("work/100") === pid) requests++;
    assert(requests > 2 && requests < 100, `retired after ${requests} requests`);
    const [{ cpu_ms = 0 } = {}] = probe.events.filter(({ event }) => event === "worker_retired");
    assert(cpu_ms >= 600 && cpu_ms < 900, `retired at ${cpu_ms} ms`);
    probe.release();
    assertEquals(await rest(), " whole");
    await probe.sees("worker_ended");
    assertEquals(probe.storyOf(pid), ["worker_retired cpu_time", "worker_ended"]);
  });

  await t.step("lets a retired worker finish its streams and waitUntil promises, then drops it", async () => {
    await using probe = startProbe();
    const { pid, rest } = await openStream(probe.send);
    assertEquals(await probe.ask("keep"), pid);
    const hanging = probe.ask("hang");
    probe.runtime.replace("probe");
    assertNotEquals(await probe.ask("pid"), pid);
    assertEquals(probe.storyOf(pid), ["worker_retired replaced"]);
    assertEquals(probe.lines, []);
    probe.release();
    assertEquals([await rest(), await hanging], [" whole", pid]);
    await probe.sees("worker_ended");
    assertEquals(probe.lines, ["kept", "beforeunload early_drop"]);
  });

  await t.step("tells a worker that a client has left before its reply", async () => {
    await using probe = startProbe();
    const controller = new AbortController();
    const request = new Request("http://localhost/", { method: "POST", signal: controller.signal });
    const reply = probe.runtime.fetch("probe", "/probe/wait", request);
    await probe.prints("waiting");
    controller.abort();
    await probe.prints("left");
    await (await reply).body?.cancel();
  });

  await t.step("kills a worker past the hard limit, with all its running requests", async () => {
    await using probe = startProbe({ limits: { cpuSoft: 300, cpuHard: 700 } });
    const { pid, rest } = await openStream(probe.send);
    const reply = await probe.send("work/60000");
    assertEquals([reply.status, (await reply.json()).code], [546, "WORKER_LIMIT"]);
    await assertRejects(rest);
    assertEquals(probe.storyOf(pid), ["worker_retired cpu_time", "worker_killed cpu_time"]);
    assertEquals(probe.lines, []);
    assertNotEquals(await probe.ask("pid"), pid);
  });

  await t.step("announces the end of the CPU time to a worker that is not blocked", async () => {
    await using probe = startProbe({ limits: { cpuSoft: 300, cpuHard: 1_000 } });
    const pid = await probe.ask("toil");
    await probe.sees("worker_killed", "cpu_time");
    assertEquals(probe.storyOf(pid), ["worker_retired cpu_time", "worker_killed cpu_time"]);
    assertEquals(probe.lines, ["beforeunload cpu"]);
  });

  await t.step("kills a worker that holds too much memory, including buffers outside the heap", async () => {
    await using probe = startProbe({ limits: { memory: 300 } });
    const pid = await probe.ask("hold/150");
    assertEquals(await probe.ask("pid"), pid);
    await probe.ask("hold/125");
    await probe.prints("beforeunload memory");
    assertEquals(await probe.ask("hold/60"), pid);
    await probe.sees("worker_killed", "memory");
    assertNotEquals(await probe.ask("pid"), pid);
  });

  await slowStep(t, "waits in vain for a promise that was handed over twice", async () => {
    await using probe = startProbe({ limits: { wallClock: 3_000 } });
    const pid = await probe.ask("twice");
    probe.release();
    await probe.sees("worker_killed", "wall_clock");
    assertEquals(probe.storyOf(pid), ["worker_retired wall_clock", "worker_killed wall_clock"]);
  });

  await t.step("retires a worker at half of its wall clock, announces its end, and kills it", async () => {
    await using probe = startProbe({ limits: { wallClock: 3_000 } });
    const { pid, rest } = await openStream(probe.send);
    await probe.sees("worker_retired", "wall_clock");
    assertNotEquals(await probe.ask("pid"), pid);
    await probe.prints("beforeunload wall_clock");
    await assertRejects(rest);
    assertEquals(probe.storyOf(pid), ["worker_retired wall_clock", "worker_killed wall_clock"]);
  });

  await slowStep(t, "announces the end also to a worker that has nothing but work left to wait for", async () => {
    await using probe = startProbe({ limits: { wallClock: 3_000 } });
    const pid = await probe.ask("keep");
    await probe.prints("beforeunload wall_clock");
    await probe.sees("worker_killed", "wall_clock");
    assertEquals(probe.storyOf(pid), ["worker_retired wall_clock", "worker_killed wall_clock"]);
    assertEquals(probe.lines, ["beforeunload wall_clock"]);
  });
});

Deno.test("the stand-in for the edge runtime keeps replies, and replaces workers", async (t) => {
  await t.step("finishes running replies before it ends", async () => {
    const probe = startProbe();
    const { pid, rest } = await openStream(probe.send);
    const hanging = probe.ask("hang");
    const ending = probe[Symbol.asyncDispose]();
    assertEquals([await rest(), await hanging], [" whole", pid]);
    await ending;
    assertEquals(probe.storyOf(pid), ["worker_retired shutdown", "worker_ended"]);
    assertEquals(probe.lines, ["beforeunload termination", "beforeunload early_drop"]);
  });

  await t.step("drops a retired worker that is idle", async () => {
    await using probe = startProbe({ limits: { cpuSoft: 200 } });
    const pid = await probe.ask("work/2000");
    await probe.sees("worker_ended");
    assertEquals(probe.storyOf(pid), ["worker_retired cpu_time", "worker_ended"]);
    assertEquals(probe.lines, ["beforeunload early_drop"]);
  });

  await t.step("shares requests among several workers when several are allowed", async () => {
    await using probe = startProbe({ workers: 2 });
    const first = await openStream(probe.send);
    const second = await openStream(probe.send);
    assertNotEquals(first.pid, second.pid);
    const third = await openStream(probe.send);
    assert([first.pid, second.pid].includes(third.pid));
    assertEquals(probe.events.length, 2);
    probe.release();
    assertEquals(await Promise.all([first, second, third].map(({ rest }) => rest())), Array(3).fill(" whole"));
  });

  await t.step("does not let a worker end its process", async () => {
    await using probe = startProbe();
    const pid = await probe.ask("exit");
    assertEquals([await probe.ask("pid"), probe.storyOf(pid)], [pid, []]);
  });

  await t.step("replaces a worker that has crashed", async () => {
    await using probe = startProbe();
    const pid = await probe.ask("pid");
    const hanging = probe.send("hang");
    await probe.send("crash").then((reply) => reply.body?.cancel());
    const reply = await hanging;
    assertEquals([reply.status, (await reply.json()).code], [500, "WORKER_ERROR"]);
    await probe.sees("worker_crashed", "exit code 1");
    assert(probe.lines.some((line) => line.includes("on purpose")), probe.lines.join("\n"));
    assertNotEquals(await probe.ask("pid"), pid);
  });

  await t.step("a function that does not boot → 503, with the reason in the log", async () => {
    await using probe = startProbe({ entryPoint: "data:text/javascript,throw new Error('no boots')" });
    const reply = await probe.send("pid");
    assertEquals([reply.status, (await reply.json()).code], [503, "BOOT_ERROR"]);
    assert(probe.lines.some((line) => line.includes("no boots")), probe.lines.join("\n"));
    await assertRejects(() => probe.runtime.boot("probe"));
  });

  await t.step("no reply in time → 504", async () => {
    await using probe = startProbe({ limits: { idle: 300 } });
    await probe.ask("pid");
    const reply = await probe.send("hang");
    assertEquals([reply.status, (await reply.json()).code], [504, "IDLE_TIMEOUT"]);
  });

  await t.step("a function that hangs while it boots → 504 as well", async () => {
    await using probe = startProbe({
      limits: { idle: 300 },
      entryPoint: "data:text/javascript,await new Promise(() => setInterval(() => {}, 1e6))",
    });
    const reply = await probe.send("pid");
    assertEquals([reply.status, (await reply.json()).code], [504, "IDLE_TIMEOUT"]);
    await Promise.all(probe.events.map(({ worker }) => Deno.kill(worker, "SIGKILL")));
  });

  await t.step("its limits are those of the platform", () => {
    assertEquals(limitsOf("free"), { cpuSoft: 1_000, cpuHard: 2_000, wallClock: 150_000, idle: 150_000, memory: 256 });
    assertEquals(limitsOf("paid").wallClock, 400_000);
  });
});
