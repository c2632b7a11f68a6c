import type { Descriptions } from "../description.ts";
import { exampleCoach } from "../examples.ts";

const tags = ["Coaches"];

export const coachDescriptions: Descriptions = {
  listCoaches: {
    summary: "List the coaches",
    description: "All active coaches that the caller may talk to, by name; `limit` or `cursor` ask for a page instead.",
    tags,
    reply: { description: "The coaches; none is an empty list", example: { data: [exampleCoach], count: 1 } },
  },
  getCoach: {
    summary: "Get a coach",
    description: "An active coach that the caller may talk to.",
    tags,
    reply: { description: "The coach", example: exampleCoach },
  },
};
