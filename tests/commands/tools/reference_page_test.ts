import { createReferencePage } from "../../../supabase/platform/reference_page.ts";
import { assertEquals, assertMatch } from "../../support/assert.ts";

const keys = { apiKey: "hi_live_demo", publishableKey: "sb_publishable_demo" };
const page = createReferencePage(() => keys);
const ask = (path: string, init?: RequestInit) => page(new Request(`http://127.0.0.1:54321${path}`, init));

/** Headers that keep other origins from reading the keys, and the page from sending requests to them. */
const protectiveHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

Deno.test("the reference page", async (t) => {
  await t.step("has these headers on the page, its files and its refusals", async () => {
    for (const path of ["/docs", "/docs/", "/docs/page.js", "/docs/swagger-ui.css", "/docs/nothing"]) {
      const response = await ask(path);
      await response.body?.cancel();
      const { "content-type": _, ...headers } = Object.fromEntries(response.headers);
      assertEquals(headers, protectiveHeaders, path);
    }
  });

  await t.step("has the keys in the page, but not in a script", async () => {
    assertMatch(
      await (await ask("/docs")).text(),
      /data-api-key="hi_live_demo" data-project-key="sb_publishable_demo"/,
    );
    const script = await (await ask("/docs/page.js")).text();
    assertEquals([script.includes("hi_live_"), script.includes("sb_publishable_")], [false, false]);
    assertMatch(script, /validatorUrl: null/);
  });

  await t.step("before there are keys → 503 with Retry-After", async () => {
    const response = await createReferencePage(() => null)(new Request("http://127.0.0.1/docs"));
    assertEquals([response.status, response.headers.get("Retry-After")], [503, "1"]);
    assertEquals(await response.json(), { error: "The service is starting" });
  });

  await t.step("answers only to names of this machine", async () => {
    for (const host of ["evil.example", "localhost.evil.example", "192.168.0.7", "[::1]"]) {
      const response = await page(new Request(`http://${host}/docs`));
      assertEquals(response.status, 403, host);
      assertEquals((await response.text()).includes(keys.apiKey), false);
    }
    assertEquals((await page(new Request("http://localhost:1/docs"))).status, 200);
  });

  await t.step("HEAD → 200, POST → 405", async () => {
    assertEquals((await ask("/docs", { method: "HEAD" })).status, 200);
    const refused = await ask("/docs", { method: "POST" });
    assertEquals([refused.status, refused.headers.get("Allow")], [405, "GET, HEAD"]);
  });

  await t.step("serves only its own files", async () => {
    for (
      const path of ["/docs/..%2fstart.ts", "/docs/package.json", "/docs/constructor", "/docs/page.js/", "/docs//etc"]
    ) {
      assertEquals((await ask(path)).status, 404, path);
    }
  });
});
