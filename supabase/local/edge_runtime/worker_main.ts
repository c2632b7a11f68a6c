/**
 * Runs a function in a process, as the edge runtime runs it in an isolate. Started by `worker.ts`, with the path of the
 * function's entry point and its MB of memory as arguments; what it is told comes over standard input, line by line, and
 * what it tells goes out in lines as well.
 */
const { exit, serve } = Deno;
const { log } = console;
const [entryPoint, megabytes] = Deno.args;
const memoryLimit = Number(megabytes) * 1024 * 1024;
/** As there, calls are counted, and promises when they settle: one that is handed over twice is waited for in vain. */
const waits = { calls: 0, settled: 0 };
const known = new WeakSet<Promise<unknown>>();
let onSettled = () => {};

Object.assign(globalThis, {
  EdgeRuntime: {
    waitUntil<Value>(promise: Promise<Value>): Promise<Value> {
      waits.calls++;
      if (known.has(promise)) return promise;
      known.add(promise);
      const settle = () => {
        waits.settled++;
        onSettled();
      };
      promise.then(settle, settle);
      return promise;
    },
  },
});

type Handler = (request: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>;

Object.assign(Deno, {
  serve(...args: unknown[]) {
    const handler = args.map((arg) => (arg as { handler?: Handler }).handler ?? arg)
      .find((arg) => typeof arg === "function") as Handler;
    return serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: ({ port }) => tellPort(port),
    }, handler);
  },
  // These do nothing there.
  exit() {},
  kill() {},
  addSignalListener() {},
  removeSignalListener() {},
});

/** Tells `worker.ts` where the function is; a function serves once, what tests put in its place more often. */
let tellPort = (port: number) => {
  log(`listening ${port}`);
  tellPort = () => {};
};

/** As there, the heap and the buffers outside of it count together. */
function watchMemory(): void {
  let isEndAnnounced = false;
  const timer = setInterval(() => {
    const { heapUsed, external } = Deno.memoryUsage();
    const used = (heapUsed + external) / memoryLimit;
    if (used >= 1) log("out of memory");
    else if (used >= 0.9 && !isEndAnnounced) {
      isEndAnnounced = true;
      dispatchBeforeUnload("memory");
    }
  }, 100);
  Deno.unrefTimer(timer);
}

function dispatchBeforeUnload(reason: string): void {
  dispatchEvent(new CustomEvent("beforeunload", { cancelable: true, detail: { reason } }));
}

async function obey(): Promise<void> {
  let rest = "";
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [command, reason = ""] = line.split(" ");
      if (command === "beforeunload") dispatchBeforeUnload(reason);
      if (command === "finish") void finish(reason);
    }
  }
  // Whoever started this process has gone.
  dispatchBeforeUnload("termination");
  await finish("early_drop");
}

/** Ends the process when everything that keeps it alive is over; until then it may be told more. */
async function finish(reason: string): Promise<void> {
  while (waits.settled < waits.calls) await new Promise<void>((resolve) => onSettled = resolve);
  dispatchBeforeUnload(reason);
  exit(0);
}

void obey();
watchMemory();
await import(entryPoint!);
