import { assertEquals } from "../../support/assert.ts";
import { startBackend } from "../../support/backend.ts";
import { openToOthers } from "../../support/open_to_others.ts";
import { runCommand } from "../../support/run_command.ts";

Deno.test("the backend of the local stack", async (t) => {
  await using backend = await startBackend();

  /** Asks without a key. `fetch` would not send the host of another. */
  async function ask(path: string, { host = new URL(backend.url).host, method = "GET" } = {}) {
    const { stdout } = await runCommand(
      "curl",
      ["-s", "--path-as-is", "-X", method, "-H", `Host: ${host}`, "-w", "\n%{http_code}", backend.url + path],
    );
    const [, body = "", status] = /^([\s\S]*)\n(\d+)$/.exec(stdout) ?? [];
    return { status: Number(status), body };
  }

  await t.step("no other user can read its files", async () => {
    assertEquals(await openToOthers(backend.folder), []);
  });

  for (
    const path of [
      "/",
      "/foo",
      "/_system/info",
      "/_system/config",
      "/_system/introspect",
      "/%5fsystem/info",
      "//_system/info",
      "/rest/v1/../../_system/info",
      "/rest/v1/%2e%2e/%2e%2e/_system/info",
      "/studio",
      "/graphql/v1",
      "/rest/v1x",
    ]
  ) {
    await t.step(`${path} → 404`, async () => {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        assertEquals(await ask(path, { method }), { status: 404, body: '{"error":"Not found"}' });
      }
    });
  }

  await t.step("no encoding of a path leads from REST, Auth or Storage to the rest of lite", async () => {
    for (const area of ["rest", "auth", "storage"]) {
      for (const way of ["/..%2f..%2f_system/info", "/%252e%252e/%252e%252e/_system/info", "//_system/info"]) {
        const { status, body } = await ask(`/${area}/v1${way}`);
        assertEquals([status >= 400, body.includes("connection")], [true, false], `${area}${way}: ${status} ${body}`);
      }
    }
  });

  await t.step("the host of another site → 403, whatever the path", async () => {
    for (const path of ["/_system/info", "/auth/v1/.well-known/jwks.json", "/storage/v1/bucket", "/rest/v1/accounts"]) {
      for (const host of ["evil.example", "127.0.0.1.evil.example", "0.0.0.0"]) {
        assertEquals((await ask(path, { host })).status, 403, `${path} ${host}`);
      }
    }
  });

  await t.step("the rows, users and objects of the project are not to be had without a key", async () => {
    for (const path of ["/rest/v1/", "/rest/v1/accounts", "/auth/v1/admin/users", "/auth/v1/settings"]) {
      assertEquals((await ask(path)).status, 401, path);
    }
    assertEquals((await ask("/storage/v1/bucket")).body, "[]");
    assertEquals((await ask("/storage/v1/object/knowledge/x")).status, 400);
  });

  await t.step("what a project publishes is there, at each name of this machine", async () => {
    const { port } = new URL(backend.url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
      assertEquals((await ask("/auth/v1/.well-known/jwks.json", { host })).status, 200);
    }
  });
});
