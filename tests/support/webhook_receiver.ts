import { Webhook } from "standardwebhooks";

/** A message that has arrived, its signature verified. */
// deno-lint-ignore no-explicit-any
export type ReceivedMessage = { id: string; type: string; timestamp: string; data: Record<string, any>; path: string };

/** A server that receives messages of webhooks. */
export type WebhookReceiver = AsyncDisposable & {
  url: string;
  /** The secrets that messages must be signed with, by the path that they are sent to. */
  secrets: Record<string, string>;
  /** The messages so far, oldest first. */
  received: ReceivedMessage[];
  /** The number of missing or wrong signatures. */
  forged: number;
  /** The status of the reply; by default 204. */
  answer: (message: ReceivedMessage) => Response | Promise<Response>;
};

/** Starts one. Signatures are verified by the package that the documentation names. */
export function startWebhookReceiver(): WebhookReceiver {
  const stopped = Promise.withResolvers<void>();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    try {
      const webhook = new Webhook(self.secrets[pathname] ?? "");
      const body = webhook.verify(text, Object.fromEntries(request.headers)) as ReceivedMessage;
      const message = { ...body, id: request.headers.get("webhook-id")!, path: pathname };
      self.received.push(message);
      return await Promise.race([self.answer(message), stopped.promise.then(() => new Response(null))]);
    } catch {
      self.forged++;
      return new Response(null, { status: 401 });
    }
  });
  const self: WebhookReceiver = {
    url: `http://127.0.0.1:${server.addr.port}`,
    secrets: {},
    received: [],
    forged: 0,
    answer: () => new Response(null, { status: 204 }),
    async [Symbol.asyncDispose]() {
      stopped.resolve();
      await server.shutdown();
    },
  };
  return self;
}
