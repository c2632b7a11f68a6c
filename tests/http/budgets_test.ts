import { estimateTokens } from "../../shared/libs/llm/estimate_tokens.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { setBudget, setPrice, stateOf } from "../support/budgets.ts";
import { ask, assertRefused, assertReply, type Reply } from "../support/client.ts";
import { complete } from "../support/openai_clients.ts";
import { uploadAndIndex } from "../support/knowledge.ts";
import {
  allScopes,
  createAppClient,
  createCoach,
  createTenant,
  createUser,
  issueKey,
  issuePublishableKey,
  operator,
  type Tenant,
} from "../support/project.ts";
import { type Service, startService } from "../support/service.ts";
import { changeAnswer, startTurn, storeAnswer } from "../support/turns.ts";

const used = (input_tokens: number, output_tokens: number) => ({
  end: true as const,
  usage: { input_tokens, output_tokens },
});

/** Asks a coach as a user that a server names. */
const talk = (service: Service, tenant: Tenant, userId = "u", more: Record<string, unknown> = {}) =>
  ask(service, "POST", "/chat", tenant, { message: "Hello", context: { coachId: tenant.coachId, userId }, ...more });

/** Everything that turns of an account have stored. */
async function storedOf({ accountId }: Pick<Tenant, "accountId">) {
  const { data: threads } = await operator.from("threads").select("id").eq("account_id", accountId).throwOnError();
  const { count } = await operator.from("messages").select("id, threads!inner(account_id)", {
    count: "exact",
    head: true,
  })
    .eq("threads.account_id", accountId).throwOnError();
  return { threads: threads.length, messages: count };
}

Deno.test("a turn within a budget", async (t) => {
  await using service = await startService({ timeouts: { flush: 20, poll: 20 } });

  await t.step("is counted with what the server reports, and nothing stays reserved", async () => {
    const tenant = await createTenant();
    const budget = await setBudget(tenant, { amount: 100_000 });
    service.model.script(tenant.modelName, { steps: [{ text: "Well." }, used(120, 30)] });
    assertReply(await talk(service, tenant), 200);
    const { used: tokens, reserved } = await stateOf(budget);
    assertEquals({ tokens, reserved }, { tokens: 150, reserved: 0 });
  });

  await t.step("while it runs, its worst case is reserved, and the model told how long its reply may be", async () => {
    const tenant = await createTenant();
    const budget = await setBudget(tenant, { amount: 6_000 });
    const turn = await startTurn(service, tenant, { said: ["So"], rest: [used(10, 5)] });
    const { reserved } = await stateOf(budget);
    const [exchange] = service.model.requestsOf(tenant.modelName);
    const limit = exchange!.body.max_output_tokens;
    assert(typeof limit === "number" && limit > 0 && limit < 6_000, `max_output_tokens is ${limit}`);
    assertEquals(reserved, 6_000);
    turn.goOn();
    await turn.reply;
    assertEquals(await stateOf(budget).then(({ used, reserved }) => [used, reserved]), [15, 0]);
  });

  for (const material of ["none", "passages", "pinned answers", "a history", "Chinese"]) {
    await t.step(`reserves what the model reads, and at most twice as much: ${material}`, async () => {
      const instructions = material === "Chinese" ? "请用简短的句子回答，不要猜测。".repeat(30) : "Answer briefly.";
      const tenant = await createTenant({ scopes: allScopes }, { max_output_tokens: 100, instructions });
      const text = "Owls sleep by day, and hunt by night, since their eyes need little light. ".repeat(12);
      if (material === "passages") await uploadAndIndex(service, tenant, ["owls.txt", text]);
      if (material === "pinned answers") {
        const pinned = { question: "When do owls sleep in winter?", answer: text };
        assertReply(await ask(service, "POST", `/coaches/${tenant.coachId}/answers`, tenant, pinned), 200);
      }
      const body = { message: "When do owls sleep?", thread_id: undefined as string | undefined };
      if (material === "a history") {
        service.model.script(tenant.modelName, { steps: [{ text }] });
        const first = await talk(service, tenant, "u", { message: text });
        body.thread_id = first.headers.get("X-Thread-Id")!;
      }
      const budget = await setBudget(tenant, { amount: 1_000_000 });
      const turn = await startTurn(service, tenant, { said: ["So"], body });
      const reserved = (await stateOf(budget)).reserved - 100;
      const { instructions: rules, tools, input } = service.model.requestsOf(tenant.modelName).at(-1)!.body;
      const read = estimateTokens(rules + JSON.stringify(tools) + JSON.stringify(input));
      assert(reserved >= read && reserved <= 2 * read, `${reserved} are reserved, ${read} are read`);
      if (material === "passages") assert(JSON.stringify(input).includes("Quoted material"));
      if (material === "pinned answers") assert(JSON.stringify(input).includes("Answers that the expert"));
      turn.goOn();
      await turn.reply;
    });
  }

  await t.step("the coach's own limit has to fit as a whole", async () => {
    const tenant = await createTenant({}, { max_output_tokens: 5_000 });
    await setBudget(tenant, { amount: 5_000 });
    assertReply(await talk(service, tenant), 429);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 0);
  });

  await t.step("a refusal says when to try again; nothing is stored, and the model is not asked", async () => {
    const tenant = await createTenant();
    await setBudget(tenant, { amount: 10 });
    const reply = await talk(service, tenant);
    assertRefused(reply, "budget_exhausted");
    const { retryAfter } = reply.json;
    assert(retryAfter >= 1 && retryAfter <= 86_400, `retryAfter is ${retryAfter}`);
    assertEquals(await storedOf(tenant), { threads: 0, messages: 0 });
    assertEquals(service.model.requestsOf(tenant.modelName).length, 0);
  });

  await t.step("a total is never renewed: no retryAfter", async () => {
    const tenant = await createTenant();
    // The other one is renewed tomorrow, which is of no use.
    for (const period of ["day", "total"]) await setBudget(tenant, { amount: 10, period });
    const reply = await talk(service, tenant);
    assertRefused(reply, "budget_exhausted/for_good");
    assertEquals(reply.headers.get("Retry-After"), null);
  });

  await t.step("a budget that warns refuses nothing, and limits no reply", async () => {
    const tenant = await createTenant();
    const budget = await setBudget(tenant, { amount: 10, mode: "warn" });
    service.model.script(tenant.modelName, { steps: [{ text: "Well." }, used(120, 30)] });
    assertReply(await talk(service, tenant), 200);
    assertEquals((await stateOf(budget)).used, 150);
    assertEquals(service.model.requestsOf(tenant.modelName)[0]!.body.max_output_tokens, undefined);
  });
});

