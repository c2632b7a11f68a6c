import { z } from "zod";
import { defineCommand } from "./command.ts";
import { formatCoach } from "./format_coach.ts";
import { explainOwner } from "./explain_owner.ts";
import { id, text } from "./inputs.ts";
import { readCoachFile } from "./read_coach_file.ts";

/** `coach create` */
export const createCoach = defineCommand({
  positionals: ["file.md"],
  flags: ["sources-are-open"],
  input: z.strictObject({
    "file.md": text,
    account: id,
    owner: id.optional(),
    "sources-are-open": z.boolean().optional(),
  }),
  isChange: true,
  async run({ "file.md": file, account, owner, "sources-are-open": isOpen = false }, { project, folder }) {
    const { id, fields } = await readCoachFile(folder, file);
    const { data } = await project().client.rpc("create_coach", {
      account_id: account,
      ...leaveOutNulls({ id, ...fields }),
      owner_id: owner,
      sources_are_open: fields.sources_are_open || isOpen,
    }).throwOnError().then(undefined, (error) => {
      throw explainOwner(error);
    });
    return { json: data, text: formatCoach(data) };
  },
});

/** Arguments of a function of Postgres, without those that are null: their types know no null, but may be left out. */
function leaveOutNulls<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [Name in keyof Fields]: null extends Fields[Name] ? Exclude<Fields[Name], null> | undefined : Fields[Name];
  };
}
