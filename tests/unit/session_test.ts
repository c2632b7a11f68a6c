import { ServiceError } from "../../shared/clients/client/service_error.ts";
import { createSessionKeeper, readSession, type Session } from "../../shared/clients/client/session.ts";
import { assertEquals, assertRejects, assertThrows } from "../support/assert.ts";

const minute = 60_000;

const reply = {
  access_token: "a0",
  token_type: "bearer" as const,
  expires_in: 3_600,
  refresh_token: "r0",
};

/** A session of an hour from time 0, a login service that replies when `answer` is called, and a clock. */
function start({ refuse = () => null, onChange = () => {} }: {
  refuse?: () => Error | null;
  onChange?: () => void;
} = {}) {
  const clock = { now: 0 };
  const refreshed: string[] = [];
  const changes: (Session | null)[] = [];
  const answers: (() => void)[] = [];
  const keeper = createSessionKeeper(async (refreshToken) => {
    const number = refreshed.push(refreshToken);
    await new Promise<void>((resolve) => answers.push(resolve));
    const refusal = refuse();
    if (refusal !== null) throw refusal;
    return { ...reply, access_token: `a${number}`, refresh_token: `r${number}` };
  }, {
    initial: readSession(reply, "u", 0),
    now: () => clock.now,
    onChange(session) {
      changes.push(session);
      onChange();
    },
  });
  const answer = () => answers.splice(0).forEach((resolve) => resolve());
  /** The token for a call in that minute, when the login service replies at once. */
  async function tokenAt(minutes: number) {
    clock.now = minutes * minute;
    const token = keeper.accessToken();
    answer();
    return await token;
  }
  return { keeper, clock, refreshed, changes, answer, tokenAt };
}

const away = () => new Error("The login service is away");
const gone = () =>
  new ServiceError({ status: 400, code: null, body: { error: "Refresh token not found" }, requestId: null });

Deno.test("readSession: a token is renewed five minutes before it expires, or half-way when it lives less than ten", () => {
  assertEquals(readSession(reply, "u", 1_000).renewAt, 1_000 + 55 * minute);
  assertEquals(readSession({ ...reply, expires_in: 120 }, "u", 0), {
    accessToken: "a0",
    refreshToken: "r0",
    expiresAt: 2 * minute,
    renewAt: minute,
    userId: "u",
  });
});

Deno.test("createSessionKeeper", async (t) => {
  await t.step("uses a token until five minutes before it expires", async () => {
    const { keeper, clock, refreshed } = start();
    for (const now of [0, 30 * minute, 55 * minute - 1]) {
      clock.now = now;
      assertEquals(await keeper.accessToken(), "a0");
    }
    assertEquals(refreshed, []);
  });

  await t.step("then renews it once for all waiting calls, and reports the new session", async () => {
    const { keeper, clock, refreshed, changes, answer } = start();
    clock.now = 55 * minute;
    const waiting = Array.from({ length: 10 }, () => keeper.accessToken());
    answer();
    assertEquals(new Set(await Promise.all(waiting)), new Set(["a1"]));
    assertEquals(refreshed, ["r0"]);
    assertEquals(changes.map((session) => [session?.refreshToken, session?.userId]), [["r1", "u"]]);
  });

  await t.step("renews the new token with the new refresh token", async () => {
    const { tokenAt, refreshed } = start();
    assertEquals([await tokenAt(56), await tokenAt(112)], ["a1", "a2"]);
    assertEquals(refreshed, ["r0", "r1"]);
  });

  await t.step("when renewing fails, uses the old token while it is valid, and tries again", async () => {
    let failure: Error | null = away();
    const { tokenAt, refreshed } = start({ refuse: () => failure });
    assertEquals(await tokenAt(57), "a0");
    failure = null;
    assertEquals(await tokenAt(57), "a2");
    assertEquals(refreshed, ["r0", "r0"]);
  });

  await t.step("when renewing fails after the old token has expired, throws that error, and tries again", async () => {
    let failure: Error | null = away();
    const { tokenAt } = start({ refuse: () => failure });
    await assertRejects(() => tokenAt(60), Error, "away");
    failure = null;
    assertEquals(await tokenAt(60), "a2");
  });

  await t.step("a refused refresh token is not sent again, and the session ends when its token expires", async () => {
    const { tokenAt, refreshed, changes } = start({ refuse: gone });
    assertEquals([await tokenAt(56), await tokenAt(59)], ["a0", "a0"]);
    await assertRejects(() => tokenAt(60), ServiceError, "Refresh token not found");
    assertEquals([refreshed, changes], [["r0"], [null]]);
    assertEquals(await tokenAt(60), null);
  });

  await t.step("a refresh token refused after the token has expired ends the session at once", async () => {
    const { tokenAt, changes } = start({ refuse: gone });
    await assertRejects(() => tokenAt(61), ServiceError);
    assertEquals(changes, [null]);
  });

  await t.step("a call that waits while its user signs out, or another user signs in, fails", async () => {
    for (const next of [null, readSession({ ...reply, access_token: "b0" }, "another user", 0)]) {
      for (const refuse of [() => null, away]) {
        const { keeper, clock, changes, answer } = start({ refuse });
        clock.now = 61 * minute;
        const token = keeper.accessToken();
        keeper.set(next);
        answer();
        await assertRejects(() => token, Error, "The session ended");
        clock.now = 0;
        assertEquals(await keeper.accessToken(), next?.accessToken ?? null);
        assertEquals(changes, [next]);
      }
    }
  });

  await t.step("an error in storing the new session is thrown to the caller", async () => {
    const { tokenAt } = start({
      onChange() {
        throw new Error("The disk is full");
      },
    });
    await assertRejects(() => tokenAt(56), Error, "The disk is full");
    assertEquals(await tokenAt(56), "a1");
    const { keeper } = start({
      onChange() {
        throw new Error("The disk is full");
      },
    });
    assertThrows(() => keeper.set(null), Error, "The disk is full");
  });
});

