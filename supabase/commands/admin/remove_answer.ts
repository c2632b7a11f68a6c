import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { id } from "./inputs.ts";
import { showHarmlessly } from "./show_harmlessly.ts";

/** `answer remove` */
export const removeAnswer = defineCommand({
  positionals: ["answer id"],
  input: z.strictObject({ "answer id": id }),
  isChange: true,
  async run({ "answer id": answerId }, { project }) {
    const { data: [answer] } = await project().client.from("pinned_answers").delete().eq("id", answerId)
      .select("id,coach_id,question").throwOnError();
    if (answer === undefined) throw new CommandError("Pinned answer not found");
    return { json: answer, text: `Removed: ${showHarmlessly(answer.question)}` };
  },
});
