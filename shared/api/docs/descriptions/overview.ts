import type { Descriptions } from "../description.ts";

const exampleWeek = {
  from: "2026-11-14",
  conversations: 48,
  people: 31,
  answers: 214,
  own_words: 19,
  not_known: 6,
  good: 12,
  bad: 2,
};

export const overviewDescriptions: Descriptions = {
  getOverview: {
    summary: "Get an overview of a coach",
    description:
      "What waits for the experts, what has changed since a moment, how the coach did in the last seven days and in " +
      "those before, and what does not work. For every expert of the coach.",
    reply: {
      description: "The overview",
      example: {
        waiting: { questions: 3, people: 1 },
        since: "2026-11-19T08:00:00.000Z",
        changed: {
          questions: 2,
          conversations: 14,
          messages_of_people: 37,
          ratings_down: 1,
          versions: [{
            version: 7,
            published_at: "2026-11-19T16:20:11.004Z",
            by: { user_id: "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a001", name: null, email: "mara@example.com" },
          }],
          files: 1,
          answers_by_others: 1,
        },
        week: exampleWeek,
        week_before: { ...exampleWeek, from: "2026-11-07", conversations: 40 },
        trouble: { files_failed: 0, sources_failed: 0, tests_failing: 1 },
      },
    },
  },
};
