import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTable, formatTime } from "./format_table.ts";
import { text } from "./inputs.ts";
import { readAllByOffset } from "./read_all.ts";
import { requireCoach } from "./require_coach.ts";

/** `answer list` */
export const listAnswers = defineCommand({
  positionals: [],
  input: z.strictObject({ coach: text }),
  isChange: false,
  async run({ coach }, { project, note }) {
    const { client } = project();
    await requireCoach(client, coach);
    const answers = await readAllByOffset(
      ({ from, to }) =>
        client.from("pinned_answers").select().eq("coach_id", coach).order("updated_at", { ascending: false }).order(
          "id",
        )
          .range(from, to).throwOnError(),
      ({ id }) => id,
    );
    if (answers.length === 0) note("This coach has no pinned answers yet.");
    return {
      json: answers,
      text: formatTable(
        ["id", "question", "variants", "active", "version", "changed"],
        answers.map((answer) => [
          answer.id,
          answer.question,
          answer.variants.length,
          answer.is_active ? "yes" : "no",
          answer.version,
          formatTime(answer.updated_at),
        ]),
      ),
    };
  },
});
