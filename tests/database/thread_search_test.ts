import { createRandom } from "../bench/soak/random.ts";
import { assertEquals } from "../support/assert.ts";
import {
  askForValue,
  beginTurn,
  createMigratedPostgres,
  indexThreads,
  insertCoach,
} from "../support/migrated_postgres.ts";
import { slow } from "../support/slow.ts";

/** Changes after each other, each followed by searches for all words. */
const changes = slow.ignore ? 50 : 150;

const words = ["owl", "harbour", "tide", "lantern"];

type Found = {
  data: { id: string; title: string; is_pinned?: boolean; excerpt?: string[] }[];
  count: number;
  next_cursor?: string | null;
};

async function prepare() {
  const postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const run = (sql: string, ...parameters: unknown[]) => postgres.query(sql, parameters);
  const { accountId, coachId } = await insertCoach(postgres);
  return {
    postgres,
    value,
    run,
    accountId,
    coachId,
    begin: (args: Record<string, unknown> = {}) =>
      beginTurn(postgres, { account_id: accountId, coach_id: coachId, user_id: "u", ...args }),
    save: (fields: Record<string, unknown>) => value("select save_turns($1)", [JSON.stringify([fields])]),
    search: (search: string, args: Record<string, unknown> = {}): Promise<Found> => {
      const { account_id = accountId, user_id = "u", ...filter } = args;
      return value("select search_threads($1, $2, $3)", [{ account_id }, user_id, { search, ...filter }]);
    },
    /** The threads of all users with the coach. */
    searchCoach: (search: string, args: Record<string, unknown> = {}): Promise<Found> => {
      const filter = { coach_id: coachId, page_size: 100, search, ...args };
      return value("select list_conversations($1, $2)", [{ account_id: accountId }, filter]);
    },
    /** Lets an hour pass, so that all threads have rested, and sweeps. */
    async index() {
      await postgres.exec(`
        set session_replication_role = replica;
        update threads set updated_at = updated_at - interval '1 hour', settled_until = settled_until - interval '1 hour',
          searchable_until = searchable_until - interval '1 hour', created_at = created_at - interval '1 hour';
        update messages set created_at = created_at - interval '1 hour';
        set session_replication_role = origin;
      `);
      await indexThreads(postgres);
    },
  };
}

const ids = ({ data }: Found) => data.map(({ id }) => id);

