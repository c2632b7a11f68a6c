import { assert, assertEquals, assertNotEquals } from "../../support/assert.ts";
import { ask, assertReply, chat } from "../../support/client.ts";
import { addFile } from "../../support/knowledge.ts";
import { chatOf, complete, heardBy, textsOf } from "../../support/openai_clients.ts";
import {
  allScopes,
  createCoach,
  createTenant,
  createUser,
  issueKey,
  operator,
  type Tenant,
} from "../../support/project.ts";
import { type Service, startService } from "../../support/service.ts";
import { countThreads, startTurn } from "../../support/turns.ts";

const threadOf = ({ headers }: { headers: Headers }) => headers.get("X-Thread-Id")!;

/** Sets what the coach says next. */
function say(service: Service, tenant: Tenant, ...texts: string[]) {
  service.model.script(tenant.modelName, ...texts.map((text) => ({ steps: [{ text }] })));
}

Deno.test("the thread of a completion", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const asking = (name: string, user?: string) => ({ headers: { "X-Chat-Id": name }, user });

  await t.step("the same ID of the client is the same thread, to which turns are appended", async () => {
    say(service, tenant, "One", "Two");
    const first = await complete(service, tenant, chatOf("1?"), asking("c", "u"));
    const second = await complete(service, tenant, chatOf("1?", "One", "2?"), asking("c", "u"));
    assertEquals(threadOf(second), threadOf(first));
    assertEquals(await textsOf(service, tenant, threadOf(first)), ["1?", "One", "2?", "Two"]);
    assertEquals(await countThreads(service, tenant, "u"), 1);
  });

  await t.step("every name of it in headers and metadata means the same", async () => {
    const { headers } = await complete(service, tenant, chatOf("Hi"), asking("named", "u"));
    for (const name of ["X-OpenWebUI-Chat-Id", "X-Conversation-Id"]) {
      const reply = await complete(service, tenant, chatOf("Again"), { headers: { [name]: "named" }, user: "u" });
      assertEquals(threadOf(reply), threadOf({ headers }));
    }
    const reply = await complete(service, tenant, chatOf("Again"), { metadata: { thread_id: "named" }, user: "u" });
    assertEquals(threadOf(reply), threadOf({ headers }));
  });

  await t.step("that of another user, key, coach or account is another thread", async () => {
    const { accountId } = tenant;
    const otherKey = { ...tenant, ...await issueKey(accountId) };
    const otherCoach = { ...tenant, coachId: (await createCoach(accountId)).id };
    const others = [
      await complete(service, tenant, chatOf("Hi"), asking("c", "somebody else")),
      await complete(service, otherKey, chatOf("Hi"), asking("c", "u")),
      await complete(service, otherCoach, chatOf("Hi"), asking("c", "u")),
      await complete(service, await createTenant(), chatOf("Hi"), asking("c", "u")),
      await complete(service, tenant, chatOf("Hi"), asking("d", "u")),
      await complete(service, tenant, chatOf("Hi"), asking("c", "u")),
    ];
    for (const reply of others) assertReply(reply, 200);
    assertEquals(new Set(others.map(threadOf)).size, others.length);
  });

  await t.step("the key that a rotated one was replaced by keeps the threads", async () => {
    const { data } = await operator.rpc("rotate_api_key", { id: tenant.keyId }).throwOnError();
    const rotated = { ...tenant, apiKey: (data as { api_key: string }).api_key };
    const before = await complete(service, tenant, chatOf("Hi"), asking("c", "u"));
    assertEquals(threadOf(await complete(service, rotated, chatOf("Hi"), asking("c", "u"))), threadOf(before));
  });

  await t.step("if nobody is named, only a UUID is an ID; users with the same first words share nothing", async () => {
    const id = crypto.randomUUID();
    const [one, two] = [
      await complete(service, tenant, chatOf("Hi"), asking(id)),
      await complete(service, tenant, chatOf("Hi"), asking(id)),
    ];
    assertEquals(threadOf(two), threadOf(one));
    const [three, four] = [
      await complete(service, tenant, chatOf("Hi"), asking("1")),
      await complete(service, tenant, chatOf("Hi"), asking("1")),
    ];
    assertNotEquals(threadOf(four), threadOf(three));
  });

  await t.step("values that name nothing count as none", async () => {
    for (const nothing of ["", "new", "PENDING", "{{CHAT_ID}}", "local:abc"]) {
      const [one, two] = [
        await complete(service, tenant, chatOf("Hi"), asking(nothing, "u")),
        await complete(service, tenant, chatOf("Hi"), asking(nothing, "u")),
      ];
      assertNotEquals(threadOf(two), threadOf(one), nothing);
    }
  });

  await t.step("X-Thread-Id takes precedence; an unknown one and another user's are 404", async () => {
    const { threadId } = await chat(service, tenant, {
      message: "Hi",
      context: { coachId: tenant.coachId, userId: "u" },
    });
    const headers = { "X-Thread-Id": threadId, "X-Chat-Id": "c" };
    assertEquals(threadOf(await complete(service, tenant, chatOf("Go on"), { headers, user: "u" })), threadId);
    for (const [id, user] of [[threadId, "v"], [crypto.randomUUID(), "u"], ["c", "u"]] as const) {
      const reply = await complete(service, tenant, chatOf("Hi"), { headers: { "X-Thread-Id": id }, user });
      assertEquals([reply.status, reply.headers.get("X-Error-Code")], [404, "thread_not_found"]);
    }
  });

  await t.step("user names the end user; with a token it must be the token's", async () => {
    const { id, accessToken } = await createUser();
    const request = { model: tenant.coachId, messages: chatOf("Hi") };
    const post = (body: object) =>
      ask(service, "POST", "/openai/v1/chat/completions", { ...tenant, accessToken }, { ...request, ...body });
    const { headers } = await post({});
    const { json } = await ask(service, "GET", `/threads/${threadOf({ headers })}`, tenant);
    assertEquals(json.user_id, id);
    assertEquals((await post({ user: "somebody else" })).status, 403);
  });
});

