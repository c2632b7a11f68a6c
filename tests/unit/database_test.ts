import * as z from "zod/mini";
import { type AccountDatabase, callRepeatable } from "../../shared/infra/db/account_database.ts";
import { createDatabase, DatabaseError, isUnanswered, unreadableReply } from "../../shared/infra/db/database.ts";
import { replyObject } from "../../shared/infra/db/reply_object.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";
import { serve } from "../support/serve.ts";

/** A database whose REST API sends these replies one after the other, and counts the calls. */
function startDatabase(...replies: Response[]) {
  return startAnswering((call) => replies[call] ?? new Response(null, { status: 500 }));
}

function startAnswering(answer: (call: number) => Response, timeout = 5_000) {
  let calls = 0;
  const server = serve(() => answer(calls++));
  const database = createDatabase({ supabaseUrl: server.url, secretKey: "sb_secret_1" }, timeout);
  return {
    database,
    get calls() {
      return calls;
    },
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

const Work = replyObject({
  has_more_responses: z.boolean(),
  file: z.nullable(replyObject({ storage_path: z.string() })),
});

const failures: [name: string, reply: () => Response, code: string | number | undefined][] = [
  ["a field that is missing", () => Response.json({ file: null }), unreadableReply],
  ["a field of another type", () => Response.json({ has_more_responses: "no", file: null }), unreadableReply],
  ["null instead of an object", () => Response.json(null), unreadableReply],
  ["nothing instead of an object", () => new Response(null, { status: 204 }), unreadableReply],
  ["a reply that is not JSON", () => new Response("<html>"), undefined],
  ["a refusal of Postgres", () => Response.json({ code: "42501" }, { status: 403 }), "42501"],
  ["a refusal whose code is not a text", () => Response.json({ code: 1 }, { status: 403 }), 403],
  ["a failure without JSON", () => new Response("Bad gateway", { status: 502 }), 502],
];

Deno.test("createDatabase", async (t) => {
  await t.step("the names of a reply are turned from SQL's form into camelCase", async () => {
    await using postgres = startDatabase(
      Response.json({ has_more_responses: true, file: { storage_path: "a/b/1", more: 1 } }),
    );
    assertEquals(await postgres.database.call("take_indexing_work", {}, Work), {
      hasMoreResponses: true,
      file: { storagePath: "a/b/1" },
    });
  });

  await t.step("a function that returns nothing gives null", async () => {
    await using postgres = startDatabase(new Response(null, { status: 204 }));
    assertEquals(await postgres.database.call("count_refusal", { api_key_id: "k" }, z.null()), null);
  });

  for (const [name, reply, code] of failures) {
    await t.step(`${name} is a failed call`, async () => {
      await using postgres = startDatabase(reply());
      const error = await assertRejects(() => postgres.database.call("take_indexing_work", {}, Work), DatabaseError);
      assertEquals(error.code, code);
    });
  }

  const good = () => Response.json({ has_more_responses: false, file: null });
  const repeated: Record<string, [first: () => Response, calls: number]> = {
    "a call that failed on the way": [() => new Response("Bad gateway", { status: 502 }), 2],
    "a call that failed to serialise": [() => Response.json({ code: "40001" }, { status: 500 }), 2],
    "a call that was refused": [() => Response.json({ code: "42501" }, { status: 403 }), 1],
    "a call whose reply cannot be read": [() => Response.json([]), 1],
  };
  for (const [name, [first, calls]] of Object.entries(repeated)) {
    await t.step(`${name} is made ${calls === 1 ? "once" : "twice"} if it is repeatable`, async () => {
      await using postgres = startDatabase(first(), good());
      const { call } = postgres.database;
      const database = {
        call: (name: "stop_turn", args: { message_id: string }, schema: typeof Work) =>
          call(name, { ...args, caller: {}, user_id: null, is_forced: false }, schema),
      } as unknown as AccountDatabase;
      await callRepeatable(database, "stop_turn", { message_id: "m", user_id: null, is_forced: false }, Work)
        .catch(() => {});
      assertEquals(postgres.calls, calls);
    });
  }

  const early = () => Response.json({ code: "PGRST303", message: "JWT issued at future" }, { status: 401 });
  const loading = () => Response.json({ code: "PGRST002", message: "No schema cache" }, { status: 503 });
  const expired = () => Response.json({ code: "PGRST303", message: "JWT expired" }, { status: 401 });

  await t.step("a call that PostgREST is not ready for is made again, whichever function it is", async () => {
    await using postgres = startDatabase(early(), loading(), early(), good());
    const work = await postgres.database.call("take_indexing_work", {}, Work);
    assertEquals([work.hasMoreResponses, postgres.calls], [false, 4]);
  });

  await t.step("with an expired token it is made once", async () => {
    await using postgres = startDatabase(expired(), good());
    const error = await assertRejects(() => postgres.database.call("take_indexing_work", {}, Work), DatabaseError);
    assertEquals([error.code, postgres.calls], ["PGRST303", 1]);
  });

  await t.step(
    "until the time limit; then the refusal is the error, which says that Postgres was not there",
    async () => {
      await using postgres = startAnswering(loading, 200);
      const error = await assertRejects(() => postgres.database.call("take_indexing_work", {}, Work), DatabaseError);
      assertEquals([error.code, isUnanswered(error), postgres.calls >= 2], ["PGRST002", true, true]);
    },
  );
});
