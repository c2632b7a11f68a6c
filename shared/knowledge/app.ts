import { createApp, type Endpoint } from "../http/app.ts";
import { authenticate } from "../http/authenticate.ts";
import type { Services } from "../services.ts";
import { maxBodyBytes } from "./limits.ts";

export const knowledgeEndpoints: Endpoint[] = [
  {
    method: "POST",
    path: "/knowledge-handler",
    scope: "knowledge:write",
    failure: "Failed to upload files",
    load: async () => (await import("./handlers.ts")).postFiles,
  },
  {
    method: "GET",
    path: "/knowledge-handler",
    scope: "knowledge:read",
    failure: "Failed to search files",
    load: async () => (await import("./handlers.ts")).getFiles,
  },
  {
    method: "DELETE",
    path: "/knowledge-handler/:fileId",
    scope: "knowledge:write",
    failure: "Failed to delete file",
    load: async () => (await import("./handlers.ts")).deleteFile,
  },
];

/** The function `knowledge-handler`: the files of a coach. */
export function createKnowledgeApp(services: Services) {
  return createApp("knowledge-handler", services, knowledgeEndpoints, { admit: authenticate(services), maxBodyBytes });
}
