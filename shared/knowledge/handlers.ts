import type { Handler } from "../http/app_env.ts";
import { parseInput, parseQuery } from "../http/parse_input.ts";
import { replyWithJsonBytes } from "../http/reply_with_json_bytes.ts";
import { requirePathParam } from "../http/require_path_param.ts";
import { IdempotencyKey } from "../wire/idempotency_key.ts";
import { deleteFile as deleteKnowledgeFile } from "./delete_file.ts";
import { readUpload } from "./read_upload.ts";
import { CoachQuery, SearchQuery } from "./schemas.ts";
import { searchFiles } from "./search_files.ts";
import { uploadFiles } from "./upload_files.ts";

/** `POST /knowledge-handler` */
export const postFiles: Handler = async (c) => {
  const { ctx } = c.var;
  const { coachId } = parseInput(CoachQuery, c.req.query());
  const idempotencyKey = parseInput(IdempotencyKey, c.req.header("Idempotency-Key"));
  const files = readUpload(c.req.raw, ctx.services.timeouts.upload);
  return c.json(await uploadFiles(ctx, { coachId, files, idempotencyKey }));
};

/** `GET /knowledge-handler` */
export const getFiles: Handler = async (c) => {
  return replyWithJsonBytes(c, await searchFiles(c.var.ctx, parseQuery(SearchQuery, c.req.query())));
};

/** `DELETE /knowledge-handler/{fileId}` */
export const deleteFile: Handler = async (c) => {
  const fileId = requirePathParam(c, "fileId");
  const { coachId } = parseInput(CoachQuery, c.req.query());
  return c.json(await deleteKnowledgeFile(c.var.ctx, { coachId, fileId }));
};
