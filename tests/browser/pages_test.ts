import { assertEquals } from "../support/assert.ts";
import { sharedBrowser } from "./browser.ts";
import { openSite, visit } from "./site.ts";

Deno.test("the pages of the stack", async (t) => {
  const browser = await sharedBrowser();
  await using site = await openSite();
  for (const path of ["", "desk", "desk/", "oauth/consent", "oauth/consent/"]) {
    await t.step(`/${path} opens without an error, and asks nobody but the service`, async () => {
      await using visited = await visit(browser, site.url + path);
      await visited.page.locator("human-chat, human-desk, human-consent").waitFor();
      assertEquals([visited.errors, [...visited.origins]], [[], [new URL(site.url).origin]]);
    });
  }
});
