import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTable, formatTime } from "./format_table.ts";
import { text } from "./inputs.ts";
import { readAllByOffset } from "./read_all.ts";
import { requireCoach } from "./require_coach.ts";

/** `coach history` */
export const showHistory = defineCommand({
  positionals: ["coach id"],
  input: z.strictObject({ "coach id": text }),
  isChange: false,
  async run({ "coach id": coachId }, { project }) {
    const { client } = project();
    await requireCoach(client, coachId);
    const versions = await readAllByOffset(
      ({ from, to }) =>
        client.from("coach_versions").select("version,published_at,published_by,changes,restored_from")
          .eq("coach_id", coachId).order("version", { ascending: false }).range(from, to).throwOnError(),
      ({ version }) => String(version),
    );
    return {
      json: versions,
      text: formatTable(
        ["version", "published", "by", "restored from", "changes"],
        versions.map(({ version, published_at, published_by, changes, restored_from }) => [
          version,
          formatTime(published_at),
          published_by,
          restored_from,
          changes.join(", ") || null,
        ]),
      ),
    };
  },
});
