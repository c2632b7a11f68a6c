import { assert, assertEquals, assertRejects } from "../support/assert.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";
import { sentenceOf } from "../support/refusals.ts";

/** Checks that Postgres refuses something. */
async function assertRefused(act: () => Promise<unknown>, reason: string): Promise<void> {
  await assertRejects(act, Error, reason);
  // Every error of the embedded Postgres sets the exit code of this process; undo that.
  Deno.exitCode = 0;
}

Deno.test("owner_id and the owners among the experts stay in step", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const newUser = async () => {
    const id = crypto.randomUUID();
    await postgres.query("insert into auth.users (id) values ($1)", [id]);
    return id;
  };
  const [first, second, third] = [await newUser(), await newUser(), await newUser()];
  const setOwner = (id: string | null) => postgres.query("update coach_profiles set owner_id = $1", [id]);
  const add = (id: string, role: string) =>
    postgres.query("insert into coach_experts (coach_id, user_id, role) values ($1, $2, $3)", [coachId, id, role]);
  /** The user in owner_id, and the roles of all experts. */
  const state = async () => {
    const { rows } = await postgres.query<{ user_id: string; role: string }>("select user_id, role from coach_experts");
    return [
      await value("select owner_id from coach_profiles"),
      Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role])),
    ];
  };

  await t.step("whom owner_id names becomes an owner, in place of the one before", async () => {
    await setOwner(first);
    assertEquals(await state(), [first, { [first]: "owner" }]);
    await setOwner(second);
    assertEquals(await state(), [second, { [second]: "owner" }]);
    await add(third, "editor");
    await setOwner(third);
    assertEquals(await state(), [third, { [third]: "owner" }]);
    await setOwner(null);
    assertEquals(await state(), [null, {}]);
  });

  await t.step("the first owner among the experts takes an empty place, others leave it as it is", async () => {
    await add(first, "answerer");
    assertEquals((await state())[0], null);
    await add(second, "owner");
    await add(third, "owner");
    assertEquals(await state(), [second, { [first]: "answerer", [second]: "owner", [third]: "owner" }]);
  });

  await t.step("an owner who leaves, or gets another role, is followed by the oldest other one", async () => {
    await postgres.query("update coach_experts set role = 'editor' where user_id = $1", [second]);
    assertEquals(await state(), [third, { [first]: "answerer", [second]: "editor", [third]: "owner" }]);
    await postgres.query("update coach_experts set role = 'owner' where user_id = $1", [second]);
    await postgres.query("delete from coach_experts where user_id = $1", [third]);
    assertEquals(await state(), [second, { [first]: "answerer", [second]: "owner" }]);
    await setOwner(null);
    assertEquals(await state(), [null, { [first]: "answerer" }]);
  });

  await t.step("so is one whose user is deleted", async () => {
    await setOwner(second);
    await add(third, "owner");
    await postgres.query("delete from auth.users where id = $1", [second]);
    assertEquals(await state(), [third, { [first]: "answerer", [third]: "owner" }]);
    await postgres.query("delete from auth.users where id = $1", [third]);
    assertEquals(await state(), [null, { [first]: "answerer" }]);
  });

  await t.step("a coach takes its experts along, to another ID and into deletion", async () => {
    await setOwner(first);
    await postgres.query("update coach_profiles set id = 'renamed'");
    assertEquals(await state(), [first, { [first]: "owner" }]);
    assertEquals(await value("select account_id from coach_experts"), accountId);
    await postgres.query("delete from coach_profiles");
    assertEquals(await value("select count(*)::int from coach_experts"), 0);
  });

  await t.step("nobody can be an expert for another account, or in a role that does not exist", async () => {
    const [one, other] = [await insertCoach(postgres), await insertCoach(postgres)];
    const insert = (account: string, role: string) =>
      postgres.query("insert into coach_experts (coach_id, account_id, user_id, role) values ($1, $2, $3, $4)", [
        one.coachId,
        account,
        first,
        role,
      ]);
    await assertRefused(() => insert(other.accountId, "owner"), "coach_experts_coach_is_of_the_account");
    await assertRefused(() => insert(one.accountId, "king"), "coach_experts_role_is_known");
  });
});

