import { assert, assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { createAppClient, createCoach, createTenant, createUser, issueKey, operator } from "../support/project.ts";
import { sentenceOf } from "../support/refusals.ts";
import { projectVariable } from "../support/service.ts";

/** How Postgres refuses a row, before it names the constraint that says the rule. */
const broken = (table: string) => `new row for relation "${table}" violates check constraint`;

Deno.test("rows inserted by hand need only the columns without a default", async () => {
  const { data: account } = await operator.from("accounts").insert({ name: "Acme" }).select().single().throwOnError();
  const { data: coach } = await operator.from("coach_profiles").insert({
    account_id: account.id,
    name: "Ada",
    title: "Coach",
    instructions: "Teach.",
  }).select().single().throwOnError();
  assertMatch(coach.id, /^[0-9a-f-]{36}$/);
  assertEquals([coach.is_active, coach.history_limit, coach.owner_id, coach.model], [true, 20, null, null]);
  const { data: thread } = await operator.from("threads").insert(
    // The generated type does not know that a trigger fills the account in.
    { coach_id: coach.id, user_id: "u" } as { account_id: string; coach_id: string; user_id: string },
  ).select().single().throwOnError();
  assertEquals(thread.account_id, account.id);
  const { data: message } = await operator.from("messages").insert({
    thread_id: thread.id,
    role: "user",
    content: "Hi",
  }).select().single().throwOnError();
  assertEquals(message.status, "complete");
});

Deno.test("the tables refuse rows that make no sense", async (t) => {
  const tenant = await createTenant();
  const { data: thread } = await operator.from("threads").insert({
    account_id: tenant.accountId,
    coach_id: tenant.coachId,
    user_id: "u",
  }).select().single().throwOnError();
  const other = await createTenant();

  await t.step("a coach with threads cannot be deleted, only made inactive", async () => {
    const { error } = await operator.from("coach_profiles").delete().eq("id", tenant.coachId);
    assertNotEquals(error, null);
    await operator.from("coach_profiles").update({ is_active: false }).eq("id", tenant.coachId).throwOnError();
  });
  await t.step("a thread of one account with a coach of another", async () => {
    const { error } = await operator.from("threads").insert({
      account_id: other.accountId,
      coach_id: tenant.coachId,
      user_id: "u",
    });
    assertNotEquals(error, null);
  });
  for (
    const [name, row] of [
      ["an unknown role", { thread_id: thread.id, role: "robot", content: "x" }],
      ["a question that streams", { thread_id: thread.id, role: "user", content: "x", status: "streaming" }],
      ["a message without a thread", { thread_id: crypto.randomUUID(), role: "user", content: "x" }],
    ] as const
  ) {
    await t.step(name, async () => assertNotEquals((await operator.from("messages").insert(row)).error, null));
  }
  await t.step("a blank name", async () => {
    assertNotEquals((await operator.from("accounts").insert({ name: " " })).error, null);
  });
  for (
    const address of ["http://login.example/", "http://localhost.evil.example/", "https://a:b@l.example/", "file:///a"]
  ) {
    await t.step(`an issuer with keys at ${address}`, async () => {
      const issuer = { name: "acme", issuer: "acme", audience: "app", jwks_url: address };
      const { error } = await operator.rpc("set_token_issuer", { account_id: tenant.accountId, ...issuer });
      assertMatch(String(error?.message), /^jwks_url must be an https address/);
    });
  }
  for (
    const settings of [
      { temperature: 3 },
      { reasoning_effort: "lowest" },
      { reasoning_effort: "Low" },
      { verbosity: "" },
      { max_output_tokens: 15 },
      { max_output_tokens: 1_000_001 },
    ]
  ) {
    await t.step(`a coach with ${JSON.stringify(settings)}`, async () => {
      const { error } = await operator.from("coach_profiles").update(settings).eq("id", tenant.coachId);
      assertNotEquals(error, null);
    });
  }
});

Deno.test("issue_api_key and revoke_api_key", async (t) => {
  const tenant = await createTenant();
  const issue = (args: Record<string, unknown>) =>
    operator.rpc("issue_api_key", { account_id: tenant.accountId, name: "k", ...args });

  await t.step("a key has the documented form and checksum, and is not stored", async () => {
    const { data } = await issue({}).throwOnError() as { data: Record<string, unknown> };
    const key = String(data.api_key);
    assertMatch(key, /^hi_live_[0-9A-Za-z]{32}[0-9a-f]{6}$/);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key.slice(8, 40))))
      .toHex();
    assertEquals(key.slice(40), digest.slice(0, 6));
    assertEquals(data.scopes, ["chat", "threads:read", "threads:write", "knowledge:read", "knowledge:write"]);
    assertEquals([data.requests_per_minute, data.requests_per_hour, data.requests_per_day, data.expires_at], [
      60,
      1_000,
      10_000,
      null,
    ]);
  });

  await t.step("no two keys are equal, and keys use all 62 characters", async () => {
    const keys = await Promise.all(Array.from({ length: 40 }, async () => (await issueKey(tenant.accountId)).apiKey));
    assertEquals(new Set(keys).size, 40);
    assertEquals(new Set(keys.map((key) => key.slice(8, 40)).join("")).size, 62);
  });

  await t.step("arguments that make no sense are refused with a sentence", async () => {
    for (
      const [args, sentence] of [
        [{ name: " " }, `${broken("api_keys")} "api_keys_name_is_not_blank"`],
        [
          { scopes: ["admin"] },
          "scopes must be among chat, threads:read, threads:write, knowledge:read, knowledge:write, expert",
        ],
        // The generated types do not know that any argument may be null.
        [
          { scopes: null as never },
          "scopes must be among chat, threads:read, threads:write, knowledge:read, knowledge:write, expert",
        ],
        [{ requests_per_minute: 0 }, `${broken("api_keys")} "api_keys_limits_are_positive"`],
        [{ account_id: crypto.randomUUID() }, "Account not found"],
        [{ coach_ids: [(await createTenant()).coachId] }, "coach_ids must be coaches of the account"],
      ] as const
    ) {
      assertEquals((await issue(args)).error?.message, sentence);
    }
    assertEquals(
      (await operator.rpc("revoke_api_key", { id: crypto.randomUUID() })).error?.message,
      "API key not found",
    );
  });

  await t.step("revoking twice keeps the time of the first", async () => {
    const { keyId } = await issueKey(tenant.accountId);
    const first = await operator.rpc("revoke_api_key", { id: keyId }).throwOnError();
    const second = await operator.rpc("revoke_api_key", { id: keyId }).throwOnError();
    assertEquals(second.data, first.data);
    assert((first.data as { revoked_at: string }).revoked_at);
  });
});

