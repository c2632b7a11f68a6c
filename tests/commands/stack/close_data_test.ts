import { join } from "node:path";
import { CommandError } from "../../../supabase/commands/command_error.ts";
import { closeDataFolder, closeFiles } from "../../../supabase/platform/data_folder.ts";
import { assertEquals, assertRejects } from "../../support/assert.ts";

const modeOf = async (path: string) => ((await Deno.lstat(path)).mode! & 0o777).toString(8);

Deno.test({ name: "a data folder", ignore: Deno.build.os === "windows" }, async (t) => {
  const root = await Deno.makeTempDir({ prefix: "close-data-" });
  const makeFolder = async (name: string, mode: number) => {
    const folder = join(root, name);
    await Deno.mkdir(folder);
    await Deno.chmod(folder, mode);
    return folder;
  };
  try {
    await t.step("that is missing is not open", async () => {
      assertEquals(await closeDataFolder(join(root, "missing")), false);
    });
    await t.step("that is closed stays as it is", async () => {
      const folder = await makeFolder("closed", 0o700);
      await Deno.writeTextFile(join(folder, "other.txt"), "");
      assertEquals([await closeDataFolder(folder), await modeOf(folder)], [false, "700"]);
    });
    for (const mode of [0o755, 0o750, 0o701, 0o777]) {
      await t.step(`of mode ${mode.toString(8)} is closed, once`, async () => {
        const folder = await makeFolder(mode.toString(8), mode);
        if (mode === 0o755) await Deno.writeTextFile(join(folder, "secrets.json"), "{}");
        assertEquals([await closeDataFolder(folder), await modeOf(folder)], [true, "700"]);
        assertEquals(await closeDataFolder(folder), false);
      });
    }
    await t.step("that holds something else is refused, and stays as it is", async () => {
      const folder = await makeFolder("other", 0o755);
      await Deno.writeTextFile(join(folder, "letter.txt"), "");
      const error = await assertRejects(() => closeDataFolder(folder), CommandError);
      assertEquals(
        error.message,
        `Other users can read ${folder}, and it contains other files. ` +
          "Set DATA_DIR to a folder that is used for nothing else.",
      );
      assertEquals(await modeOf(folder), "755");
    });
    await t.step("that is a file is refused", async () => {
      const path = join(await makeFolder("full", 0o700), "letter.txt");
      await Deno.writeTextFile(path, "");
      const error = await assertRejects(() => closeDataFolder(path), CommandError);
      assertEquals(error.message, `${path} is a file. Set DATA_DIR to a folder.`);
    });
    await t.step("has its files closed at any depth, but not what links lead to", async () => {
      const [folder, other] = [await makeFolder("deep", 0o700), await makeFolder("linked", 0o755)];
      const file = join(folder, "a/b/file");
      await Deno.mkdir(join(folder, "a/b"), { recursive: true });
      await Deno.writeTextFile(file, "");
      await Deno.chmod(file, 0o666);
      await Deno.symlink(other, join(folder, "a/link"));
      await closeFiles(folder);
      assertEquals(
        await Promise.all([join(folder, "a"), join(folder, "a/b"), file, other].map(modeOf)),
        ["700", "700", "600", "755"],
      );
    });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
