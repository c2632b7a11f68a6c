import { readScript } from "../../../supabase/commands/backup/restore.ts";
import { pathInBackup } from "../../../supabase/commands/backup/manifest.ts";
import { explainConnection } from "../../../supabase/commands/backup/open_database.ts";
import { readBackupSettings } from "../../../supabase/commands/backup/read_backup_settings.ts";
import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "../../support/assert.ts";

const ref = "abcdefghijklmnopqrst";
const read = (args: string[], env: Record<string, string> = {}, command: "backup" | "restore" = "backup") =>
  readBackupSettings(command, args, { env, workingFolder: "/work" })!;

Deno.test("the settings of a backup", async (t) => {
  await t.step("a reference names the project's own database, Storage and folder", () => {
    const { database, ...others } = read([ref], { SUPABASE_DB_PASSWORD: "p/w d", SECRET_KEY: "key" });
    assertEquals(database.host + database.pathname, `db.${ref}.supabase.co:5432/postgres`);
    assertEquals([database.username, decodeURIComponent(database.password)], ["postgres", "p/w d"]);
    assertEquals(database.searchParams.get("sslmode"), "require");
    assertEquals(others, {
      projectRef: ref,
      projectUrl: `https://${ref}.supabase.co`,
      secretKey: "key",
      folder: `/work/backup/${ref}`,
    });
  });

  await t.step("the address of a pooler belongs to the project of its user, whatever BASE_URL says", () => {
    const pooler = `postgresql://postgres.${ref}:[YOUR-PASSWORD]@aws-0-eu-west-1.pooler.supabase.com:5432/postgres`;
    const env = { SUPABASE_DB_PASSWORD: "secret", BASE_URL: "https://other.example" };
    for (const settings of [read([pooler], env), read([ref], { ...env, DATABASE_URL: pooler })]) {
      assertEquals([settings.projectRef, settings.projectUrl], [ref, `https://${ref}.supabase.co`]);
      assertEquals(settings.database.password, "secret");
    }
  });

  await t.step("another database has its own address, password, folder and Storage", () => {
    const address = "postgres://me:pw@db.example.com/app?sslmode=disable";
    const settings = read([address, "--folder", "/b"], {
      SUPABASE_DB_PASSWORD: "no",
      BASE_URL: "https://api.example/",
    });
    assertEquals([settings.database.password, settings.database.searchParams.get("sslmode")], ["pw", "disable"]);
    assertEquals([settings.projectUrl, settings.folder], ["https://api.example", "/b"]);
    assertEquals(read(["postgres://me@127.0.0.1/app"]).database.searchParams.get("sslmode"), "disable");
  });

  await t.step("what is wrong is refused with a sentence, which never has the password", () => {
    const wrong: [string[], RegExp, Record<string, string>?][] = [
      [[], /The project is missing/],
      [[ref, ref], /Only one project/],
      [[ref, "--out", "x"], /Unknown option '--out'/],
      [["secret-pw"], /neither a project reference.*\n.*percent-encoded/],
      [["postgres://me:secret-pw/x@host/db"], /percent-encoded/],
      [[ref], /database of another project/, { DATABASE_URL: "postgres://postgres.x:secret-pw@host.supabase.com/db" }],
    ];
    for (const [args, sentence, env] of wrong) {
      const { message } = assertThrows(() => read(args, env), Error);
      assertMatch(message, sentence);
      assertEquals(message.includes("secret-pw"), false, message);
    }
    assertMatch(assertThrows(() => read([ref], {}, "restore"), Error).message, /--folder is missing/);
  });
});

Deno.test("why a database cannot be reached is said with what to do", () => {
  const direct = new URL(`postgres://postgres@db.${ref}.supabase.co:5432/postgres`);
  const explain = (fields: object, message = "refused") =>
    explainConnection(Object.assign(new Error(message), fields), direct);
  assertStringIncludes(
    explain({ code: "28P01" }),
    "did not accept the password of postgres.\nSet SUPABASE_DB_PASSWORD",
  );
  assertStringIncludes(explain({}, "client password must be a string"), "Set SUPABASE_DB_PASSWORD");
  assertStringIncludes(explain({ code: "ENETUNREACH" }), "needs IPv6. If you have none, set DATABASE_URL");
  assertStringIncludes(explain({}, "The server does not support SSL connections"), "?sslmode=disable");
});

Deno.test("a path from a bucket stays in the folder of the backup", () => {
  const pathOf = (path: string) => pathInBackup("/b", { bucket: "knowledge", path });
  assertEquals(pathOf("a/b c.md"), "/b/knowledge/a/b c.md");
  for (const path of ["../x", "a/../../x", "/x", "a//b", "a\\..\\b", "."]) assertThrows(() => pathOf(path), Error);
});

Deno.test("rows end at their line, wherever the blocks of the file are cut", async () => {
  const text = "COPY a;\n1\t\\\\.\n\\\\.x\n\\.\nCOPY b;\n\\.\nend\n";
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size <= bytes.length; size++) {
    const blocks = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    const script = readScript(blocks());
    const rows = async () => (await Array.fromAsync(script.rows())).join("");
    const read = [await script.line(), await rows(), await script.line(), await rows(), await script.line()];
    assertEquals(read, ["COPY a;", "1\t\\\\.\n\\\\.x\n", "COPY b;", "", "end"], `blocks of ${size}`);
    assertEquals(await script.line(), null);
  }
});
