import { z } from "zod";
import { defineCommand } from "./command.ts";
import { id } from "./inputs.ts";
import { formatWebhook } from "./webhook.ts";

/** `webhook remove` */
export const removeWebhook = defineCommand({
  positionals: [],
  input: z.strictObject({ account: id }),
  isChange: true,
  async run({ account }, { project }) {
    const { data } = await project().client.rpc("remove_webhook", { account_id: account }).throwOnError();
    return { json: data, text: formatWebhook(data) };
  },
});
