import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import {
  ask,
  assertInvalid,
  assertRefused,
  assertReply,
  type Credentials,
  type NewFile,
  upload,
} from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { rowsOf, updateRow } from "../support/knowledge.ts";
import { createCoach, createTenant, createUser, issueKey } from "../support/project.ts";
import { sampleFiles } from "../support/sample_files.ts";
import { startService } from "../support/service.ts";

type Entry = { filename: string; score: number | null; snippet: string | null };

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const owner = await createUser();
  const tenant = await createTenant({ requests_per_minute: 1_000 }, { owner_id: owner.id });
  const stranger = await createTenant({ requests_per_minute: 1_000 });
  const empty = await createCoach(tenant.accountId);
  const files: NewFile[] = [
    ["lanterns.txt", "Ships rest in the harbour, where lanterns burn through the night."],
    ["budget_2026.md", "The yearly budget is planned in autumn."],
    ["both.txt", "The harbour has a budget of its own, written down by the harbour master."],
    ["weather.txt", "Rain is likely."],
    ["atlas page.png", sampleFiles.png],
    ["launch.mp4", sampleFiles.mp4],
  ];
  const uploaded = await upload(service, tenant, tenant.coachId, files);
  assertReply(uploaded, 200);
  const secret: NewFile = ["secret harbour.txt", "The harbour of another account."];
  await upload(service, stranger, stranger.coachId, [secret]);
  await service.turns();
  // The files of one upload share their time.
  for (const [index, { id }] of (await rowsOf(tenant.coachId)).entries()) {
    await updateRow(id, { uploaded_at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString() });
  }

  const request = (query: Record<string, string>, credentials: Credentials = tenant) =>
    ask(
      service,
      "GET",
      `/knowledge-handler?${new URLSearchParams({ coachId: tenant.coachId, ...query })}`,
      credentials,
    );
  const list = async (query: Record<string, string> = {}) => {
    const reply = await request(query);
    assertReply(reply, 200);
    return reply.json as { data: Entry[]; count: number; total: number; page: number; limit: number };
  };
  const namesOf = async (query: Record<string, string> = {}) =>
    (await list(query)).data.map(({ filename }) => filename);
  return handOver(stack, { service, owner, tenant, stranger, empty, files, uploaded, request, list, namesOf });
}

Deno.test("GET /knowledge-handler", async (t) => {
  await using prepared = await prepare();
  const { stranger, empty, files, uploaded, request, list, namesOf } = prepared;

  await t.step("without search: all files, newest first, with the fields of an upload and their state", async () => {
    const reply = await request({});
    assertReply(reply, 200);
    assertMatch(reply.headers.get("Content-Type") ?? "", /^application\/json/);
    assertEquals(Object.keys(reply.json), ["data", "count", "total", "page", "limit"]);
    assertEquals([reply.json.count, reply.json.total, reply.json.page, reply.json.limit], [6, 6, 1, 20]);
    assertEquals(
      reply.json.data.map(({ filename }: Entry) => filename),
      files.map(([name]) => name).toReversed(),
    );
    const { uploadedAt: _, ...file } = uploaded.json.uploadedFiles[0];
    assertEquals(reply.json.data.at(-1), {
      ...file,
      uploadedAt: "2026-01-01T00:00:00.000Z",
      version: 1,
      status: "ready",
      pending: null,
      valid_from: null,
      valid_until: null,
      is_valid_today: true,
      error: null,
      warning: null,
      score: null,
      snippet: null,
      source_id: null,
      source_url: null,
      fetched_at: null,
      is_text: false,
      title: null,
    });
  });

  await t.step("a blank search is the same as no search", async () => {
    for (const search of ["", " ", "\t\n"]) assertEquals((await list({ search })).total, 6);
  });

  await t.step("with search: any of the words in any order, best match first, with score and snippet", async () => {
    const { data, count, total } = await list({ search: "budgets of the harbour" });
    assertEquals(data[0]?.filename, "both.txt");
    assertEquals(data.map(({ filename }) => filename).toSorted(), [
      "both.txt",
      "budget_2026.md",
      "lanterns.txt",
    ]);
    assertEquals([count, total], [3, 3]);
    const scores = data.map(({ score }) => score);
    for (const score of scores) assert(typeof score === "number" && score > 0, String(score));
    assertEquals(scores, scores.toSorted((one, other) => Number(other) - Number(one)));
    assertMatch(data[0]?.snippet ?? "", /harbour has a budget of its own/);
  });

  await t.step("a part of a file name is enough", async () => {
    const { data } = await list({ search: "launc" });
    assertEquals(data.map(({ filename, snippet }) => [filename, snippet]), [["launch.mp4", null]]);
    assertEquals(await namesOf({ search: "2026" }), ["budget_2026.md"]);
    assertEquals(await namesOf({ search: "LAUNCH.MP4" }), ["launch.mp4"]);
  });

  await t.step("a word that is in no file finds nothing", async () => {
    assertEquals(await list({ search: "zeppelin" }), { data: [], count: 0, total: 0, page: 1, limit: 20 });
  });

  await t.step("a category lists only its files, with and without search", async () => {
    assertEquals(await namesOf({ category: "videos" }), ["launch.mp4"]);
    assertEquals(await namesOf({ category: "images", search: "atlas harbour" }), ["atlas page.png"]);
    assertEquals(await namesOf({ category: "videos", search: "harbour" }), []);
    assertEquals((await list({ category: "documents" })).total, 4);
  });

  await t.step("pages of any size add up to the list, and total always counts all pages", async () => {
    const queries: Record<string, string>[] = [{}, { search: "harbour budget rain" }, { category: "documents" }];
    for (const query of queries) {
      const whole = await list(query);
      for (const limit of [1, 2, 3, 100]) {
        const seen: string[] = [];
        for (let page = 1; seen.length < whole.total; page++) {
          const part = await list({ ...query, page: String(page), limit: String(limit) });
          assertEquals([part.total, part.page, part.limit], [whole.total, page, limit]);
          assertEquals(part.count, Math.min(limit, whole.total - seen.length));
          assertEquals(part.count, part.data.length);
          seen.push(...part.data.map(({ filename }) => filename));
        }
        assertEquals(seen, whole.data.map(({ filename }) => filename));
      }
    }
  });

  await t.step("a page after the last is empty, and the total stays", async () => {
    for (const page of ["2", "999999999"]) {
      assertEquals(await list({ page }), { data: [], count: 0, total: 6, page: Number(page), limit: 20 });
      assertEquals((await list({ page, search: "harbour" })).total, 2);
    }
  });

  await t.step("a coach without files has an empty list", async () => {
    assertEquals(await list({ coachId: empty.id }), { data: [], count: 0, total: 0, page: 1, limit: 20 });
    assertEquals((await list({ coachId: empty.id, search: "harbour" })).total, 0);
  });

  await t.step("two accounts see nothing of each other; another account's coach → 404", async () => {
    assert(!JSON.stringify(await list({ search: "harbour account" })).includes("secret"));
    const reply = await request({ search: "harbour" }, stranger);
    assertRefused(reply, "coach_not_found");
    for (const coachId of [stranger.coachId, crypto.randomUUID(), "'; --"]) {
      assertRefused(await request({ coachId }), "coach_not_found");
    }
  });
});

