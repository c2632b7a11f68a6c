import texts from "../../shared/features/mail/texts/en.json" with { type: "json" };
import { mailTexts } from "../../shared/features/mail/texts/mail_texts.ts";
import { delay } from "../../shared/libs/base/std/async.ts";
import { assert, assertEquals, assertMatch, assertNotEquals } from "../support/assert.ts";
import { setBudget } from "../support/budgets.ts";
import { ask, assertInvalid, assertRefused, assertReply, chat, clientOf, type Credentials } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { handOver } from "../support/hand_over.ts";
import { dayIn, sweep, zoneOfAnotherDay } from "../support/knowledge.ts";
import {
  addressesOf,
  linksOf,
  mailEnv,
  type MailServer,
  type ReceivedMail,
  startMailServer,
} from "../support/mail_server.ts";
import {
  addExpert as addTo,
  allScopes,
  createTenant,
  createUser,
  operator,
  publishableKey,
  secretKey,
  signInAnonymously,
  type User,
} from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";
import { storeQuestion } from "../support/questions.ts";

const { ar: arabic, de: german } = mailTexts;

/** A text of the mails about a coach. */
const about = (text: string, count = 1, coach = "Ada Byron") =>
  text.replace("{count}", String(count)).replaceAll("{coach}", () => coach);

/** True for a mail that says that people ask for a human. */
const asksForHuman = ({ subject }: ReceivedMail) =>
  [about(texts.human.subject.one), about(texts.human.subject.other, 2)].includes(subject ?? "");

/** Calls the mailer, as the clock does, and waits until it has done its work. */
async function callMailer(service: Service): Promise<void> {
  assertReply(await ask(service, "POST", "/mailer", {}, undefined, { headers: { apikey: secretKey } }), 202, {
    message: "Sending has started",
  });
  await service.turns();
}

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const mails = stack.use(await startMailServer());
  const service = stack.use(await startService({ env: mailEnv(mails) }));
  const owner = await createUser();
  const tenant = await createTenant({ requests_per_minute: 10_000, scopes: allScopes }, {
    owner_id: owner.id,
    name: "Ada Byron",
  });
  const expert: Credentials = { apiKey: tenant.apiKey, accessToken: owner.accessToken };
  const settingsPath = `/coaches/${tenant.coachId}/experts/me/mail`;

  /** Keeps a question that the model could not answer; `isForHuman`: the person has asked for a human. */
  async function keep(userId: string, question: string | null, isForHuman: boolean) {
    const turn = await storeAnswer(tenant, { content: "I do not know", status: "complete", user_id: userId });
    return { ...turn, openQuestionId: await storeQuestion(turn.messageId, question, { isForHuman }) };
  }

  /** Sends what is due now, and what else waits to be told about the coach. */
  async function sendAll() {
    await operator.rpc("hurry_mails", { coach_id: tenant.coachId }).throwOnError();
    await callMailer(service);
  }
  const save = async (body: object) => {
    const reply = await ask(service, "PUT", settingsPath, expert, body);
    assertReply(reply, 200);
    return reply.json;
  };
  return handOver(stack, { service, mails, owner, tenant, expert, settingsPath, keep, sendAll, save });
}

/** The token in the address that unsubscribes. */
function unsubscribeOf(mail: ReceivedMail): string {
  const list = mail.headers.get("list") as unknown as { unsubscribe?: { url: string } };
  return new URL(list.unsubscribe!.url).searchParams.get("token")!;
}

/** The headers that every mail of the service has. */
function assertWhole(mail: ReceivedMail, to: string, { hasList = true } = {}) {
  assertEquals([mail.recipients, mail.sender], [[to], "no-reply@chat.example"]);
  assertEquals([addressesOf(mail.to), addressesOf(mail.cc), addressesOf(mail.bcc)], [[to], [], []]);
  assertEquals(mail.from?.text, '"Human chat" <no-reply@chat.example>');
  assertMatch(mail.messageId ?? "", /^<[0-9a-f-]{36}@chat\.example>$/);
  assertEquals(mail.headers.get("auto-submitted"), "auto-generated");
  assert(Math.abs(Date.now() - mail.date!.getTime()) < 60_000);
  assert(mail.text !== undefined && mail.text.length > 40 && typeof mail.html === "string");
  assertEquals(mail.headers.has("list-unsubscribe-post") || mail.raw.includes("List-Unsubscribe-Post:"), hasList);
  for (const url of linksOf(mail)) assert(mail.text.includes(url), `the text part has ${url}`);
}

const open = { redirect: "manual" } as const;

