import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { formatTime } from "./format_table.ts";
import { id } from "./inputs.ts";
import { formatPinnedAnswer } from "./pinned_answer.ts";
import { showHarmlessly } from "./show_harmlessly.ts";

/** The hits and the versions of a pinned answer, latest first. */
const Kept = z.object({
  hits: z.number(),
  near_hits: z.number(),
  last_hit_at: z.string().nullable(),
  versions: z.array(z.object({
    version: z.number(),
    question: z.string(),
    variants: z.array(z.string()),
    answer: z.string(),
    is_active: z.boolean(),
    written_by: z.string().nullable(),
    written_at: z.string(),
  })),
});

/** `answer show` */
export const showAnswer = defineCommand({
  positionals: ["answer id"],
  input: z.strictObject({ "answer id": id }),
  isChange: false,
  async run({ "answer id": answerId }, { project }) {
    const { client } = project();
    const { data: [answer] } = await client.from("pinned_answers").select().eq("id", answerId).throwOnError();
    if (answer === undefined) throw new CommandError("Pinned answer not found");
    const { data } = await client.rpc("get_pinned_answer", {
      caller: { account_id: answer.account_id },
      // The operator: no user.
      user_id: null!,
      coach_id: answer.coach_id,
      answer_id: answerId,
    }).throwOnError();
    const { versions, ...used } = Kept.parse(data);
    const earlier = versions.filter(({ version }) => version < answer.version).map((kept) =>
      `Version ${kept.version}, of ${formatTime(kept.written_at)}: ${showHarmlessly(kept.question)}\n` +
      kept.answer.split("\n").map((line) => `  ${showHarmlessly(line)}`.trimEnd()).join("\n")
    );
    const counts = `Given word for word: ${used.hits}. Given to the model: ${used.near_hits}.`;
    return {
      json: { ...answer, ...used, versions },
      text: [formatPinnedAnswer(answer), counts, ...earlier].join("\n\n"),
    };
  },
});
