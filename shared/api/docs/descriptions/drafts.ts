import type { Descriptions } from "../description.ts";
import { exampleCoach, exampleDraft, exampleVersion, exampleVersionSummary } from "../examples.ts";

export const personaDescriptions: Descriptions = {
  getDraft: {
    summary: "Get the draft of a persona",
    description:
      "The persona as it would be if its draft were published, with the names of the fields that would change. " +
      "Without a draft, that is what is published. For the experts of the coach.",
    reply: { description: "The draft", example: exampleDraft },
  },
  saveDraft: {
    summary: "Save the draft of a persona",
    description:
      "Replaces the draft, but for its picture. Fields that are left out are as published, so send only those that " +
      "have changed: then changes that are published meanwhile stay. People see nothing of a draft until it is " +
      "published; `try` and `test-runs` take it with `draft`. For owners and editors.",
    bodyExamples: {
      instructions: { value: { instructions: exampleDraft.instructions, if_revision: 2 } },
    },
    reply: { description: "The draft", example: exampleDraft },
  },
  deleteDraft: {
    summary: "Delete the draft of a persona",
    description: "Discards what was not published, the picture included. For owners and editors.",
    reply: {
      description: "There is no draft",
      example: { message: "Draft deleted successfully", coachId: exampleCoach.id },
    },
  },
  setPicture: {
    summary: "Set the picture of a persona",
    description:
      "The body is the picture: PNG, JPEG or WebP, at most 1 MB and 4,096 pixels wide and high, not animated. Its " +
      "content decides on its type. It becomes part of the draft. Everything but the pixels, and how a JPEG is turned, " +
      "is removed before it is stored. A picture can be read by everybody who knows its address. For owners and editors.",
    reply: { description: "The draft", example: { ...exampleDraft, changes: ["picture", "instructions"] } },
  },
  removePicture: {
    summary: "Remove the picture of a persona",
    description: "The draft has no picture then. For owners and editors.",
    reply: {
      description: "The draft",
      example: { ...exampleDraft, picture_url: null, changes: ["picture", "instructions"] },
    },
  },
  publish: {
    summary: "Publish the draft of a persona",
    description:
      "The next answers are given by it. A persona that was never active becomes active. `if_version` names the " +
      "version that was seen, so that nobody overwrites what another expert has published. For owners.",
    bodyExamples: { seen: { value: { if_version: 7, if_revision: 3 } } },
    reply: { description: "The new version", example: exampleVersion },
  },
  listVersions: {
    summary: "List the versions of a persona",
    description:
      "Every change that was published, newest first, also those by operators and their settings. With `limit` or " +
      "`cursor`, one page of them. For the experts of the coach.",
    reply: { description: "The versions", example: { data: [exampleVersionSummary], count: 1 } },
  },
  getVersion: {
    summary: "Get a version of a persona",
    description: "What the persona was in this version. For the experts of the coach.",
    reply: { description: "The version", example: exampleVersion },
  },
  restoreVersion: {
    summary: "Restore a version of a persona",
    description:
      "Publishes a new version that has the fields and the picture of an earlier one. Settings of operators stay, and " +
      "so does the draft. For owners.",
    bodyExamples: { seen: { value: { if_version: 8 } } },
    reply: { description: "The new version", example: { ...exampleVersion, version: 9, restored_from: 6 } },
  },
};
