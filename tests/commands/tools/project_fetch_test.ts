import { CommandError } from "../../../supabase/commands/command_error.ts";
import { createProjectFetch } from "../../../supabase/commands/admin/open_project.ts";
import { assertEquals, assertRejects } from "../../support/assert.ts";
import { serve } from "../../support/serve.ts";

Deno.test("a request to a project that does not answer in time is aborted", async (t) => {
  const beginnings: Record<string, (released: Promise<void>) => Response | Promise<Response>> = {
    "before its reply": (released) => released.then(() => new Response("[]")),
    "within its reply": (released) =>
      new Response(ReadableStream.from((async function* () {
        yield new TextEncoder().encode("[");
        await released;
      })())),
  };
  for (const [name, answer] of Object.entries(beginnings)) {
    await t.step(name, async () => {
      const released = Promise.withResolvers<void>();
      await using project = serve(() => answer(released.promise));
      const error = await assertRejects(() => createProjectFetch(project.url, 50)(project.url), CommandError);
      released.resolve();
      assertEquals(
        [error.message, error.exitCode],
        [
          `${project.url} did not answer within 0.05 seconds\n` +
          "The command may have been carried out anyway: check before you run it again.",
          1,
        ],
      );
    });
  }
});

Deno.test("a redirect is refused, and gets no request with the key", async () => {
  const asked: Request[] = [];
  await using elsewhere = serve((request) => {
    asked.push(request);
    return new Response("[]");
  });
  await using project = serve(() => Response.redirect(elsewhere.url));
  await assertRejects(
    () => createProjectFetch(project.url, 10_000)(project.url, { headers: { apikey: "sb_secret_1" } }),
    CommandError,
    `${project.url} did not answer: `,
  );
  assertEquals(asked.length, 0);
});
