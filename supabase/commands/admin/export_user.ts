import { resolve } from "node:path";
import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { describeCounts, refuseUnknownUser } from "./count_user.ts";
import { id, text } from "./inputs.ts";
import { showHarmlessly, showJson } from "./show_harmlessly.ts";
import { writePrivately } from "./write_privately.ts";

const exported = z.looseObject({ threads: z.array(z.looseObject({ messages: z.array(z.unknown()) })) });

/** `user export` */
export const exportUser = defineCommand({
  positionals: ["user id"],
  input: z.strictObject({ "user id": text, account: id, output: text.optional() }),
  isChange: false,
  timeLimit: 180_000,
  async run({ "user id": userId, account: accountId, output }, { project, folder }) {
    const { data } = await project().client.rpc("export_user", { account_id: accountId, user_id: userId })
      .throwOnError();
    const { threads } = exported.parse(data);
    if (threads.length === 0) refuseUnknownUser({ accountId, userId });
    const json = showJson(data);
    if (output === undefined) return { json: data, text: json };
    await writePrivately(resolve(folder, output), `${json}\n`).catch((error) => {
      throw new CommandError(`${showHarmlessly(output)} cannot be written: ${error.message}`);
    });
    const messages = threads.reduce((sum, thread) => sum + thread.messages.length, 0);
    const counts = { threads: threads.length, messages };
    return { json: { output, ...counts }, text: `Wrote ${describeCounts(counts)} to ${showHarmlessly(output)}.` };
  },
});
