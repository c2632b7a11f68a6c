import { join } from "node:path";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assert, assertEquals } from "../../support/assert.ts";
import { findDeadLinks } from "../../support/find_dead_links.ts";

Deno.test("every link of a page leads to a file and a heading that exist", async () => {
  assertEquals(await findDeadLinks(projectRoot), []);
});

Deno.test("a chat request is told in at most 25 files, as many as ARCHITECTURE.md says", async () => {
  const page = await Deno.readTextFile(join(projectRoot, "ARCHITECTURE.md"));
  const [, said, list = ""] = /passes through these (\d+) files,[^]*?\n\n(1\. [^]*?)\n\n/.exec(page) ?? [];
  const files = new Set(list.matchAll(/\]\(([^)]+)\)/g).map(([, file]) => file));
  assertEquals(files.size, Number(said));
  assert(files.size <= 25);
});

Deno.test("findDeadLinks lists links to missing files and headings", async () => {
  const root = await Deno.makeTempDir();
  await Deno.mkdir(join(root, "docs"));
  await Deno.mkdir(join(root, "node_modules"));
  await Deno.writeTextFile(join(root, "node_modules", "other.md"), "[not ours](nowhere.md)");
  await Deno.writeTextFile(
    join(root, "docs/page.md"),
    "# What is `it`? [A link](../README.md), twice\n## Twice\n## Twice\n```\n# no heading\n[no link](nowhere.md)\n```\n",
  );
  await Deno.writeTextFile(
    join(root, "README.md"),
    [
      "# Top",
      "[page](docs/page.md) [folder](docs) [itself](#top) [site](https://example.com/nowhere.md) `[code](nowhere.md)`",
      "[1](docs/page.md#what-is-it-a-link-twice) [2](docs/page.md#twice-1)",
      "[dead](docs/missing.md) [dead](docs/page.md#no-heading) [dead](#bottom) [dead](../outside.md) [dead](docs#twice)",
      "[reference]: docs/gone.md",
    ].join("\n\n"),
  );
  assertEquals(await findDeadLinks(root), [
    "README.md: #bottom",
    "README.md: ../outside.md",
    "README.md: docs#twice",
    "README.md: docs/gone.md",
    "README.md: docs/missing.md",
    "README.md: docs/page.md#no-heading",
  ]);
  await Deno.remove(root, { recursive: true });
});
