import { ask, assertReply, chat, clientOf, type Credentials, upload } from "../../support/client.ts";
import { eventually } from "../../support/eventually.ts";
import { setBudget, setPrice } from "../../support/budgets.ts";
import { invite } from "../../support/invitations.ts";
import { finishIndexing, sweep, uploadAndIndex } from "../../support/knowledge.ts";
import { mailEnv, startMailServer } from "../../support/mail_server.ts";
import { runTests } from "../../support/persona_tests.ts";
import {
  allScopes,
  createCoach,
  createTenant,
  createUser,
  issuePublishableKey,
  operator,
  secretKey,
  signInAnonymously,
  type Tenant,
} from "../../support/project.ts";
import { type Service, startService } from "../../support/service.ts";
import { sourcesOf } from "../../support/sources.ts";
import { startTestSite, type TestSite } from "../../support/test_site.ts";
import type { Names } from "./names.ts";

const embeddingModel = "embedder";

/** Vectors with few digits, so that the snapshot stays small. */
const vectorOf = (text: string) => [text.length % 7, text.length % 5, 1];

/**
 * Fills the database of a project with rows of every kind, as clients, experts, operators and the workers do: over HTTP,
 * with the functions of this checkout. Returns the names by which the upgrade test finds them again.
 */
export async function fillDatabase(): Promise<Names> {
  // None of them is stopped here: the process ends in the middle of its work, as processes do.
  const mails = await startMailServer();
  const site = await startTestSite({ topics: 1 });
  const service = await startService({
    env: {
      ...mailEnv(mails),
      OPENAI_EMBEDDING_MODEL: embeddingModel,
      WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true",
      ALLOW_PRIVATE_SOURCES: "true",
    },
    timeouts: { flush: 20, poll: 20 },
  });
  service.model.scriptEmbeddings(embeddingModel, vectorOf);
  const owner = await createUser();
  const person = await createUser();
  const tenant = await createTenant(
    { requests_per_minute: 10_000, scopes: allScopes },
    { owner_id: owner.id, greeting: "Hello, I am Ada.", starters: ["What does a retrospective need?"] },
  );
  const { publishableKey } = await issuePublishableKey(tenant.accountId);
  const world: World = { service, tenant, expert: { apiKey: tenant.apiKey, accessToken: owner.accessToken } };
  const asPerson: Credentials = { apiKey: tenant.apiKey, accessToken: person.accessToken };

  await setUpAccount(world, mails.url);
  await editPersona(world);
  const fileId = await addKnowledge(world, site);
  const threads = await converse(world, asPerson, person.id);
  await workAtTheDesk(world, threads);
  await askTheSame(world);
  await runTests(service, { ...tenant, ...world.expert }).catch(() => {});
  await sendMails(world, asPerson, mails);
  await leaveWorkBehind(world, asPerson, person.id);
  await signInAnonymously();
  return {
    accountId: tenant.accountId,
    coachId: tenant.coachId,
    modelName: tenant.modelName,
    apiKey: tenant.apiKey,
    publishableKey,
    ownerId: owner.id,
    userId: person.id,
    fileId,
    threadId: threads.wrong.threadId,
    takenThreadId: threads.open.threadId,
  };
}

type World = { service: Service; tenant: Tenant; expert: Credentials };

/** Webhook, login of the application, prices, budgets. */
async function setUpAccount({ tenant: { accountId, modelName }, tenant }: World, url: string): Promise<void> {
  await operator.rpc("set_webhook", { account_id: accountId, url: url.replace("smtp:", "https:") }).throwOnError();
  await operator.rpc("test_webhook", { account_id: accountId }).throwOnError();
  await operator.rpc("set_token_issuer", {
    account_id: accountId,
    name: "acme",
    issuer: "https://login.acme.example/",
    jwks_url: "https://login.acme.example/jwks.json",
    audience: "chat",
  }).throwOnError();
  await setPrice(modelName, 2, 8);
  await setBudget(tenant, { amount: 100_000_000 });
}

/** A published version, a draft, a colleague and an invitation. */
async function editPersona({ service, tenant, expert }: World): Promise<void> {
  const path = `/coaches/${tenant.coachId}`;
  const draft = { title: "Mathematics Coach of engines" };
  assertReply(await ask(service, "PUT", `${path}/draft`, expert, draft), 200);
  const version = (await ask(service, "GET", `${path}/versions`, expert)).json.data[0].version;
  assertReply(await ask(service, "POST", `${path}/publish`, expert, { if_version: version }), 200);
  assertReply(await ask(service, "PUT", `${path}/draft`, expert, { greeting: "Good day, I am Ada." }), 200);
  await invite(service, expert, tenant.coachId, "editor");
}

