import { assertEquals } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, clientOf, type Credentials } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { addFile, finishIndexing, rowsOf, searchFiles, tryAgain } from "../support/knowledge.ts";
import { addExpert, createTenant, createUser, issuePublishableKey, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  const [tenant, stranger] = await Promise.all([1, 2].map(() => createTenant({ requests_per_minute: 1_000 })));
  const call = (method: string, fileId: string, body?: unknown, credentials: Credentials = tenant!) =>
    ask(
      service,
      method,
      `/knowledge-handler/texts${fileId && `/${fileId}`}?coachId=${tenant!.coachId}`,
      credentials,
      body,
    );
  const create = async (title: string, content: string) => {
    const reply = await call("POST", "", { title, content });
    assertReply(reply, 200);
    return reply.json;
  };
  return handOver(stack, { service, tenant: tenant!, stranger: stranger!, call, create });
}

Deno.test("/knowledge-handler/texts", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, stranger, call, create } = prepared;
  const found = async (words: string) =>
    (await searchFiles(service, tenant, words)).data.map(({ filename }: { filename: string }) => filename);
  const text = await create("Before the visit", "Bring **berries**.\n\n- and a list\n");

  await t.step("POST: it is a knowledge file, named after its title, and is found", async () => {
    const { fileId, saved_at, ...rest } = text;
    const written = { title: "Before the visit", content: "Bring **berries**.\n\n- and a list\n", version: 1 };
    assertEquals(rest, { ...written, saved_by: null });
    assertEquals(Date.parse(saved_at) > 0, true);
    await finishIndexing(service, tenant.coachId);
    const [row] = await rowsOf(tenant.coachId);
    assertEquals([row?.id, row?.name, row?.status, row?.content_type], [
      fileId,
      "Before the visit.md",
      "ready",
      "text/markdown",
    ]);
    assertEquals(await found("berries"), ["Before the visit.md"]);
  });

  await t.step("lists, searches and the file itself say that it is a text; of other files they do not", async () => {
    const other = await addFile(tenant, "berries.md", "Other berries");
    const isText = ({ fileId, is_text }: Record<string, unknown>) => [fileId, is_text];
    const expected = [[text.fileId, true], [other, false]].sort();
    for (const words of ["", "berries"]) {
      assertEquals((await searchFiles(service, tenant, words)).data.map(isText).sort(), expected);
    }
    const client = clientOf(service, tenant);
    for (const [fileId, is] of expected) {
      assertEquals((await client.getFile(tenant.coachId, String(fileId))).is_text, is);
    }
    await client.deleteFile(tenant.coachId, other);
  });

  await t.step("the same again is the same text", async () => {
    assertEquals(await create(text.title, text.content), text);
    assertEquals((await rowsOf(tenant.coachId)).length, 1);
  });

  await t.step("GET and PUT: what was saved last, at once; searches follow, and the file stays one", async () => {
    const reply = await call("PUT", text.fileId, { title: "Before a visit", content: "Bring plums.", if_version: 1 });
    assertReply(reply, 200);
    const { saved_at: _, ...saved } = reply.json;
    assertEquals(saved, {
      fileId: text.fileId,
      title: "Before a visit",
      content: "Bring plums.",
      version: 2,
      saved_by: null,
    });
    const [{ filename, title }] = (await searchFiles(service, tenant, "")).data;
    assertEquals([filename, title], ["Before the visit.md", "Before a visit"]);
    assertEquals((await call("GET", text.fileId)).json, reply.json);
    // It is read when nobody has changed it for a while.
    await finishIndexing(service, tenant.coachId);
    assertEquals([await found("berries"), await found("plums")], [["Before the visit.md"], []]);
    await tryAgain(service, tenant.coachId);
    assertEquals([await found("berries"), await found("plums")], [[], ["Before a visit.md"]]);
    assertEquals((await rowsOf(tenant.coachId)).length, 1);
    assertEquals((await call("GET", text.fileId)).json.version, 2);
  });

  await t.step("who has not seen the last version → 409; what is saved already is not saved again", async () => {
    const body = { title: "Before a visit", content: "Bring figs.", if_version: 1 };
    assertRefused(await call("PUT", text.fileId, body), "text_changed");
    assertEquals((await call("GET", text.fileId)).json.content, "Bring plums.");
    assertReply(await call("PUT", text.fileId, { ...body, content: "Bring plums." }), 200);
    assertEquals((await call("PUT", text.fileId, { ...body, if_version: 2 })).json.version, 3);
    assertEquals(
      (await call("PUT", text.fileId, { ...body, content: "Bring figs!", if_version: undefined })).json.version,
      4,
    );
    await tryAgain(service, tenant.coachId);
  });

  await t.step("a blank text is one, until something is written", async () => {
    const blank = await create("Not written yet", "");
    assertEquals(
      (await call("PUT", blank.fileId, { title: "Not written yet", content: "Now.", if_version: 1 })).status,
      200,
    );
    await ask(service, "DELETE", `/knowledge-handler/${blank.fileId}?coachId=${tenant.coachId}`, tenant);
    assertRefused(await call("GET", blank.fileId), "file_not_found");
  });

  await t.step("another kind of file, an unknown one, and those of others → 404", async () => {
    const other = await addFile(tenant, "a.md", "Words");
    for (const fileId of [other, crypto.randomUUID(), "x"]) {
      assertRefused(await call("GET", fileId), "file_not_found");
      assertRefused(await call("PUT", fileId, { title: "A", content: "B" }), "file_not_found");
    }
    for (const [method, fileId] of [["GET", text.fileId], ["PUT", text.fileId], ["POST", ""]]) {
      const body = method === "GET" ? undefined : { title: "A", content: "B" };
      assertRefused(await call(method!, fileId!, body, stranger), "coach_not_found");
    }
    const path = `/knowledge-handler/texts/${text.fileId}?coachId=${stranger.coachId}`;
    assertRefused(await ask(service, "GET", path, stranger), "file_not_found");
  });

  await t.step("an answerer may read, an editor write", async () => {
    const [editor, answerer] = await Promise.all([createUser(), createUser()]);
    await addExpert(tenant.coachId, editor, "editor");
    await addExpert(tenant.coachId, answerer, "answerer");
    const { publishableKey } = await issuePublishableKey(tenant.accountId);
    const as = ({ accessToken }: { accessToken: string }) => ({ publishableKey, accessToken });
    assertReply(await call("GET", text.fileId, undefined, as(answerer)), 200);
    const body = { title: "By an expert", content: "Words" };
    assertRefused(await call("PUT", text.fileId, body, as(answerer)), "not_the_coach");
    assertRefused(await call("POST", "", body, as(answerer)), "not_the_coach");
    assertReply(await call("PUT", text.fileId, body, as(editor)), 200);
    const savedBy = async () => (await call("GET", text.fileId)).json.saved_by;
    assertEquals(await savedBy(), { user_id: editor.id, name: null, email: editor.email });
    await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: editor.id }).throwOnError();
    assertEquals(await savedBy(), null);
  });

  await t.step("what cannot be a text → 400", async () => {
    const bodies: [object, string][] = [
      [{ content: "x" }, "title is required"],
      [{ title: " ", content: "x" }, "title must not be blank"],
      [{ title: "x".repeat(201), content: "" }, "title must be at most 200 characters long"],
      [{ title: "A" }, "content is required"],
      [{ title: "A", content: "x".repeat(200_001) }, "content must be at most 200,000 characters long"],
    ];
    for (const [body, sentence] of bodies) assertInvalid(await call("POST", "", body), sentence);
    for (const if_version of [0, 2 ** 31]) {
      const invalid = { title: "A", content: "B", if_version };
      assertInvalid(await call("PUT", text.fileId, invalid), "if_version must be a whole number from 1");
    }
  });
});

