import { assertEquals } from "../support/assert.ts";
import { ask, assertRefused, assertReply, chat } from "../support/client.ts";
import { addFile } from "../support/knowledge.ts";
import { createTenant, createUser, issueKey, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";

Deno.test("GET /knowledge-handler/{fileId}/quotes", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 10_000 });
  const { coachId } = tenant;
  const other = await createTenant();
  const asExpert = async ({ accountId, coachId }: { accountId: string; coachId: string }) => ({
    ...await issueKey(accountId, { scopes: ["expert"] }),
    coachId,
  });
  const [expert, stranger] = [await asExpert(tenant), await asExpert(other)];
  const oats = await addFile(tenant, "oats.md", "Oats need forty minutes of soaking.");
  const tea = await addFile(tenant, "tea.md", "Tea is drunk without sugar.");
  const read = (fileId: string, of: { coachId: string; apiKey: string } = expert) =>
    ask(service, "GET", `/knowledge-handler/${fileId}/quotes?coachId=${of.coachId}`, of);
  const say = async (message: string, text: string) => {
    service.model.script(tenant.modelName, { steps: [{ text }] });
    return await chat(service, tenant, { message, context: { coachId, userId: "u" } });
  };
  const first = await say("How long do oats need?", "Forty minutes [1].");
  const second = await say("Do oats need soaking?", "They do [1], forty minutes [1].");
  await say("Hello", "Hello.");

  await t.step("the answers that name it, newest first, with what was asked; each once", async () => {
    const { json } = await read(oats);
    assertEquals(json.count, 2);
    assertEquals(json.data.map(({ message_id, question }: Record<string, string>) => [message_id, question]), [
      [second.messageId, "Do oats need soaking?"],
      [first.messageId, "How long do oats need?"],
    ]);
    assertEquals(json.data[0].quote, "Oats need forty minutes of soaking.");
    assertEquals(await read(tea).then(({ json }) => [json.count, json.data]), [0, []]);
  });
  await t.step("the list of files counts them, if that is asked for", async () => {
    const path = `/knowledge-handler?coachId=${coachId}`;
    const { json } = await ask(service, "GET", `${path}&include=quotes`, tenant);
    type Listed = { fileId: string; quotes?: number };
    assertEquals(Object.fromEntries(json.data.map(({ fileId, quotes }: Listed) => [fileId, quotes])), {
      [oats]: 2,
      [tea]: 0,
    });
    assertEquals((await ask(service, "GET", path, tenant)).json.data.some((file: Listed) => "quotes" in file), false);
    assertReply(await ask(service, "GET", `${path}&include=quotes&search=nothing`, tenant), 200);
  });
  await t.step("open questions that share rare words with it", async () => {
    const row = { account_id: tenant.accountId, coach_id: coachId, due_at: null };
    await operator.from("open_questions").insert([
      { ...row, question: "Is soaking oats for minutes enough?" },
      { ...row, question: "May tea have sugar?" },
      { ...row, question: "Where do you live?" },
      { ...row, question: "Do oats need soaking?", status: "dismissed" },
    ]).throwOnError();
    const questionsOf = async (fileId: string) =>
      (await read(fileId)).json.questions.map(({ question }: { question: string }) => question);
    assertEquals(await questionsOf(oats), ["Is soaking oats for minutes enough?"]);
    assertEquals(await questionsOf(tea), ["May tea have sugar?"]);
  });
  await t.step("an answer counts for what it draws on now, once it has ended", async () => {
    const change = (columns: { sources?: { fileId: string }[]; status?: string }) =>
      operator.from("messages").update(columns).eq("id", second.messageId).throwOnError();
    const countBoth = async () => [(await read(oats)).json.count, (await read(tea)).json.count];
    await change({ sources: [{ fileId: tea }, { fileId: tea }] });
    assertEquals(await countBoth(), [1, 1]);
    await change({ status: "streaming" });
    assertEquals(await countBoth(), [1, 0]);
    await change({ status: "complete", sources: [{ fileId: oats }] });
    assertEquals(await countBoth(), [2, 0]);
  });
  await t.step("an answer of another persona is shown to nobody, whatever it names", async () => {
    const { threadId } = await chat(service, other, {
      message: "Hi",
      context: { coachId: other.coachId, userId: "v" },
    });
    const row = { role: "assistant", content: "Oats.", sources: [{ fileId: oats }] };
    await operator.from("messages").insert({ ...row, thread_id: threadId }).throwOnError();
    assertEquals((await read(oats)).json.data.length, 2);
    await operator.from("messages").delete().eq("thread_id", threadId).eq("content", row.content).throwOnError();
  });
  await t.step("what is erased, or older than 30 days, counts no longer", async () => {
    assertReply(await ask(service, "DELETE", `/threads/${second.threadId}`, tenant), 200);
    assertEquals((await read(oats)).json.count, 1);
    await operator.from("messages").update({ created_at: new Date(Date.now() - 31 * 86_400_000).toISOString() })
      .eq("thread_id", first.threadId).throwOnError();
    assertEquals((await read(oats)).json.count, 0);
  });
  await t.step("for the expert alone", async () => {
    assertRefused(await read(oats, stranger), "file_not_found");
    assertRefused(await read(oats, { ...stranger, coachId }), "coach_not_found");
    const { apiKey } = await issueKey(tenant.accountId, { scopes: ["knowledge:read"] });
    assertEquals((await read(oats, { coachId, apiKey })).status, 403);
    const { accessToken } = await createUser();
    const path = `/knowledge-handler/${oats}/quotes?coachId=${coachId}`;
    assertRefused(await ask(service, "GET", path, { ...expert, accessToken }), "not_the_expert");
  });
});
