import { assertEquals } from "../support/assert.ts";
import { ask, assertInvalid, assertReply, chat, clientOf, type Credentials } from "../support/client.ts";
import { dayIn, zoneOfAnotherDay } from "../support/knowledge.ts";
import { createTenant, createUser, issuePublishableKey, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";

Deno.test("GET /coaches/{coachId}/usage", async (t) => {
  // It is midnight there in an hour at the earliest.
  const timeZone = zoneOfAnotherDay();
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000, scopes: ["chat", "threads:write", "expert"] });
  const stranger = await createTenant({ scopes: ["chat", "expert"] });
  const talk = (of: typeof tenant, userId: string) =>
    chat(service, of, { message: "Hi", context: { coachId: of.coachId, userId } });
  const path = `/coaches/${tenant.coachId}/usage`;
  const read = async (query = "", credentials: Credentials = tenant) => {
    const reply = await ask(service, "GET", path + query, credentials);
    assertReply(reply, 200);
    return reply.json;
  };
  const nothing = {
    turns: 0,
    input_tokens: 0,
    cached_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    estimated_turns: 0,
    cost_micro_usd: 0,
    unpriced_turns: 0,
    people: 0,
    questions_opened: 0,
    feedback_up: 0,
    feedback_down: 0,
  };

  await t.step("before anything has happened: 30 days of zeros", async () => {
    const { data, from, to, totals } = await read();
    assertEquals([from, to, data.length, totals], [dayIn(-29), dayIn(0), 30, nothing]);
    assertEquals([data[0], data[29]], [{ day: dayIn(-29), ...nothing }, { day: dayIn(0), ...nothing }]);
  });

  await t.step("counts turns, tokens, people, feedback and open questions of this coach alone", async () => {
    const turns = [await talk(tenant, "u"), await talk(tenant, "u"), await talk(tenant, "v")];
    await talk(stranger, "u");
    for (const [index, rating] of (["up", "up", "down"] as const).entries()) {
      const { threadId, messageId } = turns[index]!;
      await ask(service, "PUT", `/threads/${threadId}/messages/${messageId}/feedback`, tenant, { rating });
    }
    const ids = turns.map(({ messageId }) => messageId);
    const { data: answers } = await operator.from("messages").select("input_tokens, output_tokens").in("id", ids)
      .throwOnError();
    const sum = (name: "input_tokens" | "output_tokens") =>
      answers.reduce((total, answer) => total + (answer[name] ?? 0), 0);
    const today = {
      turns: 3,
      input_tokens: sum("input_tokens"),
      cached_tokens: 0,
      output_tokens: sum("output_tokens"),
      reasoning_tokens: 0,
      estimated_turns: 0,
      cost_micro_usd: 0,
      // No price is known: that is not the same as no cost.
      unpriced_turns: 3,
      people: 2,
      // The thumbs-down has opened one.
      questions_opened: 1,
      feedback_up: 2,
      feedback_down: 1,
    };
    const { data, totals } = await read(`?from=${dayIn(-1)}`);
    assertEquals(data, [{ day: dayIn(-1), ...nothing }, { day: dayIn(0), ...today }]);
    assertEquals(totals, today);
  });

  await t.step("who asks on several days is one of all people, and both ends of the span count", async () => {
    const { data: questions } = await operator.from("open_questions").select("id").eq("coach_id", tenant.coachId)
      .throwOnError();
    await operator.from("open_questions").update({ first_asked_at: `${dayIn(-3)}T23:59:59.999Z` })
      .eq("id", questions[0]!.id).throwOnError();
    const { data } = await read(`?from=${dayIn(-3)}&to=${dayIn(-3)}`);
    assertEquals(data.map(({ questions_opened }: typeof nothing) => questions_opened), [1]);
    assertEquals((await read(`?from=${dayIn(-2)}`)).totals.questions_opened, 0);
    assertEquals((await read(`?to=${dayIn(-4)}`)).totals.questions_opened, 0);
  });

  await t.step("in two time zones, the same happens on other days; today is the last one of each", async () => {
    await operator.from("open_questions").update({ first_asked_at: `${dayIn(-3)}T18:20:00Z` })
      .eq("coach_id", tenant.coachId).throwOnError();
    const daysOf = async (zone: string) => {
      const { data } = await read(`?from=${dayIn(-4)}&to=${dayIn(-1)}&time_zone=${zone}`);
      return data.map(({ questions_opened }: typeof nothing) => questions_opened);
    };
    assertEquals(await daysOf("UTC"), [0, 1, 0, 0]);
    // Some browsers have the old name, which a database may not know.
    for (const zone of ["Asia/Kathmandu", "Asia/Katmandu"]) assertEquals(await daysOf(zone), [0, 0, 1, 0]);
    const { to, data } = await read(`?time_zone=${timeZone}`);
    assertEquals([to, data.at(-1).turns], [dayIn(0, timeZone), 3]);
  });

  await t.step("an erased user is none of the people; their turns stay", async () => {
    await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: "v" }).throwOnError();
    const { totals } = await read();
    assertEquals([totals.turns, totals.people, totals.feedback_down], [3, 1, 0]);
  });

  await t.step("is for the expert behind the coach", async () => {
    const [expert, person] = [await createUser(), await createUser()];
    await operator.from("coach_profiles").update({ owner_id: expert.id }).eq("id", tenant.coachId).throwOnError();
    const page = await issuePublishableKey(tenant.accountId);
    assertEquals((await read("", { ...page, accessToken: expert.accessToken })).totals.turns, 3);
    const refusals: [Credentials, number][] = [
      [{ ...page, accessToken: person.accessToken }, 403],
      [{ ...tenant, accessToken: person.accessToken }, 403],
      [stranger, 404],
      [{ ...stranger, accessToken: expert.accessToken }, 404],
      [await createTenant(), 403],
    ];
    for (const [credentials, status] of refusals) assertReply(await ask(service, "GET", path, credentials), status);
  });

  await t.step("366 days can be asked for, the typed client too", async () => {
    const { data } = await clientOf(service, tenant).getUsage(tenant.coachId, { from: "2024-01-01", to: "2024-12-31" });
    assertEquals([data.length, data.at(-1)], [366, { day: "2024-12-31", ...nothing }]);
  });

  for (
    const [query, error] of [
      ["from=2024-01-01&to=2025-01-01", "from and to must span at most 366 days, including both"],
      ["from=2024-01-02&to=2024-01-01", "from must not be after to"],
      ["from=2024-01-01T00:00:00Z", "from must be a day such as 2026-12-31"],
      ["to=0000-01-01", "to must be a day such as 2026-12-31"],
      ["to=2026-02-30", "to must be a day such as 2026-12-31"],
      ["time_zone=Mars/Olympus", "time_zone must be the name of a time zone, such as Europe/Berlin"],
      ["time_zone=%2B02:00", "time_zone must be the name of a time zone, such as Europe/Berlin"],
    ] as const
  ) {
    await t.step(`${query} → 400`, async () => {
      assertInvalid(await ask(service, "GET", `${path}?${query}`, tenant), error);
    });
  }
});
