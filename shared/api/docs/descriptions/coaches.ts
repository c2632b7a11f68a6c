import type { Descriptions } from "../description.ts";
import { exampleOf } from "../../../features/coaches/coach_fields.ts";
import { exampleCoach } from "../examples.ts";

const exampleSettings = exampleOf("settings");

export const coachDescriptions: Descriptions = {
  listCoaches: {
    summary: "List the coaches",
    description: "All active coaches that the caller may talk to, by name. With `limit` or `cursor`, one page of them.",
    reply: { description: "The coaches; the list may be empty", example: { data: [exampleCoach], count: 1 } },
  },
  getCoach: {
    summary: "Get a coach",
    description: "An active coach that the caller may talk to.",
    reply: { description: "The coach", example: { ...exampleCoach, usual_reply_hours: 5.5, tells_by_mail: true } },
  },
  createCoach: {
    summary: "Make a coach",
    description:
      "Makes an unpublished coach, for a signed-in user who is an owner of another one, if the account allows " +
      "that. Nobody can talk to it until it is published.",
    bodyExamples: { name: { value: { name: "Ada Lovelace" } } },
    created: true,
    reply: { description: "The coach", example: { ...exampleCoach, role: "owner", is_active: false } },
  },
  deleteCoach: {
    summary: "Delete a coach",
    description: "Deletes a coach for everybody: its threads, files, answers and everything else that is its own are " +
      "erased soon after. `confirm`, in the body or the query, has to be its published name.",
    bodyExamples: { confirm: { value: { confirm: exampleCoach.name } } },
    reply: {
      description: "It is deleted",
      example: { message: "Coach deleted successfully", coachId: exampleCoach.id },
    },
  },
  getSettings: {
    summary: "Get the settings of a coach",
    description: "What owners set at once, besides what is published. For owners and editors.",
    reply: { description: "The settings", example: exampleSettings },
  },
  saveSettings: {
    summary: "Change the settings of a coach",
    description: "Changes those that are passed, at once: they are no part of drafts and versions.",
    bodyExamples: { pause: { value: { is_active: false } }, slug: { value: { slug: "ada-lovelace" } } },
    reply: { description: "All settings", example: exampleSettings },
  },
};