Deno.test("GET /knowledge-handler: who may search, and for what", async (t) => {
  await using prepared = await prepare();
  const { service, owner, tenant, request, list, namesOf } = prepared;

  await t.step("any signed-in user may search", async () => {
    for (const { accessToken } of [owner, await createUser()]) {
      assertReply(await request({ search: "harbour" }, { ...tenant, accessToken }), 200);
    }
  });

  await t.step("the scope knowledge:read is needed and sufficient", async () => {
    const { apiKey: reader } = await issueKey(tenant.accountId, { scopes: ["knowledge:read"] });
    assertReply(await request({}, { apiKey: reader }), 200);
    const { apiKey: writeOnly } = await issueKey(tenant.accountId, { scopes: ["knowledge:write"] });
    assertRefused(await request({}, { apiKey: writeOnly }), "missing_scope", "knowledge:read");
  });

  const invalid: [string, string[], string][] = [
    [
      "page",
      ["0", "-1", "1.5", "x", "", "1e3", "01", " 1", "0x1", "9999999999", "1;2"],
      "page must be a whole number, 1 or higher",
    ],
    ["limit", ["0", "-1", "101", "1.5", "x", "", "1000", "01"], "limit must be a whole number from 1 to 100"],
    ["category", ["songs", "", "Documents", "images,videos"], "category must be documents, images or videos"],
    ["coachId", ["", " "], "coachId is required"],
    ["coachId", ["\0", "a\0b"], "coachId must not contain NUL characters"],
    ["search", ["\0", "harbour\0"], "search must not contain NUL characters"],
  ];
  for (const [name, values, error] of invalid) {
    for (const value of values) {
      await t.step(`${name}=${encodeURIComponent(value)} → 400`, async () => {
        assertInvalid(await request({ [name]: value }), error);
      });
    }
  }
  await t.step("no coachId → 400", async () => {
    assertInvalid(await ask(service, "GET", "/knowledge-handler?search=harbour", tenant), "coachId is required");
  });
  await t.step("limit=1 and limit=100 are allowed", async () => {
    assertEquals([(await list({ limit: "1" })).count, (await list({ limit: "100" })).count], [1, 6]);
  });

  const odd = [
    "& | ! <-> ( ) : *",
    "harbour &",
    "!harbour",
    "harbour:*",
    "(harbour",
    "'harbour",
    `"harbour budget"`,
    "%",
    "_",
    "%_%",
    "\\",
    "\\%",
    "'; drop table knowledge_files; --",
    "$1 $$ {}",
    "x".repeat(5_000),
    "harbour ".repeat(625),
    Array.from({ length: 800 }, (_, index) => `word${index}`).join(" "),
    "👩‍👩‍👧 🚢",
    "гавань 港口 ميناء नमस्ते",
    "\u202e\u0000".slice(0, 1),
    "\ufffd\uffff",
    "a\u0301\u0301\u0301",
    "the of and",
    "-",
    "http://example.com/harbour?x=1",
    "1e309 -0 NaN",
  ];
  for (const search of odd) {
    await t.step(`any text can be searched: ${JSON.stringify(search.slice(0, 40))}`, async () => {
      const { data, count } = await list({ search });
      assertEquals(count, data.length);
    });
  }
  await t.step("% and _ are not wildcards", async () => {
    assertEquals(await namesOf({ search: "l_unch" }), []);
    assertEquals(await namesOf({ search: "lau%mp4" }), []);
  });
  await t.step("percent escapes that are not UTF-8 can be searched too", async () => {
    const reply = await ask(service, "GET", `/knowledge-handler?coachId=${tenant.coachId}&search=%E0%A4%ff%`, tenant);
    assertReply(reply, 200);
  });
});

