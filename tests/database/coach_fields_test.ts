import { coachFields, fieldsIn } from "../../shared/features/coaches/coach_fields.ts";
import { assertEquals } from "../support/assert.ts";
import { askForValue, createMigratedPostgres } from "../support/migrated_postgres.ts";

/** The columns that nobody sets as a field of the coach. */
const others = ["id", "account_id", "owner_id", "picture", "version", "slug_changes"];
const moments = ["set_at", "deleted_at", "created_at"];

Deno.test("Postgres has the fields of coaches that the list has", async (t) => {
  await using postgres = await createMigratedPostgres();
  const names = async (sql: string) => (await askForValue(postgres)(sql) as string[]).toSorted();
  const namesIn = (place: Parameters<typeof fieldsIn>[0]) => fieldsIn(place).map(([name]): string => name);

  await t.step("each is a column, and each other column is none of them", async () => {
    assertEquals(
      await names(`select json_agg(attname) from pg_attribute
        where attrelid = 'coach_profiles'::regclass and attnum > 0 and not attisdropped`),
      [...Object.keys(coachFields), ...others, ...moments].toSorted(),
    );
  });

  await t.step("those of the draft are published, and the picture", async () => {
    assertEquals(await names("select to_json(private.persona_fields())"), [...namesIn("draft"), "picture"].toSorted());
  });

  await t.step("an operator can give a new coach those of its file", async () => {
    assertEquals(
      await names("select to_json(proargnames) from pg_proc where oid = 'create_coach'::regproc"),
      [...namesIn("file"), "id", "account_id", "owner_id"].toSorted(),
    );
  });

  await t.step("those of people and of the settings are replied", async () => {
    const keys = (call: string) => names(`select json_agg(key) from json_each(${call}) as field (key, value)`);
    await postgres.exec("select create_coach((create_account('A')->>'id')::uuid, 'C', 'C', 'C', id => 'c')");
    const server = `(select json_build_object('account_id', account_id) from coach_profiles)::jsonb`;
    assertEquals(await keys(`save_settings(${server}, null, 'c')`), namesIn("settings").toSorted());
    const told = ["id", "is_ai", "picture_url", "retention_days"];
    assertEquals(await keys("private.describe_coach(null, '', null)"), [...namesIn("public"), ...told].toSorted());
  });
});