Deno.test("POST /mailer is for the project itself", async () => {
  await using service = await startService();
  for (const apikey of [undefined, publishableKey, "sb_secret_wrong"]) {
    const headers = apikey === undefined ? undefined : { apikey };
    assertRefused(await ask(service, "POST", "/mailer", {}, undefined, { headers }), "invalid_secret_key");
  }
  // Without a mail server, nothing is claimed.
  await callMailer(service);
});

Deno.test("the mails of an expert", async (t) => {
  await using prepared = await prepare();
  const { service, mails, owner, tenant, expert, settingsPath, keep, sendAll, save } = prepared;
  const mine = () => mails.mailsTo(owner.email);

  await t.step("go to the address of the sign-in, by default all of them", async () => {
    const reply = await ask(service, "GET", settingsPath, expert);
    assertReply(reply, 200, {
      address: owner.email,
      is_available: true,
      is_refused: false,
      asks_for_human: true,
      digest: "daily",
      hour: 8,
      weekday: 1,
      time_zone: "UTC",
      failures: true,
      budget: true,
      topics: false,
      language: "en",
    });
    assertEquals(await clientOf(service, expert).getExpertMail(tenant.coachId), reply.json);
  });

  await t.step("a person who asks for a human is told immediately, once, with a link to the conversation", async () => {
    const { threadId } = await keep("ann", "May I talk to Ada herself?", true);
    await callMailer(service);
    const [mail, ...more] = mine();
    assertEquals(more, []);
    assertWhole(mail!, owner.email);
    assertEquals(mail!.subject, about(texts.human.subject.one));
    assert(mail!.text!.includes(`${texts.human.question}\n\n- May I talk to Ada herself?`), mail!.text);
    assert(linksOf(mail!).includes(`https://desk.example/desk/#conversations/${threadId}`));
    // Another message of the same thread, before anybody has replied.
    await storeQuestion((await storeAnswerIn(threadId)).messageId, null, { isForHuman: true });
    await sendAll();
    assertEquals(mine().filter(asksForHuman).length, 1);
  });

  await t.step("no mail holds what a person wrote", () => {
    for (const { raw, html, text } of mine()) {
      for (const part of [raw, String(html), String(text)]) assertEquals(/Talk\b|I do not know/.test(part), false);
    }
  });

  await t.step("a call that was answered before the mail was sent is not told", async () => {
    const { threadId } = await keep("bob", null, true);
    const said = await ask(service, "POST", `/threads/${threadId}/messages`, expert, { content: "Here I am." });
    assertReply(said, 200);
    const before = mine().length;
    await callMailer(service);
    assertEquals(mine().length, before);
  });

  await t.step("a digest lists the questions that wait, and none is sent while nothing waits", async () => {
    const before = mine().length;
    await keep("cy", "What do owls eat?", false);
    await sendAll();
    const digest = mine().at(-1)!;
    assertEquals(mine().length, before + 1);
    assertWhole(digest, owner.email);
    assertEquals(digest.subject, about(texts.digest.subject.other, 3));
    const item = about(texts.digest.item.one).replace("{question}", "What do owls eat?");
    assert(digest.text!.includes(`- ${item}`), digest.text);
    assert(linksOf(digest).includes("https://desk.example/desk/#questions"));
    const { data } = await operator.from("open_questions").select("id").eq("coach_id", tenant.coachId).throwOnError();
    for (const { id } of data) {
      await ask(service, "POST", `/coaches/${tenant.coachId}/questions/${id}/dismiss`, expert);
    }
    await sendAll();
    assertEquals(mine().length, before + 1);
  });

  await t.step("are in the language that the expert has chosen, from right to left in Arabic", async () => {
    await save({ language: "ar" });
    await keep("dan", "ماذا تأكل البومة؟ <b>&", true);
    await callMailer(service);
    const mail = mine().at(-1)!;
    assertWhole(mail, owner.email);
    assertEquals(mail.subject, about(arabic.human.subject.one!));
    assertMatch(String(mail.html), /<html lang="ar" dir="rtl">/);
    assertMatch(String(mail.html), /<bdi>ماذا تأكل البومة؟ &lt;b&gt;&amp;<\/bdi>/);
    assertEquals(mail.headers.get("content-language"), "ar");
    await save({ language: "en" });
  });

  await t.step("one click unsubscribes from this kind of mail, as RFC 8058 has it", async () => {
    const mail = mine().find(asksForHuman)!;
    assertMatch(mail.raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    const token = encodeURIComponent(unsubscribeOf(mail));
    const path = `/mailer/unsubscribe?token=${token}`;

    const opened = await ask(service, "GET", path, {}, undefined, open);
    assertReply(opened, 303);
    assertEquals(opened.headers.get("Location"), "https://desk.example/desk/#team/notices");
    assertEquals((await save({})).asks_for_human, true);

    for (let time = 0; time < 2; time++) {
      const reply = await fetch(service.url + path, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: "List-Unsubscribe=One-Click",
      });
      assertEquals([reply.status, await reply.json()], [200, { message: "Unsubscribed successfully" }]);
    }
    const { asks_for_human, digest, failures } = await save({});
    assertEquals([asks_for_human, digest, failures], [false, "daily", true]);
    const before = mine().length;
    await keep("eve", null, true);
    await callMailer(service);
    assertEquals(mine().length, before);
  });

  await t.step("a token that was changed unsubscribes nobody", async () => {
    const token = unsubscribeOf(mine().find(({ subject }) => subject === about(texts.digest.subject.other, 3))!);
    for (const wrong of ["", "x", token.slice(0, -1), token.replace("digest", "failure"), `${token}.x`]) {
      for (const method of ["GET", "POST"]) {
        const path = `/mailer/unsubscribe?token=${encodeURIComponent(wrong)}`;
        const reply = await ask(service, method, path, {}, undefined, open);
        assertRefused(reply, "link_not_valid");
      }
    }
    assertEquals((await save({})).digest, "daily");
  });

  async function storeAnswerIn(thread_id: string) {
    const id = crypto.randomUUID();
    await operator.from("messages").insert({
      id,
      run_id: id,
      thread_id,
      role: "assistant",
      content: "I do not know",
      status: "complete",
    }).throwOnError();
    return { messageId: id };
  }
});

