import { assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, clientOf, type Credentials } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { sweep } from "../support/knowledge.ts";
import { createCoach, createTenant, createUser, issueKey, issuePublishableKey, operator } from "../support/project.ts";
import type { Refusal } from "../support/refusals.ts";
import { startService } from "../support/service.ts";

/** The days of these conversations. */
const day = (date: number) => `2026-03-${String(date).padStart(2, "0")}T12:00:00.000Z`;

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const tenant = await createTenant({ requests_per_minute: 1_000, scopes: ["expert"] });
  const expert = await createUser();
  await operator.from("coach_profiles").update({ owner_id: expert.id }).eq("id", tenant.coachId).throwOnError();
  const otherCoach = await createCoach(tenant.accountId);

  /** Stores a conversation of a user as it was on a day. */
  async function store(
    user_id: string,
    { date, said, ...state }: { date: number; said: string; has_down?: boolean; needs_reply_at?: string },
    coach_id = tenant.coachId,
  ): Promise<string> {
    const { data: { id } } = await operator.from("threads").insert({
      account_id: tenant.accountId,
      coach_id,
      user_id,
      title: "Talk",
      created_at: day(date),
      updated_at: day(date),
      ...state,
    }).select("id").single().throwOnError();
    await operator.from("messages").insert({ thread_id: id, role: "user", content: said, created_at: day(date) })
      .throwOnError();
    return id;
  }
  const owls = await store("u", { date: 1, said: "Where do owls sleep?", has_down: true });
  const tides = await store("v", { date: 2, said: "When is the tide high?", needs_reply_at: day(2) });
  const both = await store("u", { date: 3, said: "Owls, owls and tides", has_down: true, needs_reply_at: day(3) });
  const last = await store(`anonymous-${crypto.randomUUID()}`, { date: 4, said: "Hello" });
  await store("u", { date: 5, said: "Owls of another coach" }, otherCoach.id);

  const path = `/coaches/${tenant.coachId}/threads`;
  const list = async (query = "", credentials: Credentials = tenant) => {
    const reply = await ask(service, "GET", `${path}?${query}`, credentials);
    assertReply(reply, 200);
    return reply.json;
  };
  const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  return handOver(stack, { service, tenant, expert, otherCoach, owls, tides, both, last, path, list, ids });
}

Deno.test("GET /coaches/{coachId}/threads", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, owls, tides, both, last, list, ids } = prepared;

  await t.step("shows threads of all users with this coach, the newest first, with their state", async () => {
    const page = await list();
    assertEquals(ids(page), [last, both, tides, owls]);
    assertEquals([Object.keys(page), page.count, page.next_cursor], [["data", "count", "next_cursor"], 4, null]);
    const { created_at, updated_at, ...rest } = page.data[1];
    assertEquals([created_at, updated_at], [day(3), day(3)]);
    assertEquals(rest, {
      id: both,
      title: "Talk",
      coach_id: tenant.coachId,
      user_id: "u",
      coach_profiles: { name: "Ada Byron", title: "Mathematics Coach" },
      active_message_id: null,
      handled_by: "ai",
      taken_over_until: null,
      is_pinned: false,
      is_archived: false,
      request_status: null,
      unread: 0,
      needs_reply_at: day(3),
      request: null,
      has_down: true,
      person: { name: null, email: null, language: null, page_url: null, threads: 2, first_seen_at: day(1) },
      taken_over_by: null,
      assigned_to: null,
      is_closed: false,
      note: null,
      is_unread: null,
    });
  });

  const filters: [query: string, found: string[]][] = [
    ["has_feedback=down", [both, owls]],
    ["needs_reply=true", [both, tides]],
    ["needs_reply=true&has_feedback=down", [both]],
    ["from=2026-03-02&to=2026-03-03", [both, tides]],
    [`from=${day(3)}`, [last, both]],
    ["from=2026-03-03T14:00:00%2B02:00", [last, both]],
    ["from=2026-03-03T12:00:00.001Z", [last]],
    [`to=${day(2)}`, [tides, owls]],
    ["to=2026-03-02T11:59:59Z", [owls]],
    ["from=2026-03-05", []],
    ["from=2026-03-03&to=2026-03-02", []],
    ["from=0000-01-01&to=9999-12-31", [last, both, tides, owls]],
    ["has_feedback=down&to=2026-03-01", [owls]],
    ["search=owl", [both, owls]],
    ["search=owl&from=2026-03-02", [both]],
    ["search=owl&to=2026-03-02", [owls]],
    ["search=tide&has_feedback=down", [both]],
    ["search=tide&needs_reply=true&limit=100", [tides, both]],
    ["search=owl%20tide&needs_reply=true&has_feedback=down&from=2026-03-03&to=2026-03-03", [both]],
    ["search=hello", [last]],
    ["search=another", []],
    ["search=%20", [last, both, tides, owls]],
  ];
  for (const when of ["as they were said", "after a sweep"]) {
    for (const [query, found] of filters) {
      await t.step(`${query} (${when})`, async () => {
        const isRanked = query.startsWith("search=") && query !== "search=%20";
        const order = (some: string[]) => isRanked ? some.toSorted() : some;
        assertEquals(order(ids(await list(query))), order(found));
      });
    }
    if (when === "as they were said") {
      await sweep(service);
      const { data } = await operator.from("threads").select("searchable_until").eq("coach_id", tenant.coachId)
        .throwOnError();
      assertEquals(data.some(({ searchable_until }) => searchable_until === "-infinity"), false);
    }
  }

  for (const query of ["", "needs_reply=true", "has_feedback=down", "to=2026-03-03", "search=owl%20tide%20hello"]) {
    await t.step(`pages add up: ${query}`, async () => {
      const all = ids(await list(query));
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page = await list(`${query}&limit=1${cursor && `&cursor=${cursor}`}`);
        assertEquals([page.count, page.data.length <= 1], [page.data.length, true]);
        seen.push(...ids(page));
        cursor = page.next_cursor;
      }
      assertEquals(seen, all);
    });
  }
});