Deno.test("a turn makes the same calls of Postgres with four budgets as without one", async (t) => {
  const embedder = { OPENAI_EMBEDDING_MODEL: "embedder" };
  for (const env of [{}, embedder]) {
    await using service = await startService({ env, isIndexerAsleep: true });
    service.model.scriptEmbeddings("embedder", () => [1, 0, 0, 0]);
    const ways: Record<string, (tenant: Tenant, past: { threadId: string; messageId: string }) => Promise<Reply>> = {
      "a new thread": (tenant) => talk(service, tenant),
      "a thread that goes on": (tenant, { threadId }) =>
        ask(service, "POST", "/chat", tenant, { message: "And?", thread_id: threadId }),
      "with an idempotency key": (tenant) => talk(service, tenant, "u", { idempotency_key: crypto.randomUUID() }),
      "a retry": (tenant, { messageId }) => ask(service, "POST", `/chat/${messageId}/retry`, tenant),
      "a question that replaces another": (tenant, { threadId, messageId }) =>
        ask(service, "POST", "/chat", tenant, { message: "Rather?", thread_id: threadId, replaces: messageId }),
      "openai": (tenant) => complete(service, tenant, [{ role: "user", content: "Hi" }]),
    };
    for (const [name, enter] of Object.entries(ways)) {
      await t.step(env === embedder ? `${name}, embedded` : name, async () => {
        const tenant = await createTenant({ requests_per_minute: 100 });
        const counted = async () => {
          const past = await storeAnswer(tenant, { content: "Said", status: "complete" });
          service.supabase.requests.splice(0);
          assertReply(await enter(tenant, past), 200);
          await service.turns();
          // On a slow machine an answer is also saved while it grows.
          return service.supabase.requests.filter((path, index, all) => path !== all[index - 1]);
        };
        const without = await counted();
        await setBudget(tenant, { amount: 1_000_000 });
        await setBudget(tenant, { amount: 1_000_000, each_user: true });
        await setBudget(tenant, { amount: 1_000_000, coach: tenant.coachId });
        const budget = await setBudget(tenant, { amount: 1_000_000, api_key: tenant.keyId });
        assertEquals(await counted(), without);
        assert((await stateOf(budget)).used > 0);
      });
    }
  }
});

