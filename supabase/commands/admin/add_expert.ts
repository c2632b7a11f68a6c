import { z } from "zod";
import { defineCommand } from "./command.ts";
import { explainUser } from "./explain_owner.ts";
import { formatExperts, readExperts, role } from "./expert.ts";
import { id, text } from "./inputs.ts";
import { requireCoach } from "./require_coach.ts";

/** `expert add` */
export const addExpert = defineCommand({
  positionals: ["user id"],
  input: z.strictObject({ "user id": id, coach: text, role: role.default("answerer") }),
  isChange: true,
  async run({ "user id": userId, coach: coachId, role }, { project }) {
    const opened = project();
    const expert = {
      coach_id: coachId,
      account_id: await requireCoach(opened.client, coachId),
      user_id: userId.toLowerCase(),
      role,
    };
    await opened.client.from("coach_experts").upsert(expert).throwOnError().then(undefined, (error) => {
      throw explainUser(error);
    });
    const experts = await readExperts(opened, coachId);
    return { json: experts, text: formatExperts(experts) };
  },
});
