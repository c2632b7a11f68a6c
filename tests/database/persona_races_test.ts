import { assert, assertEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { createRacingDatabase } from "../support/racing_database.ts";

/** On one connection there are no races: these tests need the native Postgres that `DATABASE_URL` names. */
const server = Deno.env.get("DATABASE_URL");
const connections = 32;

/** A database with a coach, and calls that any of many connections carries out. */
async function prepare() {
  await using stack = new AsyncDisposableStack();
  const { value } = stack.use(await createRacingDatabase(server!, connections));
  const accountId = await value("insert into accounts (name) values ('Test') returning id");
  const coachId = await value(
    `insert into coach_profiles (account_id, name, title, instructions) values ($1, 'Ada', 'Coach', 'Teach.')
     returning id`,
    [accountId],
  );
  const caller = { account_id: accountId };
  const save = (fields: object | null, ifRevision: number | null = null) =>
    value("select save_draft($1, null, $2, $3, 'u', null, $4)", [caller, coachId, fields, ifRevision]);
  const publish = (ifVersion: number) =>
    value("select publish_draft($1, null, $2, 'u', $3)", [caller, coachId, ifVersion]);
  const setPicture = async (digest: string) => {
    await value("select begin_picture($1, null, $2, $3, 'png')", [caller, coachId, digest]);
    return await value("select set_picture($1, null, $2, 'u', $3, 'png')", [caller, coachId, digest]);
  };
  return handOver(stack, {
    ...{ value, coachId, save, publish, setPicture },
  });
}

const times = <Result>(count: number, act: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));
/** How often each error was returned; `none` for none. */
const countErrors = (replies: { error?: string }[]) =>
  Object.fromEntries(
    [...Map.groupBy(replies, ({ error = "none" }) => error)].map(([error, group]) => [error, group.length]),
  );

Deno.test({ name: "experts of many connections at once", ignore: !server }, async (t) => {
  await using prepared = await prepare();
  const { value, coachId, save, publish, setPicture } = prepared;

  await t.step("of 32 who publish, one wins", async () => {
    for (let version = 1; version <= 5; version++) {
      await save({ title: `Title ${version}` });
      assertEquals(countErrors(await times(32, () => publish(version))), { none: 1, version_changed: 31 });
    }
  });
  await t.step("of 32 who save what they have seen, one wins", async () => {
    const { revision } = await save({ title: "Seen" });
    const replies = await times(32, (index) => save({ title: `Title of ${index}` }, revision));
    assertEquals(countErrors(replies), { none: 1, draft_changed: 31 });
    const draft = await save({ title: "Last" });
    assertEquals(draft.revision, revision + 2);
  });
  await t.step("the first draft of a coach is made once", async () => {
    await save(null);
    assertEquals(countErrors(await times(32, (index) => save({ title: `First of ${index}` }, 0))), {
      none: 1,
      draft_changed: 31,
    });
  });
  await t.step("drafts, pictures, versions and operators together: no deadlock, and no version is lost", async () => {
    const digestOf = (index: number) => index.toString(16).padStart(64, "0");
    const before = await value("select version from coach_profiles where id = $1", [coachId]);
    const acts: ((index: number) => Promise<unknown>)[] = [
      (index) => save({ name: `Ada ${index}`, greeting: index % 2 === 0 ? "Hi" : null }),
      (index) => setPicture(digestOf(index % 5)),
      async () => publish(await value("select version from coach_profiles where id = $1", [coachId])),
      (index) => value("update coach_profiles set temperature = $1 where id = $2", [index % 20 / 10, coachId]),
      () => save(null),
      () => value("select take_indexing_work()"),
    ];
    const ended = await Promise.allSettled(
      Array.from({ length: 300 }, (_, index) => acts[index % acts.length]!(index)),
    );
    assertEquals(ended.flatMap((each) => each.status === "rejected" ? [String(each.reason)] : []), []);
    const after = await value("select version from coach_profiles where id = $1", [coachId]);
    assert(after > before);
    const kept = await value("select array_agg(version order by version) from coach_versions where coach_id = $1", [
      coachId,
    ]);
    assertEquals(kept, Array.from({ length: after }, (_, index) => index + 1));
    // What the last version says is what the coach is.
    assert(
      await value(
        `select version.content = to_jsonb(coach) - array['id', 'account_id', 'owner_id', 'version', 'created_at',
           'slug', 'slug_changes', 'accent_color', 'launcher_text', 'set_at', 'deleted_at']
         from coach_versions as version join coach_profiles as coach on coach.id = version.coach_id
         where coach.id = $1 and version.version = coach.version`,
        [coachId],
      ),
    );
    // No picture that a version or the draft has is on the list of objects to remove.
    assertEquals(
      await value(
        `select count(*)::integer from private.object_removals as removal
         where private.has_picture($1, removal.storage_path)`,
        [coachId],
      ),
      0,
    );
  });
});
