import { assert, assertEquals, assertMatch } from "../support/assert.ts";
import { clearQueue, sweep } from "../support/knowledge.ts";
import { createCoach, createTenant, operator } from "../support/project.ts";
import { type Service, type ServiceOptions, startService } from "../support/service.ts";

const day = 24 * 60 * 60 * 1_000;
const dateIn = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);

async function makeDue(): Promise<void> {
  await operator.from("model_checks").update({ due_at: new Date(0).toISOString() }).eq("is_only", true).throwOnError();
}

/** In how many minutes the next check is due, rounded. */
async function minutesToCheck(): Promise<number> {
  const { data } = await operator.from("model_checks").select("due_at").single().throwOnError();
  return Math.round((Date.parse(data.due_at) - Date.now()) / (60 * 1_000));
}

/** The warnings as operators see them. */
async function warningsShown() {
  const { data } = await operator.from("recent_errors").select("*").eq("kind", "model").order("error").throwOnError();
  return data;
}

/** The log lines of the level `warn`, without the fields that every line of a request has. */
async function warningsLogged(service: Service) {
  const lines = (await service.logs()).filter(({ level }) => level === "warn");
  return lines.map(({ event, setting, model, date, reason }) =>
    Object.fromEntries(
      Object.entries({ event, setting, model, date, reason }).filter(([, value]) => value !== undefined),
    )
  );
}

const env = {
  OPENAI_MODEL: "chat",
  OPENAI_EMBEDDING_MODEL: "vectors",
  OPENAI_VISION_MODEL: "none",
  OPENAI_TRANSCRIPTION_MODEL: "none",
};

/** A list that also has the models of the coaches so far, which are those of other tests. */
async function listOf(...models: { id: string; shutdown_date?: string | null }[]): Promise<unknown[]> {
  const { data } = await operator.from("coach_profiles").select("model").not("model", "is", null).throwOnError();
  return [...models, ...data.map(({ model }) => ({ id: model }))];
}

const startChecked = async (options: ServiceOptions = {}) => {
  await clearQueue();
  return await startService({ ...options, env: { ...env, ...options.env } });
};

Deno.test("the daily check of models", async (t) => {
  await t.step("while it is not due, a sweep asks no server, and the database no more than before", async () => {
    await using service = await startChecked();
    await sweep(service);
    service.supabase.requests.length = 0;
    await sweep(service);
    assertEquals(service.model.listings, []);
    // Threads and files of other tests may have become due meanwhile, for their search, topics and comparison.
    const ofOthers =
      /\/rpc\/(index_threads|find_lexemes|reserve_work|extend_reservation|settle_work|\w+_topics|\w+_comparison)$/;
    const requests = service.supabase.requests.filter((path) => !ofOthers.test(path));
    assertEquals(requests, ["/rest/v1/rpc/take_indexing_work"]);
  });

  await t.step("models that end or are missing are logged and shown; the next check is a day later", async () => {
    await using service = await startChecked();
    const date = dateIn(30);
    service.model.scriptModels(await listOf({ id: "chat", shutdown_date: date }, { id: "other" }));
    await makeDue();
    await sweep(service);
    assertEquals(await warningsLogged(service), [
      { event: "model_ends", setting: "OPENAI_MODEL", model: "chat", date },
      { event: "model_missing", setting: "OPENAI_EMBEDDING_MODEL", model: "vectors", date: null },
    ]);
    const shown = await warningsShown();
    assertEquals(shown.map(({ error }) => error), [
      "OPENAI_EMBEDDING_MODEL: the model's server does not list vectors. Correct the name, or set it to a model that " +
      "is listed.",
      `OPENAI_MODEL: the model chat ends on ${date}. Set it to one that stays.`,
    ]);
    for (const row of shown) assertEquals([row.account_id, row.account_name, row.coach_id], [null, null, null]);
    assertEquals(await minutesToCheck(), 24 * 60);

    await sweep(service);
    assertEquals(service.model.listings.length, 1);
  });

  await t.step("a server that cannot be asked: logged, warnings stay, and it is asked in ten minutes", async () => {
    const before = await warningsShown();
    assertEquals(before.length, 2);
    await using service = await startChecked({ timeouts: { modelList: 50 } });
    for (
      const [failure, reason] of [
        [{ status: 401 }, "AuthenticationError 401"],
        [{ status: 500 }, "InternalServerError 500"],
        [{ hang: true }, "TimeoutError 23"],
      ] as const
    ) {
      await service.clearLogs();
      service.model.scriptModels(failure);
      await makeDue();
      await sweep(service);
      assertEquals(await warningsLogged(service), [{ event: "models_not_checked", reason }]);
      assertEquals(await warningsShown(), before);
      assertEquals(await minutesToCheck(), 10);
    }
  });

  await t.step("warnings end when they are not found any more", async () => {
    await using service = await startChecked();
    service.model.scriptModels(await listOf({ id: "chat", shutdown_date: null }, { id: "vectors" }));
    await makeDue();
    await sweep(service);
    assertEquals(await warningsLogged(service), []);
    assertEquals(await warningsShown(), []);
    assertEquals(service.model.listings.length, 1);
  });

  await t.step("a server without a list: no warnings, and the next check is a day later", async () => {
    await using service = await startChecked();
    await makeDue();
    await sweep(service);
    assertEquals([await warningsLogged(service), await warningsShown()], [[], []]);
    assertEquals([service.model.listings.length, await minutesToCheck()], [1, 24 * 60]);
  });

  await t.step("the models of active coaches are checked too, and shown with coach and account", async () => {
    await using service = await startChecked();
    const tenant = await createTenant();
    service.model.scriptModels(await listOf({ id: "chat" }, { id: "vectors" }, { id: "coaches-own" }));
    const addCoach = async (model: string, is_active = true) =>
      (await createCoach(tenant.accountId, { model, is_active })).id;
    const gone = [await addCoach("gone"), await addCoach("gone")];
    await addCoach("coaches-own");
    await addCoach("given-up", false);
    await makeDue();
    await sweep(service);
    assertEquals(await warningsLogged(service), [
      { event: "model_missing", setting: "coach_profiles.model", model: "gone", date: null },
    ]);
    const shown = await warningsShown();
    assertEquals(shown.map(({ coach_id }) => coach_id).toSorted(), gone.toSorted());
    for (const { account_id, account_name, coach_name, error } of shown) {
      assertEquals(account_id, tenant.accountId);
      assert(account_name && coach_name);
      assertMatch(error!, /^coach_profiles\.model: the model's server does not list gone\./);
    }

    // At once, not with the next check.
    await operator.from("coach_profiles").update({ model: null }).eq("id", gone[0]!).throwOnError();
    assertEquals((await warningsShown()).map(({ coach_id }) => coach_id), [gone[1]!]);
    await operator.from("coach_profiles").update({ is_active: false }).eq("id", gone[1]!).throwOnError();
    assertEquals(await warningsShown(), []);
  });

  await t.step("of two workers only one asks", async () => {
    await using one = await startChecked();
    await using other = await startChecked();
    await makeDue();
    await Promise.all([sweep(one), sweep(other), sweep(one), sweep(other)]);
    assertEquals(one.model.listings.length + other.model.listings.length, 1);
  });
});