Deno.test("create_account and create_coach", async (t) => {
  const { accountId } = await createTenant();
  const create = (args: Record<string, unknown>) =>
    operator.rpc("create_coach", {
      account_id: accountId,
      name: "Ada",
      title: "Coach",
      instructions: "Teach.",
      ...args,
    });

  await t.step("an account needs a name", async () => {
    const { data } = await operator.rpc("create_account", { name: "Acme" }).throwOnError();
    assertEquals((data as { name: string }).name, "Acme");
    assertEquals(
      (await operator.rpc("create_account", { name: " " })).error?.message,
      `${broken("accounts")} "accounts_name_is_not_blank"`,
    );
  });

  await t.step("a coach needs an account, a name, a title and instructions", async () => {
    const { data } = await create({}).throwOnError();
    const { id, ...coach } = data as Record<string, unknown>;
    assertMatch(String(id), /^[0-9a-f-]{36}$/);
    for (const name of ["temperature", "reasoning_effort", "verbosity", "max_output_tokens", "store_responses"]) {
      assertEquals(coach[name], null, name);
    }
    assertEquals([coach.name, coach.language, coach.history_limit, coach.model, coach.greeting, coach.starters], [
      "Ada",
      "english",
      20,
      null,
      null,
      [],
    ]);
  });

  await t.step("everything else may be given", async () => {
    const id = crypto.randomUUID();
    const more = {
      ...{ greeting: "Hello", model: "m", language: "german", temperature: 0.5, history_limit: 4 },
      starters: ["Why?", "é".repeat(200), "c", "d", "e", "f"],
      ...{ reasoning_effort: "xhigh", verbosity: "low", max_output_tokens: 16, store_responses: false },
    };
    const { data } = await create({ id, ...more }).throwOnError();
    for (const [name, value] of Object.entries({ id, ...more })) {
      assertEquals((data as Record<string, unknown>)[name], value);
    }
    assertEquals((await create({ id })).error?.message, "This coach id is taken");
  });

  await t.step("what makes no sense is refused with a sentence, or the name of a rule", async () => {
    for (
      const [args, sentence] of [
        [{ account_id: crypto.randomUUID() }, "Account not found"],
        ...([
          [{ name: " " }, "name_is_1_to_200_characters"],
          [{ name: "x".repeat(201) }, "name_is_1_to_200_characters"],
          [{ title: "" }, "title_is_not_blank"],
          [{ instructions: "  " }, "instructions_are_not_blank"],
          [{ id: "" }, "id_is_not_blank"],
          [{ greeting: " " }, "greeting_is_1_to_2000_characters"],
          [{ greeting: "x".repeat(2_001) }, "greeting_is_1_to_2000_characters"],
          ...[Array(7).fill("Why?"), [" "], ["Why?", ""], ["x".repeat(201)], ["a\nb"], ["a\u0085b"]].map((starters) =>
            [{ starters }, "starters_are_at_most_six_lines"] as const
          ),
          [{ temperature: 2.5 }, "temperature_is_0_to_2"],
          [{ history_limit: 201 }, "history_limit_is_0_to_200"],
          [{ reasoning_effort: "lowest" }, "reasoning_effort_is_known"],
          [{ verbosity: "none" }, "verbosity_is_known"],
          [{ max_output_tokens: 15 }, "max_output_tokens_is_16_to_1000000"],
          [{ max_output_tokens: 1_000_001 }, "max_output_tokens_is_16_to_1000000"],
        ] as const).map(([args, rule]) => [args, `${broken("coach_profiles")} "coach_profiles_${rule}"`] as const),
        [{ title: null }, 'null value in column "title" of relation "coach_profiles" violates not-null constraint'],
        [{ language: "klingon" }, "language 'klingon' is not a text search configuration of this database"],
      ] as const
    ) {
      assertEquals((await create(args)).error?.message, sentence);
    }
  });
});

