import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { formatCoach } from "./format_coach.ts";
import { text } from "./inputs.ts";
import { showHarmlessly } from "./show_harmlessly.ts";

/** `coach show` */
export const showCoach = defineCommand({
  positionals: ["coach id"],
  input: z.strictObject({ "coach id": text }),
  isChange: false,
  async run({ "coach id": coachId }, { project }) {
    const { data: [coach] } = await project().client.from("coach_profiles").select().eq("id", coachId).throwOnError();
    if (coach === undefined) throw new CommandError("Coach not found");
    const instructions = coach.instructions.split("\n").map(showHarmlessly).join("\n");
    return { json: coach, text: `${formatCoach(coach)}\n\n${instructions}` };
  },
});
