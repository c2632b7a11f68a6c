import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { ask, assertRefused, assertReply, type Credentials } from "../support/client.ts";
import { handOver } from "../support/hand_over.ts";
import { linksOf, mailEnv, type ReceivedMail, startMailServer } from "../support/mail_server.ts";
import {
  allScopes,
  createTenant,
  createUser,
  issuePublishableKey,
  secretKey,
  signInAnonymously,
} from "../support/project.ts";
import { startService } from "../support/service.ts";
import { storeAnswer } from "../support/turns.ts";

const secret = "Is it the rash on my left arm?";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const mails = stack.use(await startMailServer());
  const service = stack.use(await startService({ env: mailEnv(mails) }));
  const owner = await createUser();
  const tenant = await createTenant({ requests_per_minute: 10_000, scopes: allScopes }, {
    owner_id: owner.id,
    name: "Ada Byron",
  });
  const { publishableKey } = await issuePublishableKey(tenant.accountId, { total_per_minute: 10_000 });
  const expert: Credentials = { publishableKey, accessToken: owner.accessToken };

  async function visitor() {
    const { id, accessToken } = await signInAnonymously();
    const turn = await storeAnswer(tenant, { content: "I do not know", status: "complete", user_id: id });
    return { id, ...turn, credentials: { publishableKey, accessToken } as Credentials };
  }
  type Visitor = Awaited<ReturnType<typeof visitor>>;
  const call = ({ threadId, credentials }: Visitor, body: object) =>
    ask(service, "POST", `/threads/${threadId}/ask-expert`, credentials, body);
  const say = ({ threadId }: Visitor, content: string) =>
    ask(service, "POST", `/threads/${threadId}/messages`, expert, { content });
  const emailOf = async ({ threadId, credentials }: Visitor) =>
    (await ask(service, "GET", `/threads/${threadId}/requests`, credentials)).json.data[0].email;
  /** Sends what is due, and returns what an address has got so far. */
  async function mailsTo(address: string): Promise<ReceivedMail[]> {
    const headers = { apikey: secretKey };
    assertReply(await ask(service, "POST", "/mailer", {}, undefined, { headers }), 202);
    await service.turns();
    return mails.mailsTo(address);
  }
  const post = (path: string, body?: object) => ask(service, "POST", path, {}, body);
  const confirm = (token: string) => post("/mailer/confirm", { token });
  const read = (token: string) => ask(service, "GET", `/mailer/answer?token=${token}`, {});
  return handOver(stack, { service, tenant, expert, visitor, call, say, emailOf, mailsTo, post, confirm, read });
}

/** An address that no other test uses. */
const invent = () => `p${crypto.randomUUID()}@example.com`;

/** The token after `#<name>=` in a mail. */
function tokenIn(mail: ReceivedMail, name: string): string {
  const hash = linksOf(mail).map((url) => new URL(url).hash).find((hash) => hash.startsWith(`#${name}=`));
  return hash!.slice(name.length + 2);
}

