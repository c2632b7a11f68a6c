import { aCoach, atMost, day, defineCommand, defineList, id, oneOf, option } from "./command.ts";
import { requireRow } from "./read_rows.ts";
import { formatTime, showHarmlessly } from "./terminal_text.ts";

const columns = "id,coach_id,question,status,times,people,first_asked_at,last_asked_at,pinned_answer_id" as const;

/** `npm run admin -- question …` */
export const questionCommands = {
  list: defineList({
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
    none: "No question matches.",
    async read({ client }, { coach, status, since, limit }) {
      let query = client.from("open_questions").select(columns).eq("coach_id", coach).eq("status", status)
        .order("people", { ascending: false }).order("last_asked_at", { ascending: false }).order("id").limit(limit);
      if (since !== undefined) query = query.gte("last_asked_at", since);
      return (await query.throwOnError()).data;
    },
    show: ({ id, people, times, last_asked_at, question }) => {
      return { id, people, times, "last asked": formatTime(last_asked_at), question };
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
