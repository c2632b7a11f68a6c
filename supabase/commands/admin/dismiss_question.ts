import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { id } from "./inputs.ts";
import { showHarmlessly } from "./show_harmlessly.ts";

/** `question dismiss` */
export const dismissQuestion = defineCommand({
  positionals: ["question id"],
  input: z.strictObject({ "question id": id }),
  isChange: true,
  async run({ "question id": questionId }, { project, now }) {
    const { client } = project();
    const { data: [asked] } = await client.from("open_questions").select("people").eq("id", questionId).throwOnError();
    if (asked === undefined) throw new CommandError("Question not found");
    const { data: [question] } = await client.from("open_questions")
      .update({ status: "dismissed", decided_at: now().toISOString(), dismissed_people: asked.people })
      .eq("id", questionId).select("id,question,status").throwOnError();
    if (question === undefined) throw new CommandError("Question not found");
    return { json: question, text: `Dismissed: ${showHarmlessly(question.question ?? question.id)}` };
  },
});
