import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTable } from "./format_table.ts";
import { id } from "./inputs.ts";
import { formatSource, requireSource } from "./web_source.ts";

/** `source show` */
export const showSource = defineCommand({
  positionals: ["source id"],
  input: z.strictObject({ "source id": id }),
  isChange: false,
  async run({ "source id": sourceId }, { project }) {
    const { client } = project();
    const source = await requireSource(client, sourceId);
    const { data: pages } = await client.from("source_pages").select("url, state, reason, is_barred, file_id")
      .eq("source_id", sourceId).order("number").throwOnError();
    const table = formatTable(
      ["state", "url", "reason"],
      pages.map(({ url, state, reason, is_barred }) => [is_barred ? "barred" : state, url, reason]),
    );
    return {
      json: { ...source, pages },
      text: [formatSource(source), table].filter((part) => part !== "").join("\n\n"),
    };
  },
});
