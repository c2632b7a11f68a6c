import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertInvalid, assertReply, chat, clientOf } from "../support/client.ts";
import { sweep } from "../support/knowledge.ts";
import { createTenant, createUser, operator, type Tenant } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { talk } from "../support/turns.ts";

type Hit = { excerpt: string[] };

/** The excerpts of what somebody finds, before the thread is indexed and afterwards. */
async function checkExcerpts(service: Service, tenant: Tenant, stranger: Tenant): Promise<void> {
  const list = async (search: string, of: Tenant, userId = "keeper") => {
    const reply = await ask(service, "GET", `/users/${userId}/threads?search=${encodeURIComponent(search)}`, of);
    assertReply(reply, 200);
    return reply.json;
  };
  const long = `${"Nothing to see. ".repeat(200)} Then a <b>lantern</b>\u0001 hung over the harbour.\nIt glowed.`;
  const { threadId } = await talk(service, tenant, "keeper", "A lantern, please");
  await operator.from("messages").insert({ thread_id: threadId, role: "assistant", content: long }).throwOnError();
  await operator.from("threads").update({ title: "Beacons" }).eq("id", threadId).throwOnError();
  for (const isIndexed of [false, true]) {
    if (isIndexed) {
      const rested = new Date(Date.now() - 600_000).toISOString();
      await operator.from("threads").update({ updated_at: rested }).eq("id", threadId).throwOnError();
      await sweep(service);
    }
    const found = async (search: string) => (await list(search, tenant)).data.map(({ excerpt }: Hit) => excerpt);
    const [[before, lantern, between, harbour, after]] = await found("lanterns harbours zzz");
    assertEquals([lantern, between, harbour], ["lantern", " hung over the ", "harbour"]);
    assert(before.length < 100 && before.endsWith("Then a "), before);
    assertEquals(after, ". It glowed");
    assertEquals(await found("pleas"), [["lantern, ", "please", ""]]);
    assertEquals(await found("beacon"), [["", "Beacons", ""]]);
    // Nobody else finds it.
    assertEquals((await list("lantern beacon", tenant, "u")).data, []);
    assertEquals((await list("lantern beacon", stranger)).data, []);
  }
}

