import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, chat, clientOf } from "../support/client.ts";
import { objectsOf, sweep } from "../support/knowledge.ts";
import { addExpert, allScopes, createTenant, createUser, issueKey, operator } from "../support/project.ts";
import { samplePictures } from "../support/sample_pictures.ts";
import { startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";

const limits = { requests_per_minute: 10_000, requests_per_hour: 10_000 };
const { jpeg, png } = samplePictures;

async function prepare() {
  const service = await startService();
  const [owner, colleague, person, stranger] = await Promise.all([1, 2, 3, 4].map(() => createUser()));
  const tenant = await createTenant({ ...limits, scopes: allScopes }, { owner_id: owner!.id });
  await addExpert(tenant.coachId, colleague!, "answerer");
  const as = (user: { accessToken: string }) => ({ apiKey: tenant.apiKey, accessToken: user.accessToken });
  const { threadId } = await storeAnswer(tenant, { content: "Said", status: "complete", user_id: person!.id });
  /** Who has said each of the expert's messages, as somebody reads it. */
  const writers = async (user: { accessToken: string }) => {
    const { data } = await clientOf(service, as(user)).listMessages(threadId, { include: "author" });
    return data.flatMap(({ author, expert }) => author === "expert" ? [expert] : []);
  };
  const people = { owner: owner!, colleague: colleague!, person: person!, stranger: stranger! };
  return { service, tenant, ...people, as, threadId, writers };
}

Deno.test("an expert answers under a name and a picture of their own", async (t) => {
  const { service, tenant, owner, colleague, person, stranger, as, threadId, writers } = await prepare();
  await using _ = service;
  const { coachId } = tenant;
  const path = `/coaches/${coachId}/experts/me`;
  const jon = clientOf(service, as(colleague));
  const persona = { name: "Ada Byron", picture_url: null };
  const none = { name: null, picture_url: null };
  let picture = "";

  await t.step("without them, people see those of the persona", async () => {
    assertEquals(await jon.getExpertFace(coachId), none);
    for (const [expert, content] of [[colleague, "From Jon"], [owner, "From Ada"]] as const) {
      assertReply(await ask(service, "POST", `/threads/${threadId}/messages`, as(expert), { content }), 200);
    }
    assertEquals(await writers(person), [persona, persona]);
  });
  await t.step("a name: with what this expert has said, and not with the picture of the persona", async () => {
    await clientOf(service, as(owner)).setPicture(coachId, new Blob([png]));
    await clientOf(service, as(owner)).publish(coachId, { if_version: 1 });
    const { picture_url } = await jon.getCoach(coachId);
    assertEquals(await jon.saveExpertFace(coachId, { name: "  Jon Ekdal " }), { ...none, name: "Jon Ekdal" });
    assertEquals(await writers(person), [{ ...none, name: "Jon Ekdal" }, { ...persona, picture_url }]);
  });
  await t.step("a picture, without metadata, at once", async () => {
    const face = await jon.setExpertPicture(coachId, new Blob([jpeg], { type: "image/jpeg" }));
    picture = face.picture_url!;
    assertEquals(face.name, "Jon Ekdal");
    assertMatch(picture, /\/pictures\/[0-9a-f/-]+\.jpg$/);
    assert(!new TextDecoder("latin1").decode(await (await fetch(picture)).bytes()).includes("SECRET"));
    assertEquals((await writers(person))[0], face);
  });
  await t.step("colleagues see whom they work with", async () => {
    const { data } = await clientOf(service, as(owner)).listExperts(coachId);
    assertEquals(data.map(({ name }) => name), [null, "Jon Ekdal"]);
    const [first, second] = await writers(owner);
    assertEquals([first?.own_name, first?.user_id, second?.own_name], ["Jon Ekdal", colleague.id, null]);
    const { data: acts } = await clientOf(service, as(owner)).listActs(coachId);
    const added = acts.filter(({ subject }) => subject === colleague.id);
    assertEquals(added.map(({ subject_user }) => subject_user?.name), ["Jon Ekdal"]);
  });
  await t.step("a pinned answer: by name as an answer in person, not where it is given word for word", async () => {
    const { data: question } = await operator.from("open_questions")
      .insert({ account_id: tenant.accountId, coach_id: coachId, question: "When is lunch served?" })
      .select("id").single().throwOnError();
    await jon.answerQuestion(coachId, question.id, { answer: "At noon." });
    await chat(service, as(person), { message: "When is lunch served?", thread_id: threadId });
    await ask(service, "POST", `/threads/${threadId}/release`, as(owner));
    await chat(service, as(person), { message: "When is lunch served?", thread_id: threadId });
    assertEquals((await writers(person)).at(-1)?.name, "Ada Byron");
    const { messageId } = await storeAnswer(tenant, { content: "Ten", status: "complete", user_id: person.id });
    const { data: asked } = await operator.from("messages").select("thread_id").eq("id", messageId).single()
      .throwOnError();
    await jon.reviseAnswer(asked.thread_id, messageId, { question: "What is ten?", answer: "11.", notify: true });
    const { data } = await clientOf(service, as(person)).listMessages(asked.thread_id, { include: "author" });
    assertEquals(data.at(-1)?.expert, { name: "Jon Ekdal", picture_url: picture });
  });
  await t.step("a server, a stranger and a name that is none are refused, and nothing changes", async () => {
    const server = await issueKey(tenant.accountId, { scopes: ["expert"] });
    for (const [method, where] of [["GET", path], ["PUT", path], ["DELETE", `${path}/picture`]] as const) {
      const body = method === "PUT" ? { name: "Mallory" } : undefined;
      assertRefused(await ask(service, method, where, server, body), "sign_in_first");
      assertRefused(await ask(service, method, where, as(stranger), body), "not_the_expert");
    }
    const foreign = await createTenant(limits, { owner_id: stranger.id });
    const elsewhere = { apiKey: foreign.apiKey, accessToken: stranger.accessToken };
    assertRefused(await ask(service, "PUT", path, elsewhere, { name: "Mallory" }), "coach_not_found");
    for (const name of ["", " \u200b ", "a\nb", "x".repeat(81)]) {
      assertInvalid(
        await ask(service, "PUT", path, as(colleague), { name }),
        "name must be one line of 1 to 80 characters",
      );
    }
    assertEquals(await jon.getExpertFace(coachId), { name: "Jon Ekdal", picture_url: picture });
  });
  await t.step("taken back, and gone with the expert", async () => {
    assertEquals(await jon.removeExpertPicture(coachId), { name: "Jon Ekdal", picture_url: null });
    assertEquals((await jon.setExpertPicture(coachId, new Blob([jpeg]))).picture_url, picture);
    assertEquals((await jon.saveExpertFace(coachId, { name: null })).name, null);
    assertEquals((await writers(person))[0], { name: "Ada Byron", picture_url: picture });
    const { data } = await operator.rpc("export_user", { account_id: tenant.accountId, user_id: colleague.id })
      .throwOnError();
    const [{ picture: path }] = (data as { expert_of: [{ picture: string }] }).expert_of;
    assert(picture.endsWith(path), path);
    assertReply(await ask(service, "DELETE", "/users/me", as(colleague)), 200);
    const { picture_url } = await clientOf(service, as(owner)).getCoach(coachId);
    assertEquals((await writers(person))[0], { ...persona, picture_url });
  });
});

Deno.test("the picture of an expert is removed with the coach", async () => {
  const { service, tenant, colleague, as } = await prepare();
  await using _ = service;
  await clientOf(service, as(colleague)).setExpertPicture(tenant.coachId, new Blob([jpeg]));
  await sweep(service);
  assertEquals((await objectsOf(tenant.accountId, "pictures")).length, 1);
  await operator.from("threads").delete().eq("coach_id", tenant.coachId).throwOnError();
  await operator.from("coach_profiles").delete().eq("id", tenant.coachId).throwOnError();
  await sweep(service);
  assertEquals(await objectsOf(tenant.accountId, "pictures"), []);
});
