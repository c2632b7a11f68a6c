import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { formatExperts, readExperts } from "./expert.ts";
import { id, text } from "./inputs.ts";
import { requireCoach } from "./require_coach.ts";

/** `expert remove` */
export const removeExpert = defineCommand({
  positionals: ["user id"],
  input: z.strictObject({ "user id": id, coach: text }),
  isChange: true,
  async run({ "user id": userId, coach: coachId }, { project, note }) {
    const opened = project();
    await requireCoach(opened.client, coachId);
    const { data } = await opened.client.from("coach_experts").delete().eq("coach_id", coachId).eq("user_id", userId)
      .select("user_id").throwOnError();
    if (data.length === 0) throw new CommandError("This user is not an expert of the coach");
    const experts = await readExperts(opened, coachId);
    if (!experts.some(({ role }) => role === "owner")) note("This coach has no owner any more.");
    return { json: experts, text: formatExperts(experts) };
  },
});
