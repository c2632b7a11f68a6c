import { createIssuerFinder } from "../../shared/core/auth/seen_keys.ts";
import { type Database, DatabaseError } from "../../shared/infra/db/database.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";

const row = { name: "acme", issuer: "https://login.example", jwks_url: "https://login.example/keys", audience: "app" };
const found = [{ name: "acme", issuer: row.issuer, jwksUrl: row.jwks_url, audience: "app" }];

/** A finder whose database gives these replies, one after the other. It also returns the requests. */
function open(...replies: unknown[]) {
  const asked: unknown[] = [];
  let now = 0;
  const database: Database = {
    call: () => Promise.reject(new Error("is not called")),
    async callForBytes(name, args) {
      asked.push([name, args]);
      const reply = await replies.shift();
      if (reply instanceof Error) throw reply;
      return new TextEncoder().encode(JSON.stringify(reply));
    },
  };
  return { find: createIssuerFinder(database, () => now), asked, advance: (time: number) => void (now += time) };
}

Deno.test("createIssuerFinder", async (t) => {
  await t.step("asks once a minute for each key", async () => {
    const { find, asked, advance } = open([row], [], []);
    assertEquals([await find("a"), await find("a"), await find("b")], [found, found, []]);
    assertEquals(asked, ["a", "b"].map((digest) => ["find_token_issuers", { key_digest: digest }]));
    advance(59_999);
    assertEquals(await find("a"), found);
    advance(1);
    assertEquals(await find("a"), []);
    assertEquals(asked.length, 3);
  });

  await t.step("asks once for requests that come at the same time", async () => {
    const reply = Promise.withResolvers<unknown>();
    const { find, asked } = open(reply.promise);
    const both = Promise.all([find("a"), find("a")]);
    reply.resolve([row]);
    assertEquals([await both, asked.length], [[found, found], 1]);
  });

  await t.step("a key that is not valid has none, and is not remembered", async () => {
    const { find, asked } = open(null, [row]);
    assertEquals([await find("a"), await find("a"), asked.length], [[], found, 2]);
  });

  await t.step("a failure is not remembered", async () => {
    const { find } = open(new DatabaseError("f", 503), [{ ...row, jwks_url: null }], [row]);
    for (let failure = 0; failure < 2; failure++) await assertRejects(() => find("a"), DatabaseError);
    assertEquals(await find("a"), found);
  });
});
