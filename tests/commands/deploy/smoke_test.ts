import { removeSmokeAccount } from "../../../supabase/commands/deploy/try_service.ts";
import { smokeTest, type Trial } from "../../../supabase/commands/deploy/smoke_test.ts";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { gatewayOf } from "../../support/client.ts";
import { handOver } from "../../support/hand_over.ts";
import { clearQueue } from "../../support/knowledge.ts";
import { operator, secretKey } from "../../support/project.ts";
import { serve } from "../../support/serve.ts";
import { startService } from "../../support/service.ts";
import { tickOf, trials, withUserAdministration } from "./smoke_surroundings.ts";

/** The default model of a deployment. */
const model = "gpt-6.1-terra";

type Answer = (request: Request) => Response | Promise<Response>;

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startService());
  await clearQueue();
  const gateway = gatewayOf(service.url);
  const users = new Set<string>();
  const administered = withUserAdministration(gateway, users);
  /** Accounts that the smoke test has created. */
  const accounts: string[] = [];
  const hosted = async (request: Request) => {
    const response = await administered(request);
    if (request.url.endsWith("/rpc/create_account") && response.ok) accounts.push((await response.clone().json()).id);
    return response;
  };

  /** Runs the smoke test on a project that answers like this; returns its findings, its trials and its pauses. */
  async function judge(
    answer: Answer,
    key: string | null = null,
    { meanwhile = () => tickOf(service), hasClock = true, interruption = new AbortController() } = {},
  ) {
    await using project = serve(answer);
    let pauses = 0;
    const tried: Trial[] = [];
    const made: string[] = [];
    const { doesAnswer, findings } = await smokeTest({
      url: project.url,
      secretKey: key,
      hasClock,
      signal: interruption.signal,
      onTrial: (trial) => tried.push(trial),
      onMade: (what) => made.push(what),
      async sleep(_milliseconds, signal) {
        pauses++;
        await meanwhile();
        signal.throwIfAborted();
      },
    });
    assertEquals(
      findings,
      tried.filter(({ finding }) => finding !== null).map(({ name, finding }) => `${name}: ${finding}`),
    );
    assert(tried.every(({ milliseconds }) => milliseconds >= 0));
    return { doesAnswer, findings, tried: tried.map(({ name }) => name), made, pauses };
  }
  /** The number of accounts and users left by the smoke test, after another run that created some. */
  const remains = async () => {
    assert(accounts.length > 0);
    const { data } = await operator.from("accounts").select("id").in("id", accounts.splice(0)).throwOnError();
    return [data.length, users.size];
  };
  return handOver(stack, { service, gateway, users, accounts, hosted, judge, remains });
}

Deno.test("the smoke test of a deployment", async (t) => {
  await using prepared = await prepare();
  const { service, gateway, accounts, hosted, judge, remains } = prepared;

  await t.step("passes with this version, and without a key tries nothing else", async () => {
    assertEquals(await judge(gateway), {
      doesAnswer: true,
      findings: [],
      tried: ["the document", "a refusal"],
      made: [],
      pauses: 0,
    });
  });

  await t.step(
    "with a key it tries the model, a file, a user and the schedule, and removes what it created",
    async () => {
      service.model.script(model, { steps: [{ text: "Good morning." }] });
      const { findings, tried, made } = await judge(hosted, secretKey);
      assertEquals([findings, tried], [[], ["the document", "a refusal", ...trials]]);
      assertEquals(made.length, 2);
      assertEquals(made[0], `the account ${accounts[0]}`);
      assertMatch(made[1]!, /^the user smoke-test-.*@example\.com$/);
      // Beside what sweeps ask meanwhile about other coaches.
      const asked = service.model.requestsOf(model).filter(({ body }) =>
        JSON.stringify(body.input).includes('"Hello"')
      );
      assertEquals(asked.length, 1);
      assertEquals(await remains(), [0, 0]);
    },
  );

  await t.step("waits for functions that are waking up", async () => {
    const asleep = [503, 404];
    const waking = (request: Request) => {
      const status = asleep.shift();
      return status === undefined ? gateway(request) : new Response("Not yet", { status });
    };
    const { findings, pauses } = await judge(waking);
    assertEquals([findings, pauses], [[], 2]);
  });

  await t.step("reports another version, and then tries nothing else", async () => {
    assertEquals(await judge(() => Response.json({ openapi: "3.1.1" }), secretKey), {
      doesAnswer: false,
      findings: ["the document: GET /functions/v1/docs/openapi.json returns the document of another version"],
      tried: ["the document"],
      made: [],
      pauses: 5,
    });
  });

  await t.step("reports that the platform checks tokens", async () => {
    const { findings } = await judge((request) =>
      request.url.endsWith("/chat") ? Response.json({ message: "No authorization" }, { status: 401 }) : gateway(request)
    );
    assertEquals(findings, [
      'a refusal: POST /functions/v1/chat without a key returns 401 {"message":"No authorization"} instead of 401 Missing API key',
    ]);
  });

  await t.step("reports a key of another project", async () => {
    const { findings, tried } = await judge(hosted, "sb_secret_of_another");
    assertMatch(findings.join(), /^an account, a coach and a key: ./);
    assertEquals(tried, ["the document", "a refusal", trials[0]!]);
  });

  await t.step("reports a model that refuses, with the cause, and tries the rest", async () => {
    service.model.script(model, { steps: [{ status: 401 }] });
    const { findings, tried } = await judge(hosted, secretKey);
    assertEquals([findings.length, tried.length], [1, 2 + trials.length], findings.join());
    assertMatch(findings[0]!, /^a message to the model: .*Cause, from the table messages: .*401/);
    assertEquals(await remains(), [0, 0]);
  });

  await t.step("reports an answer that breaks off", async () => {
    service.model.script(model, { steps: [{ text: "Good" }, { cut: true }] });
    const { findings } = await judge(hosted, secretKey);
    assertMatch(findings.join(), /^a message to the model: ./);
    service.model.script(model, { steps: [{ text: "Good morning." }] });
  });

  await t.step("does not wait for a schedule without its secrets", async () => {
    const { findings, tried, doesAnswer } = await judge(hosted, secretKey, { hasClock: false });
    assertEquals([findings, doesAnswer], [[], true]);
    assertEquals(tried.slice(2), trials.filter((trial) => trial !== "the clock of the indexer"));
    assertEquals(await remains(), [0, 0]);
  });

  await t.step("reports a schedule that does not call the indexer", async () => {
    const { findings, pauses } = await judge(hosted, secretKey, { meanwhile: () => service.turns() });
    assertEquals(findings.length, 1, findings.join());
    assertMatch(
      findings[0]!,
      /^the clock of the indexer: the file was not indexed within 150 seconds\.[^]*cron\.job_run_details/,
    );
    assert(pauses >= 30);
    assertEquals(await remains(), [0, 0]);
  });
});

