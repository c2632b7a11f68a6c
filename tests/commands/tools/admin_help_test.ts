import { exampleOf } from "../../../shared/features/coaches/coach_fields.ts";
import { commands, helpOf, helpOfAll } from "../../../supabase/commands/admin/read_command.ts";
import { parseCoachFile } from "../../../supabase/commands/admin/read_coach_file.ts";
import { assert, assertEquals } from "../../support/assert.ts";

Deno.test("the help of npm run admin has every command with its options", async (t) => {
  const help = helpOfAll();
  for (const [words, { args = {}, options = {} }] of Object.entries(commands)) {
    await t.step(words, () => {
      const line = new RegExp(`^  ${words}\\b.*(\n {12,}.*)*`, "m").exec(help)?.[0] ?? "";
      const named = [
        ...Object.keys(args).map((name) => `<${name}>`),
        ...Object.keys(options).map((name) => `--${name}`),
      ];
      for (const part of named) assert(line.includes(part), `${part} is not in: ${line}`);
      assertEquals(line.match(/--[a-z-]+/g)?.length ?? 0, Object.keys(options).length);
    });
  }
  for (const line of help.split("\n")) assert(line.length <= 102, line);
});

Deno.test("the help of one command has its usage and each of its options, and no others", async (t) => {
  for (const words of Object.keys(commands)) {
    await t.step(words, () => {
      const [usage = "", ...parts] = helpOf(words).split("\n\n");
      assert(usage.startsWith(`npm run admin -- ${words}`), usage);
      const typed = new Set(usage.match(/--[a-z-]+/g));
      const explained = parts.at(-2)!.split("\n").filter((line) => line.startsWith("  --"))
        .flatMap((line) =>
          line.slice(0, line.indexOf("   ", 4) > 0 ? line.indexOf("   ", 4) : undefined).match(/--[a-z-]+/g)!
        );
      for (const name of typed) assertEquals(explained.filter((one) => one === name).length, 1, `${name} of ${words}`);
      for (const entry of parts.at(-2)!.split(/\n(?= {2}--)/)) {
        const [names = ""] = entry.trim().split(/ {2,}|\n/);
        assert(names.match(/--[a-z-]+/g)!.some((name) => typed.has(name)), `${entry} is not of ${usage}`);
      }
      assertEquals(parts.some((part) => part.startsWith("A coach is")), usage.includes("<file.md>"));
    });
  }
});

Deno.test("the help of several commands with the same first word has these commands alone", () => {
  const lines = helpOf("key").split("\n").filter((line) => /^ {2}\w/.test(line));
  assertEquals(lines.map((line) => line.trim().split(" ").slice(0, 2).join(" ")), [
    ...["key issue", "key list", "key show", "key rotate", "key revoke"],
  ]);
});

Deno.test("the help of a command has the defaults of its schema, and brackets around what may be left out", () => {
  const lines = helpOf("source add").split("\n");
  assertEquals(lines.slice(0, 3), [
    "npm run admin -- source add <url> --coach ID [--kind KIND] [--refresh TIME] [--limit N] [--json]",
    "",
    "Has a coach know the pages of the web at an address: see supabase/docs/sources.md.",
  ]);
  for (
    const line of [
      "  --kind KIND      page, site (all pages below the address) or feed; default: page",
      "  --limit N        the maximum number of pages; default: 500",
    ]
  ) assert(lines.includes(line), lines.join("\n"));
  assert(helpOf("price set").startsWith("npm run admin -- price set [<model>] [--default] --input USD --output USD"));
});

Deno.test("the coach file in the help of npm run admin is valid", () => {
  const [example = ""] = /^ {2}---\n[\s\S]*?(?=\n\n)/m.exec(helpOf("coach create")) ?? [];
  // Models that reason refuse a temperature.
  assertEquals<unknown>(parseCoachFile(example.replaceAll(/^ {2}/gm, "")), {
    id: "mara",
    fields: { ...exampleOf("file"), temperature: null },
  });
  for (
    const line of [
      "  model: gpt-6.1-sol                # (the deployment's)",
      "  starters:                         # up to 6 suggested questions (none)",
    ]
  ) {
    assert(example.includes(`${line}\n`), example);
  }
});
