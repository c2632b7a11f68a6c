import { z } from "zod";
import { CommandError } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { formatFields, formatTime } from "./format_table.ts";
import { id } from "./inputs.ts";
import { formatKeySettings } from "./issued_key.ts";

/** `key show` */
export const showKey = defineCommand({
  positionals: ["key id"],
  input: z.strictObject({ "key id": id }),
  isChange: false,
  async run({ "key id": keyId }, { project }) {
    const { data: [key] } = await project().client.rpc("list_api_keys").eq("id", keyId).throwOnError();
    if (key === undefined) throw new CommandError("API key not found");
    return {
      json: key,
      text: formatFields({
        ...formatKeySettings(key),
        begins: key.prefix,
        status: key.status,
        created: formatTime(key.created_at),
        "last used": formatTime(key.last_used_at) ?? "never",
        revoked: formatTime(key.revoked_at),
        "replaced by": key.replaced_by,
      }),
    };
  },
});
