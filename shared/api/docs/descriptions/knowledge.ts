import type { Descriptions } from "../describe_endpoint.ts";
import { exampleAuthor, exampleFile, exampleSource, exampleSourceId, exampleStoredFile } from "../examples.ts";

const readers = "For a server whose key has the scope `knowledge:read`, for the coach's own user, and, if the " +
  "coach's `sources_are_open`, for everyone who may talk to the coach.";

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
  getFile: {
    summary: "Get a knowledge file",
    description:
      `A file with its sections: what is where. A section is a run of passages under one heading, or on one page if ` +
      `there are no headings. ${readers}`,
    reply: {
      description: "The file",
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
  },
  getOriginal: {
    summary: "Get the address of the original",
    description:
      `An address that opens the original of a file without a key, for 60 seconds. Browsers show PDF, PNG and JPEG in ` +
      `place, the latter at \`#page=N\` if you add that; all other types are downloaded. After that, and if it was ` +
      `changed, the address replies 403 with the code \`address_not_valid\`; if the file is deleted, 404 with ` +
      `\`file_not_found\`. ${readers}`,
    reply: {
      description: "The address",
      example: {
        url: "https://<ref>.supabase.co/functions/v1/knowledge-handler/originals/" +
          `${exampleSource.fileId}.1795363473.4m6bQzv0n1yXo3h2ZyJc5m8d0QmJg7p9bT1sW2kRr3E`,
        expires_at: "2026-11-22T16:04:33.000Z",
      },
    },
  },
  getPassage: {
    summary: "Get a passage among its neighbors",
    description:
      `A passage that an answer draws on, with the passages before and after it. Passages may begin with the end of ` +
      `the one before: \`repeats\` says how much. A passage that a later version of the file no longer has is a 404. ` +
      `If the same text is twice in the file, the first is meant. ${readers}`,
    reply: {
      description: "The passage",
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
  },
  createText: {
    summary: "Write a text",
    description: "Adds a text in Markdown to the knowledge of a coach. It is a knowledge file with the title as its " +
      "first heading and its name, and is listed, searched, quoted and deleted as files are. The same title and content " +
      "again are the text that there is.",
    reply: { description: "The text", example: { ...text, version: 1 } },
  },
  getText: {
    summary: "Get a text",
    description: "A text as it was saved last, even if answers still draw on what it said before.",
    reply: { description: "The text", example: text },
  },
  saveText: {
    summary: "Save a text",
    description:
      "Saves title and content of a text. What it said before answers until the new text has been read. With " +
      "`if_version`, it is a 409 if somebody else has saved another version since.",
    reply: { description: "The text", example: { ...text, version: 4 } },
  },
  listSources: {
    summary: "List web sources",
    description: "The web addresses that a coach knows, newest first. Their pages are in the list of files, too.",
    reply: { description: "The sources", example: { data: [site], count: 1 } },
  },
  getSource: {
    summary: "Get a web source",
    description: "A source, with the pages that could not be read or used, and why.",
    reply: {
      description: "The source",
      example: {
        ...site,
        failures: [{ url: "https://www.example.com/handbook/old", reason: "The page answered with status 500" }],
      },
    },
  },
  addSource: {
    summary: "Add a web source",
    description:
      "Adds a web address to the knowledge of a coach. It is read in the background: each page becomes a knowledge " +
      "file with its main content, and is read again as `refresh` says. If the coach has the address already, that " +
      "source is returned unchanged.",
    reply: { description: "The source", example: queued },
  },
  updateSource: {
    summary: "Change a web source",
    description: "Changes how often a source is read, or the most pages that it may have.",
    reply: { description: "The source", example: { ...site, refresh: "weekly" } },
  },
  deleteSource: {
    summary: "Delete a web source",
    description: "Deletes a source with the files of all its pages.",
    reply: {
      description: "The source was deleted",
      example: { message: "Source deleted successfully", sourceId: exampleSourceId },
    },
  },
  refreshSource: {
    summary: "Read a web source again",
    description: "Has a source read again now, from the beginning. Pages that have not changed are not indexed again.",
    reply: { description: "The source", example: { ...site, status: "queued", next_refresh_at: null } },
  },
  listContradictions: {
    summary: "List contradictions",
    description: "Passages of two files that say something else about the same thing, such as another price, date or " +
      "number, or yes and no. They are looked for in the background whenever a file was read. Contradictions that were " +
      "settled, and those of passages that a file does not have any more or that are barred, are left out.",
    reply: {
      description: "The contradictions",
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
  },
  settleContradiction: {
    summary: "Settle a contradiction",
    description:
      "Says which of the two passages counts. Answers then do not draw on what the other file says instead: " +
      "its passages with these statements are barred, and can be used again as any barred passage can; or, with " +
      "`ends_file`, the days of the other file end. With `null` both stay. The same two statements are not listed again.",
    reply: {
      description: "The contradiction was settled",
      example: { message: "Contradiction settled successfully", contradictionId: exampleSourceId },
    },
  },
};
