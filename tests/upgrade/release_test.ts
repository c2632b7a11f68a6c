import { PGlite } from "@electric-sql/pglite";
import { join } from "node:path";
import { release as code } from "../../shared/infra/release.ts";
import { readMigrationFiles } from "../../supabase/platform/data_folder.ts";
import { projectRoot } from "../../supabase/platform/state.ts";
import {
  findChangedMigrations,
  readReleasedMigrations,
  requireReleasable,
  writeVersion,
} from "../../supabase/commands/release/release.ts";
import { CommandError } from "../../supabase/commands/command_error.ts";
import { assert, assertEquals, assertRejects } from "../support/assert.ts";
import { readReleases, readSnapshotFile, shiftTimes } from "./rig/releases.ts";

const readJson = async (path: string) => JSON.parse(await Deno.readTextFile(join(projectRoot, path)));

/** The tables that may have no row in a snapshot, with the reason. */
const mayBeEmpty: Record<string, string> = {
  "private.comparisons": "emptied by the sweep that has read a file",
};

Deno.test("the version", async (t) => {
  for (const path of ["package.json", "package-lock.json", "deno.json"]) {
    await t.step(`is that of the code in ${path}`, async () => {
      assertEquals((await readJson(path)).version, code.version);
    });
  }
  await t.step("is that of the code in the OpenAPI document", async () => {
    const document = JSON.parse((await readJson("shared/api/docs/openapi_text.json")).join(""));
    assertEquals(document.info.version, code.version);
  });
  await t.step("has a heading in CHANGELOG.md", async () => {
    const changelog = await Deno.readTextFile(join(projectRoot, "CHANGELOG.md"));
    assert(changelog.includes(`\n## [${code.version}]`), changelog.slice(0, 500));
  });
  await t.step("has a snapshot, the last one", () => {
    assertEquals(readReleases().at(-1)?.version, code.version);
  });
});

Deno.test("npm run release", async (t) => {
  await t.step("refuses a version without a heading in CHANGELOG.md, and writes nothing", async () => {
    const error = await assertRejects(() => requireReleasable(projectRoot, "99.0.0"), CommandError);
    assertEquals(error.message, 'CHANGELOG.md has no heading "## [99.0.0]".');
    assertEquals((await readJson("package.json")).version, code.version);
  });

  await t.step("writes the version into every file, and changes nothing else", async () => {
    const folder = await Deno.makeTempDir({ prefix: "release-" });
    const files = ["package.json", "package-lock.json", "deno.json", "shared/infra/release.ts"];
    await Deno.mkdir(join(folder, "shared/infra"), { recursive: true });
    for (const file of files) await Deno.copyFile(join(projectRoot, file), join(folder, file));
    await writeVersion(folder, "99.0.0");
    for (const file of files) {
      const before = (await Deno.readTextFile(join(projectRoot, file))).split("\n");
      const after = (await Deno.readTextFile(join(folder, file))).split("\n");
      const changed = after.filter((line, index) => line !== before[index]);
      assertEquals(changed.length, file === "package-lock.json" ? 2 : 1, file);
      for (const line of changed) assert(/version.*"99\.0\.0"/.test(line), line);
    }
    await Deno.remove(folder, { recursive: true });
  });
});

Deno.test("released migrations", async (t) => {
  const present = new Map(await readMigrationFiles(join(projectRoot, "supabase/migrations")));

  await t.step("are byte for byte the same, and new ones come after them", async () => {
    assertEquals(
      findChangedMigrations(await readReleasedMigrations(projectRoot), present),
      [],
      "Before the tag: npm run release -- <version> makes the snapshot again",
    );
  });

  const released = [{ version: "1.0.0", migrations: { "1_a.sql": "one", "3_c.sql": "three" } }];
  const cases: Record<string, [files: [string, string][], faults: string[]]> = {
    "one more at the end is fine": [[["1_a.sql", "one"], ["3_c.sql", "three"], ["4_d.sql", "four"]], []],
    "a changed one is found": [[["1_a.sql", "uno"], ["3_c.sql", "three"]], [
      "1_a.sql is not as it was released in 1.0.0: write a new migration instead.",
    ]],
    "a missing one is found": [[["1_a.sql", "one"]], [
      "3_c.sql is not as it was released in 1.0.0: write a new migration instead.",
    ]],
    "one before the last is found": [[["1_a.sql", "one"], ["2_b.sql", "two"], ["3_c.sql", "three"]], [
      "2_b.sql must have a later time than 3_c.sql, the last migration of 1.0.0.",
    ]],
  };
  for (const [name, [files, faults]] of Object.entries(cases)) {
    await t.step(name, () => assertEquals(findChangedMigrations(released, new Map(files)), faults));
  }
});

for (const release of readReleases()) {
  Deno.test(`the snapshot of ${release.version}`, async (t) => {
    await t.step("has rows in every table", async () => {
      assertEquals(release.empty.toSorted(), Object.keys(mayBeEmpty).toSorted());
      const rows = await readSnapshotFile(release, "rows.sql");
      const schema = await readSnapshotFile(release, "schema.txt");
      const filled = new Set([...rows.matchAll(/^insert into (\S+) /gm)].map(([, table]) => table));
      const indexed = new Set([...schema.matchAll(/^index .* ON (?:ONLY )?(\S+) USING /gm)].map(([, table]) => table));
      assertEquals([...indexed.difference(filled)].filter((table) => !(table! in mayBeEmpty)), []);
    });
    await t.step("is of the Postgres whose data folders npm start can open", async () => {
      await using postgres = await PGlite.create();
      // PGlite's initdb sets the exit code of this process; undo that.
      Deno.exitCode = 0;
      const { rows: [row] } = await postgres.query(
        "select current_setting('server_version_num')::int / 10000 as major",
      );
      assertEquals(row, { major: release.postgres });
    });
  });
}

Deno.test("the times in a snapshot are moved by whole days, and nothing else is", () => {
  const sql = "values ('2026-11-26', '2026-11-26 23:59:59.5+00', 'on 2026-11-26', 'infinity', '2026-11-26-x')";
  assertEquals(
    shiftTimes(sql, "2026-11-26", new Date("2027-01-02T12:00:00Z")),
    "values ('2027-01-02', '2027-01-02 23:59:59.5+00', 'on 2026-11-26', 'infinity', '2026-11-26-x')",
  );
  assertEquals(shiftTimes(sql, "2026-11-26", new Date("2026-11-26T23:00:00Z")), sql);
});
