import type { Descriptions } from "../description.ts";
import { exampleSourceId } from "../examples.ts";

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

export const sourcesDescriptions: Descriptions = {
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
};
