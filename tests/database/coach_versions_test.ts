import { assertEquals, assertRejects } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

const digest = "0".repeat(64);
const otherDigest = "1".repeat(64);

/** A statement that Postgres refuses. */
async function assertRefused(run: () => Promise<unknown>, message = "") {
  await assertRejects(run, Error, message);
  // Every SQL error sets the exit code of this process; undo that.
  Deno.exitCode = 0;
}

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await createMigratedPostgres());
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const caller = { account_id: accountId };
  const call = (name: string, ...args: unknown[]) =>
    value(`select ${name}(${[caller, null, ...args].map((_, index) => `$${index + 1}`).join(", ")})`, [
      caller,
      null,
      ...args,
    ]);
  const versions = (coach = coachId) =>
    value(
      `select coalesce(json_agg(json_build_array(version, changes, restored_from) order by version), '[]')
       from coach_versions where coach_id = $1`,
      [coach],
    );
  const change = (set: string) => postgres.query(`update coach_profiles set ${set} where id = $1`, [coachId]);
  const removals = () =>
    value(
      `select coalesce(json_agg(json_build_array(split_part(storage_path, '/', 3), bucket, due_at > now() + interval '1 minute')
         order by storage_path), '[]') from private.object_removals`,
    );
  /** Stores a picture as the service does, and makes it that of the draft. */
  const setPicture = async (sha: string) => {
    await call("begin_picture", coachId, sha, "png");
    return await call("set_picture", coachId, "u", sha, "png");
  };
  return handOver(stack, {
    ...{ postgres, value, accountId, coachId, call, versions, change, removals, setPicture },
  });
}

Deno.test("each change of a coach is a version", async (t) => {
  await using db = await prepare();
  const { postgres, value, accountId, coachId, versions, change } = db;

  await t.step("a new one has its first", async () => {
    assertEquals(await versions(), [[1, [], null]]);
  });
  await t.step("of whatever column, persona first; none without a change", async () => {
    await change("temperature = 0.5, title = 'Countess', instructions = 'Explain.'");
    await change("title = 'Countess'");
    await change("is_active = false");
    await change("version = 70");
    assertEquals(await versions(), [
      [1, [], null],
      [2, ["title", "instructions", "temperature"], null],
      [3, ["is_active"], null],
    ]);
    assertEquals(await value("select version from coach_profiles where id = $1", [coachId]), 3);
  });
  await t.step("with what it contains, and no ids", async () => {
    const content = await value("select content from coach_versions where coach_id = $1 and version = 2", [coachId]);
    assertEquals([content.title, content.temperature, content.is_active], ["Countess", 0.5, true]);
    for (const name of ["id", "account_id", "owner_id", "version"]) assertEquals(content[name], undefined);
  });
  await t.step("two in one transaction, in their order", async () => {
    await postgres.transaction(async (transaction) => {
      await transaction.query("update coach_profiles set title = 'One' where id = $1", [coachId]);
      await transaction.query("update coach_profiles set title = 'Two' where id = $1", [coachId]);
    });
    assertEquals((await versions()).slice(3), [[4, ["title"], null], [5, ["title"], null]]);
  });
  await t.step("not of an owner who comes, or one who is gone", async () => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    await postgres.query("insert into auth.users (id) values ($1), ($2)", [first, second]);
    await change(`owner_id = '${first}'`);
    await postgres.query("insert into coach_experts (coach_id, user_id, role) values ($1, $2, 'owner')", [
      coachId,
      second,
    ]);
    await postgres.query("delete from auth.users where id = $1", [first]);
    assertEquals(await value("select owner_id from coach_profiles where id = $1", [coachId]), second);
    await change("owner_id = null");
    assertEquals((await versions()).slice(5), []);
  });
  await t.step("no one but the trigger writes them", async () => {
    await assertRefused(() =>
      postgres.transaction(async (transaction) => {
        await transaction.exec("set local role service_role");
        await transaction.query("delete from coach_versions");
      })
    );
    await postgres.transaction(async (transaction) => {
      await transaction.exec("set local role service_role");
      await transaction.query("update coach_profiles set title = 'Three' where id = $1", [coachId]);
    });
    assertEquals((await versions()).at(-1)[1], ["title"]);
  });
  await t.step("they follow a coach that is renamed, and go with it", async () => {
    const before = await versions();
    await change("id = 'renamed'");
    assertEquals(await versions("renamed"), [...before, [before.length + 1, ["id"], null]]);
    await postgres.exec("delete from coach_profiles where id = 'renamed'");
    assertEquals(await versions("renamed"), []);
    await postgres.query("delete from accounts where id = $1", [accountId]);
  });
});

