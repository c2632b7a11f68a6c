import { createHash } from "node:crypto";
import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, clientOf, type Credentials } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { searchFiles, sweep, uploadAndIndex } from "../support/knowledge.ts";
import { createCoach, createTenant, createUser, issueKey, issuePublishableKey, operator } from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";

const scopes = ["chat", "expert", "knowledge:read", "knowledge:write"];

/** A coach with its expert, a server's key, and other users. */
async function prepare() {
  const expert = await createUser();
  const tenant = await createTenant({ requests_per_minute: 1_000, scopes }, { owner_id: expert.id });
  const withoutScope = await issueKey(tenant.accountId, { requests_per_minute: 1_000 });
  return { tenant, expert, signedIn: { ...withoutScope, accessToken: expert.accessToken } };
}

/** The id of a passage: the md5 of its text. */
const idOf = (text: string) => createHash("md5").update(text).digest("hex");

async function open() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const { tenant, expert, signedIn } = await prepare();
  const path = `/coaches/${tenant.coachId}/answers`;
  const request = (method: string, at: string, body?: unknown, credentials: Credentials = tenant) =>
    ask(service, method, at, credentials, body);
  const text = {
    question: "When should I fast?",
    variants: ["At what hour do I fast?"],
    answer: "In the **morning**.\n\nAlways.",
  };
  return handOver(stack, { tenant, expert, signedIn, path, request, text });
}

Deno.test("the expert's own answers", async (t) => {
  await using prepared = await open();
  const { expert, signedIn, path, request, text } = prepared;

  let id = "";
  await t.step("are pinned, trimmed, and returned as they are stored", async () => {
    const reply = await request("POST", path, { ...text, question: "  When should I fast?\n" }, signedIn);
    assertReply(reply, 200);
    const { created_at, updated_at, ...rest } = reply.json;
    id = rest.id;
    assertMatch(created_at, /^\d{4}-.*\.\d{3}Z$/);
    assert(updated_at >= created_at);
    assertEquals(rest, {
      id,
      ...text,
      is_active: true,
      version: 1,
      written_by: expert.id,
      hits: 0,
      near_hits: 0,
      last_hit_at: null,
    });
    assertEquals((await request("GET", path)).json, { data: [reply.json], count: 1 });
  });

  await t.step("are changed field by field, and what they said before is kept with who said it", async () => {
    assertReply(await request("PATCH", `${path}/${id}`, { answer: "At noon." }), 200);
    assertReply(await request("PATCH", `${path}/${id}`, { answer: "At noon." }), 200);
    const changed = await request("PATCH", `${path}/${id}`, { is_active: false, variants: [] }, signedIn);
    assertEquals([changed.json.version, changed.json.written_by, changed.json.question], [3, expert.id, text.question]);
    const { json: { versions, ...current } } = await request("GET", `${path}/${id}`);
    assertEquals(current, changed.json);
    assertEquals(
      // deno-lint-ignore no-explicit-any
      versions.map(({ written_at, ...version }: any) => [typeof written_at, version]),
      [
        { version: 3, ...text, variants: [], answer: "At noon.", is_active: false, written_by: expert.id },
        { version: 2, ...text, answer: "At noon.", is_active: true, written_by: null },
        { version: 1, ...text, is_active: true, written_by: expert.id },
      ].map((version) => ["string", version]),
    );
  });

  await t.step("questions are stored as they are shown: without marks of direction", async () => {
    const marked = await request("POST", path, {
      question: "May I \u202Eton\u202C eat?",
      variants: ["\u200BMust I eat\u2069?"],
      answer: "\u200FYes.",
    });
    const { question, variants, answer } = marked.json;
    assertEquals([question, variants, answer], ["May I ton eat?", ["Must I eat?"], "\u200FYes."]);
    await request("DELETE", `${path}/${marked.json.id}`);
  });

  await t.step("a question that is pinned already → 409 that names where, also of one that is not active", async () => {
    assertRefused(
      await request("POST", path, { ...text, question: "when should I FAST" }),
      "already_pinned",
      undefined,
      { answerId: id },
    );
    const other = await request("POST", path, { question: "Why?", variants: ["What for?"], answer: "So." });
    assertReply(other, 200);
    assertRefused(
      await request("PATCH", `${path}/${other.json.id}`, { variants: [text.question] }),
      "already_pinned",
      undefined,
      { answerId: id },
    );
    assertReply(await request("PATCH", `${path}/${other.json.id}`, { question: "Whys", variants: ["why"] }), 200);
    assertReply(await request("DELETE", `${path}/${other.json.id}`), 200, {
      message: "Pinned answer deleted successfully",
      answerId: other.json.id,
    });
    assertRefused(await request("DELETE", `${path}/${other.json.id}`), "pinned_answer_not_found");
  });

  await t.step("of two who pin the same question at once, one gets a 409", async () => {
    const both = await Promise.all(
      ["So.", "Thus."].map((answer) => request("POST", path, { question: "At once?", answer })),
    );
    assertEquals(both.map(({ status }) => status).toSorted(), [200, 409]);
    const [pinned, refused] = both.toSorted((a, b) => a.status - b.status);
    assertEquals(refused!.json.answerId, pinned!.json.id);
    await request("DELETE", `${path}/${pinned!.json.id}`);
  });

  for (
    const [name, body, error] of [
      ["no question", { answer: "A" }, "question is required"],
      ["a blank question", { question: " \n", answer: "A" }, "question must not be blank"],
      [
        "a question of 1,001 characters",
        { question: "x".repeat(1_001), answer: "A" },
        "question must be at most 1,000 characters long",
      ],
      ["no answer", { question: "Q" }, "answer is required"],
      [
        "an answer of 20,001 characters",
        { question: "Q", answer: "😀".repeat(20_001) },
        "answer must be at most 20,000 characters long",
      ],
      [
        "a NUL character",
        { question: "Q", answer: "\0" },
        "answer must not contain NUL characters or unpaired surrogates",
      ],
      [
        "variants that are no list",
        { question: "Q", answer: "A", variants: "V" },
        "variants must be a list of at most 20 questions",
      ],
      [
        "21 variants",
        { question: "Q", answer: "A", variants: Array(21).fill("V") },
        "variants must be a list of at most 20 questions",
      ],
      ["a blank variant", { question: "Q", answer: "A", variants: [""] }, "Each of variants must not be blank"],
      ["a state that is none", { question: "Q", answer: "A", is_active: 1 }, "is_active must be true or false"],
    ] as const
  ) {
    await t.step(`${name} → 400`, async () => {
      assertInvalid(await request("POST", path, body), error);
    });
  }

  await t.step("a change of nothing → 400; the longest texts fit", async () => {
    assertInvalid(
      await request("PATCH", `${path}/${id}`, {}),
      "One of question, variants, answer and is_active is required",
    );
    const longest = {
      question: "q".repeat(1_000),
      variants: Array.from({ length: 20 }, (_, index) => `${index} `.padEnd(1_000, "v")),
      answer: "😀".repeat(20_000),
    };
    const reply = await request("POST", path, longest);
    assertReply(reply, 200);
    assertEquals([reply.json.answer, reply.json.variants], [longest.answer, longest.variants]);
    await request("DELETE", `${path}/${reply.json.id}`);
  });

  for (const at of ["x", crypto.randomUUID(), "%00", "a'b"]) {
    await t.step(`${at}: no pinned answer → 404`, async () => {
      for (const [method, body] of [["GET"], ["PATCH", { answer: "A" }], ["DELETE"]] as const) {
        assertRefused(await request(method, `${path}/${at}`, body), "pinned_answer_not_found");
      }
    });
  }
});