Deno.test("a search of threads", async (t) => {
  const { postgres, value, run, accountId, coachId, begin, save, search, index } = await prepare();
  await using _ = postgres;
  const indexed = () => value("select count(*) from private.thread_words");
  const due = () => value("select to_json(private.has_unsearchable_threads())");

  await t.step("finds what was said a moment ago, and finds it the same way when it is in the index", async () => {
    const { thread_id: thread, message_id: id } = await begin({ content: "Where do owls sleep?", title: "Birds" });
    assertEquals(ids(await search("owl")), [thread]);
    await save({ message_id: id, run_id: id, status: "complete", content: "In hollow trees." });
    for (const isIndexed of [false, true]) {
      if (isIndexed) {
        assertEquals([await indexed(), await due()], [0, false]);
        await index();
        assertEquals([await indexed(), await due()], [3, false]);
      }
      for (const said of ["owl", "TREES", "bird", "zzz tree", "hol", "the owls"]) {
        assertEquals(ids(await search(said)), [thread], said);
      }
      for (const said of ["zzz", "the", "", "ol", "hol "]) assertEquals(ids(await search(said)), [], said);
      assertEquals(ids(await search("owl", { user_id: "v" })), []);
      assertEquals(ids(await search("owl", { account_id: crypto.randomUUID() })), []);
      assertEquals(ids(await search("owl", { coach_id: "other" })), []);
    }
    await index();
    assertEquals(await indexed(), 3);
  });

  await t.step("what is written after a sweep is found with what is in the index", async () => {
    const [thread] = ids(await search("owl"));
    const { message_id: id } = await begin({ thread_id: thread, content: "And gulls?" });
    assertEquals(ids(await search("gull")), [thread]);
    await save({ message_id: id, run_id: id, status: "complete", content: "On cliffs." });
    assertEquals(ids(await search("cliffs")), [thread]);
    assertEquals(ids(await search("hollow")), [thread]);
  });

  await t.step("a sweep stops before an answer that is being written, and passes one that is abandoned", async () => {
    const { thread_id: thread, message_id: id } = await begin({ content: "A lantern?" });
    await save({ message_id: id, run_id: id, status: "streaming", content: "Half a candle" });
    const isIndexed = () => value("select to_json(isfinite(searchable_until)) from threads where id = $1", [thread]);
    await index();
    assertEquals(await isIndexed(), false);
    assertEquals(ids(await search("candle")), [thread]);
    await run("update messages set updated_at = now() - interval '1 minute' where id = $1", id);
    await index();
    assertEquals([await isIndexed(), await due(), ids(await search("candle"))], [true, false, [thread]]);
    // It goes on after all.
    await save({ message_id: id, run_id: id, status: "complete", content: "Half a torch and a wick." });
    assertEquals([ids(await search("wick")), ids(await search("candle"))], [[thread], []]);
    await index();
    assertEquals([ids(await search("wick")), ids(await search("candle"))], [[thread], []]);
  });

  await t.step("a new title, another user, another id or language of the coach: in the index too", async () => {
    const { thread_id: thread, message_id: id } = await begin({ content: "Zebra crossing", title: "Zebra" });
    await save({ message_id: id, run_id: id, status: "complete", content: "Galloping" });
    await index();
    await value("select update_thread($1, $2, title => 'Quagga')", [{ account_id: accountId }, thread]);
    assertEquals([ids(await search("quagga")), ids(await search("zebra"))], [[thread], [thread]]);
    await run("update threads set user_id = 'w' where id = $1", thread);
    for (const isIndexed of [false, true]) {
      if (isIndexed) await index();
      assertEquals([ids(await search("quagga")), ids(await search("quagga", { user_id: "w" }))], [[], [thread]]);
    }
    await run("update coach_profiles set language = 'german' where id = $1", coachId);
    assertEquals(ids(await search("galloping", { user_id: "w" })), [thread]);
    await run("update coach_profiles set id = 'renamed' where id = $1", coachId);
    for (const isIndexed of [false, true]) {
      if (isIndexed) await index();
      assertEquals(ids(await search("galloping", { user_id: "w", coach_id: "renamed" })), [thread]);
    }
    await run("update coach_profiles set language = 'english' where id = 'renamed'");
    await run("update coach_profiles set id = $1 where id = 'renamed'", coachId);
  });

  await t.step("for a key that is bound to other coaches, the thread does not exist", async () => {
    const [thread] = ids(await search("owl"));
    for (const [coaches, isThere] of [[["other"], false], [["other", coachId], true], [null, true]] as const) {
      const keyId = await value(
        `insert into private.api_keys (account_id, digest, prefix, name, coach_ids)
         values ($1, gen_random_uuid(), 'p', 'n', $2) returning id`,
        [accountId, coaches],
      );
      const found = [
        await value("select read_thread($1, $2)", [{ account_id: accountId, api_key_id: keyId }, thread]),
        await value("select update_thread($1, $2, 'u', is_pinned => true)", [
          { account_id: accountId, api_key_id: keyId },
          thread,
        ]),
        ids(
          await value(
            `select private.list_found_threads(private.caller_of($1, 'u', $2),
              jsonb_populate_record(null::private.thread_filter, '{"user_id": "u", "search": "owl"}'))`,
            [accountId, coaches],
          ),
        )[0],
        ids(
          await value("select list_threads($1, 'u')", [{ account_id: accountId, api_key_id: keyId }]),
        )[0],
      ];
      assertEquals(found.map((each) => Boolean(each)), Array(4).fill(isThere));
      if (!isThere) {
        const caller = { account_id: accountId, api_key_id: keyId };
        assertEquals(await value("select delete_thread($1, $2, 'u')", [caller, thread]), null);
      }
    }
  });

  await t.step("deleting a thread, or erasing its user, leaves no words", async () => {
    await index();
    const [thread] = ids(await search("owl"));
    await value("select delete_thread($1, $2)", [{ account_id: accountId }, thread]);
    assertEquals(ids(await search("owl")), []);
    for (const user of ["u", "w"]) await value("select erase_user($1, $2)", [accountId, user]);
    assertEquals(await indexed(), 0);
  });
});

