import type { BrowserContextOptions } from "playwright-core";

/** A look of a page; see {@link looks}. */
export type Look = { name: string; width: number; options: BrowserContextOptions };

/** The widths of a phone and of a desk, in both color schemes, for pages that are looked through with axe. */
export const looks: readonly Look[] = [390, 1_400].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({
    name: `${width} px, ${colorScheme}`,
    width,
    options: {
      viewport: { width, height: 844 },
      colorScheme,
      reducedMotion: "reduce" as const,
      // The tests' own script is none of the page's, whose policy would keep it out.
      bypassCSP: true,
    },
  }))
);
