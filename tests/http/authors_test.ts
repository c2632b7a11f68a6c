import { assertEquals } from "../support/assert.ts";
import { ask, assertRefused, assertReply, chat, clientOf } from "../support/client.ts";
import { addExpert, createTenant, createUser, issueKey, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";

const limits = { requests_per_minute: 10_000, requests_per_hour: 10_000 };

Deno.test("which expert has written a message is told to experts only", async (t) => {
  await using service = await startService();
  const [owner, colleague, person] = await Promise.all(Array.from({ length: 3 }, () => createUser()));
  const scopes = ["chat", "threads:read", "threads:write", "expert"];
  const tenant = await createTenant({ ...limits, scopes }, { owner_id: owner!.id });
  await addExpert(tenant.coachId, colleague!, "answerer");
  const reader = await issueKey(tenant.accountId, { scopes: ["threads:read"] });
  const as = (user: { accessToken: string }) => ({ apiKey: tenant.apiKey, accessToken: user.accessToken });
  /** The part that everybody sees of whoever has written a message in person. */
  const human = { name: "Ada Byron", picture_url: null };
  const named = (user: { id: string; email: string }) => ({
    ...human,
    ...{ user_id: user.id, own_name: null, email: user.email },
  });
  const unnamed = { ...human, user_id: null, own_name: null, email: null };
  const { threadId } = await storeAnswer(tenant, { content: "Said", status: "complete", user_id: person!.id });
  const path = `/threads/${threadId}/messages`;
  const read = async (user: { accessToken: string }) =>
    (await clientOf(service, as(user)).listMessages(threadId, { include: "author", order: "desc" })).data;

  await t.step("what they have said in person", async () => {
    assertReply(await ask(service, "POST", path, as(colleague!), { content: "From a colleague" }), 200);
    assertReply(await ask(service, "POST", path, as(owner!), { content: "From the owner" }), 200);
    assertReply(await ask(service, "POST", path, tenant, { content: "From a server" }), 200);
    for (const expert of [owner!, colleague!]) {
      assertEquals((await read(expert)).slice(0, 3).map(({ content, expert }) => [content, expert]), [
        ["From a server", unnamed],
        ["From the owner", named(owner!)],
        ["From a colleague", named(colleague!)],
      ]);
    }
    const { json } = await ask(service, "GET", `${path}?include=author`, tenant);
    assertEquals(json.data.map(({ expert }: { expert: unknown }) => expert), [
      null,
      null,
      named(colleague!),
      named(owner!),
      unnamed,
    ]);
  });

  await t.step("an answer to a question that waited, and a pinned answer that is given word for word", async () => {
    const first = await chat(service, as(person!), { message: "Who answers this?", thread_id: threadId });
    assertReply(await ask(service, "POST", path, as(colleague!), { content: "I do" }), 200);
    assertReply(await ask(service, "POST", `/threads/${threadId}/release`, as(owner!)), 200);
    const pinned = { question: "When is lunch served on Sundays?", answer: "At noon." };
    assertReply(await ask(service, "POST", `/coaches/${tenant.coachId}/answers`, as(owner!), pinned), 200);
    await chat(service, as(person!), { message: pinned.question, thread_id: threadId });
    const messages = await read(owner!);
    const answer = messages.find(({ content }) => content === "At noon.");
    assertEquals([answer?.author, answer?.expert], ["expert", named(owner!)]);
    assertEquals(messages.find(({ id }) => id === first.messageId)?.expert, named(colleague!));
  });

  await t.step("not to the person, nor to a server that may only read", async () => {
    const shown = await read(person!);
    assertEquals(shown.filter(({ author }) => author === "expert").length, 5);
    const { json } = await ask(service, "GET", `${path}?include=author`, reader);
    const experts = shown.concat(json.data).flatMap(({ expert }) => expert === undefined ? [] : [expert]);
    assertEquals(experts, Array(experts.length).fill(human));
    for (const credentials of [as(person!), reader]) {
      const { text } = await ask(service, "GET", `${path}?include=author,sources,status,feedback`, credentials);
      assertEquals([owner!, colleague!].filter(({ id, email }) => text.includes(id) || text.includes(email)), []);
    }
    const { data } = await operator.rpc("export_user", { account_id: tenant.accountId, user_id: person!.id })
      .throwOnError();
    assertEquals(JSON.stringify(data).includes(colleague!.id), false);
  });

  await t.step("an expert who erases themselves is named no longer; what was said stays", async () => {
    assertReply(await ask(service, "DELETE", "/users/me", as(colleague!)), 200);
    const messages = await read(owner!);
    const said = messages.filter(({ content }) => ["From a colleague", "I do"].includes(content));
    assertEquals(said.map(({ author, expert }) => [author, expert]), [["expert", unnamed], ["expert", unnamed]]);
  });

  await t.step("the export of an expert has the coaches", async () => {
    const { data } = await operator.rpc("export_user", { account_id: tenant.accountId, user_id: owner!.id })
      .throwOnError();
    const { expert_of: coaches } = data as { expert_of: { coach_id: string; role: string }[] };
    assertEquals(coaches.map(({ coach_id, role }) => [coach_id, role]), [[tenant.coachId, "owner"]]);
  });
});

Deno.test("what a role may change besides the table", async (t) => {
  await using service = await startService();
  const [owner, editor, answerer] = await Promise.all(Array.from({ length: 3 }, () => createUser()));
  const tenant = await createTenant(limits, { owner_id: owner!.id });
  await addExpert(tenant.coachId, editor!, "editor");
  await addExpert(tenant.coachId, answerer!, "answerer");
  const as = (user: { accessToken: string }) => ({ apiKey: tenant.apiKey, accessToken: user.accessToken });
  const ofCoach = { account_id: tenant.accountId, coach_id: tenant.coachId };

  await t.step("the answer to an open question belongs to those who answer questions, too", async () => {
    const { data: question } = await operator.from("open_questions").insert({ ...ofCoach, question: "When is tea?" })
      .select("id").single().throwOnError();
    const asked = `/coaches/${tenant.coachId}/questions/${question.id}/answer`;
    const { json } = await ask(service, "POST", asked, as(answerer!), { answer: "At four." });
    const path = `/coaches/${tenant.coachId}/answers/${json.pinned_answer_id}`;
    assertReply(await ask(service, "PATCH", path, as(answerer!), { answer: "At five." }), 200);
    await operator.from("open_questions").delete().eq("id", question.id).throwOnError();
    assertReply(await ask(service, "PATCH", path, as(answerer!), { answer: "At six." }), 403);
    assertReply(await ask(service, "DELETE", path, as(answerer!)), 403);
    assertReply(await ask(service, "DELETE", path, as(editor!)), 200);
  });

  await t.step("an answerer corrects an answer, but bars no passages with it", async () => {
    const passageId = "0".repeat(32);
    const sources = [{ kind: "passage", passageId, number: 1 }];
    const turn = { content: "Said", status: "complete", user_id: "somebody" };
    const { threadId, messageId } = await storeAnswer(tenant, turn);
    await operator.from("messages").update({ sources }).eq("id", messageId).throwOnError();
    const path = `/threads/${threadId}/messages/${messageId}/revise`;
    const revision = { question: "Who says so?", answer: "Nobody." };
    const barring = { ...revision, bar_passages: [passageId] };
    assertRefused(await ask(service, "POST", path, as(answerer!), barring), "role_not_sufficient");
    assertReply(await ask(service, "POST", path, as(answerer!), revision), 200);
    assertReply(await ask(service, "POST", path, as(editor!), barring), 200);
  });

  await t.step("notes are stored for editors and owners", async () => {
    const note = { message: "Owls hunt at night.", context: { coachId: tenant.coachId, mode: "create_knowledge" } };
    const statuses: number[] = [];
    for (const user of [owner!, editor!, answerer!]) {
      statuses.push((await ask(service, "POST", "/chat", as(user), note)).status);
    }
    assertEquals(statuses, [200, 200, 403]);
  });
});