Deno.test("the expert's own answers, and who sees them", async (t) => {
  await using prepared = await open();
  const { tenant, expert, path, request, text } = prepared;

  const { id } = (await request("POST", path, text)).json;
  assertReply(await request("PATCH", `${path}/${id}`, { answer: "At noon." }), 200);
  assertReply(await request("PATCH", `${path}/${id}`, { is_active: false }), 200);

  await t.step("are the coach's own: not to be had as another coach's", async () => {
    const other = await createCoach(tenant.accountId, { owner_id: expert.id });
    const elsewhere = `/coaches/${other.id}/answers/${id}`;
    for (const [method, body] of [["GET"], ["PATCH", { answer: "A" }], ["DELETE"]] as const) {
      assertRefused(await request(method, elsewhere, body), "pinned_answer_not_found");
    }
    assertReply(await request("GET", `${path}/${id}`), 200);
  });

  await t.step("are listed with the newest change first, page by page, by their words and their state", async () => {
    const questions = ["Which owl?", "Which tide?", "Which owls at 50%?"];
    const made: string[] = [];
    for (const question of questions) {
      made.unshift((await request("POST", path, { question, answer: "Tide & _Moon_" })).json.id);
    }
    const idsOf = async (query: string) =>
      (await request("GET", `${path}?${query}`)).json.data.map(({ id }: { id: string }) => id);
    assertEquals(await idsOf(""), [...made, id]);
    assertEquals(await idsOf("is_active=true"), made);
    assertEquals(await idsOf("is_active=false"), [id]);
    assertEquals(await idsOf("search=OWL"), [made[0], made[2]]);
    assertEquals(await idsOf("search=moon%20owl"), [made[0], made[2]]);
    assertEquals(await idsOf("search=50%25"), [made[0]]);
    assertEquals(await idsOf("search=_moon"), made);
    assertEquals(await idsOf("search=%25%25"), []);
    assertEquals(await idsOf("search=%20"), [...made, id]);
    await request("PATCH", `${path}/${made[2]}`, { answer: "Moon" });
    const pages: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { json } = await request("GET", `${path}?limit=1${cursor && `&cursor=${cursor}`}`);
      assertEquals(json.count, 1);
      pages.push(json.data[0].id);
      cursor = json.next_cursor;
    }
    assertEquals(pages, [made[2], made[0], made[1], id]);
    for (const query of ["cursor=x", "limit=0", "is_active=yes", "cursor=1_x"]) {
      assertEquals((await request("GET", `${path}?${query}`)).status, 400, query);
    }
  });

  await t.step("only the expert sees and changes them", async () => {
    const stranger = await createUser();
    const foreign = await createTenant({ scopes });
    const page = await issuePublishableKey(tenant.accountId);
    const bound = await issueKey(tenant.accountId, { scopes, coach_ids: [(await createCoach(tenant.accountId)).id] });
    const requests = [
      ["GET", path],
      ["POST", path, { question: "Mine?", answer: "Yes." }],
      ["GET", `${path}/${id}`],
      ["PATCH", `${path}/${id}`, { answer: "Mine." }],
      ["DELETE", `${path}/${id}`],
      ["GET", `/coaches/${tenant.coachId}/barred-passages`],
      ["PUT", `/coaches/${tenant.coachId}/barred-passages/${"0".repeat(32)}`],
      ["DELETE", `/coaches/${tenant.coachId}/barred-passages/${"0".repeat(32)}`],
    ] as const;
    for (
      const [credentials, status] of [
        [{ ...tenant, accessToken: stranger.accessToken }, 403],
        [{ ...page, accessToken: stranger.accessToken }, 403],
        [await issueKey(tenant.accountId, {}), 403],
        [foreign, 404],
        [{ ...foreign, accessToken: expert.accessToken }, 404],
        [bound, 404],
      ] as [Credentials, number][]
    ) {
      for (const [method, at, body] of requests) {
        const reply = await request(method, at, body, credentials);
        assertEquals(reply.status, status, `${method} ${at} ${reply.text}`);
      }
    }
    assertEquals((await request("GET", `${path}/${id}`)).json.version, 3);
    // On a page, as everywhere, the expert is the one who is signed in as the coach's own user.
    assertReply(await request("GET", path, undefined, { ...page, accessToken: expert.accessToken }), 200);
  });

  await t.step("an inactive coach has them, too", async () => {
    await operator.from("coach_profiles").update({ is_active: false }).eq("id", tenant.coachId).throwOnError();
    assertReply(await request("GET", `${path}/${id}`), 200);
    await operator.from("coach_profiles").update({ is_active: true }).eq("id", tenant.coachId).throwOnError();
  });
});