Deno.test("what people asked is mailed once a week to an expert who wants it, until they unsubscribe", async () => {
  const timeZone = zoneOfAnotherDay();
  await using prepared = await prepare();
  const { service, mails, owner, tenant, sendAll, save } = prepared;
  const mine = () => mails.mailsTo(owner.email);
  // The model answers people so, and names topics so.
  service.model.script(tenant.modelName, { steps: [{ text: "Coffee and fasting" }] });
  for (const [index, message] of ["Coffee and fasting?", "Is coffee fasting?", "Fasting, with coffee?"].entries()) {
    const context = { coachId: tenant.coachId, userId: `person ${index}` };
    const { threadId } = await chat(service, tenant, { message, context });
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    await operator.from("threads").update({ updated_at: ago(1), created_at: ago(3 * 24 * 60) })
      .eq("id", threadId).throwOnError();
  }
  // This one began today.
  await chat(service, tenant, {
    message: "Coffee while fasting?",
    context: { coachId: tenant.coachId, userId: "dan" },
  });
  await eventually(async () => {
    await sweep(service);
    const { json } = await ask(service, "GET", `/coaches/${tenant.coachId}/topics`, tenant);
    return json.data.length === 1;
  }, "there is a topic");
  const before = mine().length;
  await sendAll();
  assertEquals(mine().length, before);
  await save({ topics: true, time_zone: timeZone });
  await sendAll();
  const mail = mine().at(-1)!;
  assertEquals(mine().length, before + 1);
  assertWhole(mail, owner.email);
  assertEquals(mail.subject, about(texts.topics.subject.other, 3));
  const item = about(texts.topics.item.other, 3).replace("{name}", "Coffee and fasting");
  for (const line of [about(texts.topics.more.other, 3), `- ${item}`, `- ${about(texts.topics.allKnown)}`]) {
    assert(mail.text!.includes(line), mail.text);
  }
  const place = `usage?from=${dayIn(-7, timeZone)}&to=${dayIn(-1, timeZone)}`;
  assert(linksOf(mail).includes(`https://desk.example/desk/#${place}`), mail.text);
  await fetch(`${service.url}/mailer/unsubscribe?token=${encodeURIComponent(unsubscribeOf(mail))}`, {
    method: "POST",
  });
  const { topics, failures } = await save({});
  assertEquals([topics, failures], [false, true]);
});

