import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { id } from "./inputs.ts";
import { formatPinnedAnswer } from "./pinned_answer.ts";

/** `answer show` */
export const showAnswer = defineCommand({
  positionals: ["answer id"],
  input: z.strictObject({ "answer id": id }),
  isChange: false,
  async run({ "answer id": answerId }, { project }) {
    const { data: [answer] } = await project().client.from("pinned_answers").select().eq("id", answerId).throwOnError();
    if (answer === undefined) throw new CommandError("Pinned answer not found");
    return { json: answer, text: formatPinnedAnswer(answer) };
  },
});