Deno.test("the client pins and bars", async () => {
  await using service = await startService();
  const { tenant } = await prepare();
  const client = clientOf(service, tenant);
  const { coachId } = tenant;
  const { id } = await client.createPinnedAnswer(coachId, { question: "Why?", answer: "So." });
  assertEquals((await client.updatePinnedAnswer(coachId, id, { is_active: false })).is_active, false);
  assertEquals((await client.getPinnedAnswer(coachId, id)).versions.length, 2);
  assertEquals((await client.listPinnedAnswers(coachId, { limit: 5 })).data.length, 1);
  assertEquals((await client.deletePinnedAnswer(coachId, id)).answerId, id);
  const passageId = idOf("passage");
  assertEquals((await client.barPassage(coachId, passageId)).passage_id, passageId);
  assertEquals((await client.listBarredPassages(coachId)).count, 1);
  assertEquals((await client.unbarPassage(coachId, passageId)).passageId, passageId);
});

/** The texts of the passages that answers would draw on. */
async function passagesFor(coachId: string, query: string, how_many = 2): Promise<string[]> {
  const { data } = await operator.rpc("search_passages", { coach_id: coachId, query, how_many }).throwOnError();
  return (data as { content: string }[]).map(({ content }) => content);
}

Deno.test("barred passages", async (t) => {
  await using service: Service = await startService();
  const { tenant, expert, signedIn } = await prepare();
  const sibling = { ...tenant, coachId: (await createCoach(tenant.accountId)).id };
  const texts = [
    "Owls sleep in trees.",
    "Owls hunt at night, and sleep by day.",
    "Owls sleep alone, far from other owls.",
  ];
  await uploadAndIndex(service, tenant, ...texts.map((text, index): [string, string] => [`${index}.txt`, text]));
  await uploadAndIndex(service, sibling, ["same.txt", texts[0]!]);
  const path = `/coaches/${tenant.coachId}/barred-passages`;
  const all = await passagesFor(tenant.coachId, "Where do owls sleep?", 3);
  assertEquals(all.toSorted(), texts.toSorted());
  const best = all[0]!;
  const { data: stored } = await operator.from("passages").select("content, file_id").eq("coach_id", tenant.coachId)
    .throwOnError();

  await t.step("are left out before passages are counted, of this coach only", async () => {
    assertReply(await ask(service, "GET", path, tenant), 200, { data: [], count: 0 });
    const reply = await ask(service, "PUT", `${path}/${idOf(best)}`, signedIn);
    assertReply(reply, 200);
    const { created_at, ...rest } = reply.json;
    const fileId = stored.find(({ content }) => content === best)!.file_id;
    assertEquals(rest, {
      passage_id: idOf(best),
      content: best,
      file_id: fileId,
      filename: `${texts.indexOf(best)}.txt`,
      barred_by: expert.id,
    });
    assertEquals(await passagesFor(tenant.coachId, "Where do owls sleep?"), all.slice(1));
    assertEquals(await passagesFor(sibling.coachId, "Where do owls sleep?"), [texts[0]]);
    // A second time it is barred already: by whom, and when, stays.
    assertReply(await ask(service, "PUT", `${path}/${idOf(best)}`, tenant), 200, reply.json);
    assertReply(await ask(service, "GET", path, tenant), 200, { data: [reply.json], count: 1 });
    const ofSibling = path.replace(tenant.coachId, sibling.coachId);
    assertReply(await ask(service, "GET", ofSibling, sibling), 200, { data: [], count: 0 });
    assert(created_at.endsWith("Z"));
  });

  await t.step("stay barred when their file is read again, and the list of files is as before", async () => {
    await operator.rpc("reindex_coach", { coach_id: tenant.coachId }).throwOnError();
    await sweep(service);
    assertEquals(await passagesFor(tenant.coachId, "Where do owls sleep?"), all.slice(1));
    assertEquals((await searchFiles(service, tenant, "owls sleep")).total, 3);
  });

  await t.step("one that no file has any more has no text", async () => {
    const gone = "f".repeat(32);
    const { json } = await ask(service, "PUT", `${path}/${gone}`, tenant);
    assertEquals([json.passage_id, json.content, json.file_id, json.filename, json.barred_by], [
      gone,
      null,
      null,
      null,
      null,
    ]);
    const first = await ask(service, "GET", `${path}?limit=1`, tenant);
    assertEquals(first.json.data, [json]);
    const second = await ask(service, "GET", `${path}?limit=1&cursor=${first.json.next_cursor}`, tenant);
    assertEquals([second.json.data[0].passage_id, second.json.next_cursor], [idOf(best), null]);
    assertReply(await ask(service, "DELETE", `${path}/${gone}`, tenant), 200);
  });

  await t.step("may be used again; what is not barred, or can be no passage → 404", async () => {
    assertReply(await ask(service, "DELETE", `${path}/${idOf(best)}`, tenant), 200, {
      message: "The passage may be used again",
      passageId: idOf(best),
    });
    assertEquals(await passagesFor(tenant.coachId, "Where do owls sleep?"), all.slice(0, 2));
    for (
      const [method, id] of [["DELETE", idOf(best)], ["DELETE", "x"], ["PUT", "x"], ["PUT", "A".repeat(32)], [
        "PUT",
        "0".repeat(33),
      ]] as const
    ) {
      assertRefused(await ask(service, method, `${path}/${id}`, tenant), "passage_not_found");
    }
    assertEquals((await ask(service, "GET", path, tenant)).json.count, 0);
  });
});

Deno.test("questions of pinned answers are embedded by the sweep", async (t) => {
  const env = { OPENAI_EMBEDDING_MODEL: "embedder" };
  await using service = await startService({ env });
  const { tenant } = await prepare();
  let asked: string[] = [];
  service.model.scriptEmbeddings("embedder", (text) => {
    asked.push(text);
    return [1, 0];
  });
  const path = `/coaches/${tenant.coachId}/answers`;

  await t.step("where the deployment has embeddings, soon after they were written", async () => {
    const { json: { id } } = await ask(service, "POST", path, tenant, {
      question: "Why?",
      variants: ["What for?"],
      answer: "So.",
    });
    await sweep(service);
    assertEquals(asked.toSorted(), ["What for?", "Why?"]);
    asked = [];
    await ask(service, "PATCH", `${path}/${id}`, tenant, { answer: "Thus.", variants: ["Wherefore?"] });
    await sweep(service);
    await sweep(service);
    assertEquals(asked, ["Wherefore?"]);
  });
});
