import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, clientOf } from "../support/client.ts";
import { sweep } from "../support/knowledge.ts";
import { createCoach, createTenant, createUser, issueKey, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { talk } from "../support/turns.ts";

Deno.test("GET /coaches and /coaches/{coachId}", async (t) => {
  await using service = await startService();
  const user = await createUser();
  const tenant = await createTenant({ requests_per_minute: 1_000 }, {
    name: "Ada Byron",
    title: "Mathematics Coach",
    greeting: "What shall we compute?",
    starters: ["What is a proof?", "How do I begin?"],
    owner_id: (await createUser()).id,
    temperature: 0.5,
  });
  const other = await createTenant();
  const bare = await createCoach(tenant.accountId, { name: "Grace Hopper", title: "Navy Coach" });
  const inactive = await createCoach(tenant.accountId, { name: "Asleep", is_active: false });
  const signedIn = { ...tenant, accessToken: user.accessToken };

  const { data: named } = await operator.from("coach_profiles").select("id, slug").in("id", [tenant.coachId, bare.id])
    .throwOnError();
  const slugs = [tenant.coachId, bare.id].map((id) => named.find((one) => one.id === id)!.slug);

  const ada = {
    id: tenant.coachId,
    name: "Ada Byron",
    title: "Mathematics Coach",
    picture_url: null,
    greeting: "What shall we compute?",
    starters: ["What is a proof?", "How do I begin?"],
    is_ai: true as const,
    sources_are_open: false,
    retention_days: null,
    slug: slugs[0]!,
    accent_color: null,
    launcher_text: null,
  };
  const grace = {
    ...ada,
    id: bare.id,
    name: "Grace Hopper",
    title: "Navy Coach",
    greeting: null,
    starters: [],
    slug: slugs[1]!,
  };

  const alone = (coach: typeof ada | typeof grace) => ({ ...coach, usual_reply_hours: null, tells_by_mail: false });

  await t.step("all active coaches of the account, by name, and nothing else about them", async () => {
    assertReply(await ask(service, "GET", "/coaches", tenant), 200, { data: [ada, grace], count: 2 });
    assertReply(await ask(service, "GET", `/coaches/${tenant.coachId}`, tenant), 200, alone(ada));
    assertReply(await ask(service, "GET", `/coaches/${bare.id}`, tenant), 200, alone(grace));
  });

  await t.step("for how many days threads are kept; the sweep erases older ones, with their responses", async () => {
    const [old, recent, foreign] = [
      await talk(service, tenant, "u"),
      await talk(service, tenant, "u"),
      await talk(service, other, "u"),
    ];
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    for (const { threadId } of [old, foreign]) {
      await operator.from("messages").update({ created_at: daysAgo(91) }).eq("thread_id", threadId).throwOnError();
      await operator.from("threads").update({ updated_at: daysAgo(91) }).eq("id", threadId).throwOnError();
    }
    const keep = (retention_days: number | null) =>
      operator.from("accounts").update({ retention_days, retention_due_at: daysAgo(1) }).eq("id", tenant.accountId)
        .throwOnError();
    await keep(90);
    assertReply(await ask(service, "GET", `/coaches/${tenant.coachId}`, tenant), 200, {
      ...alone(ada),
      retention_days: 90,
    });
    assertEquals((await ask(service, "GET", `/coaches/${other.coachId}`, other)).json.retention_days, null);
    for (const _ of [1, 2]) await sweep(service);
    const statusOf = async (threadId: string, credentials: typeof other) =>
      (await ask(service, "GET", `/threads/${threadId}`, credentials)).status;
    assertEquals(await statusOf(old.threadId, tenant), 404);
    assertEquals([await statusOf(recent.threadId, tenant), await statusOf(foreign.threadId, other)], [200, 200]);
    const removed = [old, recent, foreign].map(({ responseId }) => service.model.removals.includes(responseId));
    assertEquals(removed, [true, false, false]);
    await keep(null);
  });

  await t.step("any user sees them, and so does a key of the scope chat alone", async () => {
    const { apiKey } = await issueKey(tenant.accountId, { scopes: ["chat"] });
    for (const credentials of [signedIn, { apiKey }]) {
      assertReply(await ask(service, "GET", "/coaches", credentials), 200, { data: [ada, grace], count: 2 });
      assertReply(await ask(service, "GET", `/coaches/${tenant.coachId}`, credentials), 200, alone(ada));
    }
  });

  await t.step("another account sees its own coaches only, also with a token of the same user", async () => {
    for (const credentials of [other, { ...other, accessToken: user.accessToken }]) {
      const { json } = await ask(service, "GET", "/coaches", credentials);
      assertEquals(json.data.map(({ id }: { id: string }) => id), [other.coachId]);
      const reply = await ask(service, "GET", `/coaches/${tenant.coachId}`, credentials);
      assertRefused(reply, "coach_not_found");
    }
  });

  for (
    const [name, id] of [
      ["an unknown coach", "nobody"],
      ["an inactive coach", inactive.id],
      ["the id of another account's coach", other.coachId],
      ["a NUL character", "%00"],
      ["half of a surrogate pair", "%ED%A0%80"],
      ["a text that is not UTF-8", "%ff"],
      ["a quote", "x'%20or%20'1'%3D'1"],
      ["a percent sign, which matches nothing else", "%25"],
      ["another case", tenant.coachId.toUpperCase()],
      ["a long id", "x".repeat(5_000)],
    ] as const
  ) {
    await t.step(`${name} → 404`, async () => {
      assertRefused(await ask(service, "GET", `/coaches/${id}`, tenant), "coach_not_found");
    });
  }

  for (const path of ["/coaches/", "/coaches/%20", "/coaches/%09"]) {
    await t.step(`${path} → 400`, async () => {
      assertInvalid(await ask(service, "GET", path, tenant), "coachId is required in path");
    });
  }

  await t.step("a coach whose id is any text is found by it", async () => {
    const { id } = await createCoach(other.accountId, { id: `Ünter/den ${crypto.randomUUID()}?%2F`, name: "Zoe" });
    assertEquals((await ask(service, "GET", `/coaches/${encodeURIComponent(id)}`, other)).json.id, id);
  });

  await t.step("a coach that is switched off is gone at once, and back when it is switched on", async () => {
    const turn = async (is_active: boolean) =>
      await operator.from("coach_profiles").update({ is_active }).eq("id", bare.id).throwOnError();
    await turn(false);
    assertReply(await ask(service, "GET", "/coaches", tenant), 200, { data: [ada], count: 1 });
    assertReply(await ask(service, "GET", `/coaches/${bare.id}`, tenant), 404);
    await turn(true);
    assertReply(await ask(service, "GET", `/coaches/${bare.id}`, tenant), 200, alone(grace));
  });

  await t.step("the typed client has both", async () => {
    const client = clientOf(service, tenant);
    assertEquals(await client.listCoaches(), { data: [ada, grace], count: 2 });
    assertEquals((await client.listCoaches({ limit: 1 })).data, [ada]);
    assertEquals(await client.getCoach(bare.id), alone(grace));
  });
});

Deno.test("GET /coaches in pages", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 }, { name: "Same" });
  const names = ["Same", "Same", "Same", "same", "Àda", "_", 'O\'Neil "Nil"', "😀", "x".repeat(200)];
  await Promise.all(names.map((name) => createCoach(tenant.accountId, { name })));
  const list = async (query: string, credentials: { apiKey: string } = tenant) => {
    const reply = await ask(service, "GET", `/coaches${query}`, credentials);
    assertReply(reply, 200);
    return reply.json;
  };
  const whole = await list("");

  for (const limit of [1, 2, 3, 10, 11]) {
    await t.step(`pages of ${limit} add up to the list, also where names are equal`, async () => {
      const seen: unknown[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page = await list(`?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        assert(page.data.length <= limit);
        assertEquals(page.count, page.data.length);
        seen.push(...page.data);
        cursor = page.next_cursor;
      }
      assertEquals(seen, whole.data);
      assertEquals(seen.length, names.length + 1);
    });
  }

  await t.step("an account without coaches has an empty list", async () => {
    const empty = await createTenant();
    await operator.from("coach_profiles").delete().eq("id", empty.coachId).throwOnError();
    assertReply(await ask(service, "GET", "/coaches", empty), 200, { data: [], count: 0 });
    assertReply(await ask(service, "GET", "/coaches?limit=5", empty), 200, { data: [], count: 0, next_cursor: null });
  });

  await t.step("coaches of the same name are in the order of their ids", () => {
    const same = whole.data.filter(({ name }: { name: string }) => name === "Same").map(({ id }: { id: string }) => id);
    assertEquals(same, same.toSorted());
  });

  await t.step("a page goes on where the last one ended, even if its last coach was renamed since", async () => {
    const page = await list("?limit=4");
    await operator.from("coach_profiles").update({ name: " first" }).eq("id", page.data[3].id).throwOnError();
    assertEquals((await list(`?cursor=${page.next_cursor}`)).data, whole.data.slice(4));
    await operator.from("coach_profiles").update({ name: page.data[3].name }).eq("id", page.data[3].id).throwOnError();
  });

  await t.step("a cursor alone asks for the largest page", async () => {
    const { next_cursor } = await list("?limit=1");
    assertEquals(await list(`?cursor=${next_cursor}`), {
      data: whole.data.slice(1),
      count: names.length,
      next_cursor: null,
    });
  });

  await t.step("another account's cursor shows nothing of it", async () => {
    const other = await createTenant({}, { name: "Zzz" });
    const { next_cursor } = await list("?limit=1");
    assertEquals((await list(`?limit=100&cursor=${next_cursor}`, other)).data.map(({ id }: { id: string }) => id), [
      other.coachId,
    ]);
  });

  for (const limit of ["0", "101", "-1", "1.5", "x", ""]) {
    await t.step(`limit=${limit} → 400`, async () => {
      const error = "limit must be a whole number from 1 to 100";
      assertInvalid(await ask(service, "GET", `/coaches?limit=${limit}`, tenant), error);
    });
  }
  // Of another list, half, not hex, not UTF-8, with a NUL character.
  for (const cursor of ["1_2_3", "61", "61_", "6_61", "6g_61", "ff_61", "61_00", "00_61", "61_61_61", " 61_61"]) {
    await t.step(`cursor=${JSON.stringify(cursor)} → 400`, async () => {
      const reply = await ask(service, "GET", `/coaches?cursor=${encodeURIComponent(cursor)}`, tenant);
      assertInvalid(reply, "cursor must be a next_cursor of this list");
    });
  }
});
