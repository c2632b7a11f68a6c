import { Hono } from "hono";
import { signAddress } from "../../shared/features/reading/original_address.ts";
import { createOriginalHandler } from "../../shared/features/reading/serve_original.ts";
import type { AppEnv } from "../../shared/http/app_env.ts";
import { createFileStore } from "../../shared/infra/storage/file_store.ts";
import { assertEquals } from "../support/assert.ts";
import { serve } from "../support/serve.ts";

Deno.test("whoever moves on in a recording ends the reading of it, and not the process", async () => {
  const left = Promise.withResolvers<void>();
  // A Storage that sends no parts, and an object without an end.
  await using storage = serve(() =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
        cancel: () => left.resolve(),
      }),
    )
  );
  const original = { storagePath: "a/b.mp3", filename: "b.mp3", contentType: "audio/mpeg", size: 999_999_999 };
  const serveOriginal = createOriginalHandler({
    database: { call: () => Promise.resolve(original) } as never,
    files: createFileStore({ supabaseUrl: storage.url, secretKey: "sb_secret_x" }, 5_000),
    secretKeys: ["x"],
  });
  const app = new Hono<AppEnv>().get("/:token", serveOriginal);
  await using server = serve((request) => app.fetch(request));
  const expiresAt = new Date(Date.now() + 30_000);
  const url = `${server.url}/${await signAddress(["x"], { fileId: crypto.randomUUID(), expiresAt })}`;
  const browser = new AbortController();
  const response = await fetch(url, { headers: { Range: "bytes=0-" }, signal: browser.signal });
  assertEquals(response.status, 206);
  await response.body!.getReader().read();
  browser.abort();
  await left.promise;
  assertEquals((await fetch(url, { method: "HEAD" })).status, 200);
});
