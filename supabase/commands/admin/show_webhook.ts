import { z } from "zod";
import { defineCommand } from "./command.ts";
import { id } from "./inputs.ts";
import { formatWebhook } from "./webhook.ts";

/** `webhook show` */
export const showWebhook = defineCommand({
  positionals: [],
  input: z.strictObject({ account: id }),
  isChange: false,
  async run({ account }, { project }) {
    const { data } = await project().client.rpc("read_webhook", { account_id: account }).throwOnError();
    return { json: data, text: formatWebhook(data) };
  },
});
