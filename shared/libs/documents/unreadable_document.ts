/**
 * A document that its parser cannot read: it is encrypted, damaged or unpacks to too much. `message` is for operators.
 */
export class UnreadableDocument extends Error {
  override name = "UnreadableDocument";
}

/** The documents that cannot be read, and the messages for operators. */
export const unreadable = {
  encrypted: () => new UnreadableDocument("The file is encrypted"),
  damaged: () => new UnreadableDocument("The file is damaged"),
  explosive: () => new UnreadableDocument("The file unpacks to more than can be read"),
  tooLarge: () => new UnreadableDocument("The file holds or unpacks to more text than can be read"),
  outdated: () => new UnreadableDocument("The file is packed in an outdated way that cannot be read; save it again"),
};
