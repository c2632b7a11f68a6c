import { z } from "zod";
import { defineCommand } from "./command.ts";
import { id } from "./inputs.ts";
import { showHarmlessly } from "./show_harmlessly.ts";
import { requireSource } from "./web_source.ts";

/** `source remove` */
export const removeSource = defineCommand({
  positionals: ["source id"],
  input: z.strictObject({ "source id": id }),
  isChange: true,
  async run({ "source id": sourceId }, { project }) {
    const { client, wakeIndexer } = project();
    const source = await requireSource(client, sourceId);
    await client.from("knowledge_sources").delete().eq("id", sourceId).throwOnError();
    await wakeIndexer();
    return { json: source, text: `Removed with the files of its pages: ${showHarmlessly(source.url)}` };
  },
});
