import type { Descriptions } from "../description.ts";
import { exampleFile, exampleSource, exampleStoredFile } from "../examples.ts";

export const knowledgeDescriptions: Descriptions = {
  uploadFiles: {
    summary: "Upload knowledge files",
    description:
      "Adds files to the knowledge of a coach: PDF, DOCX, PPTX, XLSX, ODT, EPUB, HTML, CSV, TXT, MD (up to 25 MB " +
      "each), JPG, PNG, GIF, WEBP, MP4, AVI, MOV, WEBM, MP3, M4A, WAV, OGG (up to 50 MB each), 100 MB in total. If a file is rejected, the " +
      "others are still accepted. The content becomes searchable a moment later: see the `status` in search results. " +
      "With `replace=true`, a file becomes the next version of the newest uploaded file with its name, as with " +
      "`replaceFile`.",
    reply: {
      description: "The result for each file",
      example: {
        uploadedFiles: [exampleFile],
        failedFiles: [{ filename: "notes.rtf", error: "The file type is not supported. Supported types: PDF, …" }],
        totalUploaded: 1,
        totalFailed: 1,
      },
    },
  },
  searchFiles: {
    summary: "Search knowledge files",
    description: "The files of a coach: with `search`, the best match first; otherwise, the newest first.",
    reply: {
      description: "A page of files",
      example: {
        data: [
          {
            ...exampleStoredFile,
            score: exampleSource.score,
            snippet: exampleSource.quote,
          },
        ],
        count: 1,
        total: 1,
        page: 1,
        limit: 20,
      },
    },
  },
  replaceFile: {
    summary: "Replace a knowledge file",
    description:
      "Sends a new version of a file. Its ID stays, and the old version answers until the new one has been " +
      "read: `pending` says how far that is. If the new one cannot be read, the old one stays, and `error` says why. " +
      "Of several that are sent, the last one counts. The same bytes change nothing. A file that is rejected is a 400; " +
      "a page of a source, which is read again by itself, a 409.",
    reply: { description: "The file as it answers now", example: { ...exampleStoredFile, pending: "queued" } },
  },
  updateFile: {
    summary: "Rename a knowledge file, or date it",
    description:
      "Changes the name of a file, or the days (UTC, inclusive) on which answers may draw on it. On other days " +
      "it is quoted to nobody, and reading it is a 404 for those who talk to the coach; searches of files find it, with " +
      "`is_valid_today: false`. What is left out stays as it is. Pages of a source cannot be renamed: 409.",
    reply: { description: "The file", example: { ...exampleStoredFile, valid_until: "2026-12-31" } },
  },
  listFileChanges: {
    summary: "List what replacing a file has changed",
    description: "Which passages came, went and stayed with each version of the last 30 days.",
    reply: {
      description: "The changes",
      example: {
        data: [{
          version: 2,
          changed_at: "2026-11-24T09:30:00.000Z",
          counts: { came: 1, went: 1, stayed: 8 },
          came: [{
            passage_id: "0d4c8f1b6a2e4b7f9c3d5e8a7b6f1c20",
            position: 3,
            page: null,
            heading: exampleSource.heading,
            content: "Build up to 16 hours within three weeks.",
          }],
          went: [{
            passage_id: exampleSource.passageId,
            position: 3,
            page: null,
            heading: exampleSource.heading,
            content: exampleSource.quote,
          }],
          stayed: ["b3a1c86e0a4f4d1f8e6f21c05b9d7e12"],
        }],
        count: 1,
      },
    },
  },
  listFileQuotes: {
    summary: "List the answers that draw on a file",
    description:
      "The answers of the last 30 days that draw on a file, newest first, and the open questions that it could " +
      "answer.",
    reply: {
      description: "The answers and questions",
      example: {
        count: 1,
        data: [{
          thread_id: "7d0a3c1e-5b2f-4d6a-9e8c-1f0b2a3c4d5e",
          message_id: "5c4b3a29-1807-4f6e-8d5c-4b3a29180706",
          quoted_at: "2026-11-24T09:31:00.000Z",
          quote: exampleSource.quote,
          question: "How long should I fast?",
        }],
        questions: [{
          id: "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
          question: "May I drink tea while fasting?",
          times: 3,
        }],
      },
    },
  },
  deleteFile: {
    summary: "Delete a knowledge file",
    description: "Deletes a file and everything extracted from it.",
    reply: {
      description: "The file was deleted",
      example: { message: "File deleted successfully", fileId: exampleFile.fileId },
    },
  },
};