/** Uploads that are indexed, and a website. */
async function addKnowledge({ service, tenant }: World, site: TestSite) {
  await uploadAndIndex(
    service,
    tenant,
    ["retro.md", "# Retrospectives\n\nThis is the first version."],
    ["gone.md", "# Gone\n\nThis file was deleted, and its passages still wait to leave the index."],
  );
  const text = "# Retrospectives\n\nA retrospective needs a clock and a cake.\n\n## Owls\n\nA heron is no owl.";
  await clientOf(service, tenant).uploadFiles(tenant.coachId, [new File([text], "retro.md")], { replace: true });
  await finishIndexing(service, tenant.coachId);
  await clientOf(service, tenant).createText(tenant.coachId, { title: "Ladders", content: "A ladder is of oak." });
  service.model.script(tenant.modelName, { steps: [{ text: "1" }] });
  for (const hour of [17, 18]) {
    await uploadAndIndex(service, tenant, [`until ${hour}.md`, `In summer, the library closes at ${hour}:00.`]);
  }
  const files = (await ask(service, "GET", `/knowledge-handler?coachId=${tenant.coachId}`, tenant)).json.data;
  site.write("/docs/", { title: "Docs", text: "The library has a ladder.\n\nIt is of oak." });
  await sourcesOf(service, tenant).add({ kind: "page", url: `${site.url}/docs/` });
  return files.find(({ filename }: { filename: string }) => filename === "retro.md").fileId as string;
}

/** Conversations: one with two turns and a rating, one that asks the expert, one with an idempotency key. */
async function converse(
  { service, tenant, tenant: { coachId, modelName } }: World,
  person: Credentials,
  userId: string,
) {
  const context = { coachId, userId, isAuthenticated: true };
  service.model.script(modelName, { steps: [{ text: "A clock " }, { text: "and a cake." }] });
  const first = await chat(service, person, { message: "What does a retrospective need?", context });
  await chat(service, person, { message: "And who brings the cake?", thread_id: first.threadId });
  await clientOf(service, person).rateAnswer(first.threadId, first.messageId, { rating: "up", comment: "Clear." });

  service.model.script(
    modelName,
    {
      steps: [{
        call: { id: "call_1", name: "ask_expert", arguments: { question: "What do owls eat?", for_human: true } },
      }],
    },
    { steps: [{ text: "I do not know that. I pass it on." }] },
  );
  const open = await chat(service, person, { message: "What do owls eat, then?", context });

  service.model.script(modelName, { steps: [{ text: "It is the heron, who sleeps in the office." }] });
  const wrong = await chat(service, person, { message: "Who sleeps in the office?", context });
  await chat(service, tenant, { message: "Hello", context: { coachId, userId: "u" }, idempotency_key: "once" });
  await operator.rpc("index_threads").throwOnError();
  return { first, open, wrong };
}

/** Three people who ask the same, and the topic that a sweep makes of it. */
async function askTheSame({ service, tenant, tenant: { coachId }, expert }: World): Promise<void> {
  for (const userId of ["v", "w", "x"]) {
    await chat(service, tenant, { message: "What does a retrospective need?", context: { coachId, userId } });
  }
  await eventually(async () => {
    await sweep(service);
    return (await ask(service, "GET", `/coaches/${coachId}/topics`, expert)).json.data.length > 0;
  }, "there is a topic");
}

type Threads = Awaited<ReturnType<typeof converse>>;

/** Answers an open question, revises an answer, pins one, bars a passage, and takes a thread over. */
async function workAtTheDesk({ service, tenant, expert }: World, { first, open, wrong }: Threads) {
  const path = `/coaches/${tenant.coachId}`;
  const { data: [question] } = (await ask(service, "GET", `${path}/questions`, expert)).json;
  assertReply(await ask(service, "POST", `${path}/questions/${question.id}/answer`, expert, { answer: "Mice." }), 200);
  const revision = { answer: "Nobody sleeps there.", question: "Who sleeps in the office?", notify: true };
  const revised = `/threads/${wrong.threadId}/messages/${wrong.messageId}/revise`;
  assertReply(await ask(service, "POST", revised, expert, revision), 200);
  const pinned = { question: "When is lunch?", answer: "At noon.", variants: ["When do we eat?"] };
  assertReply(await ask(service, "POST", `${path}/answers`, expert, pinned), 200);
  const { apiKey } = tenant;
  await chat(service, { apiKey }, { message: "When is lunch?", context: { coachId: tenant.coachId, userId: "u" } });
  const tried = await ask(service, "POST", `${path}/try`, expert, { question: "Is a heron an owl?" });
  const [passage] = tried.json.passages;
  assertReply(await ask(service, "PUT", `${path}/barred-passages/${passage.passageId}`, expert), 200);
  assertReply(await ask(service, "POST", `/threads/${open.threadId}/messages`, expert, { content: "I am here." }), 200);
  assertReply(await ask(service, "POST", `/threads/${first.threadId}/takeover`, expert), 200);
  assertReply(await ask(service, "PATCH", `${path}/threads/${first.threadId}`, expert, { note: "Call back" }), 200);
  assertReply(await ask(service, "GET", `/threads/${first.threadId}/messages?include=basis`, expert), 200);
  assertReply(await ask(service, "POST", `${path}/replies`, expert, { name: "Thanks", content: "Thank you." }), 200);
  assertReply(
    await ask(service, "POST", `${path}/tests`, expert, { question: "When is lunch?", expect: { contains: ["noon"] } }),
    200,
  );
}