Deno.test("GET /coaches/{coachId}/threads: pages, and who may read them", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, expert, otherCoach, owls, tides, both, path, list, ids } = prepared;

  await t.step("a page begins at its end date, whatever the cursor says", async () => {
    const { next_cursor } = await list("limit=1");
    assertEquals(ids(await list(`to=2026-03-02&cursor=${next_cursor}`)), [tides, owls]);
  });

  await t.step("without a limit, a page has 20", async () => {
    const busy = await createCoach(tenant.accountId);
    const rows = Array.from({ length: 21 }, (_, number) => ({
      account_id: tenant.accountId,
      coach_id: busy.id,
      user_id: `user ${number}`,
    }));
    await operator.from("threads").insert(rows).throwOnError();
    const { json } = await ask(service, "GET", `/coaches/${busy.id}/threads`, tenant);
    assertEquals(json.count, 20);
    const { json: rest } = await ask(service, "GET", `/coaches/${busy.id}/threads?cursor=${json.next_cursor}`, tenant);
    assertEquals([rest.count, rest.next_cursor], [1, null]);
  });

  await t.step("is for the expert behind the coach, with whatever key, also while the coach is inactive", async () => {
    const page = await issuePublishableKey(tenant.accountId);
    const other = await createTenant();
    const { accessToken } = expert;
    const without = await createTenant();
    const bound = await issueKey(tenant.accountId, { scopes: ["expert"], coach_ids: [otherCoach.id] });
    await operator.from("coach_profiles").update({ is_active: false }).eq("id", tenant.coachId).throwOnError();
    for (const credentials of [tenant, { ...tenant, accessToken }, { ...page, accessToken }]) {
      assertEquals((await list("", credentials)).count, 4);
    }
    const stranger = (await createUser()).accessToken;
    const refusals: [Credentials, path: string, Refusal, what?: string][] = [
      [{ ...tenant, accessToken: stranger }, path, "not_the_expert"],
      [{ ...page, accessToken: stranger }, path, "not_the_expert"],
      [{ ...page, accessToken }, `/coaches/${otherCoach.id}/threads`, "not_the_expert"],
      [other, path, "missing_scope", "expert"],
      [bound, path, "coach_not_found"],
      [{ ...without, accessToken }, path, "coach_not_found"],
      [tenant, `/coaches/${without.coachId}/threads`, "coach_not_found"],
      [tenant, "/coaches/%00/threads", "coach_not_found"],
    ];
    for (const [credentials, path, ...refusal] of refusals) {
      assertRefused(await ask(service, "GET", path, credentials), ...refusal);
    }
  });

  const { next_cursor: ofSearch } = await list("search=owl&limit=1");
  for (
    const [query, sentence] of [
      ["has_feedback=up", "has_feedback must be down"],
      ["needs_reply=false", "needs_reply must be true"],
      ["from=yesterday", "from must be a day such as 2026-12-31 or a time such as 2026-12-31T23:59:59Z"],
      ["to=2026-02-30", "to must be a day such as 2026-12-31 or a time such as 2026-12-31T23:59:59Z"],
      ["limit=0", "limit must be a whole number from 1 to 100"],
      ["cursor=x", "cursor must be a next_cursor of this list"],
      [`cursor=${ofSearch}`, "cursor must be a next_cursor of this list"],
      ["search=%00", "search must not contain NUL characters or unpaired surrogates"],
    ] as const
  ) {
    await t.step(`${query.replace(/=\d+_.*/, "=<of a search>")} → 400`, async () => {
      assertInvalid(await ask(service, "GET", `${path}?${query}`, tenant), sentence);
    });
  }

  await t.step("the typed client", async () => {
    const { data } = await clientOf(service, tenant).listConversations(tenant.coachId, { needs_reply: "true" });
    assertEquals(data.map(({ id }) => id), [both, tides]);
    assertMatch(data[0]!.needs_reply_at ?? "", /Z$/);
  });
});
