/// <reference lib="dom" />
import type { Locator } from "playwright-core";
import { assert, assertEquals } from "../support/assert.ts";
import { createCoach } from "../support/project.ts";
import { endedAnswers, say, script } from "./chat.ts";
import { embed } from "./embed.ts";
import { findBarriers } from "./find_barriers.ts";
import { findOverflow } from "./find_overflow.ts";
import { openSite, visit } from "./site.ts";

/** The number of lines that a text takes. */
async function linesOf(place: Locator): Promise<number> {
  return await place.evaluate((it) => {
    const range = document.createRange();
    range.selectNodeContents(it);
    return new Set([...range.getClientRects()].map(({ y }) => Math.round(y))).size;
  });
}

const table = `| Name | Description | Price | Weight | Color | Origin |
|:-----|:-----------:|------:|--------|-------|--------|
| Alpha | Something that needs more than one line | 1,200.00 | 12 | orange | Gothenburg |`;

Deno.test("the chat where there is little room", async (t) => {
  await using site = await openSite();

  await t.step(
    "a table scrolls by itself, with whole words, and each column is aligned as the answer says",
    async () => {
      await using visitor = await visit(site.url, {
        viewport: { width: 390, height: 844 },
        bypassCSP: true,
        reducedMotion: "reduce",
      });
      const { page } = visitor;
      script(site, table);
      await say(page, "Which ones?");
      const shown = endedAnswers(page).getByRole("table");
      for (const word of ["Name", "Weight", "Color", "1,200.00", "Gothenburg"]) {
        assertEquals([word, await linesOf(shown.getByText(word, { exact: true }))], [word, 1]);
      }
      const aligned = (name: string) =>
        shown.getByRole("columnheader", { name }).evaluate((it) =>
          getComputedStyle(it).textAlign.replace("-webkit-", "")
        );
      assertEquals(await Promise.all(["Name", "Description", "Price", "Weight"].map(aligned)), [
        "left",
        "center",
        "right",
        "start",
      ]);
      await shown.focus();
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction((it) => it!.scrollLeft > 0, await shown.elementHandle());
      assertEquals(await page.locator("html").evaluate((it) => it.scrollWidth > it.clientWidth), false);
      assertEquals(await findBarriers(page), []);
      assertEquals(visitor.errors, []);
    },
  );

  await t.step("at 400 %, the choice of a coach begins with its question, and cuts no word", async () => {
    await createCoach(site.tenant.accountId, { name: "Grace Hopper", title: "Compilers and ships" });
    await using other = await embed(site, "<human-chat {{settings}}></human-chat>");
    for (const locale of ["en", "ar"]) {
      await using visitor = await visit(other.url, { locale, viewport: { width: 320, height: 256 } });
      const { page } = visitor;
      const choice = page.getByRole("button", { name: /Grace Hopper/ });
      await choice.waitFor();
      const [heading, header] = [page.locator(".middle").getByRole("heading"), page.locator("header")];
      const [{ y }, above] = [(await heading.boundingBox())!, (await header.boundingBox())!];
      assert(y >= above.y + above.height, `${locale}: the heading is at ${y}`);
      const name = choice.getByText("Grace Hopper", { exact: true });
      assertEquals([locale, await linesOf(name)], [locale, 1]);
      const [title, button] = [await choice.getByText("Compilers").boundingBox(), await name.boundingBox()];
      const end = ({ x, width }: { x: number; width: number }) => Math.round(locale === "ar" ? x + width : x);
      assertEquals([locale, end(title!)], [locale, end(button!)], "the name and the title begin at the same line");
      assertEquals([locale, ...await findOverflow(page)], [locale]);
      assertEquals(visitor.errors, []);
    }
  });
});
