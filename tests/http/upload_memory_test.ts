import { assert, assertEquals } from "deno-std/assert/mod.js";
import { peakMemoryOf } from "../bench/measured_process.ts";
import { assertReply, type NewFile, upload } from "../support/client.ts";
import { startFunctionProcess } from "../support/function_process.ts";
import { deleteRows } from "../support/knowledge.ts";
import { createTenant } from "../support/project.ts";
import { sampleFiles } from "../support/sample_files.ts";

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
