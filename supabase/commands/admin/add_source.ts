import { z } from "zod";
import { maxPages, refreshTimes, sourceKinds } from "../../../shared/features/sources/limits.ts";
import { readAddress } from "../../../shared/features/sources/schemas.ts";
import { defineCommand } from "./command.ts";
import { text, wholeNumber } from "./inputs.ts";
import { requireCoach } from "./require_coach.ts";
import { formatSource, sourceColumns } from "./web_source.ts";

const oneOf = <const Word extends string>(words: readonly Word[]) =>
  z.enum(words, { error: `must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}` });

/** `source add` */
export const addSource = defineCommand({
  positionals: ["url"],
  input: z.strictObject({
    url: text.refine((url) => readAddress(url) !== null, "is not an address that begins with https:// or http://"),
    coach: text,
    kind: oneOf(sourceKinds).default("page"),
    refresh: oneOf(refreshTimes).default("never"),
    limit: wholeNumber(1, maxPages).optional(),
  }),
  isChange: true,
  async run({ url, coach, kind, refresh, limit = maxPages }, { project }) {
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
});
