/** Bytes of one message, files included. */
export const maxBodyBytes = 16 * 1024 * 1024;

/** Values of one message: far more than any call needs. Parsed, 16 MB of empty objects would take 600 MB of memory. */
export const maxValues = 100_000;
