/** Bytes of one message, files included. */
export const maxBodyBytes = 4 * 1024 * 1024;
/** The same, for people. */
export const maxBodySize = `${maxBodyBytes / 1024 / 1024} MB`;

/** Messages of a batch. Each spends a unit of the limits. */
export const maxBatch = 50;

/** The maximum length of a progress token, which is repeated in every report. */
export const maxTokenLength = 256;
