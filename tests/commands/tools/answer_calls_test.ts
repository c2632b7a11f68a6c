import { answerCalls } from "../../../supabase/platform/function_calls.ts";
import { shareSession } from "../../../supabase/platform/share_session.ts";
import { assertEquals } from "../../support/assert.ts";
import { handOver } from "../../support/hand_over.ts";
import { createProjectPostgres } from "../../support/migrated_postgres.ts";

const secretKey = "sb_secret_test";

const functions = `
  create table notes (id int primary key, text text not null check (text <> ''), link int references notes deferrable initially deferred);
  grant all on notes to service_role;
  create function tell_settings() returns json language sql stable set statement_timeout = '7s' as $$
    select json_build_object(
      'user', current_user,
      'role', current_setting('request.jwt.claims')::json ->> 'role',
      'asked', current_setting('request.method') || ' ' || current_setting('request.path'),
      'path', current_setting('search_path'),
      'limit', current_setting('statement_timeout'),
      'isReadOnly', current_setting('transaction_read_only')
    )
  $$;
  create function is_read_only() returns text language sql as $$ select current_setting('transaction_read_only') $$;
  create function keep(id int, text text, link int default null) returns void language sql as $$
    insert into notes values (keep.id, keep.text, keep.link)
  $$;
  create function keep_and_look(id int) returns int language plpgsql stable as $$
    begin perform keep(keep_and_look.id, 'x'); return 1; end
  $$;
  create function count_notes() returns bigint language sql stable as $$ select count(*) from notes $$;
  create function list_notes() returns setof notes language sql stable as $$ select * from notes order by id $$;
  create function echo(result json) returns json language sql immutable as $$ select result $$;
  create function refuse(code text) returns void language plpgsql as $$ begin raise exception using errcode = code, message = 'No'; end $$;`;

/** A Postgres with some functions and the service's calls of them; `fetch` stands for lite. */
async function startCalls() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.adopt(await createProjectPostgres(), (postgres) => postgres.close());
  await postgres.exec(functions);
  const send = postgres.execProtocolStream.bind(postgres);
  postgres.execProtocolStream = (...message) =>
    // Every SQL error sets the exit code of this process; undo that.
    send(...message).finally(() => Deno.exitCode = 0);
  const session = shareSession(postgres);
  const passedOn: string[] = [];
  const fetch = await answerCalls((request) => {
    passedOn.push(request.url);
    return Promise.resolve(new Response("lite"));
  }, { postgres, session, secretKey });
  return handOver(stack, {
    postgres,
    session,
    passedOn,
    /** Calls a function: its status, and the JSON of its reply. */
    async call(name: string, args: unknown = {}, headers: Record<string, string> = { apikey: secretKey }) {
      const body = typeof args === "string" ? args : JSON.stringify(args);
      const response = await fetch(
        new Request(`http://127.0.0.1/rest/v1/rpc/${name}`, { method: "POST", headers, body }),
      );
      const text = await response.text();
      return [response.status, text.startsWith("{") ? JSON.parse(text) : text];
    },
    async codeOf(name: string, args: unknown = {}) {
      const [status, { code }] = await this.call(name, args);
      return [status, code];
    },
  });
}

