import { z } from "zod";
import { defineCommand } from "./command.ts";
import { id } from "./inputs.ts";
import { formatSource, requireSource } from "./web_source.ts";

/** `source refresh` */
export const refreshSource = defineCommand({
  positionals: ["source id"],
  input: z.strictObject({ "source id": id }),
  isChange: true,
  async run({ "source id": sourceId }, { project }) {
    const { client, wakeFetcher } = project();
    const queued = {
      status: "queued",
      due_at: new Date(0).toISOString(),
      next_refresh_at: null,
      reason: null,
      claim: null,
      attempts: 0,
    };
    await client.from("knowledge_sources").update(queued).eq("id", sourceId).throwOnError();
    const source = await requireSource(client, sourceId);
    await wakeFetcher();
    return { json: source, text: formatSource(source) };
  },
});
