import { basename, join } from "node:path";
import { release } from "../../../shared/infra/release.ts";
import { CommandError } from "../../../supabase/commands/command_error.ts";
import { lockData } from "../../../supabase/platform/data_folder.ts";
import { prepareData, setDataAside } from "../../../supabase/platform/set_aside_data.ts";
import { assertEquals, assertRejects } from "../../support/assert.ts";
import { runCommand } from "../../support/run_command.ts";

const now = new Date("2026-11-22T14:05:09.678Z");

/** A data folder with a stand-in for rows and one for objects, and the migrations that it was made with. */
async function createStack() {
  const root = await Deno.makeTempDir({ prefix: "set-aside-" });
  const [folder, migrations] = [join(root, "stack"), join(root, "migrations")];
  await Deno.mkdir(migrations);
  const writeMigration = (name: string, text: string) => Deno.writeTextFile(join(migrations, name), text);
  await writeMigration("1_one.sql", "create table one ();");
  await writeMigration("2_two.sql", "create table two ();");
  const prepare = (at = now) => prepareData(folder, { migrations, now: at });
  const setAsideAt = async (at: Date) => (await prepare(at)).setAside;
  const setAside = async () => {
    const done = await setAsideAt(now);
    return done && basename(done.movedTo);
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
    ...{ root, folder, migrations, writeMigration, prepare, setAside, setAsideAt, fill, read, isFilled },
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
    "a migration is added before the last one": (stack) => stack.writeMigration("1_two.sql", ""),
    "a migration is removed, but not the last one": (stack) => Deno.remove(join(stack.migrations, "1_one.sql")),
    "a migration has another name": ({ migrations }) =>
      Deno.rename(join(migrations, "2_two.sql"), join(migrations, "2_second.sql")),
    "it is from before 1.0.0: it has no record of its migrations": ({ folder }) =>
      Deno.remove(join(folder, "migrations.json")),
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

  await t.step("stays when migrations were added at the end, which are pending", async () => {
    await using stack = await createStack();
    await stack.writeMigration("3_three.sql", "");
    await stack.writeMigration("4_four.sql", "");
    assertEquals(await stack.prepare(), { setAside: null, pending: ["3_three.sql", "4_four.sql"] });
    assertEquals(await stack.read("stack"), ["first", "first"]);
  });

  await t.step("stays, refused, when it has migrations that the checkout does not know", async () => {
    await using stack = await createStack();
    await Deno.remove(join(stack.migrations, "2_two.sql"));
    const before = await Deno.readTextFile(join(stack.folder, "migrations.json"));
    const error = await assertRejects(stack.prepare, CommandError);
    assertEquals(
      error.message,
      `The data in ${stack.folder} is of a later version: it has migrations that this one does not know. ` +
        "Nothing was changed.\n" +
        "To go on with that data: npm start in the checkout of that version\n" +
        `To start this version with data of its own: DATA_DIR=${stack.folder}-of-${release.version} npm start`,
    );
    assertEquals(await stack.read("stack"), ["first", "first"]);
    assertEquals(await Deno.readTextFile(join(stack.folder, "migrations.json")), before);
    assertEquals([...Deno.readDirSync(stack.root)].length, 2);
  });

  await t.step("is set aside as it is when its upgrade has failed", async () => {
    await using stack = await createStack();
    await stack.writeMigration("3_three.sql", "no SQL");
    const { movedTo } = await setDataAside(stack.folder, { migrations: stack.migrations, now });
    assertEquals(basename(movedTo), asideName);
    assertEquals(await stack.read(asideName), ["first", "first"]);
    assertEquals(await stack.prepare(), { setAside: null, pending: [] });
    // It is no data of these migrations, so that it does not come back by itself.
    await stack.fill("second");
    assertEquals(await stack.prepare(), { setAside: null, pending: [] });
    assertEquals(await stack.read("stack"), ["second", "second"]);
  });

  await t.step("is whole after an upgrade that was interrupted while it replaced the database", async () => {
    await using stack = await createStack();
    await Deno.rename(join(stack.folder, "postgres"), join(stack.folder, "postgres.last"));
    await Deno.mkdir(join(stack.folder, "postgres.next"));
    assertEquals(await stack.prepare(), { setAside: null, pending: [] });
    assertEquals(await stack.read("stack"), ["first", "first"]);
  });

  await t.step("stays when there are other files beside the migrations", async () => {
    await using stack = await createStack();
    await stack.writeMigration("notes.md", "");
    await stack.writeMigration(".3_three.sql", "");
    assertEquals(await stack.setAside(), null);
  });

  await t.step("gets another name when data is set aside twice in a second", async () => {
    await using stack = await createStack();
    await stack.writeMigration("1_three.sql", "");
    assertEquals(await stack.setAside(), asideName);
    await stack.fill("second");
    await stack.writeMigration("1_four.sql", "");
    assertEquals(await stack.setAside(), `${asideName}-2`);
    assertEquals(await stack.read(asideName), ["first", "first"]);
    assertEquals(await stack.read(`${asideName}-2`), ["second", "second"]);
  });

  await t.step("stays while a stack uses it, and is set aside after that stack has ended", async () => {
    await using stack = await createStack();
    await stack.writeMigration("1_three.sql", "");
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
    await stack.writeMigration("1_three.sql", "");
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
    await stack.writeMigration("1_three.sql", "");
    await Deno.rename(stack.folder, `${stack.folder}s`);
    // With the time added, this name is too long for the file system.
    const folder = join(stack.migrations, "../", "s".repeat(250));
    await Deno.rename(`${stack.folder}s`, folder);
    const error = await assertRejects(
      () => prepareData(folder, { migrations: stack.migrations, now }),
      CommandError,
    );
    assertEquals(
      / cannot be moved to .*\. Move it yourself, or set DATA_DIR to another folder\.$/.test(error.message),
      true,
    );
    assertEquals(await Deno.readTextFile(join(folder, "postgres/data")), "first");
  });
});

