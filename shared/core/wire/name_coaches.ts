import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { type Database, parseJson } from "../../infra/db/database.ts";
import { fieldsOf } from "../../libs/base/fields_of.ts";
import { uuidPattern } from "./ids.ts";

/** A text that can be the slug of a coach. Most IDs are UUIDs, which cannot. */
const slugPattern = /^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/;

/** The most names that are remembered. */
const maxKnown = 10_000;

/** The IDs of coaches by their names, of each database. A name never comes to mean another coach. */
const known = new WeakMap<Database, Map<string, string>>();

/**
 * Puts the ID of a coach in the place of its slug: in `coachId`, also that of a chat's `context`, and in `model`, which is
 * a coach to OpenAI's clients. Any other text stays. The caller is admitted before a name is looked up.
 */
export async function nameCoaches<Input>(
  input: Input,
  account: AccountDatabase,
  services: { database: Database },
): Promise<Input> {
  const { coachId, context, model } = fieldsOf(input);
  const { coachId: inContext } = fieldsOf(context);
  const named = [coachId, inContext, model].find((name): name is string =>
    typeof name === "string" && slugPattern.test(name) && !uuidPattern.test(name)
  );
  if (named === undefined) return input;
  const { database } = services;
  let ids = known.get(database);
  if (ids === undefined || ids.size >= maxKnown) known.set(database, ids = new Map());
  let id = ids.get(named);
  if (id === undefined) {
    await account.admit();
    // Not read by a schema, because every function starts with this module.
    const found = parseJson("find_coach_id", await database.callForBytes("find_coach_id", { name: named }));
    if (typeof found !== "string") return input;
    ids.set(named, id = found);
  }
  if (id === named) return input;
  if (coachId === named) return { ...input, coachId: id };
  return model === named ? { ...input, model: id } : { ...input, context: { ...fieldsOf(context), coachId: id } };
}
