import { commands } from "../../../supabase/commands/admin/commands.ts";
import { help, helpOf } from "../../../supabase/commands/admin/help.ts";
import { parseCoachFile } from "../../../supabase/commands/admin/read_coach_file.ts";
import { assert, assertEquals } from "../../support/assert.ts";

Deno.test("the help of npm run admin has every command with its options", async (t) => {
  for (const [words, { input, positionals }] of Object.entries(commands)) {
    await t.step(words, () => {
      const line = new RegExp(`^  ${words}\\b.*(\n {12,}.*)*`, "m").exec(help)?.[0] ?? "";
      const named = positionals.map((name) => `<${name}>`);
      const options = Object.keys(input.shape).filter((name) => !positionals.includes(name)).map((name) => `--${name}`);
      for (const part of [...named, ...options]) assert(line.includes(part), `${part} is not in: ${line}`);
      assertEquals(line.match(/--[a-z-]+/g)?.length ?? 0, options.length);
    });
  }
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

Deno.test("the coach file in the help of npm run admin is valid", () => {
  const [example = ""] = /^ {2}---\n[\s\S]*?(?=\n\n)/m.exec(help) ?? [];
  assertEquals(parseCoachFile(example.replaceAll(/^ {2}/gm, "")), {
    id: "ada",
    fields: {
      name: "Ada Byron",
      title: "Mathematics Coach",
      greeting: "What shall we compute?",
      starters: ["What is a proof?", "How do I begin?"],
      model: "gpt-6.1-sol",
      language: "english",
      reasoning_effort: "low",
      verbosity: "medium",
      // Models that reason refuse one.
      temperature: null,
      max_output_tokens: 4000,
      store_responses: true,
      history_limit: 20,
      no_answer: "I have to ask first.",
      takeover_notice: "I will write to you myself.",
      takeover_minutes: 60,
      sources_are_open: false,
      instructions: "Ask before you tell.",
    },
  });
});
