import { z } from "zod";
import { defineCommand } from "./command.ts";
import { text, wholeNumber } from "./inputs.ts";

/** `coach restore` */
export const restoreCoach = defineCommand({
  positionals: ["coach id", "version"],
  input: z.strictObject({ "coach id": text, version: wholeNumber(1) }),
  isChange: true,
  async run({ "coach id": coachId, version }, { project }) {
    const { data } = await project().client.rpc("restore_coach", { coach: coachId, version }).throwOnError();
    const restored = restoredVersion.parse(data);
    return {
      json: data,
      text: `Version ${restored.version} has the persona of version ${version} again: ${restored.changes.join(", ")}.`,
    };
  },
});

const restoredVersion = z.object({ version: z.number(), changes: z.array(z.string()) });
