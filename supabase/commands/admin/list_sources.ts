import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTable, formatTime } from "./format_table.ts";
import { text } from "./inputs.ts";
import { readAllByOffset } from "./read_all.ts";
import { requireCoach } from "./require_coach.ts";
import { sourceColumns } from "./web_source.ts";

/** `source list` */
export const listSources = defineCommand({
  positionals: [],
  input: z.strictObject({ coach: text }),
  isChange: false,
  async run({ coach }, { project, note }) {
    const { client } = project();
    await requireCoach(client, coach);
    const sources = await readAllByOffset(
      ({ from, to }) =>
        client.from("knowledge_sources").select(sourceColumns).eq("coach_id", coach)
          .order("number", { ascending: false }).range(from, to).throwOnError(),
      ({ id }) => id,
    );
    if (sources.length === 0) note("This coach has no web sources yet.");
    return {
      json: sources,
      text: formatTable(
        ["id", "kind", "refresh", "status", "fetched", "url"],
        sources.map(({ id, kind, refresh, status, fetched_at, url }) => [
          id,
          kind,
          refresh,
          status,
          fetched_at && formatTime(fetched_at),
          url,
        ]),
      ),
    };
  },
});
