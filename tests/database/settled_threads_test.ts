import { createRandom } from "../bench/soak/random.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { askForValue, beginTurn, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

/** Changes after each other, each followed by a look at all threads. */
const changes = 400;

/** Wrong counts, answers that are called settled while they are written, and how many threads have something settled. */
const check = `
  select
    coalesce(jsonb_agg(jsonb_build_array(thread.id, page.count, real.listed)) filter (where page.count <> real.listed), '[]') as wrong,
    count(*) filter (where real.is_open) as open,
    count(*) filter (where thread.settled_count <> real.settled) as drifted,
    count(*) filter (where thread.settled_count > 0) as settled
  from threads as thread
  cross join lateral (
    select
      count(*) filter (where role = 'user' or role = 'assistant' and content <> '') as listed,
      count(*) filter (where (role = 'user' or role = 'assistant' and content <> '') and created_at <= thread.settled_until) as settled,
      coalesce(bool_or(status = 'streaming' and created_at <= thread.settled_until), false) as is_open
    from messages where thread_id = thread.id
  ) as real
  cross join lateral (
    select (list_messages(jsonb_build_object('account_id', thread.account_id), thread.id, page_size => 1, skip_abandoned => true)->>'count')::bigint as count
  ) as page
`;

Deno.test("whatever happens to messages, a page knows how many its thread has", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const begin = (args: Record<string, unknown>) =>
    beginTurn(postgres, { account_id: accountId, coach_id: coachId, user_id: "u", ...args });
  const save = (fields: Record<string, unknown>) => value("select save_turns($1)", [JSON.stringify([fields])]);
  const run = (sql: string, ...parameters: unknown[]) => postgres.query(sql, parameters);
  const look = async () => {
    const { rows: [found] } = await postgres.query<
      { wrong: unknown[]; open: number; drifted: number; settled: number }
    >(check);
    return found!;
  };
  const settledIn = (threadId: string) =>
    value("select jsonb_build_array(settled_count, isfinite(settled_until)) from threads where id = $1", [threadId]);

  await t.step(
    "the end of a turn settles it, and what is changed by hand is counted again at the next end",
    async () => {
      const { thread_id: thread, message_id: first } = await begin({});
      assertEquals(await settledIn(thread), [0, false]);
      await save({ message_id: first, run_id: first, status: "complete", content: "One" });
      assertEquals(await settledIn(thread), [2, true]);
      await run("update messages set content = '' where id = $1", first);
      assertEquals(await settledIn(thread), [0, false]);
      const { message_id: second } = await begin({ thread_id: thread });
      await save({ message_id: second, run_id: second, status: "complete", content: "Two" });
      assertEquals(await settledIn(thread), [3, true]);
    },
  );

  await t.step("while another answer of the thread is being written, nothing is settled", async () => {
    const { thread_id: thread, message_id: slow } = await begin({});
    const { message_id: quick } = await begin({ thread_id: thread });
    await save({ message_id: quick, run_id: quick, status: "complete", content: "Quick" });
    assertEquals(await settledIn(thread), [0, false]);
    await run("update messages set updated_at = now() - interval '1 minute' where id = $1", slow);
    const { abandoned } = await value("select list_messages($1, $2)", [{ account_id: accountId }, thread]);
    assertEquals(abandoned.map(({ message_id }: { message_id: string }) => message_id), [slow]);
    await save({ message_id: slow, run_id: slow, status: "complete", content: "Slow" });
    assertEquals(await settledIn(thread), [4, true]);
  });

  await t.step("a failed answer that is run again is under way again", async () => {
    const again = { idempotency_key: "again", fingerprint: "f" };
    const { thread_id: thread, message_id: failed } = await begin(again);
    await save({ message_id: failed, run_id: failed, status: "failed", content: "Half", error: "broken" });
    assertEquals(await settledIn(thread), [2, true]);
    const runId = crypto.randomUUID();
    await begin({ ...again, run_id: runId });
    assertEquals(await settledIn(thread), [0, false]);
    await save({ message_id: failed, run_id: runId, status: "complete", content: "Whole" });
    assertEquals(await settledIn(thread), [2, true]);
  });

  await t.step(`${changes} changes of every kind, in any order`, async () => {
    const random = createRandom(7);
    const threads: string[] = [];
    for (let index = 0; index < 3; index++) threads.push((await begin({})).thread_id);
    const pickThread = () => random.pick(threads);
    const pickMessage = async (condition = "true"): Promise<string | undefined> => {
      const ids: string[] = await value(
        `select coalesce(json_agg(id order by sequence), '[]') from messages where thread_id = any ($1) and ${condition}`,
        [threads],
      );
      return ids.length === 0 ? undefined : random.pick(ids);
    };
    const saveAs = async (status: string, content: string) => {
      const id = await pickMessage("role = 'assistant' and run_id is not null");
      const runId = await value("select run_id from messages where id = $1", [id ?? null]);
      await save({ message_id: id, run_id: runId, status, content, error: status === "failed" ? "broken" : null });
    };
    const moment = () => `now() + interval '${Math.floor(random.number() * 2_000) - 1_000} milliseconds'`;
    const kinds: Record<string, [weight: number, () => Promise<unknown>]> = {
      "a turn begins": [4, () => begin({ thread_id: pickThread() })],
      "a turn begins that can be tried again": [2, async () => {
        const key = random.pick(["a", "b", "c"]);
        await begin({ thread_id: pickThread(), idempotency_key: key, fingerprint: "f" });
      }],
      "an answer grows": [3, () => saveAs("streaming", "So far")],
      "an answer ends": [6, () => saveAs("complete", "Whole")],
      "an answer fails with text": [2, () => saveAs("failed", "Half")],
      "an answer fails without": [2, () => saveAs("failed", "")],
      "an answer is stopped": [1, async () => {
        const id = await pickMessage("status = 'streaming'");
        const isForced = random.chance(0.5);
        await value("select stop_turn($1, null, $2, $3)", [{ account_id: accountId }, id ?? null, isForced]);
      }],
      "messages are inserted by hand": [2, () => {
        const role = random.pick(["user", "assistant", "system"]);
        const content = random.pick(["", "By hand"]);
        const status = role === "assistant" ? random.pick(["complete", "streaming"]) : "complete";
        return run(
          `insert into messages (thread_id, role, content, status, created_at)
           select thread.id, $2, $3, $4, ${moment()} from unnest($1::uuid[]) as thread (id)`,
          random.pick([threads, [pickThread()]]),
          role,
          content,
          status,
        );
      }],
      "messages are deleted by hand": [1, async () => {
        await run("delete from messages where id = any ($1)", [await pickMessage(), await pickMessage()]);
      }],
      "a text is emptied or written": [1, async () => {
        await run("update messages set content = $2 where id = $1", await pickMessage(), random.pick(["", "Other"]));
      }],
      "a role is changed": [1, async () => {
        const role = random.pick(["user", "assistant", "system"]);
        await run("update messages set role = $2 where id = $1", await pickMessage("status = 'complete'"), role);
      }],
      "a state is changed": [1, async () => {
        const status = random.pick(["streaming", "complete", "failed"]);
        await run("update messages set status = $2 where id = $1", await pickMessage("role = 'assistant'"), status);
      }],
      "a message is dated anew": [1, async () => {
        await run(`update messages set created_at = ${moment()} where id = $1`, await pickMessage());
      }],
      "a message moves to another thread": [1, async () => {
        await run("update messages set thread_id = $2 where id = $1", await pickMessage(), pickThread());
      }],
      "a thread is deleted": [0.3, async () => {
        const place = Math.floor(random.number() * threads.length);
        await run("delete from threads where id = $1", threads[place]);
        threads[place] = (await begin({})).thread_id;
      }],
      "the user is erased": [0.1, async () => {
        await value("select erase_user($1, 'u')", [accountId]);
        for (const place of threads.keys()) threads[place] = (await begin({})).thread_id;
      }],
    };
    const weights = Object.entries(kinds).map(([kind, [weight]]) => [weight, kind] as const);
    const seen = new Set<string>();
    let settled = 0;
    for (let change = 0; change < changes; change++) {
      const kind = random.weigh(weights);
      seen.add(kind);
      await kinds[kind]![1]();
      const { settled: now, ...faults } = await look();
      assertEquals(faults, { wrong: [], open: 0, drifted: 0 }, `after change ${change}: ${kind}`);
      settled += now;
    }
    assertEquals(seen.size, weights.length);
    assert(settled > changes, "hardly anything was ever settled");
  });
});