Deno.test("a search is bounded, however much somebody writes", async (t) => {
  const { postgres, run, begin, search, index } = await prepare();
  await using _ = postgres;
  const excerptsOf = ({ data }: Found) => data.map(({ excerpt }) => excerpt);
  const filled = (before: string, after: string) => `${before} ${"a-b-1. ".repeat(2_300)} ${after}`;

  await t.step("what is not in the index is read up to a quarter of a megabyte, the newest first", async () => {
    const { thread_id: oldest } = await begin({ content: filled("zeppelins", "") });
    for (let number = 0; number < 17; number++) await begin({ content: filled("balloons", "") });
    assertEquals([(await search("balloons")).count, (await search("zeppelins")).count], [16, 0]);
    await run("update messages set status = 'complete', content = 'Well.' where status = 'streaming'");
    await index();
    assertEquals(ids(await search("zeppelins")), [oldest]);
    assertEquals((await search("balloons")).count, 17);
  });
  await t.step("an excerpt shows words at the end of a long message, too, in whatever form", async () => {
    await begin({ content: filled("Beginning.", "They are Happy, and it's the end.") });
    for (const word of ["happy", "happiness", "hap"]) {
      const [[before, found] = []] = excerptsOf(await search(word));
      assertEquals([before?.endsWith("They are "), found], [true, "Happy"], word);
    }
  });
  await t.step("the first hundred of a whole list have excerpts", async () => {
    for (let number = 0; number < 101; number++) await begin({ content: "A kite", title: "Toys" });
    const excerpts = excerptsOf(await search("kite"));
    assertEquals([excerpts.length, excerpts.filter(Array.isArray).length], [101, 100]);
    assertEquals([excerpts.at(-2)?.[1], excerpts.at(-1)], ["kite", undefined]);
  });
});

Deno.test("the best match comes first, and pages add up", async (t) => {
  const { postgres, value, run, accountId, begin, search, index } = await prepare();
  await using _ = postgres;
  const start = async (content: string, title = "Talk") => (await begin({ content, title })).thread_id;
  const often = await start("Boats: boat people like boats.");
  await begin({ thread_id: often, content: "More boats" });
  const once = await start("A boat and a lighthouse");
  const named = await start("Something else", "Boats");
  const both = await start("A lighthouse beside the harbour");
  for (let number = 0; number < 7; number++) await start("Ferry number seven");
  await run("update messages set status = 'complete', content = 'Well.' where status = 'streaming'");

  for (const isIndexed of [false, true]) {
    const name = isIndexed ? "in the index" : "before a sweep";
    await t.step(`a title before messages, often before once: ${name}`, async () => {
      if (isIndexed) await index();
      assertEquals(ids(await search("boat")), [named, often, once]);
    });
    await t.step(`a rare word before a frequent one, all words before one: ${name}`, async () => {
      assertEquals(ids(await search("lighthouse harbour ferry")).slice(0, 2), [both, once]);
    });
    await t.step(`pages to the end, each thread once: ${name}`, async () => {
      const all = ids(await search("ferry lighthouse boat"));
      assertEquals([new Set(all).size, all.length], [11, 11]);
      const seen: string[] = [];
      let cursor: string | null | undefined = "";
      while (typeof cursor === "string") {
        const [score, at, id] = cursor === "" ? [null, null, null] : cursor.split("_");
        const page = await search("ferry lighthouse boat", {
          page_size: 3,
          after_score: score,
          after_at: at,
          after_id: id,
        });
        assertEquals(page.count, page.data.length);
        seen.push(...ids(page));
        cursor = page.next_cursor;
      }
      assertEquals(seen, all);
    });
  }

  await t.step("archived threads, and what a thread is", async () => {
    await value("select update_thread($1, $2, is_archived => true, is_pinned => true)", [
      { account_id: accountId },
      named,
    ]);
    assertEquals(ids(await search("boat", { is_archived: false })), [often, once]);
    const { data: [thread] } = await search("boat", { is_archived: true, has_state: true });
    assertEquals([thread?.id, thread?.is_pinned], [named, true]);
  });
});

