import type { Descriptions } from "../description.ts";
import { exampleFile, exampleSource } from "../examples.ts";

export const knowledgeDescriptions: Descriptions = {
  uploadFiles: {
    summary: "Upload knowledge files",
    description:
      "Adds files to the knowledge of a coach: PDF, DOCX, TXT, MD (up to 25 MB each), JPG, PNG, GIF, WEBP, MP4, " +
      "AVI, MOV, WEBM (up to 50 MB each), 100 MB in total. If a file is rejected, the others are still accepted. " +
      "The content becomes searchable a moment later: see the `status` in search results.",
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
            ...exampleFile,
            status: "ready",
            error: null,
            warning: null,
            score: exampleSource.score,
            snippet: exampleSource.quote,
            source_id: null,
            source_url: null,
            fetched_at: null,
          },
        ],
        count: 1,
        total: 1,
        page: 1,
        limit: 20,
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
