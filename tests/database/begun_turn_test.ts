import { type NewTurn, storeTurn } from "../../shared/features/chat/turn/store_turn.ts";
import type { AccountDatabase } from "../../shared/infra/db/account_database.ts";
import { parseReply } from "../../shared/infra/db/database.ts";
import { reasoningEfforts } from "../../shared/libs/llm/model_settings.ts";
import { assertEquals } from "../support/assert.ts";
import * as sql from "../support/migrated_postgres.ts";

Deno.test("a turn that begins tells how its coach wants the model to answer", async (t) => {
  await using postgres = await sql.createMigratedPostgres();
  const { accountId, coachId } = await sql.insertCoach(postgres);
  const database: AccountDatabase = {
    call: async (name, { user_id, turn }: Record<string, unknown>, schema) =>
      parseReply(name, schema, await sql.beginTurn(postgres, { ...turn as object, user_id, account_id: accountId })),
    admit: () => Promise.resolve(),
    callForBytes: () => Promise.reject(new Error("is not called")),
  };
  const begin = async () => {
    const turn: NewTurn = {
      ...{
        coachId,
        threadId: null,
        newThreadId: null,
        replaces: null,
        userId: "u",
        isSignedIn: false,
        isExpertAction: false,
        conversation: null,
        person: null,
        plan: {
          usualModel: "m",
          outputMost: null,
          inputTokens: 0,
          quotedTokens: 0,
          embeddingModel: null,
          isEmbeddingCounted: false,
        },
      },
      ...{
        message: "Q",
        title: "Q",
        mode: null,
        requestId: "r",
        runId: crypto.randomUUID(),
        historyCharacters: null,
      },
    };
    const begun = await storeTurn(database, turn, null);
    return "coach" in begun ? begun.coach : begun;
  };
  const plain = {
    id: coachId,
    name: "Ada",
    title: "Coach",
    instructions: "Teach.",
    language: "english",
    noAnswer: null,
    takeoverNotice: null,
  };

  await t.step("null where the coach has no setting of its own", async () => {
    assertEquals(await begin(), {
      ...plain,
      model: null,
      temperature: null,
      reasoningEffort: null,
      verbosity: null,
      maxOutputTokens: null,
      storeResponses: null,
    });
  });

  await t.step("otherwise the coach's own", async () => {
    await postgres.query(
      `update coach_profiles set model = 'm', temperature = 0.5, reasoning_effort = 'max', verbosity = 'low',
         max_output_tokens = 16, store_responses = false where id = $1`,
      [coachId],
    );
    assertEquals(await begin(), {
      ...plain,
      model: "m",
      temperature: 0.5,
      reasoningEffort: "max",
      verbosity: "low",
      maxOutputTokens: 16,
      storeResponses: false,
    });
  });

  for (const effort of reasoningEfforts) {
    await t.step(`Postgres and the functions know the effort ${effort}`, async () => {
      await postgres.query("update coach_profiles set reasoning_effort = $2 where id = $1", [coachId, effort]);
      const coach = await begin();
      assertEquals("reasoningEffort" in coach && coach.reasoningEffort, effort);
    });
  }
});
