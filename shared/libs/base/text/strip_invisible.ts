/**
 * Marks of direction, zero-width characters, soft hyphens and tags. The two joiners are left: Persian words and many emoji
 * need them, and they move nothing.
 */
const invisible =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/**
 * Leaves out what nobody sees, and what changes the order in which letters are shown. A question or a title then reads as
 * it is compared: with such marks, "not allowed" could be shown for another question than the one that is matched. The
 * name of a file could show another one, or another type, than it has.
 */
export function stripInvisible(text: string): string {
  return text.replace(invisible, "");
}