Deno.test("the thread of a response", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  type Headers = Record<string, string>;
  const respond = async (body: object, headers: Headers = {}) => {
    const request = { model: tenant.coachId, input: "Hi", user: "u", ...body };
    const reply = await ask(service, "POST", "/openai/v1/responses", tenant, request, { headers });
    assertReply(reply, 200);
    return reply;
  };

  await t.step("the first name counts: thread, previous response, headers, metadata, conversation", async () => {
    const previous = await respond({});
    const thread = threadOf(await respond({}));
    // Each takes precedence over those above it.
    const names: [body: object, headers: Headers][] = [
      [{ conversation: "n1" }, {}],
      [{ metadata: { thread_id: "n2" } }, {}],
      [{}, { "X-Conversation-Id": "n3" }],
      [{}, { "X-OpenWebUI-Chat-Id": "n4" }],
      [{}, { "X-Chat-Id": "n5" }],
      [{ previous_response_id: previous.json.id, conversation: undefined }, {}],
      [{}, { "X-Thread-Id": thread }],
    ];
    const alone: string[] = [];
    for (const [body, headers] of names) alone.push(threadOf(await respond(body, headers)));
    assertEquals(alone.slice(-2), [threadOf(previous), thread]);
    assertEquals(new Set(alone).size, names.length);
    for (const place of names.keys()) {
      const sent = names.slice(0, place + 1);
      const body = Object.assign({}, ...sent.map(([body]) => body));
      const headers = Object.assign({}, ...sent.map(([, headers]) => headers));
      assertEquals(threadOf(await respond(body, headers)), alone[place]);
    }
  });

  await t.step("is named by every reply, also by those of a stored response", async () => {
    const asked = await respond({});
    const at = `/openai/v1/responses/${asked.json.id}`;
    for (const [method, path] of [["GET", at], ["POST", `${at}/cancel`]] as const) {
      const reply = await ask(service, method, path, tenant);
      assertReply(reply, 200);
      assertEquals(reply.headers.get("X-Message-Id"), asked.headers.get("X-Message-Id"));
      assertEquals(threadOf(reply), threadOf(asked));
    }
  });

  await t.step("that of a previous response is for its key, or what it was rotated into, and its user", async () => {
    const first = await respond({});
    const follow = async (key: { apiKey: string; accessToken?: string }, user?: string) => {
      const body = { model: tenant.coachId, input: "?", previous_response_id: first.json.id, user };
      const reply = await ask(service, "POST", "/openai/v1/responses", key, body);
      return reply.status === 200 ? threadOf(reply) : [reply.status, reply.json.error.code, reply.json.error.param];
    };
    const refusal = [400, "response_not_found", "previous_response_id"];
    const { accessToken } = await createUser();
    assertEquals(await follow(await issueKey(tenant.accountId), "u"), refusal);
    assertEquals(await follow(tenant, "v"), refusal);
    assertEquals(await follow({ ...tenant, accessToken }), refusal);
    const { data } = await operator.rpc("rotate_api_key", { id: tenant.keyId }).throwOnError();
    const { api_key: apiKey } = data as { api_key: string };
    for (const key of [tenant, { apiKey }]) assertEquals(await follow(key, "u"), threadOf(first));
  });
});

