import type { Examples } from "../describe_endpoint.ts";
import { exampleAuthor, exampleFile, exampleSource, exampleSourceId, exampleStoredFile } from "./things.ts";

const examplePassage = {
  passage_id: exampleSource.passageId,
  position: exampleSource.position,
  page: exampleSource.page,
  heading: exampleSource.heading,
  content: "You are new here, and they are not. Listen before you change anything.",
  repeats: 35,
};

const text = {
  fileId: exampleSourceId,
  title: "Before the first visit",
  content: "## What to bring\n\n- Your last blood count\n- A list of what you ate yesterday\n",
  version: 3,
  saved_at: "2026-11-20T09:12:00.000Z",
  saved_by: exampleAuthor,
};

const site = {
  id: exampleSourceId,
  url: "https://www.example.com/handbook/",
  kind: "site",
  refresh: "daily",
  limit: 200,
  status: "ready",
  reason: null,
  pages: 84,
  failed_pages: 1,
  fetched_at: "2026-11-20T04:10:27.512Z",
  next_refresh_at: "2026-11-21T04:10:27.512Z",
};
const queued = { ...site, status: "queued", pages: 0, failed_pages: 0, fetched_at: null, next_refresh_at: null };

const passage = {
  file_id: "7a5b8f3c-2d11-4e0a-9c35-6f3d1b8a4e72",
  filename: "Prices 2026.pdf",
  source_url: null,
  dated_at: "2026-11-20T09:12:00.000Z",
  passage_id: "5f1d7a84db00d2fce00b31a7fc73224f",
  position: 0,
  page: 1,
  heading: "Prices",
  content: "| Initial consultation | 60 min | €140 |",
};

export const knowledgeExamples: Examples = {
  uploadFiles: {
    example: {
      uploadedFiles: [exampleFile],
      failedFiles: [{ filename: "notes.rtf", error: "The file type is not supported. Supported types: PDF, …" }],
      totalUploaded: 1,
      totalFailed: 1,
    },
  },
  searchFiles: {
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
  replaceFile: { example: { ...exampleStoredFile, pending: "queued" } },
  updateFile: { example: { ...exampleStoredFile, valid_until: "2026-12-31" } },
  listFileChanges: {
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
  listFileQuotes: {
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
  deleteFile: { example: { message: "File deleted successfully", fileId: exampleFile.fileId } },
  getFile: {
    example: {
      ...exampleStoredFile,
      passages: 9,
      sections: [
        {
          heading: "Before you start",
          page: null,
          passage_id: "b3a1c86e0a4f4d1f8e6f21c05b9d7e12",
          position: 0,
          passages: 3,
        },
        {
          heading: exampleSource.heading,
          page: null,
          passage_id: exampleSource.passageId,
          position: exampleSource.position,
          passages: 6,
        },
      ],
    },
  },
  getOriginal: {
    example: {
      url: "https://<ref>.supabase.co/functions/v1/knowledge-handler/originals/" +
        `${exampleSource.fileId}.1795363473.4m6bQzv0n1yXo3h2ZyJc5m8d0QmJg7p9bT1sW2kRr3E`,
      expires_at: "2026-11-22T16:04:33.000Z",
    },
  },
  getPassage: {
    example: {
      file_id: exampleSource.fileId,
      filename: exampleSource.filename,
      content_type: exampleFile.contentType,
      source_url: null,
      fetched_at: null,
      passage: examplePassage,
      before: [{
        ...examplePassage,
        passage_id: "0c6a4f1de2b94a0c8a1b7e3d5c2f4a61",
        position: 2,
        content: "Your first week begins on Monday. You are new here, and they are not.",
        repeats: 0,
      }],
      after: [],
      has_more_before: true,
      has_more_after: false,
    },
  },
  createText: { example: { ...text, version: 1 } },
  getText: { example: text },
  saveText: { example: { ...text, version: 4 } },
  listSources: { example: { data: [site], count: 1 } },
  getSource: {
    example: {
      ...site,
      failures: [{ url: "https://www.example.com/handbook/old", reason: "The page answered with status 500" }],
    },
  },
  addSource: { example: queued },
  updateSource: { example: { ...site, refresh: "weekly" } },
  deleteSource: { example: { message: "Source deleted successfully", sourceId: exampleSourceId } },
  refreshSource: { example: { ...site, status: "queued", next_refresh_at: null } },
  listContradictions: {
    example: {
      data: [{
        id: exampleSourceId,
        is_confirmed: true,
        found_at: "2026-11-20T09:13:04.120Z",
        statements: [{
          kind: "price",
          one: "| Initial consultation | 60 min | €140 |",
          other: "The initial consultation of 60 minutes costs €120.",
        }],
        one: passage,
        other: {
          ...passage,
          file_id: "0c9e6a41-5b7d-4f62-8e13-2a4d9c7b1f58",
          filename: "Questions.md",
          dated_at: "2025-02-03T15:40:00.000Z",
          passage_id: "c4ca4238a0b923820dcc509a6f75849b",
          page: null,
          heading: null,
          content: "The initial consultation of 60 minutes costs €120.",
        },
      }],
      count: 1,
    },
  },
  settleContradiction: { example: { message: "Contradiction settled successfully", contradictionId: exampleSourceId } },
};
