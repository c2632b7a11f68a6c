import type { Descriptions } from "../description.ts";
import { exampleCoach } from "../examples.ts";

const tags = ["Coaches"];

export const coachDescriptions: Descriptions = {
  listCoaches: {
    summary: "List the coaches",
    description: "All active coaches that the caller may talk to, by name. With `limit` or `cursor`, one page of them.",
    tags,
    reply: { description: "The coaches; the list may be empty", example: { data: [exampleCoach], count: 1 } },
  },
  getCoach: {
    summary: "Get a coach",
    description: "An active coach that the caller may talk to.",
    tags,
    reply: { description: "The coach", example: exampleCoach },
  },
};
