import { assertEquals } from "../support/assert.ts";
import { createRacingDatabase } from "../support/racing_database.ts";

/** On one connection there are no races: this test needs the native Postgres that `DATABASE_URL` names. */
const server = Deno.env.get("DATABASE_URL");
const connections = 8;

Deno.test({ name: "a response that is deleted by many at once", ignore: !server }, async (t) => {
  await using database = await createRacingDatabase(server!, connections);
  const { value } = database;
  const accountId = await value("insert into accounts (name) values ('Test') returning id");
  const coachId = await value(
    `insert into coach_profiles (account_id, name, title, instructions) values ($1, 'Ada', 'Coach', 'Teach.')
     returning id`,
    [accountId],
  );
  const { id: keyId } = await value("select issue_api_key($1, 'test')", [accountId]);
  const caller = { account_id: accountId, api_key_id: keyId };

  /** Stores a turn that follows another, and returns the ID of its answer. */
  async function talk(previousId: string | null): Promise<string> {
    const conversation = { previous_id: previousId, said: [], is_standalone: false };
    const turn = { run_id: crypto.randomUUID(), coach_id: coachId, content: "Q", title: "Q", request_id: "r" };
    const begun = await value("select begin_turn($1, 'u', $2)", [caller, { ...turn, conversation }]);
    const end = { message_id: begun.message_id, run_id: turn.run_id, status: "complete", content: "A" };
    await value("select save_turns($1)", [JSON.stringify([end])]);
    return begun.message_id;
  }
  const deleteAtOnce = (messageId: string) =>
    Promise.all(
      Array.from({ length: connections }, () => value("select delete_turn($1, 'u', $2)", [caller, messageId])),
    );
  const countMessages = () => value("select count(*)::integer from messages");

  await t.step("only its own turn goes, once", async () => {
    const first = await talk(null);
    const second = await talk(first);
    for (const messageId of [await talk(second), second]) {
      const before = await countMessages();
      const deleted = (await deleteAtOnce(messageId)).filter((id) => id !== null);
      assertEquals([deleted, before - await countMessages()], [[messageId], 2]);
    }
  });
  await t.step("with its only turn, the thread goes, and no other", async () => {
    const [kept, only] = [await talk(null), await talk(null)];
    const threads = await value("select count(*)::integer from threads");
    assertEquals((await deleteAtOnce(only)).filter((id) => id !== null), [only]);
    assertEquals(threads - await value("select count(*)::integer from threads"), 1);
    assertEquals(await value("select id from messages where id = $1", [kept]), kept);
  });
});