Deno.test("texts and uploads", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, call, create } = prepared;
  const client = clientOf(service, tenant);

  await t.step("an upload that replaces by name leaves a text alone", async () => {
    const text = await create("Prices", "A visit costs €70.");
    await client.uploadFiles(tenant.coachId, [new File(["A visit costs €80."], "Prices.md")], { replace: true });
    await finishIndexing(service, tenant.coachId);
    assertEquals((await rowsOf(tenant.coachId)).length, 2);
    assertEquals((await call("GET", text.fileId)).json.content, "A visit costs €70.");
  });

  await t.step("a file that is put in its place is no text any more", async () => {
    const text = await create("Hours", "We open at nine.");
    await finishIndexing(service, tenant.coachId);
    const form = new FormData();
    form.append("file", new File(["We open at ten."], "hours.txt"));
    const path = `/knowledge-handler/${text.fileId}?coachId=${tenant.coachId}`;
    assertReply(await ask(service, "PUT", path, tenant, form), 200);
    await finishIndexing(service, tenant.coachId);
    assertRefused(await call("GET", text.fileId), "file_not_found");
    assertEquals((await client.getFile(tenant.coachId, text.fileId)).is_text, false);
    assertEquals((await rowsOf(tenant.coachId)).find(({ id }) => id === text.fileId)?.name, "hours.txt");
  });

  await t.step("two people at once: one saves, the other is told", async () => {
    const text = await create("Together", "Words");
    const replies = await Promise.all(
      ["one", "two"].map((content) => call("PUT", text.fileId, { title: "Together", content, if_version: 1 })),
    );
    assertEquals(replies.map(({ status }) => status).toSorted(), [200, 409]);
  });
});
