import { assert, assertEquals } from "../support/assert.ts";
import { type Credentials, send } from "../support/client.ts";
import { type Endpoint, endpoints, pathOf, type Thing } from "../support/interface.ts";
import { addFile } from "../support/knowledge.ts";
import { createCoach, createTenant, createUser, issueKey, issuePublishableKey, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";
import { firstOfEachKind } from "../support/slow.ts";
import { createThings } from "../support/things.ts";

/** Requests with which the expert behind a coach reads the same as a user. */
const reads = ["", "/messages", "/messages?include=basis", "/events"];

/** Everything that an expert could have changed about things of a coach. */
async function stateOf(things: Thing[]): Promise<string> {
  const { coachId } = things[0]!;
  const threads = things.map(({ threadId }) => threadId);
  const found = await Promise.all([
    operator.from("open_questions").select().eq("coach_id", coachId).order("id").throwOnError(),
    operator.from("pinned_answers").select().eq("coach_id", coachId).order("id").throwOnError(),
    operator.from("test_cases").select().eq("coach_id", coachId).order("id").throwOnError(),
    operator.from("messages").select().in("thread_id", threads).order("id").throwOnError(),
    operator.from("threads").select().in("id", threads).order("id").throwOnError(),
  ]);
  return JSON.stringify(found.map(({ data }) => data));
}

Deno.test("what only the expert behind a coach may do", async (t) => {
  await using service = await startService();
  const [expert, otherExpert, foreignExpert, user] = await Promise.all(Array.from({ length: 4 }, createUser));
  const limits = { requests_per_minute: 10_000, requests_per_hour: 10_000 };
  const tenant = await createTenant(limits, { owner_id: expert!.id });
  await createCoach(tenant.accountId, { owner_id: otherExpert!.id });
  const foreign = await createTenant(limits, { owner_id: foreignExpert!.id });
  const page = await issuePublishableKey(tenant.accountId, limits);
  const server = await issueKey(tenant.accountId, { ...limits, scopes: ["expert", "threads:read"] });

  const signedIn = { expert, "the expert of another coach": otherExpert, "a user": user };
  const callers: [name: string, credentials: Credentials, isExpert: boolean][] = [
    ["a server with the scope", { apiKey: server.apiKey }, true],
    ...Object.entries(signedIn).flatMap(([name, person]): typeof callers => {
      const { accessToken } = person!;
      return [
        [`${name}, with a secret key`, { apiKey: tenant.apiKey, accessToken }, person === expert],
        [`${name}, with the server's key`, { apiKey: server.apiKey, accessToken }, person === expert],
        [`${name}, with a publishable key`, { publishableKey: page.publishableKey, accessToken }, person === expert],
      ];
    }),
  ];
  const files = new Map<string, string>();
  for (const each of [tenant, foreign]) files.set(each.coachId, await addFile(each, "a.md", "Boats"));
  /** Returns the status of a reply, without waiting for a stream. */
  async function statusOf(
    endpoint: Pick<Endpoint, "method" | "path" | "body">,
    thing: Thing,
    credentials: Credentials,
  ) {
    const path = pathOf(endpoint, { ...thing, fileId: files.get(thing.coachId)! });
    const reply = await send(service, endpoint.method, path, credentials, endpoint.body?.(thing));
    await reply.body?.cancel();
    return reply.status;
  }

  const ofExperts = Object.entries(endpoints).filter(([, { role }]) => role !== undefined);
  const optionsOf = firstOfEachKind();
  for (const [name, endpoint] of ofExperts) {
    const { method, status = 200, needsUser = false } = endpoint;
    // A server alone is nobody whom such an operation could be about.
    const isNobody = ({ accessToken }: Credentials) => needsUser && accessToken === undefined;
    const fn = async () => {
      const [mine, theirs] = [await createThings(tenant, callers.length), await createThings(foreign, callers.length)];
      const askFor = (thing: Thing, credentials: Credentials) => statusOf(endpoint, thing, credentials);
      const before = [await stateOf(mine), await stateOf(theirs)];
      for (const [index, [name, credentials, isExpert]] of callers.entries()) {
        const foreign = isNobody(credentials) ? 401 : 404;
        assertEquals(await askFor(theirs[index]!, credentials), foreign, `${name}: foreign`);
        if (!isExpert) assertEquals(await askFor(mine[index]!, credentials), 403, name);
      }
      assertEquals([await stateOf(mine), await stateOf(theirs)], before);
      for (const [index, [name, credentials, isExpert]] of callers.entries()) {
        const usual = isNobody(credentials) ? 401 : status;
        if (isExpert) assertEquals(await askFor(mine[index]!, credentials), usual, name);
      }
      assertEquals(await stateOf(theirs), before[1]);
    };
    await t.step({ name, ...optionsOf(`${method}, ${status}, ${needsUser}`), fn });
  }

  await t.step("a key without the scope, and an expert of another account, are nobody", async () => {
    const [thing] = await createThings(tenant, 1);
    for (const [name, endpoint] of ofExperts) {
      assertEquals(await statusOf(endpoint, thing!, tenant), 403, name);
      const others = { apiKey: foreign.apiKey, accessToken: foreignExpert!.accessToken };
      assertEquals(await statusOf(endpoint, thing!, others), 404, name);
    }
  });

  for (const rest of reads) {
    await t.step(`GET /threads/{threadId}${rest} is for the thread's user and for its expert`, async () => {
      const [[mine], [theirs]] = [await createThings(tenant, 1), await createThings(foreign, 1)];
      for (const [name, credentials, isExpert] of callers) {
        const endpoint = { method: "GET", path: `/threads/{threadId}${rest}` } as const;
        assertEquals(await statusOf(endpoint, theirs!, credentials), 404, name);
        assertEquals(await statusOf(endpoint, mine!, credentials), isExpert ? 200 : 404, name);
      }
    });
  }

  await t.step("and the lists of one coach show nothing of another", async () => {
    const other = await createCoach(tenant.accountId, { owner_id: expert!.id });
    await createThings({ ...tenant, coachId: other.id }, 1);
    const credentials = { apiKey: tenant.apiKey, accessToken: expert!.accessToken };
    for (const list of ["questions", "answers", "threads"]) {
      const reply = await send(service, "GET", `/coaches/${other.id}/${list}`, credentials);
      const { data } = await reply.json();
      assert(data.length === 1, `${list}: ${JSON.stringify(data)}`);
    }
  });
});