Deno.test("invitations in Postgres", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const userId = crypto.randomUUID();
  await postgres.query("insert into auth.users (id) values ($1)", [userId]);
  const caller = JSON.stringify({ account_id: accountId });
  const digestOf = (token: string) => value("select encode(sha256(convert_to($1, 'UTF8')), 'hex')", [token]);
  const invite = async () => (await value("select invite_expert($1, $2, 'editor')", [accountId, coachId])).token;
  const accept = async (digest: string) =>
    await value("select accept_invitation($1, $2, $3)", [caller, userId, digest]);
  const invalid = { error: "invitation_not_found" };

  await t.step("a token is nowhere: only its digest is kept", async () => {
    const token = await invite();
    const { rows } = await postgres.query<{ row: string }>(
      "select row_to_json(invitation)::text as row from private.coach_invitations as invitation",
    );
    assertEquals(rows.filter(({ row }) => row.includes(token) || row.includes(token.slice(7))), []);
    assert(rows[0]!.row.includes(await digestOf(token)));
    assertEquals(await accept(token), invalid);
    await postgres.query("delete from private.coach_invitations");
  });

  await t.step("one that has expired is not valid, and a sweep deletes it", async () => {
    const [expired, valid] = [await invite(), await invite()];
    await postgres.query("update private.coach_invitations set expires_at = now() where digest = $1", [
      await digestOf(expired),
    ]);
    assertEquals(await accept(await digestOf(expired)), invalid);
    assertEquals(
      await value("select preview_invitation($1, $2, $3)", [caller, userId, await digestOf(expired)]),
      invalid,
    );
    await value("select take_indexing_work()");
    assertEquals(await value("select array_agg(digest) from private.coach_invitations"), [await digestOf(valid)]);
    assertEquals((await accept(await digestOf(valid))).role, "editor");
  });

  await t.step("of the token that was shown and the one that was sent, either is valid, and both once", async () => {
    for (const used of ["shown", "sent"]) {
      const shown = await digestOf(await invite());
      const sent = await digestOf(crypto.randomUUID());
      await postgres.query("update private.coach_invitations set mailed_digest = $1", [sent]);
      const [one, other] = used === "shown" ? [shown, sent] : [sent, shown];
      assertEquals((await accept(one)).coach_id, coachId);
      assertEquals(await accept(other), invalid);
    }
  });

  await t.step(
    "operators cannot invite to the coach of another account, or to make one without owning it",
    async () => {
      const other = await insertCoach(postgres);
      await assertRefused(
        () => value("select invite_expert($1, $2)", [other.accountId, coachId]),
        sentenceOf("coach_not_found"),
      );
      await assertRefused(
        () => value("select invite_expert($1, null, 'editor')", [accountId]),
        "coach_invitations_without_a_coach_make_an_owner",
      );
    },
  );

  await t.step("it ends with the rights of whoever made it, however these end", async () => {
    const owner = crypto.randomUUID();
    await postgres.query("insert into auth.users (id) values ($1)", [owner]);
    await postgres.query("update coach_profiles set owner_id = $1 where id = $2", [owner, coachId]);
    const ends: Record<string, (id: string) => Promise<unknown>> = {
      "another role": (id) => value("select set_expert_role($1, $2, $3, $4, 'editor')", [caller, owner, coachId, id]),
      "no role": (id) => value("select set_expert_role($1, $2, $3, $4)", [caller, owner, coachId, id]),
      "an operator": (id) => postgres.query("delete from coach_experts where user_id = $1", [id]),
      erasure: (id) => value("select erase_user($1, $2)", [accountId, id]),
      "a deleted login": (id) => postgres.query("delete from auth.users where id = $1", [id]),
    };
    for (const [name, end] of Object.entries(ends)) {
      const former = crypto.randomUUID();
      await postgres.query("insert into auth.users (id) values ($1)", [former]);
      await postgres.query("insert into coach_experts (coach_id, user_id, role) values ($1, $2, 'owner')", [
        coachId,
        former,
      ]);
      const { token } = await value("select create_invitation($1, $2, $3, 'owner')", [caller, former, coachId]);
      await end(former);
      for (const user of [former, userId]) {
        const reply = await value("select accept_invitation($1, $2, $3)", [caller, user, await digestOf(token)]);
        assert(["invitation_not_found", "permanent_user_required"].includes(reply.error), name);
      }
      assertEquals((await value("select list_invitations($1, $2, $3)", [caller, owner, coachId])).data, [], name);
    }
    await postgres.query("update coach_profiles set owner_id = null where id = $1", [coachId]);
  });

  await t.step("who accepts is the expert whom the inviter has added; both may be deleted", async () => {
    const inviter = crypto.randomUUID();
    const invited = crypto.randomUUID();
    for (const id of [inviter, invited]) await postgres.query("insert into auth.users (id) values ($1)", [id]);
    await postgres.query("update coach_profiles set owner_id = $1 where id = $2", [inviter, coachId]);
    const { token } = await value("select create_invitation($1, $2, $3, 'answerer')", [caller, inviter, coachId]);
    await value("select accept_invitation($1, $2, $3)", [caller, invited, await digestOf(token)]);
    const added = () => value("select added_by from coach_experts where user_id = $1", [invited]);
    assertEquals(await added(), inviter);
    await postgres.query("delete from auth.users where id = $1", [inviter]);
    assertEquals(await added(), null);
  });
});

