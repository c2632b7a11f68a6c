import { CommandError } from "../../../supabase/commands/command_error.ts";
import { readPageSettings } from "../../../supabase/commands/page/page.ts";
import { assertEquals, assertThrows } from "../../support/assert.ts";

const publishable = "hi_pub_Dq6ayAFFJdX0xnSJokPiWhChTv7OaXRGf5b6f7";
const folders = { workingFolder: "/home/ada", usualFolder: "/project/supabase/.temp/page" };
const whole = {
  "base-url": "https://abcdefghijklmnopqrst.supabase.co",
  key: publishable,
  "supabase-key": "sb_publishable_x",
};
const tokenOf = (role: string) => `e30.${btoa(JSON.stringify({ role })).replace(/=+$/, "")}.c2lnbmF0dXJl`;

const read = (values: Record<string, string | undefined>) =>
  readPageSettings(
    Object.entries(values).flatMap(([name, value]) => value === undefined ? [] : [`--${name}`, value]),
    folders,
  );

Deno.test("the command line of npm run page", async (t) => {
  await t.step("with all that is needed", () => {
    assertEquals(read(whole), {
      settings: {
        baseUrl: whole["base-url"],
        key: publishable,
        supabaseKey: "sb_publishable_x",
        coach: "",
        coaches: "",
      },
      folder: "/project/supabase/.temp/page",
    });
  });

  await t.step("a folder is looked up where the command is called; a slash ends an address", () => {
    const command = read({ ...whole, "base-url": "http://127.0.0.1:54321/", out: "public", coach: "ada" });
    assertEquals([command?.settings.baseUrl, command?.settings.coach, command?.folder], [
      "http://127.0.0.1:54321",
      "ada",
      "/home/ada/public",
    ]);
  });

  await t.step("an anon key of the older kind", () => {
    assertEquals(read({ ...whole, "supabase-key": tokenOf("anon") })?.settings.supabaseKey, tokenOf("anon"));
  });

  await t.step("--help", () => assertEquals(readPageSettings(["--help"], folders), null));

  for (
    const [name, values, sentence] of [
      ["no address", { "base-url": undefined }, "--base-url is missing"],
      ["an address without TLS", { "base-url": "http://example.com" }, "must be an address like"],
      ["an address with a path", { "base-url": "https://example.com/functions/v1" }, "must be an address like"],
      ["an address of another kind", { "base-url": "javascript:alert(1)" }, "must be an address like"],
      ["no key", { key: undefined }, "--key is missing"],
      ["a key with a typing error", { key: publishable.replace("D", "E") }, "mistyped"],
      ["a secret key", { key: publishable.replace("pub", "live") }, "secret key"],
      ["no key of the project", { "supabase-key": undefined }, "--supabase-key is missing"],
      ["a secret key of the project", { "supabase-key": "sb_secret_x" }, "must be the project's publishable key"],
      ["its older secret key", { "supabase-key": tokenOf("service_role") }, "must be the project's publishable key"],
      ["an unknown option", { colour: "red" }, "Unknown option '--colour'"],
    ] as const
  ) {
    await t.step(`${name} is refused, and no key is repeated`, () => {
      const error = assertThrows(() => read({ ...whole, ...values }), CommandError, sentence);
      assertEquals(error.exitCode, 2);
      for (const key of [publishable, "sb_secret_x", tokenOf("service_role")]) {
        assertEquals(error.message.includes(key), false, error.message);
      }
    });
  }
});
