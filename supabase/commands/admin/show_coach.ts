import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { formatExperts, readExperts } from "./expert.ts";
import { formatCoach } from "./format_coach.ts";
import { text } from "./inputs.ts";
import { showHarmlessly } from "./show_harmlessly.ts";

/** `coach show` */
export const showCoach = defineCommand({
  positionals: ["coach id"],
  input: z.strictObject({ "coach id": text }),
  isChange: false,
  async run({ "coach id": coachId }, { project }) {
    const opened = project();
    const { data: [coach] } = await opened.client.from("coach_profiles").select().eq("id", coachId).throwOnError();
    if (coach === undefined) throw new CommandError("Coach not found");
    const instructions = coach.instructions.split("\n").map(showHarmlessly).join("\n");
    const experts = await readExperts(opened, coachId);
    const parts = [formatCoach(coach), formatExperts(experts), instructions].filter((part) => part !== "");
    return { json: { ...coach, experts }, text: parts.join("\n\n") };
  },
});
