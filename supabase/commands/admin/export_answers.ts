import { resolve } from "node:path";
import { z } from "zod";
import { writeAnswerSheet } from "../../../shared/features/pinned_answers/write_answer_sheet.ts";
import { CommandError } from "../command_error.ts";
import { errorMessage } from "../error_message.ts";
import { defineCommand } from "./command.ts";
import { text } from "./inputs.ts";
import { readAllByOffset } from "./read_all.ts";
import { requireCoach } from "./require_coach.ts";
import { showHarmlessly } from "./show_harmlessly.ts";
import { writePrivately } from "./write_privately.ts";

/** `answer export` */
export const exportAnswers = defineCommand({
  positionals: [],
  input: z.strictObject({ coach: text, output: text.optional() }),
  isChange: false,
  timeLimit: 120_000,
  async run({ coach, output }, { project, folder, isTerminal }) {
    const { client } = project();
    await requireCoach(client, coach);
    const answers = await readAllByOffset(
      ({ from, to }) =>
        client.from("pinned_answers").select("id,question,variants,answer,is_active").eq("coach_id", coach)
          .order("created_at").order("updated_at").order("id").range(from, to).throwOnError(),
      ({ id }) => id,
    );
    const sheet = writeAnswerSheet(answers);
    if (output === undefined) {
      const shown = sheet.slice(1).trimEnd();
      return { json: shown, text: isTerminal ? shown.split(/\r?\n/).map(showHarmlessly).join("\n") : shown };
    }
    await writePrivately(resolve(folder, output), sheet).catch((error) => {
      throw new CommandError(`${showHarmlessly(output)} cannot be written: ${errorMessage(error)}`);
    });
    const count = answers.length === 1 ? "1 pinned answer" : `${answers.length} pinned answers`;
    return { json: { output, answers: answers.length }, text: `Wrote ${count} to ${showHarmlessly(output)}.` };
  },
});