Deno.test("the settings of an expert's mails", async (t) => {
  await using prepared = await prepare();
  const { service, owner, tenant, expert, settingsPath, save } = prepared;

  await t.step("what is left out stays as it is", async () => {
    const changed = { digest: "weekly", hour: 23, weekday: 7, time_zone: "America/St_Johns", budget: false };
    await save(changed);
    const settings = await save({ language: "de", failures: false });
    assertEquals({ ...settings, address: null }, {
      ...changed,
      address: null,
      is_available: true,
      is_refused: false,
      asks_for_human: true,
      failures: false,
      topics: false,
      language: "de",
    });
  });

  await t.step("what does not fit is refused with a sentence", async () => {
    const cases: [body: object, error: string][] = [
      [{ hour: 24 }, "hour must be a whole number from 0 to 23"],
      [{ hour: 7.5 }, "hour must be a whole number from 0 to 23"],
      [{ weekday: 0 }, "weekday must be a whole number from 1 to 7"],
      [{ digest: "hourly" }, "digest must be off, daily or weekly"],
      [{ language: "it" }, "language must be one of en, de, fr, es, pt, ar"],
      ...["+02:00", "Mars/Olympus", "", "Europe/Berlin'; select 1", "UTC+3"].map((time_zone): [object, string] => [
        { time_zone },
        "time_zone must be the name of a time zone, such as Europe/Berlin",
      ]),
      [{ asks_for_human: "yes" }, "asks_for_human must be true or false"],
    ];
    for (const [body, error] of cases) {
      assertInvalid(await ask(service, "PUT", settingsPath, expert, body), error);
    }
  });

  await t.step("are those of the signed-in expert alone", async () => {
    const other = await createUser();
    for (const method of ["GET", "PUT"]) {
      const body = method === "PUT" ? {} : undefined;
      const key = { apiKey: tenant.apiKey };
      assertRefused(await ask(service, method, settingsPath, key, body), "sign_in_first");
      assertRefused(
        await ask(service, method, settingsPath, { ...key, accessToken: other.accessToken }, body),
        "not_the_expert",
      );
      const stranger = await createTenant({ scopes: allScopes });
      assertRefused(
        await ask(service, method, settingsPath, { apiKey: stranger.apiKey, accessToken: owner.accessToken }, body),
        "coach_not_found",
      );
    }
  });

  await t.step("say if the service has no mail server", async () => {
    await using plain = await startService();
    const reply = await ask(plain, "GET", settingsPath, expert);
    assertReply(reply, 200);
    assertEquals([reply.json.is_available, reply.json.address], [false, owner.email]);
  });
});

/** Another expert of the coach. */
async function addExpert(coachId: string, role: Parameters<typeof addTo>[2]): Promise<User> {
  const user = await createUser();
  await addTo(coachId, user, role);
  return user;
}

