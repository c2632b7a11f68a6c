import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { text } from "./inputs.ts";
import { answerFields, explainPinned, formatPinnedAnswer, readAnswer } from "./pinned_answer.ts";
import { requireCoach } from "./require_coach.ts";

/** `answer add` */
export const addAnswer = defineCommand({
  positionals: [],
  repeated: ["variant"],
  input: z.strictObject({ coach: text, ...answerFields, question: answerFields.question.unwrap() }),
  isChange: true,
  async run({ coach, question, variant: variants = [], ...given }, { project, folder }) {
    const answer = await readAnswer(given, folder);
    if (answer === undefined) {
      throw new CommandError("answer add: --answer or --answer-file is missing.", exitCodes.calledWrongly);
    }
    const { client } = project();
    const account_id = await requireCoach(client, coach);
    const { data } = await client.from("pinned_answers")
      .insert({ account_id, coach_id: coach, question, variants, answer }).select()
      .throwOnError().then(undefined, (error) => {
        throw explainPinned(error);
      });
    return { json: data[0], text: formatPinnedAnswer(data[0]) };
  },
});
