const megabyte = 1024 * 1024;

/** What one upload may hold: files, and bytes of all files together. */
export const maxFiles = 20;
export const maxBytes = 100 * megabyte;
/** The files and what multipart puts around them. */
export const maxBodyBytes = maxBytes + megabyte;
/** Bytes of the headers of one part, above all the file's name. */
export const maxPartHeaderBytes = 64 * 1024;

/** Bytes of one file. */
export const maxFileBytes = 50 * megabyte;
/** Bytes of one document, which is read as a whole when it is indexed. */
export const maxDocumentBytes = 25 * megabyte;
