import type { SupabaseClient } from "@supabase/supabase-js";
import { createHash } from "node:crypto";
import { z } from "zod";
import { Source } from "../../shared/core/answers/stored_answer.ts";
import type { Database, Json } from "../../shared/infra/db/database_types.ts";

const answers = z.array(z.object({ id: z.string(), sources: z.array(Source) }));

/**
 * Adds the IDs of the passages to the sources of the answers in `seed.sql`, so that the expert can open and bar them.
 * That file only contains quotes.
 */
export async function nameSources(service: SupabaseClient<Database>, coachId: string): Promise<void> {
  const { data: passages } = await service.from("passages")
    .select("content, position, page, heading, file:knowledge_files!passages_file_is_of_the_coach(id, filename:name)")
    .eq("coach_id", coachId).throwOnError();
  const { data } = await service.from("messages").select("id, sources, threads!inner()")
    .eq("threads.coach_id", coachId).not("sources", "is", null).throwOnError();

  await Promise.all(
    answers.parse(data).map(async ({ id, sources }) => {
      const named: Json = sources.map((source) => {
        const found = source.kind === "passage" &&
          passages.find(({ content, file }) =>
            file.filename === source.filename && content.replace(/\s+/g, " ").includes(source.quote)
          );
        if (!found) return source;
        const passageId = createHash("md5").update(found.content).digest("hex");
        const { file: { id: fileId }, position, page, heading } = found;
        return { ...source, passageId, fileId, file_id: fileId, position, page, heading };
      });
      await service.from("messages").update({ sources: named }).eq("id", id).throwOnError();
    }),
  );
}
