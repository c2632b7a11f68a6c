import { maxPages, readAddress, refreshTimes, sourceKinds } from "../../../shared/features/sources/fields.ts";
import { aCoach, defineCommand, defineList, id, oneOf, option, text, wholeNumber } from "./command.ts";
import type { Project } from "./open_project.ts";
import { readAllByOffset, requireCoach, requireRow } from "./read_rows.ts";
import { formatFields, formatRows, formatTime, showHarmlessly } from "./terminal_text.ts";

/** A source as its table has it, without what only the fetcher needs. */
const sourceColumns =
  "id, coach_id, url, kind, refresh, page_limit, status, reason, fetched_at, next_refresh_at" as const;

function formatSource(source: Awaited<ReturnType<typeof requireSource>>): string {
  return formatFields({
    id: source.id,
    url: source.url,
    kind: source.kind,
    status: source.status,
    reason: source.reason,
    refresh: source.refresh,
    limit: source.page_limit,
    fetched: formatTime(source.fetched_at),
    next: formatTime(source.next_refresh_at),
  });
}

function requireSource(client: Project["client"], id: string) {
  return requireRow("Source", client.from("knowledge_sources").select(sourceColumns).eq("id", id));
}

/** `npm run admin -- source …` */
export const sourceCommands = {
  add: defineCommand({
    about: "Has a coach know the pages of the web at an address: see supabase/docs/sources.md.",
    args: {
      url: text.refine((url) => readAddress(url) !== null, "is not an address that begins with https:// or http://"),
    },
    options: {
      coach: aCoach,
      kind: option("KIND", oneOf(sourceKinds).default("page"), "page, site (all pages below the address) or feed"),
      refresh: option(
        "TIME",
        oneOf(refreshTimes).default("never"),
        "when the address is read again: never, daily or weekly",
      ),
      limit: option("N", wholeNumber(1, maxPages).default(maxPages), "the maximum number of pages"),
    },
    isChange: true,
    async run({ url, coach, kind, refresh, limit }, { project }) {
      const { client, wakeFetcher } = project();
      const account_id = await requireCoach(client, coach);
      const row = { account_id, coach_id: coach, url: readAddress(url)!, kind, refresh, page_limit: limit };
      await client.from("knowledge_sources").upsert(row, { onConflict: "coach_id,url", ignoreDuplicates: true })
        .throwOnError();
      const { data } = await client.from("knowledge_sources").select(sourceColumns).eq("coach_id", coach)
        .eq("url", row.url).single().throwOnError();
      await wakeFetcher();
      return { json: data, text: formatSource(data) };
    },
  }),

  list: defineList({
    about: "Lists the web sources of a coach.",
    options: { coach: aCoach },
    none: "This coach has no web sources yet.",
    read: ({ client }, { coach }) =>
      readAllByOffset(
        () =>
          client.from("knowledge_sources").select(sourceColumns).eq("coach_id", coach)
            .order("number", { ascending: false }),
        ({ id }) => id,
      ),
    show: ({ id, kind, refresh, status, fetched_at, url }) => {
      return { id, kind, refresh, status, fetched: formatTime(fetched_at), url };
    },
  }),

  show: defineCommand({
    about: "Shows a web source with its pages.",
    args: { "source id": id },
    async run({ "source id": sourceId }, { project }) {
      const { client } = project();
      const source = await requireSource(client, sourceId);
      const { data: pages } = await client.from("source_pages").select("url, state, reason, is_barred, file_id")
        .eq("source_id", sourceId).order("number").throwOnError();
      const table = formatRows(pages, ({ url, state, reason, is_barred }) => {
        return { state: is_barred ? "barred" : state, url, reason };
      });
      return {
        json: { ...source, pages },
        text: [formatSource(source), table].filter((part) => part !== "").join("\n\n"),
      };
    },
  }),

  refresh: defineCommand({
    about: "Reads a web source again.",
    args: { "source id": id },
    isChange: true,
    async run({ "source id": sourceId }, { project }) {
      const { client, wakeFetcher } = project();
      const queued = { status: "queued", due_at: new Date(0).toISOString(), claim: null, attempts: 0 };
      await client.from("knowledge_sources").update({ ...queued, next_refresh_at: null, reason: null })
        .eq("id", sourceId).throwOnError();
      const source = await requireSource(client, sourceId);
      await wakeFetcher();
      return { json: source, text: formatSource(source) };
    },
  }),

  remove: defineCommand({
    about: "Deletes a web source with its pages.",
    args: { "source id": id },
    isChange: true,
    async run({ "source id": sourceId }, { project }) {
      const { client, wakeIndexer } = project();
      const source = await requireSource(client, sourceId);
      await client.from("knowledge_sources").delete().eq("id", sourceId).throwOnError();
      await wakeIndexer();
      return { json: source, text: `Removed with the files of its pages: ${showHarmlessly(source.url)}` };
    },
  }),
};
