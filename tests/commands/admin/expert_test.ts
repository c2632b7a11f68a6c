import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { createCoach, createTenant, createUser, operator } from "../../support/project.ts";
import { sentenceOf } from "../../support/refusals.ts";
import { storeAnswer } from "../../support/turns.ts";
import { runAdmin } from "./run_admin.ts";

const unknownId = "00000000-0000-4000-8000-00000000dead";
const hostile = "Why?\x1b[2J\nforged \u202egnorw";

/** Runs a command that must succeed, and gives its result. */
async function result(...args: string[]) {
  const run = await runAdmin([...args, "--json"]);
  assertEquals(run.code, 0, run.noted);
  return run.json();
}

async function assertRefused(code: number, sentence: string, ...args: string[]) {
  const run = await runAdmin(args);
  assertEquals([run.code, run.said], [code, ""]);
  assert(run.noted.includes(sentence), run.noted);
}

Deno.test("npm run admin -- question", async (t) => {
  const tenant = await createTenant();
  const other = await createTenant();
  const ask = async (question: string | null, fields: Record<string, unknown> = {}) => {
    const { data } = await operator.from("open_questions").insert({
      account_id: tenant.accountId,
      coach_id: tenant.coachId,
      question,
      ...fields,
    }).select("id").single().throwOnError();
    return data.id;
  };
  const rare = await ask("How long?", { people: 1, times: 9, last_asked_at: "2026-03-09T12:00:00Z" });
  const often = await ask(hostile, { people: 5, times: 6, last_asked_at: "2026-03-02T12:00:00Z" });
  const wordless = await ask(null, { people: 1, times: 1, last_asked_at: "2026-03-08T00:00:00Z" });
  await ask("Elsewhere?", { account_id: other.accountId, coach_id: other.coachId });
  const list = async (...args: string[]) =>
    (await result("question", "list", "--coach", tenant.coachId, ...args)).map(({ id }: { id: string }) => id);

  await t.step("list shows the questions of a coach, most asked first", async () => {
    assertEquals(await list(), [often, rare, wordless]);
    assertEquals(await list("--limit", "1"), [often]);
    const { said } = await runAdmin(["question", "list", "--coach", tenant.coachId]);
    assertMatch(said, /^id +people +times +last asked +question\n/);
    assertMatch(
      said.split("\n")[1]!,
      / 5 +6 {2}2026-03-02T12:00:00Z {2}Why\?\\u\{1b\}\[2J\\u\{a\}forged \\u\{202e\}gnorw$/,
    );
    assertMatch(said.split("\n")[3]!, /Z {2}-$/);
  });

  await t.step("list --since shows what was asked from that day on", async () => {
    assertEquals(await list("--since", "2026-03-08"), [rare, wordless]);
    const none = await runAdmin(["question", "list", "--coach", tenant.coachId, "--since", "2026-03-10"]);
    assertEquals([none.code, none.said, none.noted], [0, "", "No question matches."]);
  });

  await t.step("dismiss puts a question away, and remembers by how many it was asked", async () => {
    const run = await runAdmin(["question", "dismiss", often]);
    assertMatch(run.said, /^Dismissed: Why\?\\u\{1b\}/);
    assertEquals([await list(), await list("--status", "dismissed")], [[rare, wordless], [often]]);
    const { data } = await operator.from("open_questions").select("dismissed_people, decided_at").eq("id", often)
      .single()
      .throwOnError();
    assertEquals([data.dismissed_people, data.decided_at !== null], [5, true]);
  });

  await t.step("refusals", async () => {
    await assertRefused(1, sentenceOf("question_not_found"), "question", "dismiss", unknownId);
    await assertRefused(1, sentenceOf("coach_not_found"), "question", "list", "--coach", "nobody");
    await assertRefused(2, "--coach is missing", "question", "list");
    await assertRefused(2, "--status must be open", "question", "list", "--coach", "c", "--status", "closed");
  });
});

Deno.test("npm run admin -- answer", async (t) => {
  const tenant = await createTenant();
  const folder = await Deno.makeTempDir({ prefix: "admin-" });
  await Deno.writeTextFile(`${folder}/answer.md`, "First line.\n\nSecond \x1b[2J line.\n");
  await Deno.writeTextFile(`${folder}/blank.md`, " \n");
  const coach = ["--coach", tenant.coachId];

  await t.step("add, list and show", async () => {
    const added = await result(
      ...["answer", "add", ...coach, "--question", "When should I fast?", "--answer", "Never, on your own."],
      ...["--variant", "Fasting: yes, or no?", "--variant", "Is fasting good?"],
    );
    assertEquals([added.coach_id, added.account_id, added.version, added.is_active, added.written_by], [
      tenant.coachId,
      tenant.accountId,
      1,
      true,
      null,
    ]);
    assertEquals(added.variants, ["Fasting: yes, or no?", "Is fasting good?"]);
    const filed = await runAdmin(
      ["answer", "add", ...coach, "--question", "What first?", "--answer-file", "answer.md"],
      { folder },
    );
    assertMatch(filed.said, /\n\nFirst line\.\n\nSecond \\u\{1b\}\[2J line\.$/);
    const listed = await result("answer", "list", ...coach);
    assertEquals(listed.map(({ question }: { question: string }) => question), ["What first?", "When should I fast?"]);
    const { said } = await runAdmin(["answer", "show", added.id]);
    assertMatch(
      said,
      /question +When should I fast\?\nvariant 1 +Fasting: yes, or no\?\nvariant 2 +Is fasting good\?\nactive +yes\nversion +1\n/,
    );
    assertMatch(said, /\n\nNever, on your own\.\n\nGiven word for word: 0\. Given to the model: 0\.$/);
  });

  await t.step("update changes what is given and counts the version; remove takes it away", async () => {
    const [{ id }] = await result("answer", "list", ...coach);
    const updated = await result("answer", "update", id, "--answer", "Rest.", "--active", "no");
    assertEquals([updated.version, updated.question, updated.answer, updated.is_active], [
      2,
      "What first?",
      "Rest.",
      false,
    ]);
    const shown = await result("answer", "show", id);
    assertEquals(shown.versions.map(({ version }: { version: number }) => version), [2, 1]);
    const { said } = await runAdmin(["answer", "show", id]);
    assertMatch(said, /\n\nRest\.\n\nGiven .*\n\nVersion 1, of .*Z: What first\?\n {2}First line\.\n\n {2}Second/);
    await result("answer", "remove", id);
    assertEquals((await result("answer", "list", ...coach)).length, 1);
    await assertRefused(1, sentenceOf("pinned_answer_not_found"), "answer", "remove", id);
  });

  await t.step("refusals", async () => {
    const question = ["--question", "Is fasting  GOOD?"];
    await assertRefused(1, "Another pinned answer", "answer", "add", ...coach, ...question, "--answer", "Yes.");
    await assertRefused(2, "--answer or --answer-file is missing", "answer", "add", ...coach, ...question);
    const answer = ["--answer", "a"];
    const long = "x".repeat(20_001);
    for (
      const [sentence, ...args] of [
        ["--question has more than 1000 characters", "--question", long, ...answer],
        ["--answer has more than 20000 characters", ...question, "--answer", long],
        ["--variant has more than 1000 characters", ...question, ...answer, "--variant", long],
        ["--variant is repeated more than 20", ...question, ...answer, ...Array(21).fill(["--variant", "v"]).flat()],
      ]
    ) {
      await assertRefused(2, `answer add: ${sentence}`, "answer", "add", ...coach, ...args);
    }
    await assertRefused(2, "there is nothing to change", "answer", "update", unknownId);
    await assertRefused(1, sentenceOf("pinned_answer_not_found"), "answer", "update", unknownId, "--active", "yes");
    await assertRefused(1, sentenceOf("pinned_answer_not_found"), "answer", "show", unknownId);
    await assertRefused(
      1,
      sentenceOf("coach_not_found"),
      "answer",
      "add",
      "--coach",
      "nobody",
      ...question,
      "--answer",
      "Yes.",
    );
    for (
      const [file, sentence] of [["none.md", "none.md does not exist."], ["blank.md", "blank.md is empty."]] as const
    ) {
      const run = await runAdmin(["answer", "add", ...coach, ...question, "--answer-file", file], { folder });
      assertEquals([run.code, run.noted.includes(sentence)], [2, true], run.noted);
    }
  });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("npm run admin -- thread", async (t) => {
  const tenant = await createTenant();
  const other = await createTenant();
  const second = await createCoach(tenant.accountId);
  const say = (content: string, user_id: string, coachId = tenant.coachId) =>
    storeAnswer({ ...tenant, coachId }, { content, status: "complete", user_id });
  const owls = await say("Owls sleep in trees", "u");
  const tides = await say("The tide is high", "v");
  const elsewhere = await say("Owls of another coach", "u", second.id);
  await storeAnswer(other, { content: "Owls of another account", status: "complete", user_id: "u" });
  await operator.from("threads").update({ has_down: true }).eq("id", owls.threadId).throwOnError();
  await operator.from("threads").update({ needs_reply_at: new Date().toISOString() }).eq("id", tides.threadId)
    .throwOnError();
  const find = async (...args: string[]) =>
    (await result("thread", "find", ...args)).map(({ id }: { id: string }) => id).toSorted();
  const sorted = (...threads: { threadId: string }[]) => threads.map(({ threadId }) => threadId).toSorted();
  const coach = ["--coach", tenant.coachId];
  const account = ["--account", tenant.accountId];

  await t.step("find has the newest first, with a search the best match, and says when there may be more", async () => {
    const found = await result("thread", "find", ...account);
    const times = found.map(({ updated_at }: { updated_at: string }) => updated_at);
    assertEquals([times.length, times], [3, times.toSorted().toReversed()]);
    const nest = await say("Owls, owls, owls", "w");
    await operator.rpc("index_threads").throwOnError();
    const searched = await result("thread", "find", ...coach, "--search", "owls");
    assertEquals(searched.map(({ id }: { id: string }) => id), [nest.threadId, owls.threadId]);
    for (
      const [limit, note] of [["1", /^These are the first 1; there may be more/m], ["3", /^(?!.*These are)/]] as const
    ) {
      assertMatch((await runAdmin(["thread", "find", ...coach, "--search", "owls", "--limit", limit])).noted, note);
    }
    await operator.from("threads").delete().eq("id", nest.threadId).throwOnError();
  });

  await t.step("find, with filters that combine", async () => {
    assertEquals(await find(...coach), sorted(owls, tides));
    assertEquals(await find(...account), sorted(owls, tides, elsewhere));
    assertEquals(await find(...account, "--user", "u"), sorted(owls, elsewhere));
    assertEquals(await find(...coach, "--down"), sorted(owls));
    assertEquals(await find(...account, "--needs-reply"), sorted(tides));
    assertEquals(await find(...account, "--needs-reply", "--down"), []);
    assertEquals(await find(...coach, "--search", "owls"), sorted(owls));
    assertEquals(await find(...coach, "--search", "owls", "--needs-reply"), []);
    assertEquals(await find(...account, "--search", "owls", "--user", "u"), sorted(owls, elsewhere));
    assertEquals(await find(...coach, "--search", "owls tide", "--user", "v"), sorted(tides));
    assertEquals((await find(...account, "--limit", "2")).length, 2);
  });

  await t.step("show says what each answer is based on", async () => {
    const pinnedAnswerId = crypto.randomUUID();
    await operator.from("messages").update({
      model: "a-model",
      coach_version: 7,
      sources: [
        {
          kind: "pinned_answer",
          pinnedAnswerId,
          version: 2,
          question: hostile,
          quote: "At night.",
          isWordForWord: false,
        },
        {
          kind: "passage",
          passageId: "p1",
          fileId: "f",
          file_id: "f",
          filename: "Owls.pdf",
          source_url: null,
          position: 0,
          page: 4,
          heading: null,
          quote: "They rest.",
          score: 1,
        },
      ],
      revised_at: "2026-03-01T12:00:00Z",
      revision_id: pinnedAnswerId,
    }).eq("id", owls.messageId).throwOnError();
    await operator.from("feedback").insert({ message_id: owls.messageId, rating: "down", comment: "Not mine" })
      .throwOnError();
    const { said, code } = await runAdmin(["thread", "show", owls.threadId]);
    assertEquals(code, 0);
    const [head, question, answer] = said.split("\n\n");
    assertMatch(head!, /^id +.*\ntitle +Left behind\nuser +u\n/);
    assertMatch(question!, /Z {2}user {2}[0-9a-f-]{36}\n {2}Talk$/);
    assertEquals(answer!.split("\n").slice(1), [
      "  Owls sleep in trees",
      "  - model: a-model",
      "  - coach version: 7",
      `  - pinned answer ${pinnedAnswerId}, version 2, given to the model: Why?\\u{1b}[2J\\u{a}forged \\u{202e}gnorw`,
      '  - passage p1 of Owls.pdf, page 4: "They rest."',
      "  - feedback: down, Not mine",
      `  - revised: 2026-03-01T12:00:00Z, by the pinned answer ${pinnedAnswerId}`,
    ]);
    const { messages } = await result("thread", "show", owls.threadId);
    assertEquals([messages.length, messages[1].model, messages[1].feedback.rating], [2, "a-model", "down"]);
  });

  await t.step("refusals", async () => {
    await assertRefused(1, sentenceOf("thread_not_found"), "thread", "show", unknownId);
    await assertRefused(2, "either --coach or --account", "thread", "find");
    await assertRefused(2, "either --coach or --account", "thread", "find", ...coach, ...account);
    await assertRefused(2, "--search requires", "thread", "find", ...account, "--search", "owls");
    await assertRefused(1, "Account not found", "thread", "find", "--account", unknownId);
  });
});

Deno.test("npm run admin -- coach: what the expert needs", async (t) => {
  const tenant = await createTenant();
  const expert = await createUser();
  const folder = await Deno.makeTempDir({ prefix: "admin-" });
  await Deno.writeTextFile(
    `${folder}/ada.md`,
    "---\nname: Ada\ntitle: T\nno_answer: I have to ask.\ntakeover_minutes: 5\n---\nTell.",
  );
  await Deno.writeTextFile(`${folder}/short.md`, "---\nname: Ada\ntitle: T\n---\nTell.");
  const create = (...args: string[]) =>
    runAdmin(["coach", "create", "ada.md", "--account", tenant.accountId, ...args], { folder });
  const update = (id: string, ...args: string[]) => runAdmin(["coach", "update", id, "short.md", ...args], { folder });

  await t.step("create and update take it from the file, and the owner from the command line", async () => {
    const coach = (await create("--owner", expert.id, "--json")).json();
    const fields = ({ no_answer, takeover_minutes, owner_id, version }: Record<string, unknown>) => [
      no_answer,
      takeover_minutes,
      owner_id,
      version,
    ];
    assertEquals(fields(coach), ["I have to ask.", 5, expert.id, 1]);
    const { said } = await runAdmin(["coach", "show", coach.id]);
    assertMatch(
      said,
      /\nno answer +I have to ask\.\ntakeover minutes +5\nsources are open +no\nversion +1\n/,
    );
    assertEquals(fields((await update(coach.id, "--json")).json()), [null, 60, expert.id, 2]);
    assertEquals(fields((await update(coach.id, "--owner", "none", "--json")).json()), [null, 60, null, 2]);
    assertEquals(fields((await update(coach.id, "--owner", expert.id, "--json")).json())[2], expert.id);
  });

  await t.step("an owner who is no user of the project is refused", async () => {
    for (const run of [await create("--owner", unknownId), await update(tenant.coachId, "--owner", unknownId)]) {
      assertEquals([run.code, run.noted.split("\n").at(-1)], [
        1,
        "This project has no user with the ID given as --owner.",
      ]);
    }
  });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("npm run admin -- source", async (t) => {
  const tenant = await createTenant();
  const url = "https://example.com/handbook";
  const add = (...args: string[]) => result("source", "add", url, "--coach", tenant.coachId, ...args);
  const { id } = await add("--kind", "site", "--refresh", "daily", "--limit", "20");

  await t.step("add adds an address once", async () => {
    assertEquals((await add("--kind", "feed")).id, id);
    const [source, ...others] = await result("source", "list", "--coach", tenant.coachId);
    assertEquals(others, []);
    assertEquals([source.url, source.kind, source.refresh, source.page_limit], [url, "site", "daily", 20]);
  });

  await t.step("show lists its pages, and why some are not read", async () => {
    await operator.from("source_pages").insert({ source_id: id, url: `${url}/a`, state: "failed", reason: hostile })
      .throwOnError();
    const { said } = await runAdmin(["source", "show", id]);
    assertMatch(said, /\nkind +site\n/);
    assertMatch(said, /\nfailed +https:\/\/example\.com\/handbook\/a +Why\?\\u\{1b\}/);
  });

  await t.step("refresh queues it", async () => {
    await operator.from("knowledge_sources").update({ status: "ready", due_at: null }).eq("id", id).throwOnError();
    assertEquals((await result("source", "refresh", id)).status, "queued");
  });

  await t.step("remove deletes it", async () => {
    await result("source", "remove", id);
    await assertRefused(1, sentenceOf("source_not_found"), "source", "show", id);
  });

  await t.step("refusals", async () => {
    for (const act of ["show", "refresh", "remove"]) {
      await assertRefused(1, sentenceOf("source_not_found"), "source", act, unknownId);
    }
    await assertRefused(1, sentenceOf("coach_not_found"), "source", "add", url, "--coach", "nobody");
    await assertRefused(2, "is not an address", "source", "add", "example.com", "--coach", tenant.coachId);
    await assertRefused(2, "--kind must be page", "source", "add", url, "--coach", tenant.coachId, "--kind", "book");
  });
});
