import type { Descriptions } from "../description.ts";
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

export const readingDescriptions: Descriptions = {
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
};
