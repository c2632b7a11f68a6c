import type { ErrorCode } from "../../shared/base/errors.ts";
import { knowledgeAppRoutes } from "../../shared/api/knowledge_app.ts";
import { routes } from "../../shared/api/routes.ts";
import { roles } from "../../shared/features/experts/roles.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { type Credentials, formOf, send } from "../support/client.ts";
import { type Act, acts, createThings, ofNoCoach, type Thing } from "../support/expert_acts.ts";
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
import { startService } from "../support/service.ts";
import { firstOfEachKind } from "../support/slow.ts";

/** A file of the coach of a thing, made for one request. */
type Known = Thing & { fileId: string };

/** A request about what a coach knows; `isChange` says that only editors and owners may send it. */
type KnowledgeAct = { path: (known: Known) => string; body?: () => unknown; isChange?: boolean; status?: number };

const unknownId = crypto.randomUUID();
const of = (rest = ""): KnowledgeAct["path"] => ({ coachId }) => `/knowledge-handler${rest}?coachId=${coachId}`;

/** Every operation on what a coach knows. */
const knowledgeActs: Record<string, KnowledgeAct> = {
  uploadFiles: { path: of(), body: () => formOf(["a.md", crypto.randomUUID()]), isChange: true },
  searchFiles: { path: of() },
  deleteFile: { path: ({ coachId, fileId }) => `/knowledge-handler/${fileId}?coachId=${coachId}`, isChange: true },
  getFile: { path: ({ coachId, fileId }) => `/knowledge-handler/${fileId}?coachId=${coachId}` },
  getOriginal: { path: ({ coachId, fileId }) => `/knowledge-handler/${fileId}/content?coachId=${coachId}` },
  // Only who may do it is asked: the file has no such passage, and the coach no such source.
  getPassage: {
    path: ({ coachId, fileId }) => `/knowledge-handler/${fileId}/passages/${"0".repeat(32)}?coachId=${coachId}`,
    status: 404,
  },
  listSources: { path: of("/sources") },
  addSource: {
    path: of("/sources"),
    body: () => ({ url: `https://example.com/${crypto.randomUUID()}`, kind: "page", refresh: "never" }),
    isChange: true,
  },
  getSource: { path: of(`/sources/${unknownId}`), status: 404 },
  updateSource: { path: of(`/sources/${unknownId}`), body: () => ({ refresh: "daily" }), isChange: true, status: 404 },
  deleteSource: { path: of(`/sources/${unknownId}`), isChange: true, status: 404 },
  refreshSource: { path: of(`/sources/${unknownId}/refresh`), isChange: true, status: 404 },
};

/** The reply that a caller gets: the usual status of the request, or a refusal. */
type Expected = number | readonly [status: number, code: ErrorCode];

type Caller = "owner" | "editor" | "answerer" | "stranger" | "anonymous" | "key" | "publishable key";

/** What each caller gets for an operation of section C: the table of the roles. */
function expectedOf({ needs = "answerer", status = 200, isOfUser = false }: Act): Record<Caller, Expected> {
  const ofRole = (role: typeof roles[number]): Expected =>
    roles.indexOf(role) >= roles.indexOf(needs) ? status : [403, "role_not_sufficient"];
  return {
    owner: ofRole("owner"),
    editor: ofRole("editor"),
    answerer: ofRole("answerer"),
    stranger: [403, "not_the_expert"],
    anonymous: [403, "not_the_expert"],
    key: isOfUser ? [401, "sign_in_first"] : status,
    "publishable key": [401, "sign_in_first"],
  };
}

function expectedOfKnowledge({ isChange = false, status = 200 }: KnowledgeAct): Record<Caller, Expected> {
  const refused = isChange ? [403, "not_the_coach"] as const : [403, "missing_scope"] as const;
  return {
    owner: status,
    editor: status,
    answerer: isChange ? refused : status,
    stranger: refused,
    anonymous: refused,
    key: status,
    "publishable key": [401, "sign_in_first"],
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
  async function check<Something>(
    things: Something[],
    expected: Record<Caller, Expected>,
    request: (thing: Something, credentials: Credentials) => Promise<Response>,
  ) {
    const found: Partial<Record<Caller, Expected>> = {};
    for (const [index, [name, credentials]] of callers.entries()) {
      const reply = await request(things[index]!, credentials);
      await reply.body?.cancel();
      const isRefusal = reply.status === 401 || reply.status === 403;
      found[name] = isRefusal ? [reply.status, reply.headers.get("X-Error-Code") as ErrorCode] : reply.status;
    }
    assertEquals(found, expected);
  }

  const ofExperts = routes.filter(({ operation: { scope, name } }) => scope === "expert" && !ofNoCoach.includes(name));
  await t.step("every operation of experts has a row", () => {
    assertEquals(ofExperts.map(({ operation }) => operation.name).toSorted(), Object.keys(acts).toSorted());
    const known = knowledgeAppRoutes.map(({ operation }) => operation.name).toSorted();
    assertEquals(known, Object.keys(knowledgeActs).toSorted());
    const needed = new Set(Object.values(acts).map(({ needs = "answerer" }) => needs));
    assert(roles.every((role) => needed.has(role)), "A role that nothing needs");
  });

  const optionsOf = firstOfEachKind();
  for (const { operation: { name }, method } of ofExperts) {
    const act = acts[name]!;
    const expected = expectedOf(act);
    const fn = async () => {
      const things = await createThings(tenant, callers.length);
      await check(
        things,
        expected,
        (thing, credentials) => send(service, method, act.path(thing), credentials, act.body?.(thing)),
      );
    };
    await t.step({ name, ...optionsOf(JSON.stringify(expected)), fn });
  }

  for (const { operation, method } of knowledgeAppRoutes) {
    const act = knowledgeActs[operation.name]!;
    const expected = expectedOfKnowledge(act);
    const fn = async () => {
      const things: Known[] = [];
      for (const thing of await createThings(tenant, callers.length)) {
        things.push({ ...thing, fileId: await addFile(tenant, "a.md", crypto.randomUUID()) });
      }
      await check(
        things,
        expected,
        (known, credentials) => send(service, method, act.path(known), credentials, act.body?.()),
      );
    };
    const options = optionsOf(`knowledge ${JSON.stringify(expected)}`);
    await t.step({ name: `${operation.name} of the knowledge`, ...options, fn });
  }
});
