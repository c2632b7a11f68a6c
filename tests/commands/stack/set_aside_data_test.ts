import { basename, join } from "node:path";
import { CommandError } from "../../../supabase/commands/command_error.ts";
import { lockData } from "../../../supabase/commands/local/lock_data.ts";
import { setAsideOldData } from "../../../supabase/commands/local/set_aside_data.ts";
import { assertEquals, assertRejects } from "../../support/assert.ts";

const now = new Date("2026-11-22T14:05:09.678Z");

/** A data folder with a stand-in for rows and one for objects, and the migrations that it was made with. */
async function createStack() {
  const root = await Deno.makeTempDir({ prefix: "set-aside-" });
  const [folder, migrations] = [join(root, "stack"), join(root, "migrations")];
  await Deno.mkdir(migrations);
  const writeMigration = (name: string, text: string) => Deno.writeTextFile(join(migrations, name), text);
  await writeMigration("1_one.sql", "create table one ();");
  await writeMigration("2_two.sql", "create table two ();");
  const setAside = async () => {
    const moved = await setAsideOldData(folder, { migrations, now });
    return moved && basename(moved);
  };
  const fill = async (text: string) => {
    for (const name of ["postgres", "storage"]) {
      await Deno.mkdir(join(folder, name), { recursive: true });
      await Deno.writeTextFile(join(folder, name, "data"), text);
    }
  };
  const read = (name: string) =>
    Promise.all(["postgres", "storage"].map((part) => Deno.readTextFile(join(root, name, part, "data"))));
  const isFilled = () => Deno.stat(join(folder, "postgres")).then(() => true, () => false);
  assertEquals(await setAside(), null);
  await fill("first");
  return {
    ...{ folder, migrations, writeMigration, setAside, fill, read, isFilled },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

const asideName = "stack-2026-11-22T14-05-09";

Deno.test("the data of a stack", async (t) => {
  await t.step("stays when the migrations are the same", async () => {
    await using stack = await createStack();
    assertEquals(await stack.setAside(), null);
    assertEquals(await stack.read("stack"), ["first", "first"]);
  });

  const changes: Record<string, (stack: Awaited<ReturnType<typeof createStack>>) => Promise<unknown>> = {
    "a migration is edited": (stack) => stack.writeMigration("1_one.sql", "create table first ();"),
    "a migration is added": (stack) => stack.writeMigration("3_three.sql", ""),
    "a migration is removed": (stack) => Deno.remove(join(stack.migrations, "2_two.sql")),
    "a migration has another name": ({ migrations }) =>
      Deno.rename(join(migrations, "2_two.sql"), join(migrations, "2_second.sql")),
    "the record of its migrations is missing": ({ folder }) => Deno.remove(join(folder, "migrations.sha256")),
  };
  for (const [change, make] of Object.entries(changes)) {
    await t.step(`is set aside completely when ${change}`, async () => {
      await using stack = await createStack();
      await make(stack);
      assertEquals(await stack.setAside(), asideName);
      assertEquals(await stack.read(asideName), ["first", "first"]);
      assertEquals(await stack.isFilled(), false);
      assertEquals(await stack.setAside(), null);
    });
  }

  await t.step("stays when there are other files beside the migrations", async () => {
    await using stack = await createStack();
    await stack.writeMigration("notes.md", "");
    await stack.writeMigration(".3_three.sql", "");
    assertEquals(await stack.setAside(), null);
  });

  await t.step("gets another name when data is set aside twice in a second", async () => {
    await using stack = await createStack();
    await stack.writeMigration("3_three.sql", "");
    assertEquals(await stack.setAside(), asideName);
    await stack.fill("second");
    await stack.writeMigration("4_four.sql", "");
    assertEquals(await stack.setAside(), `${asideName}-2`);
    assertEquals(await stack.read(asideName), ["first", "first"]);
    assertEquals(await stack.read(`${asideName}-2`), ["second", "second"]);
  });

  await t.step("stays while a stack uses it, and is set aside after that stack has ended", async () => {
    await using stack = await createStack();
    await stack.writeMigration("3_three.sql", "");
    const running = (await lockData(stack.folder))!;
    const error = await assertRejects(stack.setAside, CommandError);
    assertEquals(
      error.message,
      `Another stack is already running on ${stack.folder}. Stop it, or set DATA_DIR to another folder.`,
    );
    assertEquals(await stack.read("stack"), ["first", "first"]);
    running.close();
    assertEquals(await stack.setAside(), asideName);
  });

  await t.step("is moved once when two stacks start at the same time", async () => {
    await using stack = await createStack();
    await stack.writeMigration("3_three.sql", "");
    const starts = await Promise.allSettled([stack.setAside(), stack.setAside()]);
    const moved = starts.map((start) => start.status === "fulfilled" ? start.value : null);
    assertEquals(moved.filter((name) => name !== null), [asideName]);
    assertEquals(await stack.read(asideName), ["first", "first"]);
    assertEquals(await stack.setAside(), null);
  });

  await t.step("is not lost when the start is interrupted right after moving it", async () => {
    await using stack = await createStack();
    await Deno.rename(stack.folder, join(stack.folder, `../${asideName}`));
    assertEquals(await stack.setAside(), null);
    assertEquals(await stack.read(asideName), ["first", "first"]);
    await stack.fill("second");
    assertEquals(await stack.setAside(), null);
    assertEquals(await stack.read("stack"), ["second", "second"]);
  });

  await t.step("stays when it cannot be moved, and an error says so", async () => {
    await using stack = await createStack();
    await stack.writeMigration("3_three.sql", "");
    await Deno.rename(stack.folder, `${stack.folder}s`);
    // With the time added, this name is too long for the file system.
    const folder = join(stack.migrations, "../", "s".repeat(250));
    await Deno.rename(`${stack.folder}s`, folder);
    const error = await assertRejects(
      () => setAsideOldData(folder, { migrations: stack.migrations, now }),
      CommandError,
    );
    assertEquals(
      / cannot be moved to .*\. Move it yourself, or set DATA_DIR to another folder\.$/.test(error.message),
      true,
    );
    assertEquals(await Deno.readTextFile(join(folder, "postgres/data")), "first");
  });
});
