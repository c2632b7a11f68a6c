import { proxy } from "hono/proxy";
import { uploadsAtOnce } from "../../shared/features/knowledge/limits.ts";
import { peakMemoryOf } from "../bench/measured_process.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { eventually } from "../support/eventually.ts";
import { assertRefused, assertReply, type NewFile, upload } from "../support/client.ts";
import { startFunctionProcess } from "../support/function_process.ts";
import { deleteRows } from "../support/knowledge.ts";
import { createTenant, type Tenant } from "../support/project.ts";
import { sampleFiles } from "../support/sample_files.ts";
import { serve } from "../support/serve.ts";
import { projectVariable } from "../support/service.ts";

const megabyte = 1024 * 1024;

Deno.test({
  name: "10 files of 10 MB pass through the function, as it is deployed, in under 200 MB of memory",
  // Only Linux reports the peak memory of a process.
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using process = await startFunctionProcess("knowledge-handler");
    const tenant = await createTenant();
    const files = Array.from({ length: 10 }, (_, index): NewFile => {
      const film = new Uint8Array(10_000_000).fill(index);
      film.set(sampleFiles.mp4);
      return [`${index}.mp4`, film];
    });
    const reply = await upload(process, tenant, tenant.coachId, files);
    assertReply(reply, 200);
    assertEquals(reply.json.totalUploaded, 10, reply.text);
    const peak = peakMemoryOf(process.pid);
    assert(peak < 200, `${peak} MB`);
    await deleteRows(tenant.coachId);
  },
});

/** The project of the test run, with a Storage that keeps nothing and counts the bytes that it gets. */
function startForgetfulStorage() {
  const project = projectVariable("SUPABASE_URL");
  const waiting: { bytes: number; resolve: () => void }[] = [];
  let received = 0;
  const server = serve(async (request) => {
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith("/storage/")) return await proxy(project + pathname + search, { raw: request });
    try {
      for await (const chunk of request.body ?? []) {
        received += chunk.length;
        for (const { bytes, resolve } of waiting) if (received >= bytes) resolve();
      }
    } catch {
      // The function has given the upload up.
    }
    return Response.json({ Id: "an id", Key: "a key" });
  });
  return {
    url: server.url,
    untilReceived: (bytes: number) => new Promise<void>((resolve) => void waiting.push({ bytes, resolve })),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

/** Begins to send a film, and stops after some of it. Disposing of it hangs up. */
async function stallUpload({ url }: { url: string }, { coachId, apiKey }: Tenant, bytes: number): Promise<Disposable> {
  const { hostname, port } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const film = new Uint8Array(bytes);
  film.set(sampleFiles.mp4);
  const head = [
    `POST /knowledge-handler?coachId=${coachId} HTTP/1.1`,
    "Host: localhost",
    `X-API-Key: ${apiKey}`,
    "Content-Type: multipart/form-data; boundary=b",
    `Content-Length: ${40 * megabyte}`,
    "",
    `--b\r\nContent-Disposition: form-data; name="files"; filename="film.mp4"\r\n\r\n`,
  ].join("\r\n");
  await ReadableStream.from([new TextEncoder().encode(head), film]).pipeTo(connection.writable, { preventClose: true });
  return { [Symbol.dispose]: () => connection.close() };
}

Deno.test({
  name: "as many uploads as a worker takes, all of which stall, leave it under 200 MB; one more is asked to come back",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using backend = startForgetfulStorage();
    await using process = await startFunctionProcess("knowledge-handler", { SUPABASE_URL: backend.url });
    const { limit, share } = uploadsAtOnce;
    const tenants = await Promise.all(
      Array.from({ length: limit / share + 1 }, () => createTenant({ requests_per_minute: 1_000 })),
    );
    const tenant = tenants.at(-1)!;
    const good = (of = tenant) => upload(process, of, of.coachId, [["good.txt", "Good words"]]);
    const sent = 4 * megabyte;
    // The service holds back a part of each file until the rest of it has come.
    const arrived = backend.untilReceived(limit * (sent - megabyte));
    {
      using stack = new DisposableStack();
      for (const busy of tenants.slice(0, -1)) {
        // Those of one account leave places for others.
        assertReply(await good(), 200);
        for (let count = 0; count < share; count++) stack.use(await stallUpload(process, busy, sent));
        await eventually(async () => (await good(busy)).status === 503, "the account has used its share");
      }
      await arrived;
      const peak = peakMemoryOf(process.pid);
      assert(peak < 200, `${peak} MB`);

      const refused = await good();
      assertRefused(refused, "unavailable/uploads");
      assertEquals(refused.headers.get("Retry-After"), "5");
    }
    // They have hung up: their places are free soon.
    await eventually(async () => (await good()).status === 200, "an upload is accepted");
    await deleteRows(tenant.coachId);
  },
});
