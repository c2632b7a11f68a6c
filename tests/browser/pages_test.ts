import { assertEquals } from "../support/assert.ts";
import { openSite, visit } from "./site.ts";

Deno.test("the pages of the stack", async (t) => {
  await using site = await openSite();
  for (const path of ["", "desk", "desk/", "oauth/consent", "oauth/consent/"]) {
    await t.step(`/${path} opens without an error, and asks nobody but the service`, async () => {
      await using visited = await visit(site.url + path);
      await visited.page.locator("human-chat, human-desk, human-consent").waitFor();
      assertEquals([visited.errors, [...visited.origins]], [[], [new URL(site.url).origin]]);
    });
  }
});
