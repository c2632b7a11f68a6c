import { aCoach, atMost, day, defineCommand, id, oneOf, option } from "./command.ts";
import { requireCoach, requireRow } from "./read_rows.ts";
import { formatRows, formatTime, showHarmlessly } from "./terminal_text.ts";

const columns = "id,coach_id,question,status,times,people,first_asked_at,last_asked_at,pinned_answer_id" as const;

/** `npm run admin -- question …` */
export const questionCommands = {
  list: defineCommand({
    about: "Lists the open questions of a coach. Those that most people asked come first.",
    options: {
      coach: aCoach,
      status: option(
        "STATUS",
        oneOf(["open", "answered", "dismissed"]).default("open"),
        "open, answered or dismissed",
      ),
      since: option("DAY", day.optional(), "only questions that were asked on this day or later"),
      limit: atMost(1_000, 50),
    },
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
        text: formatRows(
          ["id", "people", "times", "last asked", "question"],
          questions.map((each) => ({ ...each, "last asked": formatTime(each.last_asked_at) })),
        ),
      };
    },
  }),

  dismiss: defineCommand({
    about: "Dismisses an open question.",
    args: { "question id": id },
    isChange: true,
    async run({ "question id": questionId }, { project, now }) {
      const { client } = project();
      const { people } = await requireRow(
        "Question",
        client.from("open_questions").select("people").eq("id", questionId),
      );
      const dismissal = { status: "dismissed", decided_at: now().toISOString(), dismissed_people: people };
      const question = await requireRow(
        "Question",
        client.from("open_questions").update(dismissal).eq("id", questionId).select("id,question,status"),
      );
      return { json: question, text: `Dismissed: ${showHarmlessly(question.question ?? question.id)}` };
    },
  }),
};
