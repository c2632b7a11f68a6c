import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import type { Role } from "../../shared/features/experts/roles.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { AiClient } from "../support/ai_client.ts";
import { chat, type Credentials } from "../support/client.ts";
import { connect } from "../support/mcp.ts";
import {
  addExpert,
  allScopes,
  createCoach,
  createTenant,
  createUser,
  issueKey,
  issuePublishableKey,
  operator,
} from "../support/project.ts";
import { startService } from "../support/service.ts";

/** The codes with which a call is refused if the caller may not call the tool, whatever the arguments. */
const notForCaller = ["missing_scope", "not_the_expert", "not_the_coach", "role_not_sufficient"];

/** Arguments of every tool that change nothing where the call is not refused, or the same each time. */
function argumentsOf(coachId: string, threadId: string): Record<string, Record<string, unknown>> {
  const unknown = crypto.randomUUID();
  return {
    "list-coaches": {},
    "chat": { message: "Hi", thread_id: unknown },
    "get-user-threads": { userId: "me" },
    "threads": { threadId: unknown },
    "ask-expert": { threadId: unknown },
    "list-requests": { threadId: unknown },
    "search-knowledge": { coachId },
    "read-source": { coachId, fileId: unknown },
    "upload-knowledge": { coachId, files: [{ filename: "a.md", text: "The same" }] },
    "add-source": { coachId, url: "https://lamps.invalid/", kind: "page", refresh: "never" },
    "delete-knowledge": { coachId, fileId: unknown },
    "list-questions": { coachId },
    "answer-question": { coachId, questionId: unknown, answer: "Yes." },
    "revise-answer": { threadId, messageId: unknown, answer: "Yes." },
  };
}

/** The tools that a caller is shown, and those whose calls are not refused because of who the caller is. */
async function tryAll(
  client: Client,
  args: ReturnType<typeof argumentsOf>,
): Promise<{ listed: string[]; callable: string[] }> {
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  const callable: string[] = [];
  for (const [name, input] of Object.entries(args)) {
    const { _meta } = await client.callTool({ name, arguments: input }) as CallToolResult;
    if (!notForCaller.includes(String(_meta?.error_code))) callable.push(name);
  }
  return { listed, callable };
}

