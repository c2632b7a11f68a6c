import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { replyFields } from "./coach_fields.ts";
import { isStorableText } from "../../libs/base/text.ts";
import { cursorField, limitField, type Page, pageSizeOf } from "../../core/wire/paging.ts";

export const coachId = requiredId("coachId", "The coach whose owner makes the request");

/** A persona that the caller may talk to. */
export const Coach = z.object({
  id: z.string().check(z.describe("The `coachId` of other requests")),
  ...replyFields("public"),
  picture_url: z.nullable(z.string()).check(
    z.describe("The address of the coach's picture, which everybody can read; null if there is none"),
  ),
  is_ai: z.literal(true).check(z.describe("The coach is a persona played by a language model, not a person")),
  retention_days: z.nullable(z.int()).check(
    z.describe("For how many days threads are kept after their last message; null: until they are deleted"),
  ),
});

/** Settings of a coach, which hold at once, without being published. */
export const CoachSettings = z.object(replyFields("settings"));

/** The errors of every operation for the experts of a coach. */
export const ofExperts = () => [errors.notTheExpert(), errors.coachNotFound()];

/** The errors of those for some roles. */
export const ofRoles = () => [...ofExperts(), errors.roleNotSufficient()];

/** A cursor of a list of coaches: `<name>_<id>`, each as UTF-8 in hex. Coaches may have the same name. */
const form = /^((?:[0-9a-f]{2})+)_((?:[0-9a-f]{2})+)$/;

/** The fields of a page of coaches as input. */
export const coachPageFields = {
  limit: limitField,
  cursor: cursorField(form, (cursor) => readCursor(cursor) !== null),
};

/** A page of coaches as the SQL functions take it: it begins after a coach. */
export function coachPageColumns(page: Page) {
  const after = page.cursor === undefined ? null : readCursor(page.cursor);
  return { page_size: pageSizeOf(page), after_name: after?.name ?? null, after_id: after?.id ?? null };
}

function readCursor(cursor: string): { name: string; id: string } | null {
  const [, nameInHex, idInHex] = form.exec(cursor) ?? [];
  if (nameInHex === undefined || idInHex === undefined) return null;
  try {
    const name = readHex(nameInHex);
    const id = readHex(idInHex);
    return isStorableText(name) && isStorableText(id) ? { name, id } : null;
  } catch {
    // The bytes are not UTF-8.
    return null;
  }
}

function readHex(hex: string): string {
  return decodeURIComponent(hex.replaceAll(/../g, "%$&"));
}