Deno.test("a person without an account is told of the answer by mail", async (t) => {
  await using prepared = await prepare();
  const { service, tenant, expert, visitor, call, say, emailOf, mailsTo, post, confirm, read } = prepared;
  const [person, email] = [await visitor(), invent()];
  let token = "";

  await t.step("the address is confirmed by the link in a mail that holds no word of theirs", async () => {
    const asked = await call(person, { question: secret, email, language: "en" });
    assertReply(asked, 201);
    assertEquals([asked.json.email, JSON.stringify(asked.json).includes(email)], ["unconfirmed", false]);
    // The same once more sends nothing.
    await call(person, { message_id: asked.json.message_id, email });
    const [mail, ...more] = await mailsTo(email);
    assertEquals([more, mail!.raw.includes("rash"), mail!.text!.includes("I did not ask for this")], [[], false, true]);
    const link = tokenIn(mail!, "confirm-email");
    const opened = await ask(service, "GET", `/mailer/confirm?token=${link}`, {}, undefined, { redirect: "manual" });
    assertEquals([opened.status, await emailOf(person)], [303, "unconfirmed"]);
    assertReply(await confirm(link), 200);
    assertReply(await confirm(link), 200);
    assertEquals(await emailOf(person), "confirmed");
  });

  await t.step("the link in the next one opens the question and its answer, and nothing else", async () => {
    const face = await ask(service, "PUT", `/coaches/${tenant.coachId}/experts/me`, expert, { name: "Anna Berg" });
    assertReply(face, 200);
    assertReply(await say(person, "No, it is not."), 200);
    const [, mail, ...more] = await mailsTo(email);
    assertMatch(mail!.text!, /^Anna Berg has replied to you\./m);
    assertEquals([more, mail!.raw.includes("rash"), mail!.raw.includes("it is not")], [[], false, false]);
    token = tokenIn(mail!, "answer");
    assertMatch(token, /^[\w-]{43}$/);
    const reply = await read(token);
    const { answered_at, ...opened } = reply.json;
    assertEquals(opened, {
      coach: { id: tenant.coachId, name: "Ada Byron", picture_url: null },
      expert: { name: "Anna Berg", picture_url: null },
      question: secret,
      answer: "No, it is not.",
    });
    assert(answered_at.endsWith("Z"));
    assertEquals([reply.headers.get("cache-control"), reply.headers.get("referrer-policy")], [
      "no-store",
      "no-referrer",
    ]);
    assertEquals((await read(token)).json, reply.json);
    assertEquals(JSON.stringify(await service.logs()).includes(token), false);
  });

  await t.step("not with another token, and not once it is taken back", async () => {
    for (const wrong of ["", "x", token.slice(1), "A".repeat(43)]) assertEquals((await read(wrong)).status, 404);
    const [{ id }] = (await ask(service, "GET", `/threads/${person.threadId}/requests`, person.credentials)).json.data;
    assertReply(await ask(service, "DELETE", `/threads/${person.threadId}/requests/${id}`, person.credentials), 200);
    assertEquals((await read(token)).status, 404);
  });

  await t.step("an answer that came before the address was confirmed is told then", async () => {
    const [late, address] = [await visitor(), invent()];
    await call(late, { email: address });
    await say(late, "Yes.");
    const [mail, ...none] = await mailsTo(address);
    assertEquals(none, []);
    await confirm(tokenIn(mail!, "confirm-email"));
    const [, told] = await mailsTo(address);
    assertEquals((await read(tokenIn(told!, "answer"))).json.answer, "Yes.");
    assertReply(await ask(service, "DELETE", "/users/me", late.credentials), 200);
    assertEquals((await read(tokenIn(told!, "answer"))).status, 404);
  });

  await t.step("whoever did not ask for it is not written to again, whatever follows a plus", async () => {
    const [other, address] = [await visitor(), invent()];
    await call(other, { email: address });
    const [mail] = await mailsTo(address);
    const link = tokenIn(mail!, "not-me");
    const path = `/mailer/unsubscribe?token=${link}`;
    const opened = await ask(service, "GET", path, {}, undefined, { redirect: "manual" });
    assertEquals([opened.headers.get("location"), await emailOf(other)], [
      `https://page.example/#not-me=${link}`,
      "unconfirmed",
    ]);
    // Neither link does the work of the other.
    assertRefused(await confirm(link), "link_not_valid");
    assertRefused(await post(`/mailer/unsubscribe?token=${tokenIn(mail!, "confirm-email")}`), "link_not_valid");
    assertReply(await post(path), 200);
    assertEquals(await emailOf(other), null);
    assertRefused(await confirm(tokenIn(mail!, "confirm-email")), "link_not_valid");
    const again = address.replace("@", "+more@");
    assertEquals((await call(await visitor(), { email: again })).json.email, "unconfirmed");
    assertEquals(await mailsTo(again), []);
  });

  await t.step("a link leads nowhere as soon as the persona is deleted", async () => {
    const [last, address] = [await visitor(), invent()];
    await call(last, { email: address });
    const [mail] = await mailsTo(address);
    assertReply(await confirm(tokenIn(mail!, "confirm-email")), 200);
    await say(last, "Yes.");
    const link = tokenIn((await mailsTo(address))[1]!, "answer");
    assertReply(await read(link), 200);
    assertReply(await ask(service, "DELETE", `/coaches/${tenant.coachId}?confirm=Ada%20Byron`, expert), 200);
    assertEquals((await read(link)).status, 404);
  });
});

Deno.test("addresses of requests have limits", async (t) => {
  await using prepared = await prepare();
  const { service, visitor, call } = prepared;

  await t.step("an address gets three such mails a day, without its plus part", async () => {
    const email = invent();
    for (const plus of ["", "+a", "+b"]) {
      assertEquals((await call(await visitor(), { email: email.replace("@", `${plus}@`) })).status, 201);
    }
    const person = await visitor();
    assertRefused(await call(person, { question: secret, email: email.replace("@", "+c@") }), "too_many_mails");
    const { count } = (await ask(service, "GET", `/threads/${person.threadId}/messages`, person.credentials)).json;
    assertEquals(count, 2, "nothing is asked then");
  });

  await t.step("a person causes five", async () => {
    const person = await visitor();
    for (let given = 0; given < 5; given++) assert((await call(person, { email: invent() })).status < 300);
    assertRefused(await call(person, { email: invent() }), "too_many_mails");
  });

  await t.step("an account a hundred", async () => {
    // Eight were caused before.
    let person = await visitor();
    for (let given = 0; given < 92; given++) {
      if (given % 5 === 0) person = await visitor();
      assert((await call(person, { email: invent() })).status < 300, `${given}`);
    }
    assertRefused(await call(await visitor(), { email: invent() }), "too_many_mails");
    assertEquals((await call(await visitor(), {})).status, 201);
  });
});