/** Tabs that share one storage, and a login service whose refresh tokens work once. */
function openTabs(count: number) {
  const clock = { now: 0 };
  let stored: Session | null = readSession(reply, "u", 0);
  let valid = "r0";
  let refreshes = 0;
  const keepers = Array.from({ length: count }, () =>
    createSessionKeeper(async (refreshToken) => {
      await Promise.resolve();
      if (refreshToken !== valid) throw gone();
      valid = `r${++refreshes}`;
      return { ...reply, access_token: `a${refreshes}`, refresh_token: valid };
    }, {
      initial: null,
      load: () => structuredClone(stored),
      now: () => clock.now,
      onChange: (session) => stored = session,
    }));
  return {
    keepers,
    clock,
    stored: () => stored,
    store: (session: Session | null) => stored = session,
    refreshes: () => refreshes,
  };
}

/** Runs a test without `navigator.locks`, or with a lock of the same kind. */
async function withLocks(hasLocks: boolean, test: () => Promise<void>) {
  let last: Promise<unknown> = Promise.resolve();
  const request = (_: string, act: () => Promise<unknown>) => last = last.then(act, act);
  const before = Object.getOwnPropertyDescriptor(navigator, "locks");
  Object.defineProperty(navigator, "locks", { configurable: true, value: hasLocks ? { request } : undefined });
  try {
    await test();
  } finally {
    if (before) Object.defineProperty(navigator, "locks", before);
    else Reflect.deleteProperty(navigator, "locks");
  }
}

for (const hasLocks of [true, false]) {
  Deno.test(`createSessionKeeper: tabs that share a storage, ${hasLocks ? "with" : "without"} locks`, async (t) => {
    const step = (name: string, test: () => Promise<void>) => t.step(name, () => withLocks(hasLocks, test));

    await step("a tab takes over what another one has renewed, though its own token has expired", async () => {
      const { keepers: [a, b], clock, refreshes, stored } = openTabs(2);
      assertEquals([await a!.accessToken(), await b!.accessToken()], ["a0", "a0"]);
      clock.now = 56 * minute;
      assertEquals(await a!.accessToken(), "a1");
      clock.now = 62 * minute;
      assertEquals(await b!.accessToken(), "a1");
      assertEquals([refreshes(), stored()?.refreshToken], [1, "r1"]);
    });

    await step("tabs that renew at the same moment both go on, and the session that works stays stored", async () => {
      const { keepers: [a, b], clock, refreshes, stored } = openTabs(2);
      await Promise.all([a!.accessToken(), b!.accessToken()]);
      clock.now = 61 * minute;
      assertEquals(await Promise.all([a!.accessToken(), b!.accessToken()]), ["a1", "a1"]);
      assertEquals([refreshes(), stored()?.refreshToken], [1, "r1"]);
    });

    await step("a session that is refused, and that nobody has renewed, ends", async () => {
      const { keepers: [a], clock, store, stored } = openTabs(1);
      store({ ...stored()!, refreshToken: "old" });
      clock.now = 61 * minute;
      await assertRejects(() => a!.accessToken(), ServiceError, "Refresh token not found");
      assertEquals([stored(), await a!.accessToken()], [null, null]);
    });

    await step("a tab whose user signs out in another one does not bring the session back", async () => {
      const { keepers: [a, b], clock, refreshes, stored } = openTabs(2);
      await b!.accessToken();
      a!.set(null);
      clock.now = 56 * minute;
      await assertRejects(() => b!.accessToken(), Error, "The session ended");
      assertEquals([await b!.accessToken(), stored(), refreshes()], [null, null, 0]);
    });
  });
}

Deno.test("createSessionKeeper: of tabs that are opened first at once, one makes the user", () =>
  withLocks(true, async () => {
    const { keepers, store } = openTabs(2);
    store(null);
    let users = 0;
    const begin = (keeper: typeof keepers[number]) =>
      keeper.ensure(async () => {
        await Promise.resolve();
        const session = readSession({ ...reply, refresh_token: `n${++users}` }, `u${users}`, 0);
        keeper.set(session);
        return session;
      });
    const sessions = await Promise.all(keepers.map(begin));
    assertEquals([sessions.map(({ userId }) => userId), users], [["u1", "u1"], 1]);
    // Signed out, the next one is another user.
    keepers[0]!.set(null);
    assertEquals((await begin(keepers[0]!)).userId, "u2");
  }));