Deno.test("the history of a completion", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000, scopes: allScopes });
  let chats = 0;
  const begin = async (...said: string[]) => {
    const options = { headers: { "X-Chat-Id": `h${++chats}` }, user: "u" };
    for (let place = 0; place < said.length; place += 2) {
      say(service, tenant, said[place + 1]!);
      await complete(service, tenant, chatOf(...said.slice(0, place + 1)), options);
    }
    return (messages: string[], more: object = {}) =>
      complete(service, tenant, chatOf(...messages), { ...options, ...more });
  };
  const heard = () => heardBy(service, tenant);

  await t.step("a client that sends half of it loses nothing", async () => {
    const go = await begin("1?", "One", "2?", "Two");
    await go(["3?"]);
    assertEquals(heard(), ["1?", "One", "2?", "Two", "3?"]);
    await go(["2?", "Two", "4?"]);
    assertEquals(heard().slice(0, 4), ["1?", "One", "2?", "Two"]);
  });

  await t.step("one that was edited or branched is what the model gets; the turn is appended", async () => {
    const go = await begin("1?", "One", "2?", "Two");
    const reply = await go(["1, differently?", "Uno", "2?"]);
    assertEquals(heard(), ["1, differently?", "Uno", "2?"]);
    const texts = await textsOf(service, tenant, threadOf(reply));
    assertEquals(texts.slice(0, 5), ["1?", "One", "2?", "Two", "2?"]);
  });

  await t.step("the last question again, after all that was said, runs its answer again", async () => {
    const go = await begin("1?", "One", "2?", "Two");
    say(service, tenant, "Two, better");
    const reply = await go(["1?", "One", "2?"]);
    assertEquals(await textsOf(service, tenant, threadOf(reply)), ["1?", "One", "2?", "Two, better"]);
    assertEquals(heard(), ["1?", "One", "2?"]);
  });

  await t.step("the first question again is asked again: nothing says that it is a repetition", async () => {
    const go = await begin("1?", "One");
    const reply = await go(["1?"]);
    assertEquals((await textsOf(service, tenant, threadOf(reply))).length, 4);
  });

  await t.step("the last question again, after only a part of it, is appended", async () => {
    const go = await begin("1?", "One", "2?", "Two", "3?", "Three");
    const reply = await go(["2?", "Two", "3?"]);
    assertEquals((await textsOf(service, tenant, threadOf(reply))).length, 8);
  });

  await t.step("of an answer that was stopped, the client has only the beginning", async () => {
    const turn = await startTurn(service, tenant, {
      said: ["Half of it, "],
      rest: [{ text: "and the rest" }, { end: true }],
    });
    const stopped = await ask(service, "POST", `/chat/${turn.messageId}/stop`, tenant);
    assertReply(stopped, 200);
    const headers = { "X-Thread-Id": turn.threadId };
    await complete(service, tenant, chatOf("Talk", "Half of", "And?"), { headers, user: "u" });
    assertEquals(heard(), ["Talk", "Half of it, ", "And?"]);
  });

  await t.step("alone, the client's own history counts, in whole exchanges", async () => {
    const said = chatOf("1?", "One", "2?", "Two", "3?");
    const limitTo = (messages: number) =>
      operator.from("coach_profiles").update({ history_limit: messages }).eq("id", tenant.coachId).throwOnError();
    for (
      const [limit, expected] of [[3, ["2?", "Two", "3?"]], [0, ["3?"]], [20, [
        "1?",
        "One",
        "2?",
        "Two",
        "3?",
      ]]] as const
    ) {
      await limitTo(limit);
      const reply = await complete(service, tenant, said);
      assertEquals(heard(), [...expected]);
      assertEquals((await textsOf(service, tenant, threadOf(reply))).length, 2, "the history is not stored");
    }
    await complete(service, tenant, [{ role: "assistant", content: "Welcome." }, ...said]);
    assertEquals(heard()[0], "Welcome.", "nothing was cut");
  });

  await t.step("alone, a message that points back into it is no question that the expert has answered", async () => {
    const { apiKey } = await issueKey(tenant.accountId, { scopes: ["expert"] });
    const pin = { question: "How long does it take?", answer: "An hour." };
    assertReply(await ask(service, "POST", `/coaches/${tenant.coachId}/answers`, { apiKey }, pin), 200);
    const textOf = async (...said: string[]) =>
      (await complete(service, tenant, chatOf(...said))).json.choices[0].message.content;
    say(service, tenant, "A day.");
    assertEquals(await textOf(pin.question), "An hour.");
    assertEquals(await textOf("May I paint a wall?", "Yes.", pin.question), "A day.");
  });

  await t.step("alone, files are searched with the client's own history, too", async () => {
    const harbor = await createTenant();
    for (const thing of ["saunas", "kayaks"]) {
      await addFile(harbor, `${thing}.md`, `An hour of ${thing} costs nine euros.`);
    }
    await complete(service, harbor, chatOf("Are there kayaks?", "There are.", "What does an hour cost?"));
    const { input } = service.model.requestsOf(harbor.modelName).at(-1)!.body;
    const [, first] = (input as { content: string }[]).at(-2)!.content.split("\n");
    assertEquals(JSON.parse(first!).source, "kayaks.md");
  });

  await t.step("during a takeover the reply is the notice; what the expert says is not forgotten later", async () => {
    const go = await begin("1?", "One", "2?", "Two");
    const { headers } = await go(["1?", "One", "2?"]);
    const path = `/threads/${threadOf({ headers })}`;
    assertReply(await ask(service, "POST", `${path}/takeover`, tenant), 200);
    const waiting = await go(["1?", "One", "2?", "Two", "3?"]);
    assertReply(waiting, 200);
    const notice = waiting.json.choices[0].message.content;
    assertEquals(waiting.json.choices[0].finish_reason, "stop");
    assert(notice.includes("in person"));
    assertReply(await ask(service, "POST", `${path}/messages`, tenant, { content: "I say three." }), 200);
    assertReply(await ask(service, "POST", `${path}/release`, tenant), 200);
    await go(["1?", "One", "2?", "Two", "3?", notice, "4?"]);
    assert(heard().includes("I say three."), String(heard()));
    assert(!heard().includes(notice));
  });
});
