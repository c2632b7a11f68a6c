import { parseEnv } from "node:util";
import { hideSecrets } from "../../../supabase/commands/command_error.ts";
import { findMissing, findUnknown, readSecrets, writeSecrets } from "../../../supabase/commands/deploy/read_secrets.ts";
import { assertEquals, assertThrows } from "../../support/assert.ts";

Deno.test("a file of secrets", async (t) => {
  await t.step("is read without what the platform sets and what is empty", () => {
    const { secrets, reserved, empty } = readSecrets(
      "# note\r\nexport A=1 # one\r\nB=\nC=' '\nSUPABASE_URL=x\nSUPABASE_B=\nD=\"two\r\nlines\"\n",
    );
    assertEquals(Object.fromEntries(secrets), { A: "1", D: "two\nlines" });
    assertEquals([reserved, empty], [["SUPABASE_URL", "SUPABASE_B"], ["B", "C"]]);
  });

  await t.step("may begin with a byte order mark", () => {
    assertEquals([...readSecrets("\ufeffA=1\n").secrets], [["A", "1"]]);
  });

  await t.step("is written so that the same values are read from it", () => {
    const values = [
      "plain",
      "it's",
      'a "quote"',
      'it\'s "both"',
      "a # b",
      " $A ${A} ",
      "back\\slash \\n",
      "two\nlines",
    ];
    const secrets = new Map(values.map((value, index) => [`V${index}`, value]));
    assertEquals({ ...parseEnv(writeSecrets(secrets)) }, Object.fromEntries(secrets));
  });

  await t.step("cannot hold a value with every kind of quote", () => {
    assertThrows(() => writeSecrets(new Map([["A", "'`\""]])), Error, "A contains every kind of quote");
  });
});

Deno.test("findUnknown names what no function reads, however it depends on other variables", async () => {
  const docs = await Deno.readTextFile(new URL("../../../supabase/docs/variables.md", import.meta.url));
  const [functions = ""] = docs.split("## What the commands read");
  const cells = Array.from(functions.matchAll(/^\| ([^|]+)\|/gm), ([, cell]) => cell!);
  const documented = cells.flatMap((cell) => cell.match(/(?<=`)[A-Z_]{4,}(?=`)/g) ?? [])
    .filter((name) => !name.startsWith("SUPABASE_"));
  assertEquals(documented.length >= 23, true, documented.join());
  const ofModel = ["TEMPERATURE", "REASONING_EFFORT", "VERBOSITY", "MAX_OUTPUT_TOKENS", "STORE", "CONTEXT_TOKENS"]
    .map((name) => `OPENAI_${name}`);
  assertEquals(findUnknown([...documented, ...ofModel, "NOTE", "OPENAI_KEY"]), ["NOTE", "OPENAI_KEY"]);
});

Deno.test("findMissing names the secrets that the service needs", () => {
  const openai = "OPENAI_API_KEY is missing: without a model, nothing can be answered";
  const upstash = "UPSTASH_REDIS_REST_TOKEN is missing: no function starts with UPSTASH_REDIS_REST_URL alone";
  assertEquals(findMissing([]), [openai]);
  assertEquals(findMissing(["OPENAI_API_KEY"]), []);
  assertEquals(findMissing(["OPENAI_BASE_URL"]), []);
  assertEquals(findMissing(["UPSTASH_REDIS_REST_URL"]), [openai, upstash]);
  assertEquals(findMissing(["OPENAI_API_KEY", "SMTP_URL"]), [
    "MAIL_FROM is missing: no function starts with SMTP_URL alone",
  ]);
  assertEquals(findMissing(["OPENAI_API_KEY", "SMTP_URL", "MAIL_FROM"]), []);
  assertEquals(findMissing(["OPENAI_API_KEY", "UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"]), []);
});

Deno.test("secrets are hidden in plain text, in addresses and in JSON, the longest first", () => {
  const text = 'pass/word pass%2Fword "a\\"secret" sesame sesame-open 1';
  assertEquals(
    hideSecrets(text, ["pass/word", 'a"secret', "sesame", "sesame-open", "1", "", null, undefined]),
    '••• ••• "•••" ••• ••• 1',
  );
});
