import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTable, formatTime } from "./format_table.ts";
import { text } from "./inputs.ts";
import { requireCoach } from "./require_coach.ts";
import { readTests } from "./stored_tests.ts";

/** `test list` */
export const listTests = defineCommand({
  positionals: [],
  input: z.strictObject({ coach: text }),
  isChange: false,
  async run({ coach }, { project, note }) {
    const { client } = project();
    await requireCoach(client, coach);
    const tests = await readTests(client, coach);
    if (tests.length === 0) note("This coach has no tests yet.");
    return {
      json: tests,
      text: formatTable(
        ["id", "question", "expects", "changed"],
        tests.map(({ id, question, expect, updated_at }) => [
          id,
          question,
          Object.keys(expect).join(", ") || null,
          formatTime(updated_at),
        ]),
      ),
    };
  },
});