Deno.test("nothing slips past a budget", async (t) => {
  await using service = await startService({ timeouts: { flush: 20, poll: 20 } });
  const stop = (tenant: Tenant, messageId: string) => ask(service, "POST", `/chat/${messageId}/stop`, tenant);

  await t.step("32 turns at the same time on a budget for one: 1 runs, 31 are refused and leave nothing", async () => {
    const tenant = await createTenant({ requests_per_minute: 100 });
    const budget = await setBudget(tenant, { amount: 6_000 });
    const hold = Promise.withResolvers<void>();
    service.model.script(tenant.modelName, { steps: [{ text: "One" }, { waitFor: hold.promise }, used(100, 10)] });
    let refused = 0;
    const replies = await Promise.all(Array.from({ length: 32 }, async (_, index) => {
      const reply = await talk(service, tenant, `user-${index}`);
      // The one that runs goes on when the others have their answers.
      if (reply.status === 429 && ++refused === 31) hold.resolve();
      return reply;
    }));
    assertEquals(replies.map(({ status }) => status).toSorted(), [200, ...Array(31).fill(429)]);
    assertEquals(await storedOf(tenant), { threads: 1, messages: 2 });
    assertEquals(service.model.requestsOf(tenant.modelName).length, 1);
    const { used: tokens, reserved } = await stateOf(budget);
    assertEquals({ tokens, reserved }, { tokens: 110, reserved: 0 });
  });

  await t.step("turns that are stopped after the first word use a budget up all the same", async () => {
    const tenant = await createTenant();
    const budget = await setBudget(tenant, { amount: 9_000 });
    let turns = 0;
    for (; turns < 50; turns++) {
      if ((await stateOf(budget)).used > 6_000) break;
      const turn = await startTurn(service, tenant, { said: ["So"], rest: [{ hang: true }] });
      await stop(tenant, turn.messageId);
      await turn.reply;
    }
    assert(turns < 50, `the budget has only used ${(await stateOf(budget)).used}`);
    assertEquals((await stateOf(budget)).reserved, 0);
  });

  await t.step("a retry that is sent again and again is counted each time", async () => {
    const tenant = await createTenant();
    const budget = await setBudget(tenant, { amount: 50_000 });
    service.model.script(tenant.modelName, { steps: [{ text: "Well." }, used(100, 10)] });
    const { headers } = await talk(service, tenant);
    const messageId = headers.get("X-Message-Id");
    assertReply(await ask(service, "POST", `/chat/${messageId}/retry`, tenant), 200);
    assertReply(await ask(service, "POST", `/chat/${messageId}/retry`, tenant), 200);
    assertEquals((await stateOf(budget)).used, 330);
    await setBudget(tenant, { amount: 400 });
    assertReply(await ask(service, "POST", `/chat/${messageId}/retry`, tenant), 429);
    const { json } = await ask(service, "GET", `/threads/${headers.get("X-Thread-Id")}/messages`, tenant);
    assertEquals(json.data.at(-1).content, "Well.");
  });

  await t.step("an answer whose worker was killed counts as fully used, until a reader recovers it", async () => {
    const tenant = await createTenant();
    const budget = await setBudget(tenant, { amount: 6_000 });
    await using doomed = await startService({ timeouts: { flush: 20, save: 100 } });
    const turn = await startTurn(doomed, tenant, { said: ["So far"], rest: [{ hang: true }] });
    assertReply(await talk(service, tenant, "another"), 429);
    // As after a crash: another run has taken over, so that the first one says nothing more.
    doomed.supabase.fault = (path) => path.endsWith("/save_turns") ? "refuse" : "pass";
    await changeAnswer(turn.messageId, { updated_at: new Date(Date.now() - 60_000).toISOString() });
    assertReply(await ask(service, "GET", `/threads/${turn.threadId}/messages`, tenant), 200);
    const { used: tokens, reserved } = await stateOf(budget);
    assertEquals(reserved, 0);
    assert(tokens > 100 && tokens < 3_000, `${tokens} tokens are estimated`);
    turn.goOn();
  });

  await t.step("a further call of the model extends the reservation, or is not made", async () => {
    const tenant = await createTenant({}, { max_output_tokens: 1_000 });
    const call = { call: { id: "call_1", name: "ask_expert", arguments: { question: "Who?", for_human: false } } };
    const script = [{ steps: [call, used(1_000, 20)] }, { steps: [{ text: "I do not know." }, used(1_100, 30)] }];
    service.model.script(tenant.modelName, ...script);
    const budget = await setBudget(tenant, { amount: 20_000 });
    assertReply(await talk(service, tenant), 200);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 2);
    assertEquals((await stateOf(budget)).used, 2_150);

    service.model.script(tenant.modelName, ...script);
    // Enough for one call, but not for two.
    await setBudget(tenant, { amount: 2_150 + 2_500 });
    const reply = await talk(service, tenant);
    assertReply(reply, 200);
    // The coach's own sentence, which costs nothing.
    assert(!reply.text.includes("I do not know."), reply.text);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 3);
    assertEquals((await stateOf(budget)).used, 2_150 + 1_020);
  });

  await t.step("a request that the server fails is only sent again within the budget", async () => {
    const tenant = await createTenant({}, { max_output_tokens: 3_000 });
    await setBudget(tenant, { amount: 6_000 });
    service.model.script(tenant.modelName, { steps: [{ status: 500 }] }, { steps: [{ text: "Again." }] });
    assertReply(await talk(service, tenant), 502);
    assertEquals(service.model.requestsOf(tenant.modelName).length, 1);
    await setBudget(tenant, { amount: 20_000 });
    service.model.script(tenant.modelName, { steps: [{ status: 500 }] }, { steps: [{ text: "Again." }] });
    assertReply(await talk(service, tenant), 200);
  });

  await t.step("a pinned answer costs nothing and is always given", async () => {
    const tenant = await createTenant({ scopes: ["chat", "expert"] });
    await setBudget(tenant, { amount: 1 });
    const pinned = { question: "When should I fast?", answer: "In spring." };
    assertReply(await ask(service, "POST", `/coaches/${tenant.coachId}/answers`, tenant, pinned), 200);
    const reply = await talk(service, tenant, "u", { message: "When should I fast?" });
    assertReply(reply, 200);
    assert(reply.text.includes("In spring."), reply.text);
    assertReply(await talk(service, tenant, "u", { message: "Why should I fast?" }), 429);
  });

  await t.step("the same request again is answered with what it was, and counts once", async () => {
    const tenant = await createTenant();
    const budget = await setBudget(tenant, { amount: 20_000 });
    service.model.script(tenant.modelName, { steps: [{ text: "Well." }, used(100, 10)] });
    const again = { idempotency_key: crypto.randomUUID() };
    assertReply(await talk(service, tenant, "u", again), 200);
    await setBudget(tenant, { amount: 111 });
    assertReply(await talk(service, tenant, "u", again), 200);
    assertEquals((await stateOf(budget)).used, 110);
  });

  await t.step("a refused request can be sent again with its idempotency key", async () => {
    const tenant = await createTenant();
    await setBudget(tenant, { amount: 10 });
    const again = { idempotency_key: crypto.randomUUID() };
    assertReply(await talk(service, tenant, "u", again), 429);
    await setBudget(tenant, { amount: 20_000 });
    assertReply(await talk(service, tenant, "u", again), 200);
  });

  await t.step("a model server that fails uses nothing up", async () => {
    const tenant = await createTenant();
    const budget = await setBudget(tenant, { amount: 20_000 });
    service.model.script(tenant.modelName, { steps: [{ status: 400, code: "invalid_request" }] });
    await talk(service, tenant);
    assertEquals(await stateOf(budget).then(({ used, reserved }) => [used, reserved]), [0, 0]);
  });
});

