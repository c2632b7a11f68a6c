import { defineRoute } from "../../http/route.ts";
import { deleteFile, searchFiles, uploadFiles } from "./operations.ts";

export const knowledgeRoutes = [
  defineRoute({
    operation: uploadFiles,
    method: "POST",
    path: "/knowledge-handler",
    headers: { idempotencyKey: "Idempotency-Key" },
    query: ["coachId"],
    body: "multipart/form-data",
    readFields: async () => (await import("./read_upload.ts")).readUploadFields,
  }),
  defineRoute({ operation: searchFiles, method: "GET", path: "/knowledge-handler" }),
  defineRoute({ operation: deleteFile, method: "DELETE", path: "/knowledge-handler/:fileId" }),
];
