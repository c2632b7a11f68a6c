import { Buffer } from "node:buffer";
import { join } from "node:path";
import { freePort } from "../../supabase/platform/local_address.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "../support/assert.ts";
import { readEvents } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { copyProject, npmStart, readEnvFile } from "../support/local_stack.ts";
import { runCommand } from "../support/run_command.ts";
import { sharedBrowser } from "./browser.ts";
import { type ReferenceVisit, visitReference } from "./reference_visit.ts";

/** The operations of the document, each as its method and path. */
async function listDocumented(baseUrl: string): Promise<string[]> {
  const { paths } = await (await fetch(`${baseUrl}/functions/v1/docs/openapi.json`)).json();
  return Object.entries<Record<string, unknown>>(paths).flatMap(([path, operations]) =>
    Object.keys(operations).filter((key) => /^(?:get|post|put|patch|delete)$/.test(key))
      .map((method) => `${method.toUpperCase()} ${path}`)
  );
}

/** The operations that a page shows, each as its method and path. */
async function listShown(page: ReferenceVisit["page"]): Promise<string[]> {
  return await page.locator(".opblock").evaluateAll((boxes) =>
    boxes.map((box) =>
      `${box.querySelector(".opblock-summary-method")!.textContent} ${
        box.querySelector("[data-path]")!.getAttribute("data-path")
      }`
    )
  );
}

/** Uploads a file in the page, waits until it is indexed, and searches for it in the page. */
async function uploadAndFind(
  open: ReferenceVisit["open"],
  { baseUrl, apiKey, coachId }: { baseUrl: string; apiKey: string; coachId: string },
): Promise<void> {
  const upload = await open("uploadFiles");
  await upload.fill("coachId", coachId);
  await upload.box.locator("input[type=file]").setInputFiles({
    name: "retro.md",
    mimeType: "text/markdown",
    buffer: Buffer.from("A retrospective needs a clock and a heron."),
  });
  const uploaded = await upload.execute();
  assertEquals(uploaded.status, 200, uploaded.shown);
  assertMatch(uploaded.shown, /"totalUploaded": 1/);

  const query = new URLSearchParams({ coachId, search: "heron" });
  await eventually(async () => {
    const reply = await fetch(`${baseUrl}/functions/v1/knowledge-handler?${query}`, {
      headers: { "X-API-Key": apiKey },
    });
    return (await reply.json()).data.length > 0;
  }, "the file was indexed");
  const search = await open("searchFiles");
  await search.fill("coachId", coachId);
  await search.fill("search", "heron");
  const found = await search.execute();
  assertEquals(found.status, 200, found.shown);
  assertMatch(found.shown, /"filename": "retro\.md"/);
}