Deno.test("MCP: a caller is shown the tools that it may call, and no other", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({ requests_per_minute: 1_000 });
  const elsewhere = await createTenant();
  const { coachId } = tenant;
  const { threadId } = await chat(service, tenant, { message: "Hello", context: { coachId, userId: "u" } });
  const args = argumentsOf(coachId, threadId);

  const roles: Role[] = ["answerer", "editor", "owner"];
  const other = await createCoach(tenant.accountId);
  const users = new Map<string, Credentials>([["the key alone", {}]]);
  for (const name of ["a user", "an expert of another account", ...roles]) {
    const user = await createUser();
    if (roles.includes(name as Role)) {
      await addExpert(coachId, user, name as Role);
      await addExpert(other.id, user, "answerer");
    }
    if (name === "an expert of another account") await addExpert(elsewhere.coachId, user, "owner");
    users.set(name, { accessToken: user.accessToken });
  }
  const found = new Map<string, string[]>();

  for (const scope of allScopes) {
    const key = await issueKey(tenant.accountId, { scopes: [scope], requests_per_minute: 1_000 });
    for (const [name, credentials] of users) {
      await t.step(`scope ${scope}, ${name}: the list and the calls agree`, async () => {
        await using client = await connect(service, { ...key, ...credentials });
        const { listed, callable } = await tryAll(client, args);
        assertEquals(listed, callable);
        found.set(`${scope}, ${name}`, listed);
      });
    }
  }

  await t.step("every tool is shown to somebody, and its arguments were tried", () => {
    assertEquals(new Set([...found.values()].flat()), new Set(Object.keys(args)));
  });

  await t.step("what that means", () => {
    const expert = ["list-questions", "answer-question", "revise-answer"];
    const change = ["upload-knowledge", "add-source", "delete-knowledge"];
    assertEquals(found.get("chat, the key alone"), ["list-coaches", "chat", "ask-expert"]);
    assertEquals(found.get("chat, a user"), ["list-coaches", "chat", "ask-expert"]);
    assertEquals(found.get("chat, an expert of another account"), ["list-coaches", "chat", "ask-expert"]);
    assertEquals(found.get("chat, answerer"), ["list-coaches", "chat", "ask-expert", ...expert]);
    assertEquals(found.get("threads:read, a user"), ["get-user-threads", "threads", "list-requests"]);
    assertEquals(found.get("threads:write, the key alone"), []);
    assertEquals(found.get("threads:write, editor"), expert);
    assertEquals(found.get("knowledge:read, the key alone"), ["search-knowledge", "read-source"]);
    // With a secret key, it is the key that reads.
    assertEquals(found.get("knowledge:read, a user"), ["search-knowledge", "read-source"]);
    assertEquals(found.get("knowledge:read, answerer"), ["search-knowledge", "read-source", ...expert]);
    assertEquals(found.get("knowledge:write, the key alone"), change);
    assertEquals(found.get("knowledge:write, answerer"), expert);
    assertEquals(found.get("knowledge:write, editor"), [...change, ...expert]);
    assertEquals(found.get("knowledge:write, owner"), [...change, ...expert]);
    assertEquals(found.get("expert, the key alone"), expert);
    assertEquals(found.get("expert, a user"), []);
  });

  await t.step("read-source is for everybody who may chat, as soon as the sources of a coach are open", async () => {
    const change = (settings: { sources_are_open?: boolean; is_active?: boolean }) =>
      operator.from("coach_profiles").update(settings).eq("id", coachId).throwOnError();
    await change({ sources_are_open: true });
    const key = await issueKey(tenant.accountId, { scopes: ["chat"] });
    for (const name of ["the key alone", "a user"]) {
      await using client = await connect(service, { ...key, ...users.get(name) });
      const { listed, callable } = await tryAll(client, args);
      assertEquals([name, listed], [name, ["list-coaches", "chat", "ask-expert", "read-source"]]);
      assertEquals([name, callable], [name, listed]);
      await change({ is_active: false });
      assertEquals((await client.listTools()).tools.map(({ name }) => name), listed.slice(0, 3));
      await change({ is_active: true });
    }
  });

  await t.step("a role that ends takes its tools away", async () => {
    const user = await createUser();
    const credentials = { ...await issueKey(tenant.accountId), accessToken: user.accessToken };
    await using client = await connect(service, credentials);
    const isListed = async () => (await client.listTools()).tools.some(({ name }) => name === "answer-question");
    await addExpert(coachId, user, "answerer");
    assert(await isListed());
    await operator.from("coach_experts").delete().match({ coach_id: coachId, user_id: user.id }).throwOnError();
    assertEquals(await isListed(), false);
  });
});

Deno.test("MCP: an app is shown the tools that its person may call", async (t) => {
  await using service = await startService();
  const tenant = await createTenant({}, { sources_are_open: true });
  const { coachId } = tenant;
  const { threadId } = await chat(service, tenant, { message: "Hello", context: { coachId, userId: "u" } });
  const args = argumentsOf(coachId, threadId);
  const ofScope: Record<string, string[]> = {
    "chat": ["list-coaches", "chat", "ask-expert", "read-source"],
    "threads:read": ["get-user-threads", "threads", "list-requests"],
    "threads:write": [],
  };
  const expert = ["list-questions", "answer-question", "revise-answer"];
  const read = ["search-knowledge", "read-source"];
  const change = ["upload-knowledge", "add-source", "delete-knowledge"];
  const ofRole: Record<string, string[]> = {
    "a user": [],
    "answerer": [...read, ...expert],
    "editor": [...read, ...change, ...expert],
    "owner": [...read, ...change, ...expert],
  };
  for (const [role, tools] of Object.entries(ofRole)) {
    const user = await createUser();
    if (role !== "a user") await addExpert(coachId, user, role as Role);
    const app = new AiClient(user);
    for (const [scope, others] of Object.entries(ofScope)) {
      await t.step(`scope ${scope}, ${role}`, async () => {
        const { publishableKey } = await issuePublishableKey(tenant.accountId, {
          origins: [],
          allows_mcp: true,
          scopes: [scope],
          requests_per_minute: 1_000,
        });
        await using client = await app.connect(`${service.supabase.url}/functions/v1/mcp/${publishableKey}`);
        const { listed, callable } = await tryAll(client, args);
        const order = Object.keys(args);
        const expected = order.filter((name) => others.includes(name) || tools.includes(name));
        assertEquals(listed, callable);
        assertEquals(listed, expected);
      });
    }
  }
});
