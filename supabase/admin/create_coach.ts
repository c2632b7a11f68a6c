import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatCoach } from "./format_coach.ts";
import { id, text } from "./inputs.ts";
import { readCoachFile } from "./read_coach_file.ts";

/** `coach create` */
export const createCoach = defineCommand({
  positionals: ["file.md"],
  input: z.strictObject({ "file.md": text, account: id }),
  isChange: true,
  async run({ "file.md": file, account }, { project, folder }) {
    const { id, fields: { greeting, model, temperature, ...fields } } = await readCoachFile(folder, file);
    const { data } = await project().client.rpc("create_coach", {
      account_id: account,
      ...fields,
      // To leave an argument out is to say null.
      id: id ?? undefined,
      greeting: greeting ?? undefined,
      model: model ?? undefined,
      temperature: temperature ?? undefined,
    }).throwOnError();
    return { json: data, text: formatCoach(data) };
  },
});