Deno.test("whose budget it is", async (t) => {
  await using service = await startService({ timeouts: { flush: 20, poll: 20 } });
  const scripted = async (key?: Parameters<typeof createTenant>[0]) => {
    const tenant = await createTenant(key);
    service.model.script(tenant.modelName, { steps: [{ text: "Well." }, used(3_700, 10)] });
    return tenant;
  };

  await t.step("each user has an amount; callers who name no user share one", async () => {
    const tenant = await scripted();
    const budget = await setBudget(tenant, { amount: 4_000, each_user: true });
    const unnamed = () => talk(service, tenant, undefined, { context: { coachId: tenant.coachId } });
    assertEquals(
      [await talk(service, tenant, "a"), await talk(service, tenant, "b"), await unnamed()].map(status),
      [200, 200, 200],
    );
    assertEquals(
      [await talk(service, tenant, "a"), await talk(service, tenant, "b"), await unnamed()].map(status),
      [429, 429, 429],
    );
    assertEquals((await talk(service, tenant, "c")).status, 200);
    assertEquals((await stateOf(budget)).users, 4);
  });

  await t.step("erasing oneself refills nothing", async () => {
    const tenant = await scripted();
    await setBudget(tenant, { amount: 4_000, each_user: true });
    assertEquals((await talk(service, tenant, "forgetful")).status, 200);
    await operator.rpc("erase_user", { account_id: tenant.accountId, user_id: "forgetful" }).throwOnError();
    assertEquals((await talk(service, tenant, "forgetful")).status, 429);
  });

  await t.step("a budget of a key leaves other keys alone, and outlives the rotation of the key", async () => {
    const tenant = await scripted();
    const other = { ...tenant, ...await issueKey(tenant.accountId) };
    await setBudget(tenant, { amount: 4_000, api_key: tenant.keyId });
    assertEquals([await talk(service, tenant), await talk(service, tenant)].map(status), [200, 429]);
    assertEquals((await talk(service, other)).status, 200);
    const { data } = await operator.rpc("rotate_api_key", { id: tenant.keyId }).throwOnError();
    const successor = { ...tenant, apiKey: (data as { api_key: string }).api_key };
    assertEquals((await talk(service, successor)).status, 429);
  });

  await t.step("a budget of a coach leaves the account's other coaches alone, and other accounts", async () => {
    const [tenant, stranger] = [await scripted(), await scripted()];
    const other = { ...tenant, coachId: (await createCoach(tenant.accountId, { model: tenant.modelName })).id };
    await setBudget(tenant, { amount: 4_000, coach: tenant.coachId });
    assertEquals([await talk(service, tenant), await talk(service, tenant)].map(status), [200, 429]);
    assertEquals([await talk(service, other), await talk(service, stranger)].map(status), [200, 200]);
  });

  await t.step("anonymous users have an amount each, and share ten times as much", async () => {
    const tenant = await scripted();
    const key = await issuePublishableKey(tenant.accountId);
    await setBudget(tenant, { amount: 4_000, each_user: true, anonymous_amount: 4_000 });
    const visit = async () => {
      const { data } = await createAppClient().auth.signInAnonymously();
      return { ...tenant, apiKey: undefined, ...key, accessToken: data.session!.access_token };
    };
    const as = (visitor: Awaited<ReturnType<typeof visit>>): Promise<Reply> =>
      ask(service, "POST", "/chat", visitor, { message: "Hello", context: { coachId: tenant.coachId } });
    const [one, other] = [await visit(), await visit()];
    assertEquals([await as(one), await as(one), await as(other)].map(status), [200, 429, 429]);
    const { accessToken } = await createUser();
    assertEquals((await as({ ...one, accessToken })).status, 200);
  });

  await t.step("a new day has an amount of its own", async () => {
    const tenant = await scripted();
    const budget = await setBudget(tenant, { amount: 4_000 });
    assertEquals([await talk(service, tenant), await talk(service, tenant)].map(status), [200, 429]);
    await operator.from("budgets").update({ period: "week" }).eq("id", budget.id).throwOnError();
    assertEquals((await talk(service, tenant)).status, new Date().getUTCDay() === 1 ? 429 : 200);
  });
});

