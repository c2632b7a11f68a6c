import { assertEquals } from "./assert.ts";
import { ask, assertReply } from "./client.ts";
import { eventually } from "./eventually.ts";
import { finishIndexing, rowsOf, searchFiles } from "./knowledge.ts";
import { operator, secretKey, type Tenant } from "./project.ts";
import type { Service } from "./service.ts";

/** A source, as the API shows it. */
export type ShownSource = {
  id: string;
  url: string;
  status: string;
  reason: string | null;
  pages: number;
  fetched_at: string | null;
  next_refresh_at: string | null;
  failures?: { url: string; reason: string }[];
};

/** A day and a bit, in milliseconds. */
export const overADay = 25 * 60 * 60 * 1_000;

/** The sources of a tenant's coach, by HTTP. */
export function sourcesOf(service: Service, tenant: Tenant) {
  const call = (method: string, path = "", body?: unknown) =>
    ask(service, method, `/knowledge-handler/sources${path}?coachId=${tenant.coachId}`, tenant, body);

  async function get(id: string): Promise<Required<ShownSource>> {
    const reply = await call("GET", `/${id}`);
    assertReply(reply, 200);
    return reply.json;
  }

  /** Calls the fetcher until no round of the source is under way. */
  async function finishFetching(id: string): Promise<Required<ShownSource>> {
    await eventually(
      async () => {
        assertReply(await ask(service, "POST", "/fetcher", {}, undefined, { headers: { apikey: secretKey } }), 202);
        await service.turns();
        if (["ready", "failed"].includes((await get(id)).status)) return true;
        await makeDue(id);
        return false;
      },
      "the round has ended",
      60,
    );
    return await get(id);
  }

  /** The same, and has the pages indexed. */
  async function finish(id: string): Promise<Required<ShownSource>> {
    await finishFetching(id);
    await finishIndexing(service, tenant.coachId);
    return await get(id);
  }

  return {
    call,
    get,
    finish,
    finishFetching,
    async add(body: object): Promise<Required<ShownSource>> {
      const reply = await call("POST", "", { refresh: "never", ...body });
      assertReply(reply, 200);
      return await finish(reply.json.id);
    },
    async refresh(id: string): Promise<Required<ShownSource>> {
      assertReply(await call("POST", `/${id}/refresh`), 200);
      return await finish(id);
    },
    /** The names of the files that a search finds. */
    async find(text: string): Promise<string[]> {
      const { data } = await searchFiles(service, tenant, text);
      return data.map(({ filename }: { filename: string }) => filename);
    },
    /** The addresses of the pages that are files, sorted, without the origin. */
    async paths(): Promise<string[]> {
      const rows = await rowsOf(tenant.coachId);
      return rows.flatMap(({ source_url }) => source_url === null ? [] : new URL(source_url).pathname).toSorted();
    },
    /** What indexing has changed of each file: nothing, if both are the same. */
    async marks(): Promise<Record<string, string>> {
      const rows = await rowsOf(tenant.coachId);
      return Object.fromEntries(rows.map(({ id, updated_at, storage_path, digest }) => [
        id,
        `${updated_at} ${storage_path} ${digest}`,
      ]));
    },
    async delete(id: string): Promise<void> {
      assertReply(await call("DELETE", `/${id}`), 200);
      assertEquals(await rowsOf(tenant.coachId), []);
    },
  };
}

/** Lets the fetcher leave alone what tests before have added. */
export async function forgetEarlierSources(): Promise<void> {
  await operator.from("knowledge_sources").update({ due_at: null }).not("due_at", "is", null).throwOnError();
}

/** Makes due what waits to be tried again. */
export async function makeDue(sourceId: string): Promise<void> {
  const due = { due_at: new Date(0).toISOString() };
  await operator.from("source_pages").update(due).eq("source_id", sourceId).not("due_at", "is", null).throwOnError();
  await operator.from("knowledge_sources").update(due).eq("id", sourceId).throwOnError();
}

/** Lets time pass, a day and a bit unless it says otherwise, for a source and its pages: what was first seen once is older now, and what waits is due. */
export async function letTimePass(sourceId: string, milliseconds = overADay): Promise<void> {
  const earlier = (time: string | null) =>
    time === null ? null : new Date(Date.parse(time) - milliseconds).toISOString();
  const { data: pages } = await operator.from("source_pages").select("url, missing_since, due_at")
    .eq("source_id", sourceId).throwOnError();
  for (const { url, missing_since, due_at } of pages) {
    await operator.from("source_pages").update({ missing_since: earlier(missing_since), due_at: earlier(due_at) })
      .eq("source_id", sourceId).eq("url", url).throwOnError();
  }
  const { data: [source] } = await operator.from("knowledge_sources").select("suspicious_since, due_at")
    .eq("id", sourceId).throwOnError();
  await operator.from("knowledge_sources").update({
    suspicious_since: earlier(source!.suspicious_since),
    due_at: earlier(source!.due_at),
  }).eq("id", sourceId).throwOnError();
}

/** The pages of a source, by their path. */
export async function pagesOf(sourceId: string) {
  const { data } = await operator.from("source_pages").select("*").eq("source_id", sourceId).order("number")
    .throwOnError();
  return new Map(data.map((page) => [new URL(page.url).pathname, page]));
}
