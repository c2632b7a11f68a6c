import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { countOf, countUser, describeCounts } from "./count_user.ts";
import { id, text } from "./inputs.ts";
import { requireAccount } from "./require_account.ts";
import { showHarmlessly } from "./show_harmlessly.ts";

const erased = z.object({ threads: z.number(), messages: z.number(), responses: z.number() });

/** `user erase` */
export const eraseUser = defineCommand({
  positionals: ["user id"],
  flags: ["yes"],
  input: z.strictObject({ "user id": text, account: id, yes: z.boolean().default(false) }),
  isChange: true,
  timeLimit: 180_000,
  async run({ "user id": userId, account: accountId, yes }, { project, note, confirm }) {
    if (!yes && confirm === null) {
      throw new CommandError(
        "There is no terminal for the confirmation. To erase without one, add --yes.",
        exitCodes.calledWrongly,
      );
    }
    const opened = project();
    await requireAccount(opened, accountId);
    const counts = await countUser(opened, { accountId, userId });
    const shownUser = `user ${showHarmlessly(userId)} in account ${accountId}`;
    note(`Stored for ${shownUser}: ${describeCounts(counts)}.`);
    if (!yes && !await confirm!("Erase them permanently?")) {
      throw new CommandError("Nothing was changed.", exitCodes.declined);
    }
    const { data } = await opened.client.rpc("erase_user", { account_id: accountId, user_id: userId }).throwOnError();
    const { responses, ...gone } = erased.parse(data);
    if (responses > 0) await opened.wakeIndexer();
    note(
      "The usage counts of this user are kept. If the user has a login, delete it in the dashboard under " +
        "Authentication.",
    );
    return {
      json: { account_id: accountId, user_id: userId, ...gone, responses },
      text: `Erased ${describeCounts(gone)} for ${shownUser}.\n` +
        `${countOf(responses, "response")} will also be deleted at the model's backend.`,
    };
  },
});
