import { assert, assertEquals } from "../support/assert.ts";
import { ask, assertInvalid, assertReply, chat, clientOf } from "../support/client.ts";
import { dayIn, fileRow, zoneOfAnotherDay } from "../support/knowledge.ts";
import { addExpert, createTenant, createUser, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { storeAnswer, storeAnswers } from "../support/turns.ts";

const day = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * day).toISOString();

Deno.test("GET /coaches/{coachId}/overview", async (t) => {
  await using service = await startService();
  const [owner, colleague] = [await createUser(), await createUser()];
  const tenant = await createTenant({ requests_per_minute: 10_000 }, { owner_id: owner.id });
  const other = await createTenant({}, { owner_id: owner.id });
  await addExpert(tenant.coachId, colleague, "answerer");
  const as = (user: { accessToken: string }) => ({ apiKey: tenant.apiKey, accessToken: user.accessToken });
  const ofCoach = { account_id: tenant.accountId, coach_id: tenant.coachId };
  const read = async (user = owner, since?: string) =>
    await clientOf(service, as(user)).getOverview(tenant.coachId, since === undefined ? {} : { since });

  await t.step("of a coach without anything, all is 0", async () => {
    const { waiting, changed, week, week_before, trouble } = await read();
    const today = new Date().toISOString().slice(0, 10);
    const counts = { conversations: 0, people: 0, answers: 0, own_words: 0, not_known: 0, good: 0, bad: 0 };
    assertEquals([waiting, trouble], [{ questions: 0, people: 0 }, {
      files_failed: 0,
      sources_failed: 0,
      tests_failing: 0,
    }]);
    assertEquals({ ...changed, versions: undefined }, {
      questions: 0,
      conversations: 0,
      messages_of_people: 0,
      ratings_down: 0,
      versions: undefined,
      files: 0,
      answers_by_others: 0,
    });
    assertEquals({ ...week, from: "" }, { from: "", ...counts });
    assertEquals({ ...week_before, from: "" }, { from: "", ...counts });
    assertEquals(Date.parse(today) - Date.parse(week.from), 6 * day);
    assertEquals(Date.parse(week.from) - Date.parse(week_before.from), 7 * day);
  });

  await t.step("what waits, and what does not work", async () => {
    const [waiting] = await storeAnswers([{ ...tenant, content: "Said", status: "complete", user_id: "a" }]);
    await operator.from("threads").update({ needs_reply_at: ago(0) }).eq("id", waiting!.threadId).throwOnError();
    await operator.from("open_questions").insert([
      { ...ofCoach, question: "When is tea?", first_asked_at: ago(0), last_asked_at: ago(0) },
      { ...ofCoach, question: "When is lunch?", first_asked_at: ago(20), last_asked_at: ago(20) },
      { ...ofCoach, question: "When is dinner?", first_asked_at: ago(20), last_asked_at: ago(20), status: "dismissed" },
    ]).throwOnError();
    await operator.from("knowledge_files").insert([
      { ...fileRow(tenant, "a.md"), status: "failed" },
      { ...fileRow(tenant, "b.md"), uploaded_at: ago(9) },
    ]).throwOnError();
    const { waiting: waits, trouble, changed } = await read();
    assertEquals([waits, trouble.files_failed], [{ questions: 2, people: 1 }, 1]);
    assertEquals([changed.questions, changed.files, (await read(owner, ago(10))).changed.files], [1, 1, 2]);
  });

  await t.step("how the coach did: answers, those in own words, ratings", async () => {
    service.model.script(tenant.modelName, { steps: [{ text: "From the model" }] });
    const question = "When is lunch served on Sundays?";
    const pinned = { question, answer: "At noon." };
    assertReply(await ask(service, "POST", `/coaches/${tenant.coachId}/answers`, as(owner), pinned), 200);
    const context = { coachId: tenant.coachId, userId: "b" };
    const { threadId, messageId } = await chat(service, tenant, { message: "Tell me of engines", context });
    await chat(service, tenant, { message: question, thread_id: threadId });
    assertReply(await ask(service, "POST", `/threads/${threadId}/messages`, as(colleague), { content: "I" }), 200);
    await chat(service, tenant, { message: "And now?", thread_id: threadId });
    assertReply(await ask(service, "POST", `/threads/${threadId}/messages`, as(colleague), { content: "Now" }), 200);
    const rating = { rating: "down" };
    assertReply(await ask(service, "PUT", `/threads/${threadId}/messages/${messageId}/feedback`, tenant, rating), 200);
    const { week, changed } = await read();
    const { answers, own_words, people, good, bad } = week;
    assertEquals({ answers, own_words, people, good, bad }, { answers: 4, own_words: 3, people: 1, good: 0, bad: 1 });
    assertEquals([changed.messages_of_people, changed.ratings_down, changed.answers_by_others], [4, 1, 0]);
    assertEquals((await read(colleague)).changed.answers_by_others, 1);
  });

  await t.step("conversations count in the week in which they began", async () => {
    const before = await read();
    const { threadId } = await storeAnswer(tenant, { content: "Said", status: "complete", user_id: "c" });
    await operator.from("threads").update({ created_at: ago(8) }).eq("id", threadId).throwOnError();
    const { week, week_before, changed } = await read();
    assertEquals(week.conversations, before.week.conversations);
    assertEquals(week_before.conversations, before.week_before.conversations + 1);
    assertEquals(changed.conversations, before.changed.conversations + 1);
  });

  await t.step("since: at most 30 days ago, nothing before it counts", async () => {
    const { changed } = await read(owner, new Date(Date.now() + day).toISOString());
    assertEquals([changed.conversations, changed.files, changed.questions], [0, 0, 0]);
    for (const time of ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00"]) {
      const { since } = await read(owner, time);
      assert(Math.abs(Date.parse(since) - (Date.now() - 30 * day)) < 60_000, since);
    }
    const reply = await ask(service, "GET", `/coaches/${tenant.coachId}/overview?since=yesterday`, as(owner));
    assertInvalid(reply, "since must be a time such as 2026-12-31T23:59:59Z");
  });

  await t.step("a week ends today, in the time zone that is asked for", async () => {
    const timeZone = zoneOfAnotherDay();
    const { week } = await clientOf(service, as(owner)).getOverview(tenant.coachId, { time_zone: timeZone });
    assertEquals(Date.parse(dayIn(0, timeZone)) - Date.parse(week.from), 6 * day);
    const reply = await ask(service, "GET", `/coaches/${tenant.coachId}/overview?time_zone=Berlin`, as(owner));
    assertInvalid(reply, "time_zone must be the name of a time zone, such as Europe/Berlin");
  });

  await t.step("another coach shows nothing of it", async () => {
    const { week, waiting, changed } = await clientOf(service, { apiKey: other.apiKey, accessToken: owner.accessToken })
      .getOverview(other.coachId);
    assertEquals([week.answers, waiting.questions, changed.conversations, changed.files], [0, 0, 0, 0]);
  });
});