Deno.test("GET /knowledge-handler: languages that put no spaces between words", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const files: NewFile[] = [
    ["zh.txt", "每位员工每年有十五天带薪年假。报销需要在三十天内提交发票。公司提供iPhone手机。"],
    ["ja.txt", "有給休暇は年間二十日です。経費の精算は三十日以内に領収書を提出してください。"],
    ["ko.txt", "연차휴가는 일년에 십오일입니다. 경비를 정산하려면 영수증을 제출해야 합니다."],
    ["th.txt", "พนักงานมีวันลาพักร้อนปีละสิบห้าวัน การเบิกค่าใช้จ่ายต้องส่งใบเสร็จ"],
    ["en.txt", "Every employee has fifteen days of paid leave."],
    ["会议记录.png", sampleFiles.png],
  ];
  assertReply(await upload(service, tenant, tenant.coachId, files), 200);
  await service.turns();
  const find = async (search: string) => {
    const query = new URLSearchParams({ coachId: tenant.coachId, search });
    const reply = await ask(service, "GET", `/knowledge-handler?${query}`, tenant);
    assertReply(reply, 200);
    return reply.json.data.map(({ filename }: Entry) => filename) as string[];
  };

  const words = {
    "年假": "zh.txt",
    "发票": "zh.txt",
    "手机": "zh.txt",
    "iphone": "zh.txt",
    "領収書": "ja.txt",
    "영수증": "ko.txt",
    "휴가": "ko.txt",
    "ใบเสร็จ": "th.txt",
    "会议": "会议记录.png",
  };
  for (const [word, name] of Object.entries(words)) {
    await t.step(`a word within a sentence or a name: ${word}`, async () => assertEquals((await find(word))[0], name));
  }
  const questions = {
    "带薪年假有几天？": "zh.txt",
    "有給休暇は何日ありますか": "ja.txt",
    "휴가는 며칠입니까?": "ko.txt",
    "ลาพักร้อนได้กี่วัน": "th.txt",
  };
  for (const [question, name] of Object.entries(questions)) {
    await t.step(`a question: ${question}`, async () => assertEquals((await find(question))[0], name));
  }
  await t.step("the same characters in another order are another word", async () => {
    assertEquals(await find("假年"), []);
    assertEquals(await find("猫"), []);
  });
  await t.step("other texts are found as ever", async () => assertEquals(await find("leaves"), ["en.txt"]));
});

Deno.test("GET /knowledge-handler: letters with accents are found, sent in one piece or in two", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const files: NewFile[] = [
    ["Résumé.txt".normalize("NFD"), "A list of posts."],
    ["apart.txt", "Ein Überblick über alles.".normalize("NFD")],
    ["joined.txt", "Die Übergabe der Schlüssel."],
    ["Füße.png".normalize("NFD"), sampleFiles.png],
    ["회의록.png".normalize("NFD"), sampleFiles.png],
    ["Öfen.png", sampleFiles.png],
  ];
  assertReply(await upload(service, tenant, tenant.coachId, files), 200);
  await service.turns();
  const words = {
    "résumé": files[0]![0],
    "Überblick": "apart.txt",
    "Schlüssel": "joined.txt",
    "füß": files[3]![0],
    "회의": files[4]![0],
    "öfe": "Öfen.png",
  };
  for (const [word, name] of Object.entries(words)) {
    await t.step(`${word} finds ${name}`, async () => {
      for (const form of ["NFC", "NFD"]) {
        const query = new URLSearchParams({ coachId: tenant.coachId, search: word.normalize(form) });
        const reply = await ask(service, "GET", `/knowledge-handler?${query}`, tenant);
        assertReply(reply, 200);
        assertEquals(reply.json.data.map(({ filename }: Entry) => filename), [name], form);
      }
    });
  }
});
