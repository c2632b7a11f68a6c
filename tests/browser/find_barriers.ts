import axe from "axe-core";
import type { Page } from "playwright-core";
import { assertEquals } from "../support/assert.ts";
import { findOverflow } from "./find_overflow.ts";

/** The barriers of a page according to axe: serious and critical findings, with their places. */
export async function findBarriers(page: Page): Promise<string[]> {
  // A page that is looked at again has it already.
  if (!await page.evaluate(() => "axe" in globalThis)) await page.evaluate(axe.source);
  // The other results are many, and would cross to this process.
  const violations: axe.Result[] = await page.evaluate(
    // deno-lint-ignore no-explicit-any
    async () => (await (globalThis as any).axe.run({ resultTypes: ["violations"] })).violations,
  );
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`)
  );
}

/** Fails if anything of a screen is cut off, or if axe finds a barrier. */
export async function assertSound(page: Page, screen: string): Promise<void> {
  assertEquals([screen, ...await findOverflow(page)], [screen]);
  assertEquals([screen, ...await findBarriers(page)], [screen]);
}
