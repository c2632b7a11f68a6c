const megabyte = 1024 * 1024;

/** The limits of one upload: files, and bytes of all files together. */
export const maxFiles = 20;
export const maxBytes = 100 * megabyte;
/** The files and the multipart syntax around them. */
export const maxBodyBytes = maxBytes + megabyte;
/** The files, and other fields that are skipped. */
export const maxParts = 1_000;
/** Bytes of the headers of one part, mainly the file's name. */
export const maxPartHeaderBytes = 64 * 1024;

/** Bytes of one file. */
export const maxFileBytes = 50 * megabyte;
/** Bytes of one document, which is read as a whole when it is indexed. */
export const maxDocumentBytes = 25 * megabyte;

/**
 * The maximum number of uploads that a worker reads at the same time, and of those of one account. Each takes up to 2 MB
 * of its memory, however large the files are. A worker has 256 MB, and needs 80 MB for itself.
 */
export const uploadsAtOnce = { limit: 40, share: 10 };
