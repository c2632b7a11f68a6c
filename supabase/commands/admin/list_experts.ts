import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatExperts, readExperts } from "./expert.ts";
import { text } from "./inputs.ts";
import { requireCoach } from "./require_coach.ts";

/** `expert list` */
export const listExperts = defineCommand({
  positionals: [],
  input: z.strictObject({ coach: text }),
  isChange: false,
  async run({ coach: coachId }, { project, note }) {
    const opened = project();
    await requireCoach(opened.client, coachId);
    const experts = await readExperts(opened, coachId);
    if (experts.length === 0) note("This coach has no experts yet.");
    return { json: experts, text: formatExperts(experts) };
  },
});
