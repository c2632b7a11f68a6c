import { assertEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

/** A busy account, whose work came first, and another. */
async function prepare() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await createMigratedPostgres());
  const [busy, other] = [await insertCoach(postgres), await insertCoach(postgres)];
  return handOver(stack, { postgres, value: askForValue(postgres), busy, other });
}

type Owned = { account_id: string };

Deno.test("mails are taken from all accounts in turn", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, busy, other } = prepared;
  const mail = (accountId: string, coachId: string, count: number, minutes: number) =>
    postgres.query(
      `insert into private.mails (kind, account_id, coach_id, address, data, due_at)
       select 'confirmation', $1, $2, 'a' || n || '@mail.example', '{}', now() - $4 * interval '1 minute'
       from generate_series(1, $3) as n`,
      [accountId, coachId, count, minutes],
    );
  await mail(busy.accountId, busy.coachId, 50, 10);
  await mail(other.accountId, other.coachId, 2, 1);
  const find = async (most: number): Promise<(string | null)[]> => {
    const owners = await value(
      `select json_agg(mail.account_id order by due.place) from private.find_due_mails($1) with ordinality as due (id, place)
       join private.mails as mail on mail.id = due.id`,
      [most],
    );
    return owners.map((owner: string) => owner === busy.accountId ? "busy" : "other");
  };

  await t.step("one mail does not wait for fifty of another account", async () => {
    assertEquals(await find(6), ["busy", "other", "busy", "other", "busy", "busy"]);
  });
  await t.step("mails that are being sent count, and other accounts come first", async () => {
    await postgres.query(
      `update private.mails set claim = gen_random_uuid(), due_at = now() + interval '3 minutes'
       where id in (select id from private.mails where account_id = $1 limit 2)`,
      [busy.accountId],
    );
    assertEquals(await find(4), ["other", "other", "busy", "busy"]);
  });
});

Deno.test("sources are read for all accounts in turn", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, busy, other } = prepared;
  const add = async ({ accountId, coachId }: typeof busy, hosts: string[]) => {
    for (const host of hosts) {
      await postgres.query(
        "insert into knowledge_sources (account_id, coach_id, url, kind, refresh) values ($1, $2, $3, 'page', 'daily')",
        [accountId, coachId, `https://${host}.example/`],
      );
    }
  };
  const take = async () => {
    const { work } = await value("select take_fetching(false)");
    if (work === null) return null;
    const owner: Owned[] = (await postgres.query<Owned>("select account_id from knowledge_sources where id = $1", [
      work.source_id,
    ])).rows;
    return owner[0]!.account_id === busy.accountId ? "busy" : "other";
  };
  await add(busy, ["a", "b", "c", "d", "e"]);

  await t.step("an account has at most three under way, so that a place is left for others", async () => {
    assertEquals([await take(), await take(), await take(), await take()], ["busy", "busy", "busy", null]);
    await add(other, ["f", "g"]);
    assertEquals([await take(), await take(), await take()], ["other", "other", null]);
  });
  await t.step("what has been read makes room", async () => {
    await postgres.query("select private.free_lane(claim, 1000) from private.fetch_lanes where account_id = $1", [
      busy.accountId,
    ]);
    await add(other, ["h"]);
    assertEquals([await take(), await take(), await take(), await take()], ["busy", "busy", "other", null]);
  });
  await t.step(
    "a source that has taken long comes after the others of its account, and before none of another",
    async () => {
      await postgres.exec("delete from private.fetch_lanes where true; delete from knowledge_sources where true");
      await add(busy, ["slow", "quick"]);
      const slow = await value("select id from knowledge_sources where url like '%slow%'");
      const takeHost = async () => {
        const { work } = await value("select take_fetching(false, $1)", [[slow]]);
        return work && new URL(work.source_url).host;
      };
      assertEquals([await takeHost(), await takeHost(), await takeHost()], ["quick.example", "slow.example", null]);
    },
  );
});

Deno.test("invitations are mailed to an address, and from an account, so many times a day", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, busy, other } = prepared;
  const invite = async ({ accountId, coachId }: typeof busy, email: string) => {
    await value("select private.insert_invitation($1, $2, 'editor', $3, null)", [accountId, coachId, email]);
    // What is taken back makes no room.
    await postgres.query("delete from private.coach_invitations where true");
    return await value("select count(*)::integer from private.mails where account_id = $1", [accountId]);
  };

  await t.step("whatever follows a plus, it is the same mailbox", async () => {
    const mailed = [];
    for (const name of ["ann", "ann+1", "Ann+2+3", "ann+4", "ann"]) {
      mailed.push(await invite(busy, `${name}@mail.example`));
    }
    assertEquals(mailed, [1, 2, 3, 3, 3]);
    assertEquals(await invite(busy, "anna@mail.example"), 4);
    assertEquals(await invite(other, "ann@mail.example"), 1);
  });
  await t.step("an account has fifty", async () => {
    let mailed;
    for (let number = 0; number < 60; number++) mailed = await invite(busy, `somebody-${number}@mail.example`);
    assertEquals(mailed, 50);
    assertEquals(await invite(other, "somebody@mail.example"), 2);
  });
});