Deno.test("what experts are told besides", async (t) => {
  await using prepared = await prepare();
  const { service, mails, owner, tenant, expert, sendAll } = prepared;
  const { coachId, accountId } = tenant;
  const answerer = await addExpert(coachId, "answerer");
  const editor = await addExpert(coachId, "editor");
  const countOf = (user: User) => mails.mailsTo(user.email).length;

  await t.step("files and sources that failed, in one mail to those who can mend it", async () => {
    const names = ["notes\r\nBcc: evil@example.org.pdf", "Plan <1>.pdf"];
    for (const name of names) {
      const { data: file } = await operator.from("knowledge_files").insert({
        coach_id: coachId,
        account_id: accountId,
        name,
        size: 1,
        content_type: "application/pdf",
        category: "documents",
        digest: "0".repeat(64),
        storage_path: crypto.randomUUID(),
        due_at: null,
      }).select("id").single().throwOnError();
      await operator.from("knowledge_files").update({ status: "failed", error: "It is broken" }).eq("id", file.id)
        .throwOnError();
    }
    const { data: source } = await operator.from("knowledge_sources").insert({
      coach_id: coachId,
      account_id: accountId,
      url: "https://site.example/",
      kind: "site",
      refresh: "never",
      due_at: null,
    }).select("id").single().throwOnError();
    await operator.from("knowledge_sources").update({ status: "failed" }).eq("id", source.id).throwOnError();
    await sendAll();
    assertEquals([countOf(owner), countOf(editor), countOf(answerer)], [1, 1, 0]);
    const [mail] = mails.mailsTo(editor.email);
    assertWhole(mail!, editor.email);
    assertEquals(mail!.subject, about(texts.failure.subject.other, 3));
    for (const name of ["notes Bcc: evil@example.org.pdf", "Plan <1>.pdf", "https://site.example/"]) {
      assert(mail!.text!.includes(`\n- ${name}\n`), name);
    }
    assert(linksOf(mail!).includes("https://desk.example/desk/#files"));
  });

  await t.step("a budget that is used up, to owners alone; not the share of one person", async () => {
    for (const each_user of [true, false]) await setBudget(tenant, { coach: coachId, amount: 1, each_user });
    const before = [countOf(owner), countOf(editor), countOf(answerer)];
    service.model.script(tenant.modelName, { steps: [{ text: "Hello" }] });
    const body = { message: "Hi", context: { coachId, userId: "u" } };
    assertReply(await ask(service, "POST", "/chat", { apiKey: tenant.apiKey }, body), 429);
    await sendAll();
    assertEquals([countOf(owner), countOf(editor), countOf(answerer)], [before[0]! + 1, before[1], before[2]]);
    const mail = mails.mailsTo(owner.email).at(-1)!;
    assertEquals(mail.subject, about(texts.budget.subject));
    assert(mail.text!.includes(`${about(texts.budget.text.coach)}\n\n`), mail.text);
    const [renewed] = texts.budget.renewed.split("{date}");
    assertMatch(mail.text!, new RegExp(`\n\n${renewed}\\w+ \\d+, 20\\d\\d\\.\n`));
  });

  await t.step("an invitation goes to its address, and its link works once", async () => {
    const guest = await createUser();
    const path = `/coaches/${coachId}/invitations`;
    const made = await ask(service, "POST", path, expert, { role: "editor", email: guest.email });
    assertReply(made, 200);
    await callMailer(service);
    const [mail] = mails.mailsTo(guest.email);
    assertWhole(mail!, guest.email, { hasList: false });
    assertEquals(mail!.subject, about(texts.invitation.subject));
    assertMatch(mail!.text!, new RegExp(`^${texts.invitation.by.replace("{email}", owner.email)}$`, "m"));
    const [link] = linksOf(mail!);
    assertMatch(link!, /^https:\/\/desk\.example\/desk\/#invitation=hi_inv_[A-Za-z0-9]{40}$/);
    const token = link!.split("=")[1]!;
    assertNotEquals(token, made.json.token);
    const accept = () =>
      ask(service, "POST", "/coaches/invitations/accept", { apiKey: tenant.apiKey, accessToken: guest.accessToken }, {
        token,
      });
    assertReply(await accept(), 200, { coach_id: coachId, role: "editor", is_new: false });
    assertRefused(await accept(), "invitation_not_found");
  });

  await t.step("one that is withdrawn while those before it are sent is not sent", async () => {
    const path = `/coaches/${coachId}/invitations`;
    const addresses = Array.from({ length: 4 }, () => `${crypto.randomUUID()}@example.com`);
    const made: { id: string }[] = [];
    for (const email of addresses) {
      made.push((await ask(service, "POST", path, expert, { role: "answerer", email })).json);
    }
    // Three are sent at the same time, and the fourth is only written after one of them.
    let withdrawal: Promise<unknown> | undefined;
    mails.beforeMail = () => withdrawal ??= ask(service, "DELETE", `${path}/${made[3]!.id}`, expert);
    await callMailer(service);
    mails.beforeMail = async () => {};
    assertEquals(addresses.map((address) => mails.mailsTo(address).length), [1, 1, 1, 0]);
  });

  await t.step("an address that is invited again and again is written to a few times a day", async () => {
    const address = `${crypto.randomUUID()}@example.com`;
    for (let time = 0; time < 6; time++) {
      const path = `/coaches/${coachId}/invitations`;
      const made = await ask(service, "POST", path, expert, { role: "answerer", email: address });
      assertReply(made, 200);
      await callMailer(service);
      assertReply(await ask(service, "DELETE", `${path}/${made.json.id}`, expert), 200);
    }
    assertEquals(mails.mailsTo(address).length, 3);
  });
});

Deno.test("an address that is refused", async (t) => {
  await using prepared = await prepare();
  const { service, mails, owner, tenant, expert, settingsPath, keep } = prepared;
  const asked = () => mails.asked.filter((address) => address === owner.email).length;
  const isRefused = async () => (await ask(service, "GET", settingsPath, expert)).json.is_refused;

  await t.step("for now, is tried again later", async () => {
    mails.refuse = () => "451 Try again later";
    await keep("ann", null, true);
    await callMailer(service);
    assertEquals([asked(), mails.mailsTo(owner.email).length, await isRefused()], [1, 0, false]);
    mails.refuse = () => null;
    await operator.rpc("hurry_mails", { coach_id: tenant.coachId }).throwOnError();
    await callMailer(service);
    assert(mails.mailsTo(owner.email).some(asksForHuman));
  });

  await t.step("by a server whose reply has no end, is tried again later", async () => {
    using server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const env = mailEnv({ url: `smtp://127.0.0.1:${server.addr.port}` });
    await using impatient = await startService({ env, timeouts: { mail: 200 } });
    await keep("di", null, true);
    const called = callMailer(impatient);
    const connection = await server.accept();
    // It is never silent, so that only the limit of the whole mail ends it.
    const talking = (async () => {
      for (let lines = 0; lines < 1_000; lines++) {
        await connection.write(new TextEncoder().encode(lines === 0 ? "220 Hello\r\n" : "250-More\r\n"));
        await delay(10);
      }
    })().catch(() => {}).finally(() => connection.close());
    await Promise.all([called, talking]);
    const reasons = (await impatient.logs()).filter(({ event }) => event === "mail_not_sent").map(({ reason }) =>
      reason
    );
    assertEquals(reasons, ["It did not answer in time"]);
  });

  await t.step("because the server does not know the sender, is not marked", async () => {
    const before = asked();
    mails.refuse = () => "550 5.7.1 Relaying denied";
    await keep("bob", null, true);
    await callMailer(service);
    assertEquals([asked(), await isRefused()], [before + 1, false]);
  });

  await t.step("for good, is marked, and not tried again", async () => {
    mails.refuse = (address) => address === owner.email ? "550 5.1.1 No such user" : null;
    await operator.rpc("hurry_mails", { coach_id: tenant.coachId }).throwOnError();
    await callMailer(service);
    assertEquals(await isRefused(), true);
    const before = asked();
    mails.refuse = () => null;
    await keep("cy", null, true);
    await operator.rpc("hurry_mails", { coach_id: tenant.coachId }).throwOnError();
    await callMailer(service);
    assertEquals(asked(), before);
    const logs = await service.logs();
    assert(logs.some(({ event, reason }) => event === "mail_given_up" && /refused with 550/.test(String(reason))));
    assertEquals(JSON.stringify(logs).includes(owner.email), false);
  });

  await t.step("until an operator allows it again", async () => {
    const { data } = await operator.rpc("allow_address", { account_id: tenant.accountId, address: owner.email })
      .throwOnError();
    assertEquals([data, await isRefused()], [true, false]);
  });
});

Deno.test("the mails of a person who asks", async (t) => {
  await using prepared = await prepare();
  const { service, mails, tenant, expert, keep, sendAll } = prepared;
  const user = await createUser();
  const person: Credentials = { apiKey: tenant.apiKey, accessToken: user.accessToken };
  const address = `${crypto.randomUUID()}@example.com`;
  const path = `/users/${user.id}/mail`;
  const answer = async (question: string, words: string) => {
    const { openQuestionId, threadId } = await keep(user.id, question, false);
    const answered = `/coaches/${tenant.coachId}/questions/${openQuestionId}/answer`;
    assertReply(await ask(service, "POST", answered, expert, { answer: words }), 200);
    return threadId;
  };
  const tokenOf = (mail: ReceivedMail) => /#confirm-email=([^\s"]+)/.exec(mail.text!)![1]!;

  await t.step("there is no address at first", async () => {
    const reply = await ask(service, "GET", path, person);
    assertReply(reply, 200, {
      email: null,
      is_confirmed: false,
      is_refused: false,
      is_available: true,
      language: "en",
    });
  });

  await t.step("an address gets a link, and nothing else before that was opened", async () => {
    const reply = await ask(service, "PUT", "/users/me/mail", person, { email: ` ${address} `, language: "de" });
    assertReply(reply, 200, {
      email: address,
      is_confirmed: false,
      is_refused: false,
      is_available: true,
      language: "de",
    });
    await answer("What is Deno?", "A runtime.");
    await sendAll();
    const [mail, ...more] = mails.mailsTo(address);
    assertEquals(more, []);
    assertWhole(mail!, address, { hasList: false });
    assertEquals(mail!.subject, german.confirmation.subject);
    const [link, notMe, ...others] = linksOf(mail!);
    assertEquals([link, others], [`https://page.example/#confirm-email=${tokenOf(mail!)}`, []]);
    assert(notMe!.startsWith("https://page.example/#not-me=not_me."));
    const expiresAt = Number(tokenOf(mail!).split(".")[2]) * 1_000;
    assertEquals(Math.ceil((expiresAt - Date.now()) / 3_600_000), 48);
  });

  await t.step("GET leads to the page and changes nothing; POST with the token confirms", async () => {
    const token = tokenOf(mails.mailsTo(address)[0]!);
    const opened = await ask(service, "GET", `/mailer/confirm?token=${token}`, {}, undefined, open);
    assertReply(opened, 303);
    assertEquals(opened.headers.get("Location"), `https://page.example/#confirm-email=${token}`);
    assertEquals((await ask(service, "GET", path, person)).json.is_confirmed, false);
    for (const wrong of ["", "x", token.slice(0, -1), token.replace("confirm", "digest")]) {
      assertRefused(await ask(service, "POST", "/mailer/confirm", {}, { token: wrong }), "link_not_valid");
    }
    const { message } = await clientOf(service, {}).confirmMail(token);
    assertEquals(message, "Email address confirmed successfully");
    assertEquals((await ask(service, "GET", path, person)).json.is_confirmed, true);
  });

  await t.step("an answer of the expert is told with a link to the conversation, and without its words", async () => {
    const threadId = await answer("Where is it made?", "In the secret lab.");
    await sendAll();
    const [, mail, ...more] = mails.mailsTo(address);
    assertEquals(more, []);
    assertWhole(mail!, address);
    assertEquals(mail!.subject, about(german.answered.subject));
    assert(linksOf(mail!).includes(`https://page.example/#${threadId}`));
    assertEquals(/secret lab|Where is it made|Talk\b/.test(mail!.raw + mail!.text + mail!.html), false);
    await sendAll();
    assertEquals(mails.mailsTo(address).length, 2);
  });

  await t.step("an answer that was read meanwhile is not told", async () => {
    const threadId = await answer("Who made it?", "We did.");
    assertReply(await ask(service, "POST", `/threads/${threadId}/read`, person), 200);
    await sendAll();
    assertEquals(mails.mailsTo(address).length, 2);
  });

  await t.step("one click unsubscribes: the address is forgotten", async () => {
    const token = encodeURIComponent(unsubscribeOf(mails.mailsTo(address)[1]!));
    const opened = await ask(service, "GET", `/mailer/unsubscribe?token=${token}`, {}, undefined, open);
    assertEquals([opened.status, opened.headers.get("Location")], [303, "https://page.example/"]);
    assertEquals((await ask(service, "GET", path, person)).json.email, address);
    assertReply(await ask(service, "POST", `/mailer/unsubscribe?token=${token}`, {}), 200);
    assertEquals((await ask(service, "GET", path, person)).json.email, null);
    await answer("When was it made?", "Long ago.");
    await sendAll();
    assertEquals(mails.mailsTo(address).length, 2);
  });

  await t.step("the address is in the export, and goes with the user", async () => {
    assertReply(await ask(service, "PUT", path, person, { email: address }), 200);
    const exported = async () =>
      (await operator.rpc("export_user", { account_id: tenant.accountId, user_id: user.id }).throwOnError()).data as {
        mail: { address: { email: string } | null };
      };
    assertEquals((await exported()).mail.address?.email, address);
    await sendAll();
    await clientOf(service, {}).confirmMail(tokenOf(mails.mailsTo(address).at(-1)!));
    const { json } = await ask(service, "PUT", path, person, { email: `b${address}` });
    assertEquals(json.is_confirmed, false, "another address is to be confirmed as well");
    assertReply(await ask(service, "DELETE", "/users/me", person), 200);
    assertEquals((await exported()).mail.address, null);
    const before = mails.mailsTo(address).length;
    await sendAll();
    assertEquals(mails.mailsTo(address).length, before);
  });
});

Deno.test("nobody can have strangers written to", async (t) => {
  await using prepared = await prepare();
  const { service, mails, tenant } = prepared;
  const put = (user: { accessToken: string }, email: unknown) =>
    ask(service, "PUT", "/users/me/mail", { apiKey: tenant.apiKey, accessToken: user.accessToken }, { email });

  await t.step("an address gets three confirmation mails a day, whoever asks", async () => {
    const victim = `${crypto.randomUUID()}@example.com`;
    const statuses: number[] = [];
    for (let time = 0; time < 5; time++) {
      statuses.push((await put(await createUser(), victim)).status);
      await callMailer(service);
    }
    assertEquals(statuses, [200, 200, 200, 429, 429]);
    assertEquals(mails.mailsTo(victim).length, 3);
  });

  await t.step("a user causes five a day, also with all requests at once and after erasing themselves", async () => {
    const user = await createUser();
    const victims = Array.from({ length: 8 }, () => `${crypto.randomUUID()}@example.com`);
    const replies = await Promise.all(victims.map((victim) => put(user, victim)));
    assertEquals(replies.filter(({ status }) => status === 200).length, 5);
    const refused = replies.find(({ status }) => status === 429)!;
    assertRefused(refused, "too_many_mails", undefined, { retryAfter: 86_400 });
    const credentials = { apiKey: tenant.apiKey, accessToken: user.accessToken };
    assertReply(await ask(service, "DELETE", "/users/me", credentials), 200);
    assertEquals((await put(user, victims[0])).status, 429);
  });

  await t.step("visitors have no address, and neither has a key alone or somebody else", async () => {
    const visitor = await signInAnonymously();
    const reply = await put(visitor, "a@example.com");
    assertRefused(reply, "permanent_user_required/mail");
    for (const method of ["GET", "PUT", "DELETE"]) {
      const body = method === "PUT" ? { email: "a@example.com" } : undefined;
      const key = { apiKey: tenant.apiKey };
      assertRefused(await ask(service, method, "/users/u/mail", key, body), "sign_in_first");
      const { accessToken } = await createUser();
      assertRefused(await ask(service, method, "/users/u/mail", { ...key, accessToken }, body), "user_mismatch");
    }
  });

  await t.step("what is no single address is refused", async () => {
    const user = await createUser();
    const hostile = [
      "",
      "ann",
      "ann@",
      "@example.com",
      "ann@example.com,bob@example.com",
      "ann@example.com\r\nBcc: bob@example.com",
      "ann@example.com\nRCPT TO:<bob@example.com>",
      '"ann bob"@example.com',
      "Ann <ann@example.com>",
      "ann@example.com>",
      "ann@exa mple.com",
      "ann@[127.0.0.1]",
      `${"a".repeat(65)}@example.com`,
      `ann@${"a".repeat(250)}.com`,
      "ann\u0000@example.com",
      7,
      null,
    ];
    for (const email of hostile) {
      assertInvalid(await put(user, email), "email must be an email address");
    }
  });

  await t.step("without a mail server, no address is stored", async () => {
    await using plain = await startService();
    const { accessToken } = await createUser();
    const reply = await ask(plain, "PUT", "/users/me/mail", { apiKey: tenant.apiKey, accessToken }, {
      email: "a@example.com",
    });
    assertRefused(reply, "mail_not_available");
  });
});

Deno.test("names from outside cannot add headers, recipients or markup", async () => {
  await using prepared = await prepare();
  const { service, mails, owner, tenant, keep } = prepared;
  const name = "Ada\r\nBcc: evil@example.org\r\n\r\n<script>alert(1)</script> {coach} {count} \u202Egnp.exe \"'&";
  await operator.from("coach_profiles").update({ name }).eq("id", tenant.coachId).throwOnError();
  await keep("ann", "Why?\r\n.\r\nMAIL FROM:<x@example.org> <img src=x onerror=alert(1)>", true);
  await callMailer(service);
  const [mail] = mails.mailsTo(owner.email);
  assertWhole(mail!, owner.email);
  assertEquals(mails.asked.includes("evil@example.org"), false);
  const shown = "Ada Bcc: evil@example.org <script>alert(1)</script> {coach} {count} gnp.exe \"'&";
  assertEquals(mail!.subject, about(texts.human.subject.one, 1, shown));
  assertEquals(/<script|<img|onerror=alert\(1\)>/.test(String(mail!.html)), false);
  assertMatch(mail!.text!, /- Why\? \. MAIL FROM:<x@example\.org> <img src=x onerror=alert\(1\)>\n/);
});

Deno.test("a mail server that takes no mails is left alone until the next call, and nothing is lost", async () => {
  await using mails: MailServer = await startMailServer();
  await using service = await startService({ env: mailEnv(mails) });
  const owner = await createUser();
  const tenants = await Promise.all(Array.from({ length: 12 }, () => createTenant({}, { owner_id: owner.id })));
  for (const tenant of tenants) {
    const { messageId } = await storeAnswer(tenant, { content: "I do not know", status: "complete" });
    await storeQuestion(messageId, "Why?", { isForHuman: true });
  }
  mails.turnAway = () => "421 Too many connections";
  await callMailer(service);
  // As many as are sent at the same time have tried; the rest of the nine that were claimed, and all others, have not.
  assertEquals(mails.connections, 3);
  const failed = (await service.logs()).filter(({ event }) => event === "mail_not_sent");
  assertEquals(failed.map(({ reason }) => reason), Array(9).fill("It answered 421"));
  mails.turnAway = () => null;
  for (const { coachId } of tenants) await operator.rpc("hurry_mails", { coach_id: coachId }).throwOnError();
  const calls = () => mails.mailsTo(owner.email).filter(({ subject }) => /asking for you/.test(subject!));
  await eventually(async () => {
    await callMailer(service);
    return calls().length >= 12;
  }, "all have arrived");
  assertEquals(new Set(calls().map(({ messageId }) => messageId)).size, 12);
});

Deno.test("32 calls of the mailer at the same time send each mail once", async () => {
  await using mails: MailServer = await startMailServer();
  const workers = await Promise.all(Array.from({ length: 4 }, () => startService({ env: mailEnv(mails) })));
  await using stack = new AsyncDisposableStack();
  for (const worker of workers) stack.use(worker);
  const owner = await createUser();
  const tenants = await Promise.all(Array.from({ length: 12 }, () => createTenant({}, { owner_id: owner.id })));
  for (const tenant of tenants) {
    const { messageId } = await storeAnswer(tenant, { content: "I do not know", status: "complete" });
    await storeQuestion(messageId, "Why?", { isForHuman: true });
  }
  await Promise.all(Array.from({ length: 8 }, () => Promise.all(workers.map(callMailer))));
  await mails.waitFor(owner.email, tenants.length, () => callMailer(workers[0]!));
  await Promise.all(workers.map(callMailer));
  const ids = mails.mailsTo(owner.email).map(({ messageId }) => messageId);
  assertEquals([ids.length, new Set(ids).size], [12, 12]);
});
