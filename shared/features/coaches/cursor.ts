import { isStorableText } from "../../libs/base/text.ts";
import { cursorField, limitField, type Page, pageSizeOf } from "../../core/wire/paging.ts";

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

/** Reads a cursor; null if it is not valid. */
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