Deno.test("the reference page of npm start", async (t) => {
  const browser = await sharedBrowser();
  const folder = await copyProject();
  const stack = npmStart(folder, { PORT: String(freePort()), DATA_DIR: join(folder, "data") });

  try {
    await stack.sees(/Ctrl-C stops everything/);
    const values = await readEnvFile(folder);
    const [baseUrl, apiKey, coachId] = [values.BASE_URL!, values.API_KEY!, values.COACH_ID!];
    // The page takes Chromium many seconds: one visit is for all.
    await using visit = await visitReference(browser, baseUrl);
    const { page, open } = visit;
    /** The status of a reply to a request whose path is sent as it is. */
    const curl = async (path: string, ...options: string[]) => {
      const format = ["-s", "--path-as-is", "-o", join(folder, "reply"), "-w", "%{http_code}"];
      const { stdout } = await runCommand("curl", [...format, ...options, baseUrl + path]);
      return { status: stdout, text: await Deno.readTextFile(join(folder, "reply")) };
    };

    await t.step("lists every operation of the document", async () => {
      const documented = await listDocumented(baseUrl);
      assert(documented.length >= 9, documented.join("\n"));
      assertEquals((await listShown(page)).toSorted(), documented.toSorted());
    });

    await t.step("lists threads with the demo key, which is filled in", async () => {
      const operation = await open("listThreads");
      await operation.fill("userId", "user-1");
      const { status, shown } = await operation.execute();
      assertEquals(status, 200, shown);
      assertMatch(shown, /"count": 0/);
    });

    await t.step("chats, and shows the text that was streamed", async () => {
      const operation = await open("chat");
      const body = { message: "How do I start with a new team?", context: { coachId } };
      await operation.box.locator("textarea.body-param__text").fill(JSON.stringify(body));
      const { status, shown } = await operation.execute();
      assertEquals(status, 200, shown);
      assertMatch(readEvents(shown), /\[1\]/, shown);
      assertMatch(shown, /x-thread-id: [0-9a-f-]{36}/);
    });

    await t.step("uploads a file, which a search finds", async () => {
      await uploadAndFind(open, { baseUrl, apiKey, coachId });
    });

    await t.step("signs a user in with the publishable key, which is filled in too", async () => {
      const operation = await open("signIn");
      const body = { email: values.DEMO_EMAIL, password: values.DEMO_PASSWORD };
      await operation.box.locator("textarea.body-param__text").fill(JSON.stringify(body));
      const { status, shown } = await operation.execute();
      assertEquals(status, 200, shown);
      assertMatch(shown, /"access_token": "eyJ/);
    });

    await t.step("shows the refusal after the key has been taken out", async () => {
      await page.locator("button.authorize").click();
      await page.locator(".auth-container", { hasText: "X-API-Key" })
        .getByRole("button", { name: "Remove authorization" }).click();
      await page.locator(".close-modal").click();
      const operation = await open("listThreads");
      await operation.fill("userId", "user-1");
      const { status, shown } = await operation.execute();
      assertEquals(status, 401, shown);
      assertMatch(shown, /Missing API key/);
    });

    await t.step("is not wider than a phone, whatever is unfolded", async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      for (const operationId of ["listThreads", "chat", "uploadFiles", "searchFiles", "signIn"]) {
        await open(operationId);
      }
      assertEquals(await page.evaluate("document.documentElement.scrollWidth"), 360);
    });

    await t.step("sent no request to another origin, and logged no error", () => {
      assertEquals([...visit.origins], [baseUrl]);
      assertEquals(visit.errors, []);
    });

    await t.step("may not send a request to another origin", async () => {
      const elsewhere = baseUrl.replace("127.0.0.1", "localhost");
      const logged = page.waitForEvent("console");
      await assertRejects(() => page.evaluate(`fetch("${elsewhere}/functions/v1/docs/openapi.json")`));
      await logged;
      assertMatch(visit.errors.join("\n"), /Content Security Policy/);
    });

    await t.step("answers at localhost too", async () => {
      const localhost = baseUrl.replace("127.0.0.1", "localhost");
      assertEquals((await curl("/docs/", "-H", `Host: ${new URL(localhost).host}`)).status, "200");
    });

    await t.step("keeps the keys from other sites", async () => {
      const page = await fetch(`${baseUrl}/docs`);
      assertEquals([page.status, page.headers.get("Access-Control-Allow-Origin")], [200, null]);
      const html = await page.text();
      assert(html.includes(apiKey), html);
      // A page of any origin can load scripts and styles.
      const [, ...assets] = html.matchAll(/(?:src|href)="(.*?)"/g).map(([, path]) => path!);
      for (const asset of assets) assert(!(await (await fetch(baseUrl + asset)).text()).includes(apiKey), asset);
      // A site can let its own name point to this machine.
      for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example:80"]) {
        for (const path of ["/docs", "/docs/", "/docs/page.js"]) {
          const { status, text } = await curl(path, "-H", `Host: ${host}`);
          assertEquals([status, text], ["403", '{"error":"This page is served at 127.0.0.1 and localhost only"}']);
        }
      }
    });

    await t.step("serves no other files", async () => {
      for (
        const path of [
          "/docs/page.html",
          "/docs/index.html",
          "/docs/package.json",
          "/docs/constructor",
          "/docs/../data/secrets.json",
          "/docs/%2e%2e/data/secrets.json",
          "/docs/..%2f..%2fdata%2fsecrets.json",
          "/docs//etc/passwd",
          "/docs/page.js/",
          "/docsx",
        ]
      ) {
        assertEquals(await curl(path), { status: "404", text: '{"error":"Not found"}' }, path);
      }
      assertEquals((await curl("/docs", "-X", "POST")).status, "405");
    });
  } finally {
    stack.signal("SIGTERM");
    await stack.ended;
    await Deno.remove(folder, { recursive: true });
  }
});
