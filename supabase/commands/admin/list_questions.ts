import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTable, formatTime } from "./format_table.ts";
import { day, text, wholeNumber } from "./inputs.ts";
import { requireCoach } from "./require_coach.ts";

const columns = "id,coach_id,question,status,times,people,first_asked_at,last_asked_at,pinned_answer_id" as const;

/** `question list` */
export const listQuestions = defineCommand({
  positionals: [],
  input: z.strictObject({
    coach: text,
    status: z.enum(["open", "answered", "dismissed"], "must be open, answered or dismissed").default("open"),
    since: day.optional(),
    limit: wholeNumber(1, 1_000).default(50),
  }),
  isChange: false,
  async run({ coach, status, since, limit }, { project, note }) {
    const { client } = project();
    await requireCoach(client, coach);
    let query = client.from("open_questions").select(columns).eq("coach_id", coach).eq("status", status)
      .order("people", { ascending: false }).order("last_asked_at", { ascending: false }).order("id").limit(limit);
    if (since !== undefined) query = query.gte("last_asked_at", since);
    const { data: questions } = await query.throwOnError();
    if (questions.length === 0) note("No question matches.");
    return {
      json: questions,
      text: formatTable(
        ["id", "people", "times", "last asked", "question"],
        questions.map((question) => [
          question.id,
          question.people,
          question.times,
          formatTime(question.last_asked_at),
          question.question,
        ]),
      ),
    };
  },
});
