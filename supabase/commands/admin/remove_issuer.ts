import { z } from "zod";
import { defineCommand } from "./command.ts";
import { id, text } from "./inputs.ts";
import { formatTokenIssuer } from "./token_issuer.ts";

/** `issuer remove` */
export const removeIssuer = defineCommand({
  positionals: ["name"],
  input: z.strictObject({ name: text, account: id }),
  isChange: true,
  async run({ name, account }, { project }) {
    const { data } = await project().client.rpc("remove_token_issuer", { account_id: account, name }).throwOnError();
    return { json: data, text: formatTokenIssuer(data) };
  },
});
