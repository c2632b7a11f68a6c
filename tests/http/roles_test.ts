import { roles } from "../../shared/features/experts/roles.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { type Credentials, send } from "../support/client.ts";
import { type Endpoint, endpoints, pathOf } from "../support/interface.ts";
import { addFile } from "../support/knowledge.ts";
import {
  addExpert,
  allScopes,
  createTenant,
  createUser,
  issueKey,
  issuePublishableKey,
  signInAnonymously,
} from "../support/project.ts";
import { type Refusal, told } from "../support/refusals.ts";
import { startService } from "../support/service.ts";
import { firstOfEachKind } from "../support/slow.ts";
import { createThings } from "../support/things.ts";

/** What a caller gets: the usual status of the request, or a refusal. */
type Expected = number | Refusal;

type Caller = "owner" | "editor" | "answerer" | "stranger" | "anonymous" | "key" | "publishable key";

/** What each caller gets for an operation of experts: the table of the roles. */
function expectedOf(
  { role: needed = "answerer", status = 200, needsUser = false }: Endpoint,
): Record<Caller, Expected> {
  const ofRole = (role: typeof roles[number]): Expected =>
    roles.indexOf(role) >= roles.indexOf(needed) ? status : "role_not_sufficient";
  return {
    owner: ofRole("owner"),
    editor: ofRole("editor"),
    answerer: ofRole("answerer"),
    stranger: "not_the_expert",
    anonymous: "not_the_expert",
    key: needsUser ? "sign_in_first" : status,
    "publishable key": "sign_in_first",
  };
}

/** What each caller gets for an operation on what a coach knows. */
function expectedOfKnowledge({ scope, status = 200 }: Endpoint): Record<Caller, Expected> {
  const isChange = scope === "knowledge:write";
  const refused = isChange ? "not_the_coach" : "missing_scope";
  return {
    owner: status,
    editor: status,
    answerer: isChange ? refused : status,
    stranger: refused,
    anonymous: refused,
    key: status,
    "publishable key": "sign_in_first",
  };
}

Deno.test("who may do what, by role", async (t) => {
  await using service = await startService();
  const [owner, editor, answerer, stranger] = await Promise.all(Array.from({ length: 4 }, () => createUser()));
  const limits = { requests_per_minute: 10_000, requests_per_hour: 10_000 };
  const tenant = await createTenant({}, { owner_id: owner!.id });
  await addExpert(tenant.coachId, editor!, "editor");
  await addExpert(tenant.coachId, answerer!, "answerer");
  const { publishableKey } = await issuePublishableKey(tenant.accountId, {
    ...limits,
    anonymous_per_minute: 10_000,
    anonymous_per_hour: 10_000,
  });
  const { apiKey } = await issueKey(tenant.accountId, { ...limits, scopes: allScopes });
  const callers: [Caller, Credentials][] = [
    ["owner", { publishableKey, accessToken: owner!.accessToken }],
    ["editor", { publishableKey, accessToken: editor!.accessToken }],
    ["answerer", { publishableKey, accessToken: answerer!.accessToken }],
    ["stranger", { publishableKey, accessToken: stranger!.accessToken }],
    ["anonymous", { publishableKey, accessToken: (await signInAnonymously()).accessToken }],
    ["key", { apiKey }],
    ["publishable key", { publishableKey }],
  ];

  /** Sends the request as each caller, each about another thing, and compares what they get. */
  async function check(endpoint: Endpoint, expected: Record<Caller, Expected>) {
    const found: Partial<Record<Caller, unknown>> = {};
    const things = await createThings(tenant, callers.length);
    for (const [index, [name, credentials]] of callers.entries()) {
      const isOfFile = endpoint.path.includes("{fileId}");
      const fileId = isOfFile ? await addFile(tenant, "a.md", crypto.randomUUID()) : "";
      const thing = { ...things[index]!, fileId };
      const path = pathOf(endpoint, thing);
      const reply = await send(service, endpoint.method, path, credentials, endpoint.body?.(thing));
      await reply.body?.cancel();
      const isRefusal = reply.status === 401 || reply.status === 403;
      found[name] = isRefusal ? [reply.status, reply.headers.get("X-Error-Code")] : reply.status;
    }
    const shown = Object.entries(expected).map(([name, each]) => {
      if (typeof each === "number") return [name, each];
      const { status, code } = told(each, each === "missing_scope" ? "…" : undefined);
      return [name, [status, code]];
    });
    assertEquals(found, Object.fromEntries(shown));
  }

  await t.step("every role is needed by something", () => {
    const needed = new Set(Object.values(endpoints).map(({ role }) => role));
    assert(roles.every((role) => needed.has(role)), "A role that nothing needs");
  });

  const optionsOf = firstOfEachKind();
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const isOfKnowledge = endpoint.path.startsWith("/knowledge-handler") && endpoint.scope !== "expert";
    if (endpoint.role === undefined && !isOfKnowledge) continue;
    const expected = isOfKnowledge ? expectedOfKnowledge(endpoint) : expectedOf(endpoint);
    const options = optionsOf(`${isOfKnowledge} ${JSON.stringify(expected)}`);
    await t.step({ name, ...options, fn: () => check(endpoint, expected) });
  }
});
