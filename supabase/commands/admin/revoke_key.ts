import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatFields, formatTime } from "./format_table.ts";
import { id } from "./inputs.ts";

const revokedKey = z.object({ id: z.string(), name: z.string(), prefix: z.string(), revoked_at: z.string() });

/** `key revoke` */
export const revokeKey = defineCommand({
  positionals: ["key id"],
  input: z.strictObject({ "key id": id }),
  isChange: true,
  async run({ "key id": keyId }, { project }) {
    const { data } = await project().client.rpc("revoke_api_key", { id: keyId }).throwOnError();
    const { revoked_at, ...key } = revokedKey.parse(data);
    return { json: data, text: formatFields({ ...key, revoked: formatTime(revoked_at) }) };
  },
});
