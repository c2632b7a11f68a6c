import { parseEnv } from "node:util";
import { readEnv } from "../../../shared/infra/env.ts";
import { hideSecrets } from "../../../supabase/commands/command_error.ts";
import {
  findMissing,
  knownVariables,
  readSecrets,
  writeSecrets,
} from "../../../supabase/commands/deploy/read_secrets.ts";
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

Deno.test("the known variables are those that the functions read", () => {
  const read = new Set<string>();
  readEnv((name) => {
    read.add(name);
    if (name === "SMTP_URL") return "smtps://set.example";
    if (name === "MAIL_FROM") return "set@set.example";
    if (/URL$|ENDPOINT$/.test(name)) return "https://set.example";
    return /_KEY$|TOKEN$|MODEL$|SECRET$/.test(name) ? "set" : undefined;
  });
  const ofPlatform = /^(?:SUPABASE|SB)_/;
  assertEquals([...read].filter((name) => !ofPlatform.test(name)).toSorted(), knownVariables.toSorted());
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