Deno.test("list_api_keys shows the state of each key and nothing secret", async () => {
  const tenant = await createTenant({ expires_at: new Date(0).toISOString() });
  const { keyId } = await issueKey(tenant.accountId);
  await operator.rpc("revoke_api_key", { id: keyId }).throwOnError();
  const { apiKey } = await issueKey(tenant.accountId, { scopes: ["chat"] });
  const { data } = await operator.rpc("list_api_keys").eq("account_id", tenant.accountId).throwOnError();
  assertEquals(data.map(({ status, scopes }) => [status, scopes.length]), [["expired", 5], ["revoked", 5], [
    "active",
    1,
  ]]);
  assertEquals(data[2]?.prefix, apiKey.slice(0, 14));
  assert(!JSON.stringify(data).includes(apiKey.slice(14)) && !("digest" in data[0]!));
});

Deno.test("reindex_file and reindex_coach refuse unknown ids", async () => {
  const file = await operator.rpc("reindex_file", { file_id: crypto.randomUUID() });
  assertEquals([file.error?.code, file.error?.message], ["PT404", sentenceOf("file_not_found")]);
  const coach = await operator.rpc("reindex_coach", { coach_id: "nobody" });
  assertEquals([coach.error?.code, coach.error?.message], ["PT404", sentenceOf("coach_not_found")]);
});

Deno.test("only the service may use the tables and functions over REST", async (t) => {
  const tenant = await createTenant();
  const user = await createUser();
  await createCoach(tenant.accountId, { owner_id: user.id });
  const anonymous = createAppClient();
  const signedIn = createAppClient();
  await signedIn.auth.signInWithPassword(user);
  await operator.from("threads").insert({ account_id: tenant.accountId, coach_id: tenant.coachId, user_id: user.id })
    .throwOnError();

  for (const [name, client] of [["anon", anonymous], ["authenticated", signedIn]] as const) {
    for (const table of ["accounts", "coach_profiles", "threads", "messages"] as const) {
      await t.step(`${name} reads no ${table}`, async () => {
        const { data, error } = await client.from(table).select();
        assert(error !== null || data.length === 0, JSON.stringify(data));
      });
      await t.step(`${name} deletes no ${table}`, async () => {
        const { count: before } = await operator.from(table).select("*", { count: "exact", head: true }).throwOnError();
        await client.from(table).delete().not("id", "is", null);
        const { count: after } = await operator.from(table).select("*", { count: "exact", head: true }).throwOnError();
        assertEquals(after, before);
      });
    }
    await t.step(`${name} inserts no account`, async () => {
      assertNotEquals((await client.from("accounts").insert({ name: "mine" })).error, null);
    });
    const caller = { account_id: tenant.accountId };
    for (
      const [call, args] of [
        ["issue_api_key", { account_id: tenant.accountId, name: "x" }],
        ["revoke_api_key", { id: tenant.keyId }],
        ["admit_request", { caller: { key_digest: "x" } }],
        ["list_threads", { caller, user_id: user.id }],
        ["list_messages", { caller, thread_id: crypto.randomUUID() }],
        ["rate_answer", {
          caller,
          user_id: user.id,
          thread_id: crypto.randomUUID(),
          message_id: crypto.randomUUID(),
          rating: "up",
          comment: null,
        }],
        ["begin_turn", {
          caller,
          user_id: user.id,
          turn: {
            coach_id: tenant.coachId,
            content: "x",
            title: "x",
            request_id: "x",
            is_signed_in: true,
            run_id: crypto.randomUUID(),
          },
        }],
        ["save_turns", { turns: [] }],
      ] as const
    ) {
      await t.step(`${name} may not call ${call}`, async () => {
        const { error } = await client.rpc(call, args as never);
        assertEquals(error?.code, "42501");
      });
    }
  }
  await t.step("without any key REST is closed", async () => {
    const response = await fetch(`${projectVariable("SUPABASE_URL")}/rest/v1/accounts`);
    assertEquals(response.status, 401);
    await response.body?.cancel();
  });
  await t.step("the private schema is not exposed", async () => {
    const { error } = await operator.schema("private" as "public").from("accounts").select();
    assertNotEquals(error, null);
  });
});
