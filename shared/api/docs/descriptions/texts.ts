import type { Descriptions } from "../description.ts";
import { exampleSourceId } from "../examples.ts";

const text = {
  fileId: exampleSourceId,
  title: "Before the first visit",
  content: "## What to bring\n\n- Your last blood count\n- A list of what you ate yesterday\n",
  version: 3,
  saved_at: "2026-11-20T09:12:00.000Z",
};

export const textsDescriptions: Descriptions = {
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
