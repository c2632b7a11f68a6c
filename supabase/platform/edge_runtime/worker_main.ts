/**
 * Runs a function in a process, as the edge runtime runs it in an isolate. Started by `worker.ts`, with the path of the
 * function's entry point and its MB of memory as arguments. Commands come over standard input and messages go to standard
 * output, line by line.
 */
const { exit, serve } = Deno;
const { log } = console;
const [entryPoint, megabytes] = Deno.args;
const memoryLimit = Number(megabytes) * 1024 * 1024;
/** Counts calls of `waitUntil` and settled promises, like the edge runtime: one that is given twice settles once. */
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
  // These do nothing in the edge runtime.
  exit() {},
  kill() {},
  addSignalListener() {},
  removeSignalListener() {},
});

/** Reports the port to `worker.ts`, once: code of tests may serve more than once. */
let tellPort = (port: number) => {
  log(`listening ${port}`);
  tellPort = () => {};
};

/** The heap and the buffers outside of it count together, like in the edge runtime. */
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
  // The process that started this one has ended.
  dispatchBeforeUnload("termination");
  await finish("early_drop");
}

/** Ends the process when everything given to `waitUntil` is done; until then it still takes commands. */
async function finish(reason: string): Promise<void> {
  while (waits.settled < waits.calls) await new Promise<void>((resolve) => onSettled = resolve);
  dispatchBeforeUnload(reason);
  exit(0);
}

void obey();
watchMemory();
await import(entryPoint!);
