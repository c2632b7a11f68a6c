import { assert, assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { addFile, fileRow, type Place, storePassages, unindexPassages } from "../support/knowledge.ts";
import { createAppClient, createCoach, createTenant, createUser, operator } from "../support/project.ts";

type Entry = {
  fileId: string;
  filename: string;
  size: number;
  contentType: string;
  uploadedAt: string;
  category: string;
  version: number;
  status: string;
  pending: string | null;
  valid_from: string | null;
  valid_until: string | null;
  is_valid_today: boolean;
  score: number | null;
  error: string | null;
  warning: string | null;
  snippet: string | null;
  source_id: string | null;
  source_url: string | null;
  fetched_at: string | null;
  is_text: boolean;
  title: string | null;
};
type Page = { data: Entry[]; count: number; total: number; page: number; limit: number };

async function deleteFile(id: string): Promise<void> {
  await operator.from("knowledge_files").delete().eq("id", id).throwOnError();
}

async function search(place: Place, text?: string, options: Record<string, unknown> = {}): Promise<Page> {
  const { data } = await operator.rpc("search_knowledge", {
    caller: { account_id: place.accountId },
    coach_id: place.coachId,
    search: text,
    ...options,
  }).throwOnError();
  return data as Page;
}

async function namesOf(place: Place, text?: string, options?: Record<string, unknown>): Promise<string[]> {
  return (await search(place, text, options)).data.map(({ filename }) => filename);
}

async function bestPassages(coachId: string, query: string, howMany?: number, said?: string[]) {
  const { data } = await operator.rpc("search_passages", { coach_id: coachId, query, how_many: howMany, said })
    .throwOnError();
  return data;
}

/** The names and scores of all files found; equal indexes give equal scores. */
async function scoresOf(place: Place, text: string) {
  return (await search(place, text)).data.map(({ filename, score }) => [filename, score]);
}

Deno.test("rows of knowledge_files that make no sense are refused", async (t) => {
  const tenant = await createTenant();
  const other = await createTenant();
  const row = fileRow(tenant, "a.txt");
  await operator.from("knowledge_files").insert(row).throwOnError();
  const again = { ...row, id: crypto.randomUUID(), storage_path: crypto.randomUUID() };

  await t.step("the same bytes under the same name are stored once for a coach", async () => {
    assertEquals((await operator.from("knowledge_files").insert(again)).error?.code, "23505");
  });
  await t.step("the same bytes under another name, and for another coach, are other files", async () => {
    await operator.from("knowledge_files").insert({ ...again, name: "b.txt" }).throwOnError();
    const { id, storage_path } = fileRow(other, "a.txt");
    await operator.from("knowledge_files").insert({
      ...row,
      id,
      storage_path,
      account_id: other.accountId,
      coach_id: other.coachId,
    }).throwOnError();
  });
  for (
    const [name, change] of [
      ["a coach of another account", { coach_id: other.coachId }],
      ["a blank name", { name: " " }],
      ["a name of 501 characters", { name: "x".repeat(501) }],
      ["an unknown category", { category: "songs" }],
      ["an unknown status", { status: "lost" }],
      ["an invalid digest", { digest: "abc" }],
      ["no bytes", { size: 0 }],
    ] as const
  ) {
    await t.step(name, async () => {
      const { error } = await operator.from("knowledge_files").insert({ ...fileRow(tenant, "c.txt"), ...change });
      assertNotEquals(error, null);
    });
  }
  await t.step("a name of 300 emoji is accepted", async () => {
    await operator.from("knowledge_files").insert(fileRow(tenant, "🦉".repeat(300))).throwOnError();
  });
  await t.step("a coach with files cannot be deleted", async () => {
    assertNotEquals((await operator.from("coach_profiles").delete().eq("id", tenant.coachId)).error, null);
  });
  await t.step("a coach whose files are deleted can be deleted", async () => {
    const coach = await createCoach(tenant.accountId);
    await deleteFile(await addFile({ accountId: tenant.accountId, coachId: coach.id }, "gone.txt", "Some words"));
    await operator.from("coach_profiles").delete().eq("id", coach.id).throwOnError();
  });
});

Deno.test("ranking", async (t) => {
  const tenant = await createTenant();
  const filler = "The team meets on Monday and talks about what went well in the week before.";
  await addFile(tenant, "harbour.txt", `Ships rest in the harbour. ${filler}`);
  await addFile(tenant, "budget.txt", `The yearly budget is planned in autumn. ${filler}`);
  await addFile(tenant, "both.txt", `The harbour has a budget of its own. ${filler}`);
  await addFile(tenant, "weather.txt", `Rain is likely. ${filler}`);

  await t.step("any word may match, in any order and form; more of them rank higher", async () => {
    const names = await namesOf(tenant, "budgets for harbours");
    assertEquals(names[0], "both.txt");
    assertEquals(names.toSorted(), ["both.txt", "budget.txt", "harbour.txt"]);
  });
  await t.step("a rare word outweighs a frequent one", async () => {
    assertEquals((await namesOf(tenant, "team rain"))[0], "weather.txt");
  });
  await t.step("a question in plain words finds its passage, with all that a prompt needs", async () => {
    const handbook = await addFile(tenant, "handbook.pdf", {
      content: "Leave is requested two weeks ahead.",
      heading: "Vacation",
      page: 12,
    });
    const [best] = await bestPassages(tenant.coachId, "How do I request leave, and when?");
    const { passage_id, score, source_url, dated_at, ...rest } = best!;
    assert(passage_id > 0 && score > 0);
    const { data: file } = await operator.from("knowledge_files").select().eq("id", handbook).single().throwOnError();
    assertEquals(new Date(dated_at), new Date(file.uploaded_at));
    assertEquals(source_url as string | null, null);
    assertEquals(rest, {
      file_id: handbook,
      filename: "handbook.pdf",
      position: 0,
      page: 12,
      heading: "Vacation",
      content: "Leave is requested two weeks ahead.",
      reading: {},
    });
  });
  await t.step("words in headings and file names count more than words in the text", async () => {
    const text = "Nothing here but a plain sentence of some words";
    await addFile(tenant, "plain1.txt", `${text} about falconry.`);
    await addFile(tenant, "plain2.txt", { content: `${text} about birds.`, heading: "Falconry" });
    await addFile(tenant, "on archery.txt", `${text} about bows.`);
    await addFile(tenant, "plain3.txt", `${text} about archery.`);
    assertEquals((await namesOf(tenant, "falconry"))[0], "plain2.txt");
    assertEquals((await bestPassages(tenant.coachId, "archery")).map(({ filename }) => filename), [
      "on archery.txt",
      "plain3.txt",
    ]);
  });
  await t.step("the caller chooses how many passages are returned", async () => {
    assertEquals((await bestPassages(tenant.coachId, "team harbour budget", 2)).length, 2);
  });
  await t.step("unknown words find nothing, and do not hide what the other words find", async () => {
    assertEquals((await search(tenant, "zebra crossing")).total, 0);
    assertEquals(await bestPassages(tenant.coachId, "zebra crossing"), []);
    assertEquals(await namesOf(tenant, "zebra rain"), ["weather.txt"]);
  });
  await t.step("among few passages, only the words of the query decide", async () => {
    const small = await createTenant();
    await addFile(small, "a.txt", "fox snow");
    for (const name of ["b.txt", "c.txt"]) await addFile(small, name, "fox apple pear");
    assertEquals(await namesOf(small, "fox"), ["a.txt", "b.txt", "c.txt"]);
  });
  await t.step("for an answer, the passage that has it stays before those that share other words", async () => {
    const many = await createTenant();
    const right = "The warranty of each lantern that we sell lasts two years.";
    const others = [1, 2].map((each) =>
      `Wick, oil, glass: lantern ${each} burns oil, its wick stands in glass. No warranty.`
    );
    const rest = Array.from({ length: 29 }, (_, each) => `Lantern ${each} hangs in the hall near the stairs.`);
    await addFile(many, "lanterns.txt", right, ...others, ...rest);
    assertEquals((await bestPassages(many.coachId, "lantern warranty", 1))[0]?.content, right);
  });
  await t.step(
    "a file comes first when its own name is searched, even if other files mention the name often",
    async () => {
      const annual = await createTenant();
      for (let year = 2020; year < 2030; year++) {
        await addFile(annual, `Budget plan ${year}.pdf`, `Income and cost of the teams in ${year}.`);
      }
      await addFile(annual, "notes.txt", "budget plan 2024 ".repeat(10));
      for (const text of ["Budget plan 2024.pdf", "plan budget 2024"]) {
        assertEquals((await namesOf(annual, text))[0], "Budget plan 2024.pdf");
      }
    },
  );
  await t.step("words joined by a slash are found", async () => {
    await addFile(tenant, "slash.txt", "Mind the input/output ratio.");
    const { data: [first] } = await search(tenant, "output");
    assertEquals(first?.filename, "slash.txt");
    assertMatch(first?.snippet ?? "", /output/);
  });
});

Deno.test("what was said before counts where the question goes on with it", async (t) => {
  const tenant = await createTenant();
  const things = ["kayaks", "tents", "saunas", "boots", "ropes", "lamps", "maps", "skis", "sledges", "bicycles"];
  for (const thing of things) {
    await addFile(
      tenant,
      `${thing}.txt`,
      `An hour of ${thing} costs a coin.`,
      `Our ${thing} are mended in the workshop.`,
    );
  }
  await addFile(tenant, "beds.txt", "A room with breakfast is paid on arrival.");
  const found = async (question: string, ...said: string[]) =>
    (await bestPassages(tenant.coachId, question, 5, said)).map(({ content }) => content);

  await t.step("the question before tells of which thing the next one is", async () => {
    for (const thing of things) {
      assertEquals(
        (await found("What does an hour cost?", `uDo you have ${thing}?`, "aYes."))[0],
        `An hour of ${thing} costs a coin.`,
      );
    }
  });
  await t.step("the latest question counts more than the one before it, and the answer least", async () => {
    assertEquals(
      (await found("What does an hour cost?", "uAnd skis?", "aYes.", "uAnd maps?", "aNo, but ropes."))[0],
      "An hour of maps costs a coin.",
    );
  });
  await t.step("the words of the question itself count most", async () => {
    assertEquals(
      (await found("What does an hour of tents cost?", "uDo you have kayaks?", "aWe have kayaks."))[0],
      "An hour of tents costs a coin.",
    );
  });
  await t.step("a question about something else is searched alone", async () => {
    const alone = await found("Is a room paid on arrival, with breakfast?");
    assertEquals(
      await found("Is a room paid on arrival, with breakfast?", "uAre boots mended?", "aIn the workshop."),
      alone,
    );
    assertEquals(alone[0], "A room with breakfast is paid on arrival.");
  });
  await t.step("a question without a word of its own means the last exchange", async () => {
    assertEquals(
      (await found("And then?", "uDo you have tents?", "aYes.", "uAnd skis?", "aThese skis are mended."))[0],
      "Our skis are mended in the workshop.",
    );
  });
});

Deno.test("the index follows what is stored and deleted", async (t) => {
  const tenant = await createTenant();
  const twin = await createTenant();
  const words = ["granite", "marble", "basalt", "slate", "chalk"];
  const passages = (count: number, shift = 0) =>
    Array.from({ length: count }, (_, index) => ({
      content: `stone ${words[(index + shift) % 5]} ${words[(index * index + shift) % 5]} number ${index}`,
    }));

  await t.step("after deleting a file, scores are soon as if it had never been stored", async () => {
    await addFile(tenant, "keep.txt", ...passages(130));
    const gone = await addFile(tenant, "gone.txt", ...passages(250, 1), { content: "obsidian" });
    await addFile(tenant, "late.txt", ...passages(70, 2));
    await deleteFile(gone);
    await addFile(tenant, "last.txt", ...passages(45, 3));
    await addFile(twin, "keep.txt", ...passages(130));
    await addFile(twin, "late.txt", ...passages(70, 2));
    await addFile(twin, "last.txt", ...passages(45, 3));
    assertEquals((await search(tenant, "obsidian")).total, 0);
    await unindexPassages();
    for (const query of ["granite", "marble chalk", "stone 7", "keep slate"]) {
      assertEquals(await scoresOf(tenant, query), await scoresOf(twin, query));
    }
    assertEquals((await search(tenant, "obsidian")).total, 0);
  });

  await t.step("a file stored batch by batch, with a batch repeated, equals one stored at once", async () => {
    const file = await addFile(tenant, "batches.txt");
    assertEquals(await storePassages(file, passages(40)), 40);
    assertEquals(await storePassages(file, passages(40, 4), 40), 80);
    assertEquals(await storePassages(file, passages(40, 4), 40), 80);
    await unindexPassages();
    await addFile(twin, "batches.txt", ...passages(40), ...passages(40, 4));
    assertEquals(await scoresOf(tenant, "marble basalt 3"), await scoresOf(twin, "marble basalt 3"));
  });

  await t.step("batches of two files may alternate", async () => {
    const [one, two] = [await addFile(tenant, "turn1.txt"), await addFile(tenant, "turn2.txt")];
    for (const from of [0, 30, 60]) {
      for (const file of [one, two]) await storePassages(file, passages(30), from);
    }
    await deleteFile(one);
    await unindexPassages();
    await addFile(twin, "turn2.txt", ...passages(30), ...passages(30), ...passages(30));
    assertEquals(await scoresOf(tenant, "granite stone"), await scoresOf(twin, "granite stone"));
  });

  await t.step("storing from position 0 replaces all passages of the file", async () => {
    const file = await addFile(tenant, "changed.txt", "pumice", "more pumice");
    assertEquals(await storePassages(file, [{ content: "tuff" }]), 1);
    assertEquals((await search(tenant, "pumice")).total, 0);
    assertEquals(await namesOf(tenant, "tuff"), ["changed.txt"]);
    assertEquals(await storePassages(file, []), 0);
    assertEquals((await search(tenant, "tuff")).total, 0);
  });

  await t.step("storing passages of a deleted file stores nothing and returns null", async () => {
    assertEquals(await storePassages(crypto.randomUUID(), [{ content: "late" }]), null);
  });

  await t.step("deleting everything leaves nothing to find", async () => {
    await operator.from("knowledge_files").delete().eq("coach_id", twin.coachId).throwOnError();
    assertEquals((await search(twin, "granite stone")).total, 0);
    assertEquals(await bestPassages(twin.coachId, "granite"), []);
    await addFile(twin, "again.txt", "granite");
    assertEquals(await namesOf(twin, "granite"), ["again.txt"]);
  });
});

Deno.test("coaches and accounts see nothing of each other", async (t) => {
  const mine = await createTenant();
  const theirs = await createTenant();
  const colleague = { accountId: mine.accountId, coachId: (await createCoach(mine.accountId)).id };
  for (const place of [mine, theirs, colleague]) {
    await addFile(place, "secret plan.txt", "The lighthouse opens in May.");
  }
  for (const [name, place] of Object.entries({ mine, theirs, colleague })) {
    await t.step(`${name}: one file, one passage`, async () => {
      for (const text of ["lighthouse", "secret", undefined]) assertEquals((await search(place, text)).total, 1);
      assertEquals((await bestPassages(place.coachId, "lighthouse")).length, 1);
    });
  }
  await t.step("files of other coaches do not change a coach's scores", async () => {
    const before = await scoresOf(mine, "lighthouse plan");
    await addFile(theirs, "more.txt", "lighthouse lighthouse plan");
    await addFile(colleague, "more.txt", "lighthouse lighthouse plan");
    assertEquals(await scoresOf(mine, "lighthouse plan"), before);
  });
  await t.step("a coach of another account does not exist", async () => {
    const unknown = { error: "coach_not_found" };
    assertEquals(await search({ accountId: mine.accountId, coachId: theirs.coachId }, "lighthouse"), unknown as never);
    assertEquals(await search({ accountId: mine.accountId, coachId: theirs.coachId }), unknown as never);
  });
});

Deno.test("the list of files", async (t) => {
  const tenant = await createTenant();
  const rows = Array.from({ length: 25 }, (_, index) => ({
    ...fileRow(tenant, `file ${index}.txt`, index % 5 === 0 ? "images" : "documents"),
    uploaded_at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
  }));
  await operator.from("knowledge_files").insert(rows).throwOnError();

  await t.step("without search: newest first, without scores", async () => {
    const page = await search(tenant);
    assertEquals([page.count, page.total, page.page, page.limit], [20, 25, 1, 20]);
    assertEquals(page.data[0], {
      fileId: rows[24]!.id,
      filename: "file 24.txt",
      size: 1_000,
      contentType: "text/plain",
      uploadedAt: "2026-01-01T00:24:00.000Z",
      category: "documents",
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
    assertEquals(await namesOf(tenant, undefined, { page: 5, page_size: 6 }), ["file 0.txt"]);
  });
  await t.step("a file that cannot be read says why, one that waits does not", async () => {
    const error = "The file is encrypted";
    for (const [status, expected] of [["failed", error], ["empty", error], ["queued", null], ["ready", null]]) {
      await operator.from("knowledge_files").update({ status: status!, error }).eq("id", rows[24]!.id).throwOnError();
      for (const text of [undefined, "file"]) {
        const first = (await search(tenant, text, { page_size: 25 })).data.find(({ fileId }) =>
          fileId === rows[24]!.id
        );
        assertEquals([first?.status, first?.error], [status, expected]);
      }
    }
    await operator.from("knowledge_files").update({ error: null }).eq("id", rows[24]!.id).throwOnError();
  });
  await t.step("a category, with and without search", async () => {
    assertEquals((await search(tenant, undefined, { category: "images" })).total, 5);
    assertEquals((await search(tenant, "file", { category: "images" })).total, 5);
    assertEquals((await search(tenant, "file", { category: "videos" })).total, 0);
  });
  await t.step("a page after the last is empty, and the total stays", async () => {
    for (const text of ["file", undefined]) {
      const page = await search(tenant, text, { page: 9 });
      assertEquals([page.data, page.count, page.total], [[], 0, 25]);
    }
    assertEquals((await search(tenant, "file", { page: 2_000_000_000, page_size: 100 })).count, 0);
  });

  await t.step("the pages of a search hold every file once, and the total is exact", async () => {
    const many = await createTenant();
    for (let index = 0; index < 30; index++) {
      await addFile(many, `${index}.txt`, `common ${index % 3 === 0 ? "seldom" : "often"} word`);
    }
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const reply = await search(many, "common seldom", { page, page_size: 8 });
      assertEquals([reply.total, reply.count], [30, page < 4 ? 8 : 6]);
      seen.push(...reply.data.map(({ filename }) => filename));
    }
    assertEquals(new Set(seen).size, 30);
    assert(seen.slice(0, 10).every((name) => parseInt(name) % 3 === 0), seen.join());
  });

  await t.step(
    "the total is exact even when most files match only by words too frequent to be read completely",
    async () => {
      const large = await createTenant();
      const passages = Array.from({ length: 400 }, (_, index) => `common ${index} thing${index % 7}`);
      for (let index = 0; index < 40; index++) await addFile(large, `${index}.txt`, ...passages);
      const rare = await addFile(large, "rare.txt", "albatross common");
      const page = await search(large, "albatross common", { page_size: 100 });
      assertEquals([page.total, page.count, page.data[0]?.fileId], [41, 41, rare]);
      assert(page.data.every(({ snippet }) => snippet?.includes("common")), JSON.stringify(page.data));
      assertEquals((await search(large, "common", { page_size: 100 })).count, 41);
    },
  );
});

Deno.test("parts of file names", async (t) => {
  const tenant = await createTenant();
  const names = ["Quarterly-Report_2026.pdf", "InvoiceTemplate.docx", "100%_done.txt", "Übersicht.md"];
  await operator.from("knowledge_files").insert(names.map((name) => fileRow(tenant, name))).throwOnError();
  for (
    const [text, expected] of [
      ["quart", [names[0]]],
      ["voicetem", [names[1]]],
      ["report_20", [names[0]]],
      ["nothing like invoice", [names[1]]],
      ["100%", [names[2]]],
      ["%_d", [names[2]]],
      ["bersicht", [names[3]]],
      ["übersicht", [names[3]]],
      ["_", []],
      ["%", []],
    ] as const
  ) {
    await t.step(
      JSON.stringify(text),
      async () => assertEquals(await namesOf(tenant, text), [...expected] as string[]),
    );
  }
  await t.step("a matching name adds to the score of the text", async () => {
    await addFile(tenant, "misc.txt", "the lantern is lit");
    await addFile(tenant, "lanternfish.txt", "the lantern is lit");
    assertEquals(await namesOf(tenant, "lantern"), ["lanternfish.txt", "misc.txt"]);
  });
});

Deno.test("a snippet shows the match", async () => {
  const tenant = await createTenant();
  const before = "Many words stand here before anything of interest is said. ".repeat(20);
  await addFile(tenant, "long.txt", "A first passage.", `${before}The pelican\n\neats fish. ${before}`);
  const { data: [entry] } = await search(tenant, "pelicans");
  assertMatch(entry?.snippet ?? "", /The pelican eats fish/);
  assert(entry!.snippet!.length < 600, entry?.snippet ?? "");
});

Deno.test("any text can be searched", async (t) => {
  const tenant = await createTenant();
  await addFile(tenant, "known.txt", "A known sentence about don't, C:\\paths and 'quotes'.");
  for (
    const text of [
      "& | ! <-> :* ( )",
      "known & (",
      "'",
      "it's ''; drop table passages; --",
      "\\",
      "C:\\paths",
      '"unbalanced',
      "%_%",
      "$1 ${x} {{y}}",
      "the of and",
      "   ",
      "\n\t",
      "knowledge ".repeat(500),
      "x".repeat(5_000),
      Array.from({ length: 1_000 }, (_, index) => `w${index}`).join(" "),
      "知識 是 力量",
      "المعرفة قوة",
      "знание сила",
      "🦉🦉🦉",
      "<script>alert(1)</script>",
      "https://example.com/a?b=c&d=%20",
      "a@b.example -known +known known~ known^2 [known]",
      "\u202e\ufeff\u0001",
    ]
  ) {
    await t.step(JSON.stringify(text.slice(0, 40)), async () => {
      const page = await search(tenant, text);
      assertEquals(page.count, page.data.length);
      assert(Array.isArray(await bestPassages(tenant.coachId, text)));
    });
  }
  await t.step(
    "a search of stop words only finds nothing",
    async () => assertEquals((await search(tenant, "the of and")).total, 0),
  );
  await t.step("a known word among operators is found", async () => {
    assertEquals(await namesOf(tenant, "!known & (<-> :*"), ["known.txt"]);
  });
});

Deno.test("the coach's language decides what a word is", async (t) => {
  const german = await createTenant({}, { language: "german" });
  const swedish = await createTenant({}, { language: "swedish" });
  const simple = await createTenant({}, { language: "simple" });
  const english = await createTenant();
  assertEquals((await createCoach(english.accountId)).language, "english");
  for (const place of [german, simple]) await addFile(place, "haus.txt", "Die Häuser am Meer");

  await t.step("german stems", async () => assertEquals((await search(german, "haus meere")).data.length, 1));
  await t.step("german stop words", async () => assertEquals((await search(german, "die am")).total, 0));
  await t.step("swedish stems", async () => {
    await addFile(swedish, "blad.txt", "Bladen faller i skogarna");
    assertEquals(await namesOf(swedish, "blad skogen"), ["blad.txt"]);
    assertMatch((await search(swedish, "skogen")).data[0]?.snippet ?? "", /skogarna/);
    assertEquals((await search(swedish, "i")).total, 0);
  });
  await t.step("simple has no stop words", async () => assertEquals((await search(simple, "die")).total, 1));
  for (const language of ["klingon", "", "english'; --", "3748", "a.b.c.d.e"]) {
    await t.step(`${JSON.stringify(language)} is refused with a sentence`, async () => {
      const { error } = await operator.from("coach_profiles").update({ language }).eq("id", english.coachId);
      assertEquals(
        error?.message,
        `language '${language.replaceAll("'", "''")}' is not a text search configuration of this database`,
      );
    });
  }
  await t.step("changing the language has the files indexed again", async () => {
    const file = await addFile(english, "a.txt", "Some text");
    const now = { status: "ready", attempts: 2, due_at: null };
    await operator.from("knowledge_files").update(now).eq("id", file).throwOnError();
    await operator.from("coach_profiles").update({ language: "french" }).eq("id", english.coachId).throwOnError();
    const { data } = await operator.from("knowledge_files").select().eq("replaces", file).single().throwOnError();
    assertEquals([data.status, data.attempts], ["queued", 0]);
    assertNotEquals(data.due_at, null);
    await operator.from("knowledge_files").delete().eq("id", data.id).throwOnError();
  });
  await t.step("passages stored then are found by the word forms of that language", async () => {
    const { accountId } = english;
    const place = { accountId, coachId: (await createCoach(accountId)).id };
    const file = await addFile(place, "haus.txt", "Die Häuser am Meer");
    assertEquals((await search(place, "die")).total, 1);
    await operator.from("coach_profiles").update({ language: "german" }).eq("id", place.coachId).throwOnError();
    await storePassages(file, [{ content: "Die Häuser am Meer" }]);
    assertEquals((await search(place, "häusern")).total, 1);
    assertEquals((await search(place, "die")).total, 0);
  });
});

Deno.test("only the service may search and store", async (t) => {
  const tenant = await createTenant();
  const file = await addFile(tenant, "mine.txt", "mine");
  const user = await createUser();
  const signedIn = createAppClient();
  await signedIn.auth.signInWithPassword(user);
  for (const [name, client] of [["anon", createAppClient()], ["authenticated", signedIn]] as const) {
    for (const table of ["knowledge_files", "passages"] as const) {
      await t.step(`${name} reads and deletes no ${table}`, async () => {
        const { data, error } = await client.from(table).select();
        assert(error !== null || data.length === 0, JSON.stringify(data));
        await client.from(table).delete().not("id", "is", null);
        const { count } = await operator.from(table).select("*", { count: "exact", head: true })
          .eq("coach_id", tenant.coachId).throwOnError();
        assertEquals(count, 1);
      });
    }
    for (
      const [call, args] of [
        ["store_passages", { file_id: file, from_position: 0, passages: [] }],
        ["search_passages", { coach_id: tenant.coachId, query: "mine" }],
        ["search_knowledge", { caller: { account_id: tenant.accountId }, coach_id: tenant.coachId }],
      ] as const
    ) {
      await t.step(`${name} may not call ${call}`, async () => {
        const { error } = await client.rpc(call, args as never);
        assertEquals(error?.code, "42501");
      });
    }
  }
});
