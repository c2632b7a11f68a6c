import { join } from "node:path";
import { assertEquals, assertStringIncludes } from "../../support/assert.ts";
import { runCommand } from "../../support/run_command.ts";

const local = new URL("../../../supabase/platform", import.meta.url);
const errorLine = JSON.stringify({ level: "error", event: "request" });

/** Runs code with `openLogFile` in a process, and returns its standard error. */
async function run(code: string, redirect = "") {
  const script = `import { openLogFile } from "${local}/child_process.ts";\n${code}`;
  const output = await runCommand("bash", ["-c", `"$0" eval --quiet "$1" ${redirect}`, Deno.execPath(), script], {
    env: { NO_COLOR: "1" },
  });
  return { code: output.code, lines: output.stderr.split("\n").filter((line) => line !== "") };
}

Deno.test({ name: "on a full disk", ignore: Deno.build.os !== "linux" }, async (t) => {
  const folder = await Deno.makeTempDir({ prefix: "full-disk-" });
  try {
    await t.step(
      "that logs cannot be written is said once for all files and lines, and nothing else happens",
      async () => {
        const { code, lines } = await run(`
        const logs = [openLogFile("/dev/full", "chat"), openLogFile("/dev/full", "users")];
        for (let line = 0; line < 5; line++) for (const log of logs) await log("line");
      `);
        assertEquals([code, lines.length], [0, 1], lines.join("\n"));
        assertStringIncludes(lines[0]!, "Cannot write the logs: No space left on device");
      },
    );

    await t.step(
      "that they can be written again is said once, when it is true of all, and a second time is told",
      async () => {
        const { code, lines } = await run(`
        const folders = ["a", "b"].map((name) => ${JSON.stringify(folder)} + "/" + name);
        const logs = folders.map((folder) => openLogFile(folder + "/log", "x"));
        const writeAll = async (line) => { for (const log of logs) await log(line); };
        await writeAll("lost");
        Deno.mkdirSync(folders[0]);
        await writeAll("lost in b");
        console.error("both");
        Deno.mkdirSync(folders[1]);
        await writeAll("kept");
        await writeAll("kept too");
        Deno.removeSync(folders[0], { recursive: true });
        await writeAll("lost in a");
      `);
        assertEquals(code, 0, lines.join("\n"));
        assertEquals(lines.map((line) => line.replace(/:.*/, "")), [
          "Cannot write the logs",
          "both",
          "Can write the logs again.",
          "Cannot write the logs",
        ]);
        assertEquals(await Deno.readTextFile(join(folder, "b/log")), "kept\nkept too\nlost in a\n");
      },
    );

    await t.step("a terminal that is a file there takes no line, and the logs go on", async () => {
      const path = join(folder, "log");
      const { code } = await run(
        `const log = openLogFile(${JSON.stringify(path)}, "chat");
        for (let line = 0; line < 3; line++) await log(${JSON.stringify(errorLine)});`,
        ">/dev/full 2>/dev/full",
      );
      assertEquals([code, await Deno.readTextFile(path)], [0, `${errorLine}\n`.repeat(3)]);
    });

    // In a process that ends by it, as the backend does: otherwise it would never end.
    await t.step("a panic of Postgres is noticed at once, and no other error is taken for one", async () => {
      const { code, lines } = await run(`
        import { PGlite } from "@electric-sql/pglite";
        import { onPanic } from "${local}/open_stack_app.ts";
        const data = ${JSON.stringify(folder)} + "/postgres";
        const postgres = await PGlite.create(data);
        onPanic(postgres, ({ message }) => {
          console.error("PANIC " + message);
          Deno.exit(9);
        });
        await postgres.exec("create table notes (id int primary key)");
        await postgres.exec("insert into notes values (1), (1)").catch(({ message }) => console.error(message));
        await postgres.query("select $1::int", ["x"]).catch(({ message }) => console.error(message));
        // The next file of its log cannot be made then, as on a full disk.
        Deno.renameSync(data + "/pg_wal", data + "/gone");
        await postgres.exec("select pg_switch_wal()");
        await postgres.exec("insert into notes values (2)");
      `);
      assertEquals([code, lines.map((line) => line.slice(0, 13))], [9, [
        "duplicate key",
        "invalid input",
        "PANIC could n",
      ]], lines.join("\n"));
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