Deno.test("operators restore a version", async (t) => {
  await using db = await prepare();
  const { value, coachId, versions, change } = db;
  const restore = (version: number, coach = coachId) => value("select restore_coach($1, $2)", [coach, version]);
  await change("title = 'Countess', temperature = 0.5, language = 'german'");

  await t.step("the persona, and no setting", async () => {
    const { version, changes, restored_from, published_by } = await restore(1);
    assertEquals([version, changes, restored_from, published_by], [3, ["title", "language"], 1, null]);
    assertEquals((await versions()).at(-1), [3, ["title", "language"], 1]);
    assertEquals(await value("select temperature from coach_profiles"), 0.5);
  });
  await t.step("not the same again, and no other", async () => {
    for (
      const [version, coach, message] of [
        [1, coachId, "The coach is the same as in this version"],
        [9, coachId, "There is no such version of a coach with this id"],
        [1, "nobody", "There is no such version of a coach with this id"],
      ] as const
    ) {
      await assertRefused(() => restore(version, coach), message);
    }
  });
});

Deno.test("pictures that no version and no draft has are removed", async (t) => {
  await using db = await prepare();
  const { postgres, value, coachId, call, removals, setPicture } = db;
  const png = (sha: string) => `${sha}.png`;
  const letPass = (minutes: number) =>
    postgres.exec(`update private.object_removals set due_at = due_at - interval '${minutes} minutes',
      created_at = created_at - interval '${minutes} minutes', taken_at = taken_at - interval '${minutes} minutes'`);
  const sweep = async () => {
    const { pictures } = (await value("select take_indexing_work()")).removals;
    return pictures.map((path: string) => path.split("/").at(-1));
  };
  const begin = (sha: string) => call("begin_picture", coachId, sha, "png");

  await t.step("one that is announced and never stored: after an hour", async () => {
    const { path } = await begin(digest);
    assertEquals(await removals(), [[png(digest), "pictures", true]]);
    assertEquals(await sweep(), []);
    await letPass(61);
    assertEquals(await sweep(), [png(digest)]);
    await value("select end_object_removals($1)", [[path]]);
    assertEquals(await removals(), []);
  });
  await t.step("one that the draft has no more: after a while, unless it comes back", async () => {
    await setPicture(digest);
    assertEquals(await removals(), []);
    await setPicture(otherDigest);
    assertEquals(await removals(), [[png(digest), "pictures", true]]);
    await setPicture(digest);
    assertEquals(await removals(), [[png(otherDigest), "pictures", true]]);
    await letPass(16);
    assertEquals(await sweep(), [png(otherDigest)]);
  });
  await t.step("while a sweep may be removing it, the same picture is not stored", async () => {
    assertEquals(await begin(otherDigest), { error: "unavailable" });
    await letPass(2);
    const { path } = await begin(otherDigest);
    // What that sweep says afterwards changes nothing.
    await value("select end_object_removals($1)", [[path]]);
    await call("set_picture", coachId, "u", otherDigest, "png");
    assertEquals(await removals(), [[png(digest), "pictures", true]]);
  });
  await t.step("one that took too long is refused", async () => {
    await postgres.exec("delete from private.object_removals");
    assertEquals(await call("set_picture", coachId, "u", digest, "png"), { error: "upload_too_slow" });
  });
  await t.step("a published one stays, whatever the draft and later versions have", async () => {
    await call("publish_draft", coachId, "u", 1);
    await setPicture(digest);
    await call("publish_draft", coachId, "u", 2);
    await call("set_picture", coachId, "u", null, null);
    await call("publish_draft", coachId, "u", 3);
    assertEquals(await removals(), []);
    // It is named already: nothing is announced, and it would not be removed.
    await begin(digest);
    assertEquals(await removals(), []);
  });
  await t.step("with a deleted draft, its picture; with the coach, all, at once", async () => {
    const third = "2".repeat(64);
    await setPicture(third);
    await call("save_draft", coachId, null, "u");
    assertEquals(await removals(), [[png(third), "pictures", true]]);
    await postgres.query("delete from coach_profiles where id = $1", [coachId]);
    assertEquals((await removals()).filter(([, , waits]: [string, string, boolean]) => !waits), [
      [png(digest), "pictures", false],
      [png(otherDigest), "pictures", false],
    ]);
    assertEquals((await sweep()).toSorted(), [png(digest), png(otherDigest)]);
  });
  await t.step("a path that the service would not make is refused", async () => {
    const other = await insertCoach(postgres);
    for (const path of ["", "x.png", `${other.accountId}/../${digest}.png`, `https://example.com/${digest}.svg`]) {
      await assertRefused(() =>
        postgres.query("update coach_profiles set picture = $1 where id = $2", [path, other.coachId])
      );
    }
  });
});