Deno.test("the smoke test of a deployment removes what it created", async (t) => {
  await using prepared = await prepare();
  const { service, users, hosted, judge, remains } = prepared;

  await t.step("reports that Storage fails, and still removes the account", async () => {
    service.supabase.fault = (path) => path.startsWith("/storage/") ? "refuse" : "pass";
    const { findings, tried } = await judge(hosted, secretKey);
    service.supabase.fault = "pass";
    assertMatch(findings.join(), /^an upload, and a search for what is in it: ./);
    assert(!tried.includes("the clock of the indexer"));
    assertEquals(await remains(), [0, 0]);
  });

  await t.step("reports that Auth refuses to sign in, and still removes the user", async () => {
    const { findings } = await judge(
      (request) =>
        request.url.includes("/auth/v1/token")
          ? Response.json({ msg: "Email not confirmed" }, { status: 400 })
          : hosted(request),
      secretKey,
    );
    assertEquals(findings, ["a signed-in user: Email not confirmed"]);
    assertEquals(await remains(), [0, 0]);
  });

  await t.step("interrupted while it waits, removes what it created", async () => {
    const interruption = new AbortController();
    const { findings, tried } = await judge(hosted, secretKey, {
      interruption,
      async meanwhile() {
        // By then the user exists.
        if (users.size > 0) interruption.abort(new Error("Ctrl-C"));
        else await tickOf(service);
      },
    });
    assertEquals(findings, ["the clock of the indexer: interrupted"]);
    assertEquals(tried, ["the document", "a refusal", ...trials]);
    assertEquals(await remains(), [0, 0]);
  });

  await t.step("interrupted while the model answers, removes what it created and tries nothing else", async () => {
    const interruption = new AbortController();
    const { findings, tried } = await judge(
      (request) => {
        if (!request.url.endsWith("/functions/v1/chat") || !request.headers.has("X-API-Key")) return hosted(request);
        interruption.abort(new Error("Ctrl-C"));
        // The model's answer never comes.
        return new Promise((resolve) => request.signal.addEventListener("abort", () => resolve(new Response())));
      },
      secretKey,
      { interruption },
    );
    assertEquals(findings, ["a message to the model: interrupted"]);
    assertEquals(tried, ["the document", "a refusal", ...trials.slice(0, 3), "the removal of the account"]);
    assertEquals(await remains(), [0, 0]);
  });

  await t.step("interrupted before the functions answer, creates nothing", async () => {
    const interruption = new AbortController();
    const asleep = () => new Response("Not yet", { status: 503 });
    const { doesAnswer, tried, made, pauses } = await judge(asleep, secretKey, {
      interruption,
      meanwhile: () => Promise.resolve(interruption.abort(new Error("Ctrl-C"))),
    });
    assertEquals([doesAnswer, tried, made, pauses], [false, ["the document"], [], 1]);
  });

  await t.step("names what it cannot remove, and how to remove it by hand", async () => {
    const { findings, made } = await judge((request) => {
      const { pathname } = new URL(request.url);
      const isRemoval = request.method === "DELETE" && /\/(admin\/users|threads$)/.test(pathname);
      return isRemoval ? Response.json({ msg: "no", message: "no" }, { status: 403 }) : hosted(request);
    }, secretKey);
    const [account, user] = made;
    assertMatch(findings[0]!, /^the removal of the user: .*Authentication > Users$/);
    assert(findings[0]!.includes(`${user} remains`), findings[0]);
    assertMatch(findings[1]!, /^the removal of the account: .*delete from threads where account_id = '.*;$/);
    assert(findings[1]!.includes(`${account} remains`), findings[1]);
    assertEquals([findings.length, await remains()], [2, [1, 1]]);
    // Removes it by hand.
    users.clear();
    await removeSmokeAccount(operator, account!.replace("the account ", ""));
  });
});
