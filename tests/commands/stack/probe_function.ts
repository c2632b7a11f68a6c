/** A function for tests: `POST /probe/<what>` does `what`. Some actions wait until the server at `GATE` answers. */
declare const EdgeRuntime: { waitUntil<Value>(promise: Promise<Value>): Promise<Value> };

const encoder = new TextEncoder();

addEventListener("beforeunload", (event) => {
  console.log(`beforeunload ${(event as CustomEvent<{ reason: string }>).detail.reason}`);
});

async function pass(): Promise<void> {
  await (await fetch(Deno.env.get("GATE")!)).body?.cancel();
}

/** Uses the processor for some milliseconds. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

function toil(): void {
  work(20);
  EdgeRuntime.waitUntil(new Promise<void>((resolve) => setTimeout(() => resolve(toil()))));
}

const held: Uint8Array[] = [];

const actions: Record<string, (argument: string, request: Request) => unknown> = {
  /** Replies with the worker's process id only. */
  pid: () => {},
  work: (milliseconds) => work(Number(milliseconds)),
  /** Keeps the worker alive after the reply. */
  keep: () => void EdgeRuntime.waitUntil(pass().then(() => console.log("kept"))),
  /** Passes one promise to `waitUntil` twice. */
  twice() {
    const promise = pass();
    EdgeRuntime.waitUntil(promise);
    EdgeRuntime.waitUntil(promise);
  },
  /** Continues to work in small steps after the reply. */
  toil,
  /** Holds some megabytes outside the heap. */
  hold: (megabytes) => void held.push(new Uint8Array(Number(megabytes) * 1024 * 1024).fill(1)),
  hang: pass,
  exit: () => Deno.exit(),
  /** Never replies, and goes on after its client has left. */
  async wait(_argument, { signal }) {
    console.log("waiting");
    await EdgeRuntime.waitUntil(new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())));
    console.log("left");
  },
  crash: () => void setTimeout(() => Promise.reject(new Error("on purpose"))),
};

Deno.serve(async (request) => {
  const [, , what = "", argument = ""] = new URL(request.url).pathname.split("/");
  if (what !== "stream") {
    await actions[what]!(argument, request);
    return new Response(String(Deno.pid));
  }
  return new Response(
    new ReadableStream({
      async start(controller) {
        controller.enqueue(encoder.encode(String(Deno.pid)));
        await pass();
        controller.enqueue(encoder.encode(" whole"));
        controller.close();
      },
    }),
  );
});
