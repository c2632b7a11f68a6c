import * as z from "zod/mini";
import { requiredId } from "../../core/wire/fields.ts";
import { cursorField, limitField } from "../../core/wire/paging.ts";
import { cursorForm, readCursor } from "./cursor.ts";

/** Input of `listCoaches`. The cursor contains the ID, because coaches may have the same name. */
export const ListCoachesInput = z.object({
  limit: limitField,
  cursor: cursorField(cursorForm, (cursor) => readCursor(cursor) !== null),
});
export type ListCoachesInput = z.infer<typeof ListCoachesInput>;

/** Input of `getCoach`. */
export const GetCoachInput = z.object({
  coachId: requiredId("coachId", "The coach: `id` in the list of coaches"),
});
export type GetCoachInput = z.infer<typeof GetCoachInput>;