const status = (reply: Reply) => reply.status;

Deno.test("budgets in money", async (t) => {
  await using service = await startService();

  await t.step("are counted with the price of the coach's model", async () => {
    const tenant = await createTenant();
    await setPrice(tenant.modelName, 2, 8);
    const budget = await setBudget(tenant, { amount: 1_000_000, unit: "micro_usd", period: "month" });
    service.model.script(tenant.modelName, { steps: [{ text: "Well." }, used(1_000, 500)] });
    assertReply(await talk(service, tenant), 200);
    assertEquals((await stateOf(budget)).used, 1_000 * 2 + 500 * 8);
  });

  await t.step("what is left limits the reply", async () => {
    const tenant = await createTenant();
    await setPrice(tenant.modelName, 1, 10);
    await setBudget(tenant, { amount: 20_000, unit: "micro_usd" });
    assertReply(await talk(service, tenant), 200);
    const limit = service.model.requestsOf(tenant.modelName)[0]!.body.max_output_tokens!;
    assert(limit > 1_500 && limit < 2_000, `max_output_tokens is ${limit}`);
  });

  await t.step("a model without a price is refused, never free", async () => {
    const tenant = await createTenant();
    await setBudget(tenant, { amount: 1_000_000_000, unit: "micro_usd" });
    const reply = await talk(service, tenant);
    assertReply(reply, 502);
    assertEquals(reply.headers.get("X-Error-Code"), "price_unknown");
    assertEquals(await storedOf(tenant), { threads: 0, messages: 0 });
    assertEquals(service.model.requestsOf(tenant.modelName).length, 0);
    await setBudget(tenant, { amount: 1_000_000_000, unit: "micro_usd", mode: "warn" });
    assertReply(await talk(service, tenant), 200);
  });
});