Deno.test("the data of a stack that was set aside", async (t) => {
  await t.step("comes back when the change is undone", async () => {
    await using stack = await createStack();
    await stack.writeMigration("1_three.sql", "");
    assertEquals(await stack.setAside(), asideName);
    await stack.fill("second");
    await Deno.remove(join(stack.migrations, "1_three.sql"));
    const later = new Date(now.getTime() + 60_000);
    assertEquals(await stack.setAsideAt(later), {
      movedTo: join(stack.root, "stack-2026-11-22T14-06-09"),
      commit: null,
      broughtBackFrom: join(stack.root, asideName),
      deleted: [],
    });
    assertEquals(await stack.read("stack"), ["first", "first"]);
    assertEquals(await stack.read("stack-2026-11-22T14-06-09"), ["second", "second"]);
    assertEquals(await stack.setAside(), null);
  });

  await t.step("is kept three times; what is older is deleted, and nothing else", async () => {
    await using stack = await createStack();
    const other = join(stack.root, "stack-of-mine");
    await Deno.mkdir(other);
    const deleted = [];
    for (let change = 0; change < 5; change++) {
      await stack.fill(String(change));
      await stack.writeMigration("1_three.sql", "-- edited\n".repeat(change));
      const done = await stack.setAsideAt(new Date(now.getTime() + change * 60_000));
      deleted.push(...done!.deleted.map((path) => basename(path)));
    }
    assertEquals(deleted, [asideName, "stack-2026-11-22T14-06-09"]);
    const left = [...Deno.readDirSync(stack.root)].map(({ name }) => name).toSorted();
    const kept = ["07", "08", "09"].map((minute) => `stack-2026-11-22T14-${minute}-09`);
    assertEquals(left, ["migrations", "stack", ...kept, "stack-of-mine"]);
    assertEquals(await stack.read(kept[2]!), ["4", "4"]);
  });

  await t.step("is set aside with the commit of its migrations, unless they were edited", async () => {
    await using stack = await createStack();
    const git = async (...args: string[]) => {
      const identity = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
      const { code, stdout, stderr } = await runCommand("git", ["-C", stack.migrations, ...identity, ...args]);
      assertEquals(code, 0, stderr);
      return stdout.trim();
    };
    const commitAll = async () => {
      await git("add", ".");
      await git("commit", "--quiet", "-m", "x");
      return await git("rev-parse", "--short", "HEAD");
    };
    const setAside = async () => {
      await stack.fill("data");
      return (await stack.setAsideAt(now))!.commit;
    };
    await git("init", "--quiet");
    await stack.writeMigration("1_three.sql", "");
    const first = await commitAll();
    assertEquals(await setAside(), null, "the first data had no commit");
    await stack.writeMigration("1_four.sql", "");
    assertEquals(await setAside(), first);
    await commitAll();
    await stack.writeMigration("1_five.sql", "");
    assertEquals(await setAside(), null, "its migrations were only committed later");
  });
});
