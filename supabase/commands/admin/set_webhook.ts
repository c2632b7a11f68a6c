import { z } from "zod";
import { AddressRefused, requirePublicAddress } from "../../../shared/infra/web/public_address.ts";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { id, text } from "./inputs.ts";
import { formatWebhook } from "./webhook.ts";

/** `webhook set` */
export const setWebhook = defineCommand({
  positionals: [],
  flags: ["rotate", "private"],
  typed: { url: "--url" },
  input: z.strictObject({
    account: id,
    url: text,
    rotate: z.boolean().optional(),
    private: z.boolean().optional(),
  }),
  isChange: true,
  async run({ account, url, rotate = false, private: allowsPrivate = false }, { project, note }) {
    try {
      await requirePublicAddress(url.trim(), { allowsPrivate });
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      throw new CommandError(`webhook set: --url is not allowed. ${error.message}.`, exitCodes.calledWrongly);
    }
    const { data } = await project().client.rpc("set_webhook", {
      account_id: account,
      url: url.trim(),
      is_rotated: rotate,
    }).throwOnError();
    if (typeof data === "object" && data !== null && "secret" in data) {
      note("Store the secret now: it is shown only once. Receivers use it to verify messages.");
    }
    return { json: data, text: formatWebhook(data) };
  },
});
