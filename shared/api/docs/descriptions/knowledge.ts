import type { Descriptions } from "../description.ts";
import { exampleFile, exampleSource } from "../examples.ts";

const tags = ["Knowledge"];

export const knowledgeDescriptions: Descriptions = {
  uploadFiles: {
    summary: "Upload knowledge files",
    description:
      "Adds files to what a coach knows: PDF, DOCX, TXT, MD (up to 25 MB each), JPG, PNG, GIF, WEBP, MP4, AVI, MOV, " +
      "WEBM (up to 50 MB each), 100 MB in all. A file that cannot be accepted stops no other. Content can be found " +
      "a moment later: see the `status` in search results.",
    tags,
    reply: {
      description: "What became of each file",
      example: {
        uploadedFiles: [exampleFile],
        failedFiles: [{ filename: "notes.rtf", error: "The file type is not supported; supported are PDF, …" }],
        totalUploaded: 1,
        totalFailed: 1,
      },
    },
  },
  searchFiles: {
    summary: "Search knowledge files",
    description: "The files of a coach: best match first with `search`, otherwise the newest first.",
    tags,
    reply: {
      description: "A page of files",
      example: {
        data: [
          { ...exampleFile, status: "ready", error: null, score: exampleSource.score, snippet: exampleSource.quote },
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
    description: "Deletes a file and all that was drawn from it.",
    tags,
    reply: {
      description: "The file is gone",
      example: { message: "File deleted successfully", fileId: exampleFile.fileId },
    },
  },
};
