const megabyte = 1024 * 1024;

/** What one upload may hold: files, and bytes of all files together. */
export const maxFiles = 20;
export const maxBytes = 100 * megabyte;
/** With what multipart puts around the files. */
export const maxBodyBytes = maxBytes + megabyte;
/** Of what comes before a file, its name above all. */
export const maxPartHeaderBytes = 64 * 1024;

/** Bytes of one file. */
export const maxFileBytes = 50 * megabyte;
/** Bytes of one document, which is read as a whole when it is indexed. */
export const maxDocumentBytes = 25 * megabyte;