Deno.test("a search of the threads with a coach", async (t) => {
  const { postgres, run, accountId, coachId, begin, searchCoach, index } = await prepare();
  await using _ = postgres;
  const other = await insertCoach(postgres);
  const start = async (user_id: string, content: string, args = {}) =>
    (await begin({ user_id, content, title: "Talk", ...args })).thread_id;
  const owl = await start("u", "Where do owls sleep?");
  const owls = await start("v", "Owls and owls, and a lantern");
  await begin({ thread_id: owls, user_id: "v", content: "More owls" });
  await start("u", "Owls of others", { account_id: other.accountId, coach_id: other.coachId });
  await run("update messages set status = 'complete', content = 'Well.' where status = 'streaming'");

  for (const isIndexed of [false, true]) {
    await t.step(
      `finds what all users have said, best first, in pages: ${isIndexed ? "indexed" : "not yet"}`,
      async () => {
        if (isIndexed) await index();
        assertEquals(ids(await searchCoach("owl")), [owls, owl]);
        assertEquals(ids(await searchCoach("lantern")), [owls]);
        const first = await searchCoach("owl", { page_size: 1 });
        const [after_score, after_at, after_id] = first.next_cursor!.split("_");
        const second = await searchCoach("owl", { page_size: 1, after_score, after_at, after_id });
        assertEquals([ids(first), ids(second), second.next_cursor], [[owls], [owl], null]);
      },
    );
  }

  await t.step(
    "a word that very many messages hold counts in the newest 1,000 threads, a rare one in all",
    async () => {
      await run("delete from threads");
      // Twenty messages in each of 1,100 old threads, of which the newest 1,000 are looked at.
      await postgres.exec("set session_replication_role = replica");
      await run(
        `insert into threads (account_id, coach_id, user_id, title, updated_at, searchable_until)
      select $1, $2, 'user', n, now() - n * interval '1 hour', 'infinity' from generate_series(1, 1100) as n`,
        accountId,
        coachId,
      );
      await run(
        `insert into private.thread_words (thread_id, message_id, words)
      select id, gen_random_uuid(), array_to_tsvector(array[
        'habit', private.scope_of('c', $1), case title when '1100' then 'walrus' else 'other' end
      ])
      from threads cross join generate_series(1, 20)`,
        coachId,
      );
      await postgres.exec("set session_replication_role = origin");
      const titles = async (search: string, args = {}) =>
        (await searchCoach(search, { page_size: 2000, ...args })).data.map(({ title }) => Number(title));
      const newest = Array.from({ length: 1_000 }, (_, index) => index + 1);
      assertEquals(await titles("habits "), newest);
      assertEquals(await titles("walrus "), [1_100]);
      assertEquals(await titles("habits of a walrus "), [1_100, ...newest]);
      const hours = (count: number) => new Date(Date.now() - (count - 0.5) * 3_600_000);
      assertEquals(await titles("habits ", { before_time: hours(1_099) }), [1_099, 1_100]);
    },
  );
});

Deno.test(`whatever happens to messages, a search finds what is there: ${changes} changes`, async () => {
  const { postgres, value, run, begin, save, search, searchCoach, index } = await prepare();
  await using _ = postgres;
  const random = createRandom(11);
  const threads: string[] = [];
  for (let number = 0; number < 3; number++) threads.push((await begin({ content: "Start", title: "T" })).thread_id);
  const pickMessage = (condition = "true") =>
    value(`select id from messages where ${condition} order by md5(id::text || $1) limit 1`, [String(random.number())]);
  const text = () => [random.pick(words), random.pick(words)].join(" and ");
  const kinds: (() => Promise<unknown>)[] = [
    () => begin({ thread_id: random.pick(threads), content: text() }),
    async () => {
      const id = await pickMessage("status = 'streaming'");
      if (id) await save({ message_id: id, run_id: id, status: "streaming", content: text() });
    },
    async () => {
      const id = await pickMessage("status = 'streaming'");
      const status = random.pick(["complete", "failed", "stopped"]);
      if (id) await save({ message_id: id, run_id: id, status, content: text() });
    },
    async () => run("update messages set content = $2 where id = $1", await pickMessage(), text()),
    async () => run("delete from messages where id = $1", await pickMessage()),
    async () => run("update messages set thread_id = $2 where id = $1", await pickMessage(), random.pick(threads)),
    async () =>
      run("update messages set created_at = created_at - interval '1 day' where id = $1", await pickMessage()),
    () =>
      run(
        "insert into messages (thread_id, role, content, created_at) values ($1, $2, $3, now() - $4 * interval '1 hour')",
        random.pick(threads),
        random.pick(["user", "assistant", "system"]),
        text(),
        random.pick([0, 1, 100]),
      ),
    () => run("update threads set title = $2 where id = $1", random.pick(threads), text()),
    async () =>
      run(
        "update messages set updated_at = now() - interval '1 minute' where id = $1",
        await pickMessage("status = 'streaming'"),
      ),
    index,
  ];
  for (let change = 0; change < changes; change++) {
    const kind = random.pick(kinds);
    await kind();
    for (const word of words) {
      const expected = await value(
        `select coalesce(jsonb_agg(id order by id), '[]') from threads where title ~ $1
          or exists (select from messages where thread_id = threads.id and is_listed and content ~ $1)`,
        [word],
      );
      for (const found of [await search(`${word} `), await searchCoach(`${word} `)]) {
        assertEquals(ids(found).toSorted(), expected, `${change}: ${kind}`);
      }
    }
  }
});
