import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatFields } from "./format_table.ts";
import { id } from "./inputs.ts";

const queued = z.object({ id: z.string() });

/** `webhook test` */
export const testWebhook = defineCommand({
  positionals: [],
  input: z.strictObject({ account: id }),
  isChange: true,
  async run({ account }, { project, note }) {
    const { data } = await project().client.rpc("test_webhook", { account_id: account }).throwOnError();
    note("A message of the type webhook.test will be sent within a minute. webhook show displays the result.");
    return { json: data, text: formatFields({ "webhook-id": queued.parse(data).id }) };
  },
});
