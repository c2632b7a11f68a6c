import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { formatCoach } from "./format_coach.ts";
import { explainOwner } from "./explain_owner.ts";
import { id, text } from "./inputs.ts";
import { readCoachFile } from "./read_coach_file.ts";
import { showHarmlessly } from "./show_harmlessly.ts";

/** `coach update` */
export const updateCoach = defineCommand({
  positionals: ["coach id", "file.md"],
  flags: ["sources-are-open"],
  input: z.strictObject({
    "coach id": text,
    "file.md": text,
    owner: z.union([z.literal("none"), id]).optional(),
    "sources-are-open": z.boolean().optional(),
  }),
  isChange: true,
  async run({ "coach id": coachId, "file.md": file, owner, "sources-are-open": isOpen = false }, { project, folder }) {
    const { id, fields } = await readCoachFile(folder, file);
    if (id !== null && id !== coachId) {
      throw new CommandError(
        `${showHarmlessly(file)} has the ID ${showHarmlessly(id)}, but the ID of a coach cannot be changed.`,
        exitCodes.calledWrongly,
      );
    }
    const change = {
      ...fields,
      sources_are_open: fields.sources_are_open || isOpen,
      ...(owner === undefined ? {} : { owner_id: owner === "none" ? null : owner }),
    };
    const { data } = await project().client.from("coach_profiles").update(change).eq("id", coachId).select()
      .throwOnError().then(undefined, (error) => {
        throw explainOwner(error);
      });
    if (data[0] === undefined) throw new CommandError("Coach not found");
    return { json: data[0], text: formatCoach(data[0]) };
  },
});
