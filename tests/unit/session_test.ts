import { assertEquals, assertRejects } from "deno-std/assert/mod.js";
import { createSessionKeeper, type Session } from "../../shared/client/session.ts";

const minute = 60_000;

/** A session of an hour that began at 0, a login service, and a clock. */
function start(refuse: () => Error | null = () => null) {
  const clock = { now: 0 };
  const refreshed: string[] = [];
  const changes: (Session | null)[] = [];
  const answers: (() => void)[] = [];
  const initial: Session = { accessToken: "a0", refreshToken: "r0", expiresAt: 60 * minute, userId: "u" };
  const keeper = createSessionKeeper(async (refreshToken) => {
    const number = refreshed.push(refreshToken);
    await new Promise<void>((resolve) => answers.push(resolve));
    const refusal = refuse();
    if (refusal !== null) throw refusal;
    return {
      access_token: `a${number}`,
      token_type: "bearer",
      expires_in: 3_600,
      refresh_token: `r${number}`,
    };
  }, { initial, now: () => clock.now, onChange: (session) => changes.push(session) });
  return { keeper, clock, refreshed, changes, answer: () => answers.splice(0).forEach((resolve) => resolve()) };
}

Deno.test("createSessionKeeper", async (t) => {
  await t.step("uses a token until five minutes before it expires", async () => {
    const { keeper, clock, refreshed } = start();
    for (const now of [0, 30 * minute, 55 * minute - 1]) {
      clock.now = now;
      assertEquals(await keeper.accessToken(), "a0");
    }
    assertEquals(refreshed, []);
  });

  await t.step("then renews it once for all who wait, and tells of the new one", async () => {
    const { keeper, clock, refreshed, changes, answer } = start();
    clock.now = 55 * minute;
    const waiting = Array.from({ length: 10 }, () => keeper.accessToken());
    answer();
    assertEquals(new Set(await Promise.all(waiting)), new Set(["a1"]));
    assertEquals(refreshed, ["r0"]);
    assertEquals(changes, [{ accessToken: "a1", refreshToken: "r1", expiresAt: 115 * minute, userId: "u" }]);
  });

  await t.step("and renews the new one with the new refresh token", async () => {
    const { keeper, clock, refreshed, answer } = start();
    for (const now of [56, 112]) {
      clock.now = now * minute;
      const token = keeper.accessToken();
      answer();
      await token;
    }
    assertEquals(refreshed, ["r0", "r1"]);
  });

  await t.step("goes on with the old token while it is good, when renewing fails, and tries again", async () => {
    let failure: Error | null = new Error("The login service is away");
    const { keeper, clock, refreshed, answer } = start(() => failure);
    clock.now = 57 * minute;
    for (const expected of ["a0", "a2"]) {
      const token = keeper.accessToken();
      answer();
      assertEquals(await token, expected);
      failure = null;
    }
    assertEquals(refreshed, ["r0", "r0"]);
  });

  await t.step("says what renewing failed with once the old token has expired", async () => {
    const { keeper, clock, answer } = start(() => new Error("The login service is away"));
    clock.now = 60 * minute;
    const token = keeper.accessToken();
    answer();
    await assertRejects(() => token, Error, "away");
  });

  await t.step("stays signed out when that happens while it renews", async () => {
    const { keeper, clock, changes, answer } = start();
    clock.now = 56 * minute;
    const token = keeper.accessToken();
    keeper.set(null);
    answer();
    assertEquals(await token, null);
    assertEquals(await keeper.accessToken(), null);
    assertEquals(changes, [null]);
  });
});
