import type * as z from "zod/mini";
import { importSheet } from "./import_sheet.ts";
import { openSheetStore } from "./store.ts";
import { takeSheetTurn } from "./take_sheet_turn.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { ImportedAnswers } from "./replies.ts";
import type { ImportPinnedAnswersInput } from "./schemas.ts";

/**
 * Pins the answers of a sheet, or tells what that would do.
 *
 * @throws 400 for a sheet that cannot be read and, unless it is a preview, for rows that cannot be used; 404 if the
 * caller has no such coach; 403 for anyone but the expert; 503 while too many other sheets are imported.
 */
export async function importPinnedAnswers(
  context: RequestContext,
  { coachId, csv, preview = false }: ImportPinnedAnswersInput,
): Promise<z.infer<typeof ImportedAnswers>> {
  const { database, userId, services, log } = context;
  const access = { coachId: requireCoachId(coachId), userId };
  const imported = await takeSheetTurn(
    context,
    "imports",
    () => importSheet(csv, preview, openSheetStore(database, access)),
  );
  const hasNew = !preview && imported.added + imported.changed > 0;
  if (hasNew && services.embedder !== null) services.waitUntil(services.wakeIndexer(log));
  return imported;
}
