/**
 * The other baseline: a plain service on Deno and Postgres, without REST between them. It checks a key, reads the
 * history, stores the question and the answer, streams the model's text, and lists threads and messages. It has no
 * limits, no users, no knowledge, and no recovery from errors. Requests and replies have the same form as those of the
 * service.
 */
import { EventSourceParserStream } from "eventsource-parser/stream";
import { Hono } from "hono";
import pg from "pg";

const pool = new pg.Pool({ connectionString: Deno.env.get("DATABASE_URL"), max: 10 });
const modelUrl = Deno.env.get("OPENAI_BASE_URL")!;
const encoder = new TextEncoder();

/** Runs a statement and returns its rows. */
async function query(sql: string, parameters: unknown[]): Promise<{ [column: string]: string }[]> {
  return (await pool.query(sql, parameters)).rows;
}

const app = new Hono<{ Variables: { accountId: string } }>();

app.use(async (c, next) => {
  const bytes = encoder.encode(c.req.header("X-API-Key") ?? "");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const [key] = await query(
    "select account_id from plain.api_keys where digest = $1",
    [hex],
  );
  if (key === undefined) return c.json({ error: "Unauthorized" }, 401);
  c.set("accountId", key.account_id!);
  await next();
});

app.post("/chat", async (c) => {
  const { message, thread_id, context } = await c.req.json();
  const [coach] = await query(
    "select id, instructions, model from plain.coaches where id = $1 and account_id = $2",
    [context.coachId, c.var.accountId],
  );
  if (coach === undefined) return c.json({ error: "Coach not found" }, 404);
  const threadId = thread_id ?? crypto.randomUUID();
  if (thread_id === undefined) {
    await query(
      "insert into plain.threads (id, coach_id, user_id, title) values ($1, $2, 'someone', $3)",
      [threadId, coach.id, message],
    );
  }
  const history = await query(
    "select role, content from plain.messages where thread_id = $1 order by created_at desc limit 20",
    [threadId],
  );
  await query(
    "insert into plain.messages (thread_id, role, content) values ($1, 'user', $2)",
    [threadId, message],
  );
  const response = await fetch(`${modelUrl}/responses`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      model: coach.model,
      instructions: coach.instructions,
      input: [...history.toReversed(), { role: "user", content: message }],
      stream: true,
    }),
  });

  let answer = "";
  const reply = response.body!
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .pipeThrough(
      new TransformStream({
        transform({ event, data }, controller) {
          if (event !== "response.output_text.delta") return;
          const { delta } = JSON.parse(data);
          answer += delta;
          controller.enqueue(encoder.encode(`data: ${delta.replaceAll("\n", "\ndata: ")}\n\n`));
        },
        async flush() {
          await query(
            "insert into plain.messages (thread_id, role, content) values ($1, 'assistant', $2)",
            [threadId, answer],
          );
          await query(
            "update plain.threads set updated_at = now() where id = $1",
            [threadId],
          );
        },
      }),
    );
  return new Response(reply, { headers: { "Content-Type": "text/event-stream", "X-Thread-Id": threadId } });
});

app.get("/users/:userId/threads", async (c) => {
  const data = await query(
    "select thread.id, thread.title, thread.created_at, thread.updated_at, thread.coach_id, thread.user_id, json_build_object('name', coach.name, 'title', coach.title) as coach_profiles from plain.threads as thread join plain.coaches as coach on coach.id = thread.coach_id where thread.user_id = $1 and coach.account_id = $2 order by thread.updated_at desc",
    [c.req.param("userId"), c.var.accountId],
  );
  return c.json({ data, count: data.length });
});

app.get("/threads/:threadId/messages", async (c) => {
  const data = await query(
    "select id, thread_id, content, role, created_at from plain.messages where thread_id = $1 order by created_at",
    [c.req.param("threadId")],
  );
  return c.json({ data, count: data.length });
});

Deno.serve(app.fetch);
