/** Bytes of one message, files included. */
export const maxBodyBytes = 4 * 1024 * 1024;
/** The same, for people. */
export const maxBodySize = `${maxBodyBytes / 1024 / 1024} MB`;

/** Values of one message: far more than any call needs. Parsed, 4 MB of empty objects would take 160 MB of memory. */
export const maxValues = 100_000;

/** Messages of a batch. Each spends a unit of the limits. */
export const maxBatch = 50;

/** The maximum length of a progress token, which is repeated in every report. */
export const maxTokenLength = 256;