Deno.test("an owner whose role is taken away while they wait for the lock changes nobody", async () => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const [owner, other, target] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  for (const id of [owner, other, target]) await postgres.query("insert into auth.users (id) values ($1)", [id]);
  const enter = (id: string, role: string) =>
    postgres.query(
      `insert into coach_experts (coach_id, user_id, role) values ($1, $2, $3)
       on conflict (coach_id, user_id) do update set role = excluded.role`,
      [coachId, id, role],
    );
  const original: string = await value("select pg_get_functiondef('private.lock_coach'::regproc)");
  const caller = JSON.stringify({ account_id: accountId });
  for (
    const [change, error] of [
      ["update public.coach_experts set role = 'editor'", "role_not_sufficient"],
      ["delete from public.coach_experts", "not_the_expert"],
    ] as const
  ) {
    // As if another transaction had held the lock, and had ended just now.
    await postgres.exec(original.replace("return coach;", `${change} where user_id = '${owner}'; return coach;`));
    for (const role of ["editor", null]) {
      await enter(owner, "owner");
      await enter(other, "owner");
      await enter(target, "answerer");
      const reply = await value("select set_expert_role($1, $2, $3, $4, $5)", [caller, owner, coachId, target, role]);
      assertEquals(reply, { error });
      assertEquals(await value("select role from coach_experts where user_id = $1", [target]), "answerer");
    }
  }
});

Deno.test("an expert who is erased is named nowhere", async () => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const { coachId: otherCoachId } = await insertCoach(postgres);
  const [stays, goes] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const id of [stays, goes]) {
    await postgres.query("insert into auth.users (id) values ($1)", [id]);
    await postgres.query("insert into coach_experts (coach_id, user_id, role) values ($1, $2, 'owner')", [coachId, id]);
  }
  const caller = JSON.stringify({ account_id: accountId });
  const as = async (user: string, call: string, ...args: unknown[]) => {
    const reply = await value(`select ${call}`, [caller, user, coachId, ...args]);
    assertEquals(reply.error, undefined, call);
    return reply;
  };
  for (const [number, user] of [stays, goes].entries()) {
    const asked = JSON.stringify([{ content: `When, ${number}?` }]);
    const pinned = await as(user, "create_pinned_answer($1, $2, $3, $4, 'At noon.', true)", asked);
    await as(user, "update_pinned_answer($1, $2, $3, $4, answer => 'At one.')", pinned.id);
    await as(user, "set_passage_barred($1, $2, $3, md5($4), true)", String(number));
    const { version } = await as(user, "save_draft($1, $2, $3, $4, '')", { greeting: `Hello ${number}` });
    if (user === stays) await as(user, "publish_draft($1, $2, $3, '', $4)", version);
    await as(user, "create_invitation($1, $2, $3, 'editor')");
    await as(user, "save_mail_settings($1, $3, $2, $4)", { hour: 9 });
    await postgres.query(
      `with file as (
         insert into knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path)
         values ($1, $2, $3, 1, 'text/markdown', 'documents', repeat(md5($3), 2), $3) returning id
       ), thread as (
         insert into threads (account_id, coach_id, user_id, title, taken_over_by, taken_over_until)
         values ($1, $2, 'u', 'Talk', $4, now()) returning id
       ), said as (
         insert into messages (thread_id, role, content, is_by_expert, expert_id)
         select id, 'assistant', 'Well.', true, $4 from thread
       )
       insert into private.texts (file_id, title, content, digest, saved_by) select id, 'A', 'B', 'C', $4 from file`,
      [accountId, coachId, `${number}.md`, user],
    );
  }
  // In another account, the same user is another person.
  await postgres.query(
    "insert into pinned_answers (account_id, coach_id, question, answer, writer) " +
      "select account_id, id, 'When?', 'At noon.', $1 from coach_profiles where id = $2",
    [goes, otherCoachId],
  );
  await postgres.query("insert into coach_experts (coach_id, user_id, role) values ($1, $2, 'editor')", [
    otherCoachId,
    goes,
  ]);

  /** The tables that name a user, with the number of their rows. */
  async function findNames(user: string): Promise<Record<string, number>> {
    const { rows } = await postgres.query<{ name: string }>(
      "select oid::regclass::text as name from pg_class where relkind = 'r' and " +
        "relnamespace in ('public'::regnamespace, 'private'::regnamespace)",
    );
    const counts = await Array.fromAsync(rows, async ({ name }) => {
      const sql = `select count(*)::int from ${name} as named where to_jsonb(named)::text like $1`;
      return [name, await value(sql, [`%${user}%`])] as const;
    });
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }
  const before = await findNames(stays);
  await value("select erase_user($1, $2)", [accountId, goes]);
  assertEquals(await findNames(goes), {
    coach_experts: 1,
    pinned_answers: 1,
    "private.acts": 1,
    "private.mail_settings": 1,
    "private.pinned_answer_versions": 1,
  });
  assertEquals(await findNames(stays), before);
});
