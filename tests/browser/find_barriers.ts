import axe from "axe-core";
import type { Page } from "playwright-core";

/** The barriers of a page according to axe: serious and critical findings, with their places. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // deno-lint-ignore no-explicit-any
  const { violations } = await page.evaluate(() => (globalThis as any).axe.run()) as axe.AxeResults;
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`)
  );
}