Deno.test("GET /users/{userId}/threads?search=", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const stranger = await createTenant({ requests_per_minute: 1_000 });
  const user = await createUser();
  const start = async (of: Tenant, message: string, userId = "u") =>
    (await chat(service, of, { message, context: { coachId: of.coachId, userId } })).threadId;
  const owls = await start(tenant, "Where do owls sleep in winter?");
  const tides = await start(tenant, "When is the tide high?");
  const both = await start(tenant, "Owls and tides and owls");
  await start(tenant, "Other owls", "v");
  await start(stranger, "Strange owls");
  const mine = await start(tenant, "My owls", user.id);
  const list = async (query: string, of: Parameters<typeof ask>[3] = tenant, userId = "u") => {
    const reply = await ask(service, "GET", `/users/${userId}/threads?${query}`, of);
    assertReply(reply, 200);
    return reply.json;
  };
  const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

  await t.step("finds a word within a sentence of a language that puts no spaces between words", async () => {
    const leave = await start(tenant, "请问带薪年假有几天？", "zh");
    await start(tenant, "报销需要什么发票？", "zh");
    assertEquals(ids(await list(`search=${encodeURIComponent("年假")}`, tenant, "zh")), [leave]);
    assertEquals(ids(await list(`search=${encodeURIComponent("假年")}`, tenant, "zh")), []);
  });

  for (const when of ["a second after it was said", "after the sweep"]) {
    await t.step(`finds threads of this user in this account alone: ${when}`, async () => {
      if (when === "after the sweep") {
        const rested = new Date(Date.now() - 600_000).toISOString();
        for (const id of [owls, tides, both]) {
          await operator.from("threads").update({ updated_at: rested }).eq("id", id).throwOnError();
        }
        await sweep(service);
        const { data } = await operator.from("threads").select("id, searchable_until").in("id", [owls, tides, both])
          .throwOnError();
        for (const { searchable_until } of data) assert(searchable_until !== "-infinity");
      }
      assertEquals(ids(await list("search=owl")).toSorted(), [owls, both].toSorted());
      assertEquals(ids(await list("search=tides%20owls"))[0], both);
      assertEquals(ids(await list("search=sle")), [owls]);
      assertEquals(ids(await list("search=hello")).length, 3);
      assertEquals(ids(await list("search=owl", stranger)).length, 1);
      assertEquals(await list("search=owl", tenant, "nobody"), { data: [], count: 0 });
      assertEquals(ids(await list("search=owl", { ...tenant, accessToken: user.accessToken }, user.id)), [mine]);
    });
  }

  await t.step("shows the fields of the list, and with include=state those of a thread", async () => {
    const { data: [listed] } = await list("limit=1");
    const { data: [found] } = await list(`search=${encodeURIComponent(listed.title)}&limit=1`);
    const { excerpt, ...shown } = found;
    assertEquals([shown, Array.isArray(excerpt), "excerpt" in listed], [listed, true, false]);
    const { data: [{ excerpt: _, ...stated }] } = await list("search=owls%20tides&include=state");
    assertReply(await ask(service, "GET", `/threads/${both}`, tenant), 200, stated);
  });

  await t.step("shows the place that was found: of the message with most of the words, or of the title", async () => {
    await checkExcerpts(service, tenant, stranger);
  });

  await t.step("pages of any size add up, and each cursor belongs to its list", async () => {
    const all = ids(await list("search=owls%20tide%20hello"));
    assertEquals(all.length, 3);
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await list(`search=owls%20tide%20hello&limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...ids(page));
      cursor = page.next_cursor;
    }
    assertEquals(seen, all);
    const error = "cursor must be a next_cursor of this list";
    const { next_cursor: ofSearch } = await list("search=owl&limit=1");
    const { next_cursor: ofList } = await list("limit=1");
    assertInvalid(await ask(service, "GET", `/users/u/threads?cursor=${ofSearch}`, tenant), error);
    assertInvalid(await ask(service, "GET", `/users/u/threads?search=owl&cursor=${ofList}`, tenant), error);
  });

  await t.step("together with archived and coachId", async () => {
    await ask(service, "PATCH", `/threads/${owls}`, tenant, { is_archived: true });
    assertEquals(ids(await list("search=owl&archived=true")), [owls]);
    assertEquals(ids(await list("search=owl&archived=false")), [both]);
    assertEquals(ids(await list(`search=owl&coachId=${tenant.coachId}&archived=false`)), [both]);
    assertEquals(await list("search=owl&coachId=other"), { data: [], count: 0 });
    assertEquals(await list("search=owl&coachId=%00"), { data: [], count: 0 });
  });

  await t.step("an empty or blank search counts as left out", async () => {
    for (const query of ["search=", "search=%20%0A"]) assertEquals(await list(query), await list(""));
  });

  for (
    const hostile of [
      "the and of",
      "'",
      "''",
      '"',
      "\\",
      "'; drop table threads; --",
      "owl & !tide | (",
      "owl:*",
      ":*",
      "<->",
      "!!",
      "%",
      "_",
      "x".repeat(6_000),
      "word ".repeat(1_000),
      "../../etc/passwd",
      "日本語",
      "Привет мир",
      "مرحبا",
      "😀",
      "\u202e",
      "é".repeat(500),
      "-1 1e400 0x",
      "a@b.example https://example.com/a?b=c",
      "<script>",
    ]
  ) {
    await t.step(`a hostile search → 200: ${JSON.stringify(hostile.slice(0, 20))}`, async () => {
      const json = await list(`search=${encodeURIComponent(hostile)}`);
      assertEquals(json.count, json.data.length);
    });
  }
  await t.step("NUL → 400", async () => {
    const error = "search must not contain NUL characters or unpaired surrogates";
    assertInvalid(await ask(service, "GET", "/users/u/threads?search=a%00b", tenant), error);
  });

  await t.step("words of another script, with quotes and accents, are found", async () => {
    const { threadId } = await talk(service, tenant, "polyglot", "Привет, l'été à Paris");
    const found = async (search: string) => ids(await list(`search=${encodeURIComponent(search)}`, tenant, "polyglot"));
    for (const search of ["привет", "ÉTÉ", "d'été"]) assertEquals(await found(search), [threadId], search);
  });

  await t.step("a deleted thread is found no more; the typed client searches too", async () => {
    const client = clientOf(service, tenant);
    assertEquals((await client.listThreads("u", { search: "winter" })).count, 1);
    await client.deleteThread(owls);
    assertEquals((await client.listThreads("u", { search: "winter" })).count, 0);
  });
});
