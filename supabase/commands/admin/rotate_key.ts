import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatTime } from "./format_table.ts";
import { formatIssuedKey, issuedKey, onlyNow } from "./issued_key.ts";
import { id, wholeNumber } from "./inputs.ts";

const rotatedKey = issuedKey.extend({ replaces: z.string(), replaced_expires_at: z.string() });

/** `key rotate` */
export const rotateKey = defineCommand({
  positionals: ["key id"],
  input: z.strictObject({ "key id": id, overlap: wholeNumber(0, 8_760).default(24) }),
  isChange: true,
  async run({ "key id": keyId, overlap }, { project, note }) {
    const { data } = await project().client.rpc("rotate_api_key", { id: keyId, overlap_hours: overlap }).throwOnError();
    const key = rotatedKey.parse(data);
    note(onlyNow);
    const more = { replaces: key.replaces, "which ends": formatTime(key.replaced_expires_at) };
    return { json: data, text: formatIssuedKey(key, more) };
  },
});