Deno.test("the service's calls of SQL functions, as PostgREST answers them", async (t) => {
  await using calls = await startCalls();

  await t.step("role, claims, path and the time limit of the function hold for the call", async () => {
    assertEquals(await calls.call("tell_settings"), [200, {
      user: "service_role",
      role: "service_role",
      asked: "POST /rpc/tell_settings",
      path: '"public", "extensions"',
      limit: "7s",
      isReadOnly: "on",
    }]);
    const { rows } = await calls.postgres.query("select current_user = 'service_role' as is_service");
    assertEquals(rows, [{ is_service: false }], "they end with the transaction");
  });

  await t.step("a volatile function may write, a stable one may not", async () => {
    assertEquals(await calls.call("is_read_only"), [200, '"off"']);
    assertEquals(await calls.codeOf("keep_and_look", { id: 9 }), [405, "25006"]);
    assertEquals(await calls.call("count_notes"), [200, "0"]);
  });

  await t.step("nothing returned → 204, rows → a list, a value as it is, byte for byte", async () => {
    assertEquals(await calls.call("keep", { id: 1, text: "one" }), [204, ""]);
    assertEquals(await calls.call("list_notes"), [200, '[{"id":1,"text":"one","link":null}]']);
    assertEquals(await calls.call("echo", '{"result": [1,  "é", {"b":1, "a":2}]}'), [200, '[1,  "é", {"b":1, "a":2}]']);
    assertEquals(await calls.call("echo", { result: null }), [200, "null"]);
  });

  await t.step("each error has PostgREST's status and code, and undoes what the call did", async () => {
    const refused: [string, unknown, number, string][] = [
      ["keep", { id: 1, text: "again" }, 409, "23505"],
      ["keep", { id: 2, text: "" }, 400, "23514"],
      ["keep", { id: 2, text: "dangling", link: 7 }, 409, "23503"],
      ["refuse", { code: "PT404" }, 404, "PT404"],
      ["refuse", { code: "P0001" }, 400, "P0001"],
      ["refuse", { code: "42501" }, 403, "42501"],
      ["refuse", { code: "57014" }, 500, "57014"],
      ["refuse", { code: "53300" }, 503, "53300"],
      ["keep", { id: 2 }, 404, "PGRST202"],
      ["keep", { id: 2, text: "x", more: 1 }, 404, "PGRST202"],
      ["unknown", {}, 404, "PGRST202"],
      ["keep", "{", 400, "PGRST102"],
      ["keep", "[1]", 400, "PGRST102"],
    ];
    for (const [name, args, status, code] of refused) {
      assertEquals(await calls.codeOf(name, args), [status, code], `${name} ${JSON.stringify(args)}`);
      assertEquals(await calls.call("count_notes"), [200, "1"], code);
    }
  });

  await t.step("other callers and other requests are left to lite", async () => {
    const others: Record<string, string>[] = [{}, { apikey: "sb_publishable_x" }, {
      apikey: secretKey,
      Authorization: "Bearer other",
    }];
    for (const headers of others) assertEquals(await calls.call("count_notes", {}, headers), [200, "lite"]);
    assertEquals(await calls.call("count_notes?select=x"), [200, "lite"]);
    assertEquals(await calls.call("count_notes", {}, { apikey: secretKey, Authorization: `Bearer ${secretKey}` }), [
      200,
      "1",
    ]);
    assertEquals(calls.passedOn.length, 4);
  });
});

Deno.test("requests that share a session take turns", async (t) => {
  await using calls = await startCalls();
  const { postgres, session } = calls;

  /** A transaction of lite, statement by statement. */
  const store = (id: number, text: string) =>
    session.answer(async () => {
      await postgres.query("BEGIN");
      try {
        await postgres.query("insert into notes values ($1, $2)", [id, text]);
        await postgres.query("COMMIT");
        return true;
      } catch {
        await postgres.query("ROLLBACK");
        return false;
      }
    });

  await t.step("a refused transaction undoes nothing of others at the same time", async () => {
    const ids = [...Array(40).keys()];
    const stored = await Promise.all(ids.map((id) => store(id, id % 3 === 0 ? "" : "x")));
    assertEquals(stored, ids.map((id) => id % 3 !== 0));
    const { rows } = await postgres.query<{ id: number }>("select id from notes order by id");
    assertEquals(rows.map(({ id }) => id), ids.filter((id) => id % 3 !== 0));
  });

  await t.step("so does a call", async () => {
    const replies = await Promise.all([
      store(100, "x"),
      calls.call("keep", { id: 101, text: "" }),
      store(102, ""),
      calls.call("keep", { id: 103, text: "x" }),
    ]);
    assertEquals([replies[0], (replies[1] as [number])[0], replies[2], replies[3]], [true, 400, false, [204, ""]]);
    const { rows } = await postgres.query<{ id: number }>("select id from notes where id >= 100 order by id");
    assertEquals(rows.map(({ id }) => id), [100, 103]);
  });

  await t.step("more statements than Postgres may remember", async () => {
    for (let width = 1; width <= 1_100; width++) {
      await session.answer(async () => {
        await postgres.query("BEGIN");
        await postgres.query(`select ${width}`);
        await postgres.query("COMMIT");
      });
    }
    assertEquals(await calls.call("is_read_only"), [200, '"off"']);
  });
});
