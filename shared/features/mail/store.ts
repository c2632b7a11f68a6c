import * as z from "zod/mini";
import { type AccountDatabase, callRepeatable } from "../../infra/db/account_database.ts";
import { digestTimes, mailLanguages } from "./limits.ts";
import type { SaveExpertMailInput } from "./schemas.ts";

const StoredSettings = z.object({
  address: z.nullable(z.string()),
  is_refused: z.boolean(),
  asks_for_human: z.boolean(),
  digest: z.enum(digestTimes),
  hour: z.int(),
  weekday: z.int(),
  time_zone: z.string(),
  failures: z.boolean(),
  budget: z.boolean(),
  language: z.enum(mailLanguages),
});
/** The mails that an expert gets, and the address that they go to. */
export type StoredSettings = z.infer<typeof StoredSettings>;

const StoredAddress = z.object({
  email: z.nullable(z.string()),
  is_confirmed: z.boolean(),
  is_refused: z.boolean(),
  language: z.enum(mailLanguages),
});
/** The address of a person who asks. */
export type StoredAddress = z.infer<typeof StoredAddress>;

type Expert = { coachId: string; userId: string };

/** Reads the mails that an expert gets about a coach. */
export async function readSettings(database: AccountDatabase, { coachId, userId }: Expert): Promise<StoredSettings> {
  return await database.call("get_mail_settings", { coach_id: coachId, user_id: userId }, StoredSettings);
}

/** Changes them. What is left out stays as it is. */
export async function saveSettings(
  database: AccountDatabase,
  { coachId, userId }: Expert,
  settings: Omit<SaveExpertMailInput, "coachId">,
): Promise<StoredSettings> {
  const args = { coach_id: coachId, user_id: userId, settings };
  return await callRepeatable(database, "save_mail_settings", args, StoredSettings);
}

/** Reads the address of a user. */
export async function readAddress(database: AccountDatabase, userId: string): Promise<StoredAddress> {
  return await database.call("get_user_mail", { user_id: userId }, StoredAddress);
}

/** Stores the address of a user. A new one is not confirmed. Language null: as before. */
export async function saveAddress(
  database: AccountDatabase,
  { userId, email, language }: { userId: string; email: string; language: string | null },
): Promise<StoredAddress> {
  return await database.call("save_user_mail", {
    user_id: userId,
    email,
    language: language ?? undefined,
  }, StoredAddress);
}

/** Deletes the address of a user. */
export async function deleteAddress(database: AccountDatabase, userId: string): Promise<void> {
  await callRepeatable(database, "delete_user_mail", { user_id: userId }, z.object({ deleted: z.int() }));
}
