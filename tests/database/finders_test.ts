import { assertEquals } from "../support/assert.ts";
import { createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

type SqlFunction = { name: string; schema: string; types: string[]; parameters: string[]; source: string };

/** The functions that know which coaches, threads and files exist for a caller. */
const finders = [
  "find_coach",
  "find_thread",
  "find_file",
  "find_invitation",
  "refuse_unless_expert",
  "refuse_unless_expert_of_thread",
];

/** Functions that read many rows of a caller from one index, and so compare its columns themselves. */
const lists = [
  "describe_company",
  "find_conversations",
  "begin_usual",
  "list_coaches",
  "list_models",
  "list_threads",
  "make_own_coach",
  "rank_threads",
  "read_coach_usage",
];

/** Functions in public that take an ID without a caller, each with its users. */
const withoutCaller: Record<string, string> = {
  end_question: "a sweep",
  end_test: "a sweep",
  find_lexemes: "a sweep",
  find_near_questions: "a sweep",
  find_original: "signed addresses",
  hurry_mails: "operators",
  issue_api_key: "operators",
  issue_publishable_key: "operators",
  keep_question: "the run of an answer",
  list_api_keys: "operators",
  postpone_comparison: "a sweep",
  postpone_indexing: "a sweep",
  postpone_question: "a sweep",
  reindex_coach: "operators",
  reindex_file: "operators",
  reserve_work: "a sweep",
  save_comparison: "a sweep",
  save_indexing: "a sweep",
  save_topics: "a sweep",
  search_passages: "operators",
  store_passages: "a sweep",
  read_usage: "operators",
  read_usage_of_answers: "operators",
  take_waiting_turn: "a sweep",
  word_question: "a sweep",
};

/** A parameter that names a thread, a message, a coach or a file. */
const isId = (parameter: string) =>
  /(thread|message|coach|file|question|answer|passage|retried)_ids?$|^replaces$/.test(parameter);

/** Returns true if a function calls one of the others, with any arguments. */
const calls = ({ source }: SqlFunction, names: string[]) =>
  names.some((name) => new RegExp(`\\b(private|public)\\.${name}\\(`).test(source));

Deno.test("what an ID of a client names is found in one place", async (t) => {
  await using postgres = await createMigratedPostgres();
  const { rows: functions } = await postgres.query<SqlFunction>(`
    select function.proname as name, namespace.nspname as schema, pg_get_functiondef(function.oid) as source,
      array(select type.oid::regtype::text from unnest(function.proargtypes) as type (oid)) as types,
      coalesce(function.proargnames, '{}') as parameters
    from pg_proc as function
    join pg_namespace as namespace on namespace.oid = function.pronamespace
    where namespace.nspname in ('public', 'private') and function.prorettype <> 'trigger'::regtype
      and not exists (select from pg_depend as member where member.objid = function.oid and member.deptype = 'e')
    order by 1, 2
  `);
  const names = (found: SqlFunction[]) => found.map(({ name }) => name).toSorted();
  const forClients = functions.filter(({ schema, parameters }) => schema === "public" && parameters.includes("caller"));
  const inside = functions.filter(({ types }) => types.includes("private.caller"));

  await t.step("each function for clients admits the caller, and answers", () => {
    const wrong = forClients.filter((each) => !calls(each, ["admit"]) || !calls(each, ["answer"]));
    assertEquals(names(wrong), []);
  });

  await t.step(
    "each that takes an ID has a finder find what it names, or passes the caller on to one that does",
    () => {
      const taking = [...forClients, ...inside].filter(({ parameters }) => parameters.some(isId));
      const safe = new Set(finders);
      // Those that pass a caller on are as safe as the functions that they call.
      for (let before = -1; before !== safe.size;) {
        before = safe.size;
        for (const each of inside) if (calls(each, [...safe])) safe.add(each.name);
      }
      const wrong = taking.filter((each) => !calls(each, [...safe]) && !finders.includes(each.name));
      assertEquals(names(wrong).filter((name) => !lists.includes(name)), []);
    },
  );

  await t.step("a stranger gets nothing from any of them, and a key without the scope only its admission", async () => {
    const { accountId } = await insertCoach(postgres);
    const digest = "encode(sha256(convert_to(issued->>'api_key', 'UTF8')), 'hex')";
    const { rows: [key] } = await postgres.query<{ digest: string }>(
      `select ${digest} as digest from issue_api_key($1, 'Reader', '{threads:read}') as issued`,
      [accountId],
    );
    const reply = async ({ name, types }: SqlFunction, keyDigest: string) => {
      const rest = types.slice(1).map((type) => `, null::${type}`).join("");
      const caller = JSON.stringify({ key_digest: keyDigest, scope: "knowledge:write", is_counted: false });
      return (await postgres.query<{ reply: object | null }>(`select public.${name}($1${rest}) as reply`, [caller]))
        .rows[0]!.reply;
    };
    const found: Record<string, string[] | null> = {};
    for (const each of forClients) {
      const shown = await reply(each, key!.digest);
      found[each.name] = await reply(each, "unknown") === null ? Object.keys(shown ?? {}) : null;
    }
    assertEquals(found, Object.fromEntries(names(forClients).map((name) => [name, ["admission"]])));
  });

  await t.step("nothing else compares the account or the coaches of a caller", () => {
    const comparing = functions.filter(({ source }) =>
      /[^:]= \(?(caller|client)\.account_id|\.coach_ids is null/.test(source)
    );
    const expected = ["find_coach", "find_thread", "get_standing", "find_invitation", ...lists];
    assertEquals(names(comparing), expected.toSorted());
  });

  await t.step("no function takes the account, the coaches and the user of a caller one by one", () => {
    const taking = functions.filter(({ schema, parameters }) =>
      schema === "private" && parameters.includes("coach_ids") && parameters.includes("account_id")
    );
    assertEquals(names(taking).filter((name) => name !== "caller_of"), []);
  });

  await t.step("each that takes an ID and no caller is known", () => {
    const taking = functions.filter(({ schema, parameters }) =>
      schema === "public" && !parameters.includes("caller") && parameters.some(isId)
    );
    assertEquals(names(taking), Object.keys(withoutCaller).toSorted());
  });
});
