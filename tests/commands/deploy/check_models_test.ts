import type { ModelServer } from "../../../shared/libs/llm/model_settings.ts";
import { createModelCatalogue } from "../../../shared/libs/llm/model_catalogue.ts";
import { checkModels } from "../../../supabase/commands/deploy/check_models.ts";
import { assertEquals, assertMatch } from "../../support/assert.ts";
import { startModelServer } from "../../support/model_server.ts";

const never = new AbortController().signal;

Deno.test("checkModels", async (t) => {
  await using server = await startModelServer();
  const check = async (secrets: Record<string, string>, secretsBefore: string[] = [], signal = never) => {
    server.listings.length = 0;
    return await checkModels({
      secrets: new Map(Object.entries(secrets)),
      secretsBefore,
      // Where no address is configured, it would be OpenAI's.
      createModelCatalogue: (env: ModelServer) => ({
        ...createModelCatalogue(env),
        list: createModelCatalogue({ ...env, baseUrl: server.baseUrl }).list,
      }),
      signal,
    });
  };
  const openai = { OPENAI_API_KEY: "sk-test" };
  const missing = (subject: string) => `${subject} is not in the server's list of models: choose one that is`;

  await t.step("nothing is said of models that stay", async () => {
    server.scriptModels([{ id: "chat", shutdown_date: null }]);
    const secrets = {
      ...openai,
      OPENAI_MODEL: " chat ",
      OPENAI_EMBEDDING_MODEL: "none",
      OPENAI_VISION_MODEL: "none",
      OPENAI_TRANSCRIPTION_MODEL: "none",
    };
    assertEquals(await check(secrets), []);
    assertEquals(server.listings.length, 1);
  });

  await t.step("of a model in the file the setting is named, of a default the model too", async () => {
    server.scriptModels([{ id: "other" }]);
    const said = await check({ ...openai, OPENAI_MODEL: "of-ours", OPENAI_TRANSCRIPTION_MODEL: "none" });
    assertEquals(said[0], missing("the model that OPENAI_MODEL names"));
    assertMatch(said[1]!, /^[\w.-]+, the default of OPENAI_EMBEDDING_MODEL, is not in the server's list/);
    assertEquals(said.length, 2);
  });

  await t.step("of settings whose value was set earlier nothing is said", async () => {
    const before = ["OPENAI_MODEL", "OPENAI_VISION_MODEL", "OPENAI_TRANSCRIPTION_MODEL"];
    const said = await check({ ...openai, OPENAI_EMBEDDING_MODEL: "of-ours" }, before);
    assertEquals(said, [missing("the model that OPENAI_EMBEDDING_MODEL names")]);
  });

  for (
    const [name, secrets, before] of [
      ["no key", {}, []],
      ["a key that was set earlier", { OPENAI_MODEL: "of-ours" }, ["OPENAI_API_KEY"]],
      ["an address that was set earlier", openai, ["OPENAI_BASE_URL"]],
    ] satisfies [string, Record<string, string>, string[]][]
  ) {
    await t.step(`${name} → no server is asked`, async () => {
      assertEquals(await check(secrets, before), []);
      assertEquals(server.listings.length, 0);
    });
  }

  await t.step("a server without a list → nothing is said", async () => {
    server.scriptModels({ status: 404 });
    assertEquals(await check(openai), []);
  });

  await t.step("a server that refuses or does not answer → one sentence", async () => {
    const sentence = (reason: string) =>
      `the names of the models were not checked: their server does not list its models (${reason})`;
    server.scriptModels({ status: 401, code: "invalid_api_key" });
    assertEquals(await check(openai), [sentence("AuthenticationError invalid_api_key 401")]);
    server.scriptModels({ hang: true });
    assertEquals(await check(openai, [], AbortSignal.timeout(20)), [sentence("TimeoutError 23")]);
  });
});
