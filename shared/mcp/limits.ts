/** Bytes of one message, files included. */
export const maxBodyBytes = 8 * 1024 * 1024;

/** Values of one message: far more than any call needs. Parsed, 8 MB of empty objects would take 300 MB of memory. */
export const maxValues = 100_000;
