import { createNativePostgres, startNativeBackend } from "../bench/native_postgres.ts";
import { assertEquals } from "../support/assert.ts";
import { startFunctionProcess } from "../support/function_process.ts";
import { startModelServer } from "../support/model_server.ts";

/** Time passes in private tables: this test needs the native Postgres that `DATABASE_URL` names. */
const server = Deno.env.get("DATABASE_URL");

Deno.test(
  { name: "a turn with store: false whose worker is killed in the middle of it", ignore: !server },
  async () => {
    await using database = await createNativePostgres(server!);
    await using backend = await startNativeBackend(database, { latency: 0 });
    await using model = await startModelServer();
    const [account] = await database.query<{ id: string }>("insert into accounts (name) values ('Test') returning id");
    await database.query(
      `insert into coach_profiles (id, account_id, name, title, instructions, model)
     values ('ada', $1, 'Ada', 'Coach', 'Teach.', 'slow')`,
      [account!.id],
    );
    const [issued] = await database.query<{ key: string }>("select issue_api_key($1, 'test')->>'api_key' as key", [
      account!.id,
    ]);
    model.script("slow", { steps: [{ text: "I will" }, { hang: true }] });
    const countMessages = async () =>
      (await database.query<{ count: number }>("select count(*)::integer as count from messages"))[0]!.count;

    await using openai = await startFunctionProcess("openai", { ...backend.env, OPENAI_BASE_URL: model.baseUrl });
    const reply = await fetch(`${openai.url}/openai/v1/responses`, {
      method: "POST",
      headers: { Authorization: `Bearer ${issued!.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ model: "ada", input: "Forget this", store: false, stream: true }),
    });
    assertEquals(reply.status, 200);
    const reader = reply.body!.getReader();
    await reader.read();
    await openai.kill("SIGKILL");
    await reader.read().catch(() => {});
    assertEquals(await countMessages(), 2);

    await database.query("update private.unkept_answers set due_at = now()");
    await database.query("select take_indexing_work()");
    assertEquals(await countMessages(), 0);
  },
);
