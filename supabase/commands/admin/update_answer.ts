import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { id } from "./inputs.ts";
import { answerFields, explainPinned, formatPinnedAnswer, readAnswer } from "./pinned_answer.ts";

/** `answer update` */
export const updateAnswer = defineCommand({
  positionals: ["answer id"],
  repeated: ["variant"],
  input: z.strictObject({
    "answer id": id,
    ...answerFields,
    active: z.enum(["yes", "no"], "must be yes or no").optional(),
  }),
  isChange: true,
  async run({ "answer id": answerId, question, variant: variants, active, ...given }, { project, folder }) {
    const answer = await readAnswer(given, folder);
    const is_active = active === undefined ? undefined : active === "yes";
    const changes = Object.entries({ question, variants, answer, is_active }).filter(([, value]) =>
      value !== undefined
    );
    if (changes.length === 0) {
      throw new CommandError("answer update: there is nothing to change.", exitCodes.calledWrongly);
    }
    const { data } = await project().client.from("pinned_answers")
      .update({ ...Object.fromEntries(changes), written_by: null }).eq("id", answerId).select()
      .throwOnError().then(undefined, (error) => {
        throw explainPinned(error);
      });
    if (data[0] === undefined) throw new CommandError("Pinned answer not found");
    return { json: data[0], text: formatPinnedAnswer(data[0]) };
  },
});
