import { resolve } from "node:path";
import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { describeCounts, refuseUnknownUser } from "./count_user.ts";
import { id, text } from "./inputs.ts";
import { showHarmlessly, showJson } from "./show_harmlessly.ts";

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

/** Writes a file that only its owner can read. It is renamed to its final name when it is complete. Follows links. */
async function writePrivately(link: string, text: string): Promise<void> {
  const path = await Deno.realPath(link).catch(() => link);
  const { isFile } = await Deno.stat(path).catch(() => ({ isFile: true }));
  if (!isFile) throw new Error("it exists and is not a regular file");
  const unfinished = `${path}.${crypto.randomUUID()}`;
  try {
    await Deno.writeTextFile(unfinished, text, { mode: 0o600, createNew: true });
    await Deno.rename(unfinished, path);
  } catch (error) {
    await Deno.remove(unfinished).catch(() => {});
    throw error;
  }
}
