import { isStorableText } from "../../base/text/storable_text.ts";

/** The last coach of a page; the next page starts after it. */
export type Cursor = { name: string; id: string };

/** A cursor of the list of coaches: `<name>_<id>`, each as UTF-8 in hex. */
export const cursorForm = /^((?:[0-9a-f]{2})+)_((?:[0-9a-f]{2})+)$/;

/** Reads a cursor; null if it is not valid. */
export function readCursor(cursor: string): Cursor | null {
  const [, nameInHex, idInHex] = cursorForm.exec(cursor) ?? [];
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
