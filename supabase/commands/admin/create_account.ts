import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatFields } from "./format_table.ts";
import { text } from "./inputs.ts";

const createdAccount = z.looseObject({ id: z.string(), name: z.string() });

/** `account create` */
export const createAccount = defineCommand({
  positionals: ["name"],
  input: z.strictObject({ name: text }),
  isChange: true,
  async run({ name }, { project }) {
    const { data } = await project().client.rpc("create_account", { name: name.trim() }).throwOnError();
    const account = createdAccount.parse(data);
    return { json: account, text: formatFields({ id: account.id, name: account.name }) };
  },
});