/** A person who wants mails, an expert with settings, and an address that is refused. */
async function sendMails(
  { service, tenant, expert }: World,
  person: Credentials,
  mails: Awaited<ReturnType<typeof startMailServer>>,
): Promise<void> {
  const callMailer = async () => {
    assertReply(await ask(service, "POST", "/mailer", {}, undefined, { headers: { apikey: secretKey } }), 202);
    await service.turns();
  };
  const settings = `/coaches/${tenant.coachId}/experts/me/mail`;
  assertReply(await ask(service, "PUT", settings, expert, { digest: "weekly" }), 200);
  const address = "person@example.com";
  assertReply(await ask(service, "PUT", "/users/me/mail", person, { email: address, language: "de" }), 200);
  await callMailer();
  const token = /#confirm-email=([^\s"]+)/.exec(mails.mailsTo(address)[0]!.text!)![1]!;
  assertReply(await ask(service, "POST", "/mailer/confirm", {}, { token }), 200);
  const { data: [thread] } = (await ask(service, "GET", "/users/me/threads", person)).json;
  const asked = { question: "May I talk to you?", email: "other@example.com" };
  assertReply(await ask(service, "POST", `/threads/${thread.id}/ask-expert`, person, asked), 201);
  await callMailer();
  mails.refuse = () => "550 5.1.1 No such user";
  const invitation = { role: "answerer", email: "nobody@example.com" };
  assertReply(await ask(service, "POST", `/coaches/${tenant.coachId}/invitations`, expert, invitation), 200);
  await callMailer();
  mails.refuse = () => "451 Try again later";
  const other = { role: "answerer", email: "later@example.com" };
  assertReply(await ask(service, "POST", `/coaches/${tenant.coachId}/invitations`, expert, other), 200);
  await callMailer();
}

/** Work that was interrupted: the process ends while a turn, an upload and removals are under way. */
async function leaveWorkBehind(
  { service, tenant, tenant: { coachId, modelName } }: World,
  person: Credentials,
  userId: string,
): Promise<void> {
  const context = { coachId, userId, isAuthenticated: true };
  // An answer that its server stores, in a thread that is deleted while the server cannot be reached.
  const responseId = `resp_${"0".repeat(24)}`;
  service.model.script(modelName, { responseId, steps: [{ text: "Soon forgotten." }] });
  const forgotten = await chat(service, person, { message: "Forget this.", context });
  // A coach that is gone: nobody gets its slug.
  const gone = await createCoach(tenant.accountId, { name: "Gone" });
  await operator.from("coach_profiles").delete().eq("id", gone.id).throwOnError();
  // From here on, nothing is tidied up.
  const tidies = /end_response_removals|end_object_removals|end_upload|delete_turn|unindex_passages|take_indexing_work/;
  service.supabase.fault = (path) =>
    tidies.test(path) || /\/storage\/v1\/object\/knowledge$/.test(path) ? "refuse" : "pass";
  assertReply(await ask(service, "DELETE", `/threads/${forgotten.threadId}`, person), 200);
  const files = (await ask(service, "GET", `/knowledge-handler?coachId=${coachId}`, tenant)).json.data;
  const goneFile = files.find(({ filename }: { filename: string }) => filename === "gone.md");
  assertReply(await ask(service, "DELETE", `/knowledge-handler/${goneFile.fileId}?coachId=${coachId}`, tenant), 200);
  await upload(service, tenant, coachId, [["halfway.md", "An upload that did not end."]]);
  // A turn that is not to be stored; it stays, because the conversation goes on.
  const respond = (body: object) => ask(service, "POST", "/openai/v1/responses", tenant, { model: coachId, ...body });
  const unkept = await respond({ input: "Keep nothing of this.", store: false });
  assertReply(unkept, 200);
  assertReply(await respond({ input: "But go on.", previous_response_id: unkept.json.id }), 200);
  // A budget that is used up, which is said once, and a turn that is under way in another one.
  const { id } = await createCoach(tenant.accountId, { model: modelName });
  await setBudget(tenant, { coach: id, amount: 1 });
  assertReply(await ask(service, "POST", "/chat", tenant, { message: "Hi", context: { coachId: id } }), 429);
  await setBudget(tenant, { coach: coachId, amount: 60_000 });
  service.model.script(modelName, { steps: [{ text: "I am still " }, { hang: true }] });
  const reader = (await fetch(`${service.url}/chat`, {
    method: "POST",
    headers: {
      "X-API-Key": tenant.apiKey,
      Authorization: `Bearer ${person.accessToken}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ message: "What are you doing?", context }),
  })).body!.getReader();
  await reader.read();
  await eventually(async () => {
    const { data } = await operator.from("messages").select("content").eq("status", "streaming").throwOnError();
    return data.some(({ content }) => content !== "");
  }, "a part of the answer was stored");
}
